/**
 * @file Modules of Python, exceptions, `super()`, and functions that the translator answers itself.
 * @mirrors torch/_dynamo/variables/misc.py
 */
import { AttributeError } from "#c10/util/Exception";
import type { BaseException } from "#python/Objects/exceptions";
import { is_function } from "#python/Objects/funcobject";
import { getattr_or_undefined, repr } from "#python/Objects/object";
import { full_name, info_of, type TypeObject, type_of } from "#python/Objects/typeobject";
import { as_python_exception } from "#python/vm/errors";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import type { PyCodegen } from "../codegen.ts";
import { ObservedException } from "../observed.ts";
import { AttrSource, type Source } from "../source.ts";
import { type Kwargs, ObjectVariable, type Translator, VariableTracker } from "./base.ts";
import { build } from "./build.ts";
import { ConstantVariable } from "./constant.ts";
import { UserFunctionVariable, UserMethodVariable } from "./functions.ts";
import { DequeVariable, SizeVariable } from "./lists.ts";
import { method_of } from "./nn_module.ts";
import { UserDefinedObjectVariable } from "./user_defined.ts";

export class PythonModuleVariable extends VariableTracker {
  readonly value: unknown;

  constructor(value: unknown, source: Source | null = null) {
    super(source);
    this.value = value;
  }
  override toString(): string {
    return `PythonModuleVariable(${repr(this.value)})`;
  }
  override python_type(): TypeObject {
    return type_of(this.value);
  }
  override truth(): boolean {
    return true;
  }
  override is_python_constant(): boolean {
    return true;
  }
  override as_python_constant(): unknown {
    return this.value;
  }
  override reconstruct(codegen: PyCodegen): void {
    if (this.source !== null) codegen.load_source(this.source);
    else codegen.load_const(this.value);
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    const found = getattr_or_undefined(this.value, name);
    if (found === undefined)
      throw new ObservedException(as_python_exception(new AttributeError(`module has no attribute '${name}'`)));
    return build(tx, found, this.source === null ? null : new AttrSource(this.source, name));
  }
}

/** A function that the translator answers itself. */
export class LambdaVariable extends VariableTracker {
  private readonly fn: (args: readonly VariableTracker[], kwargs: Kwargs) => VariableTracker;

  constructor(fn: (args: readonly VariableTracker[], kwargs: Kwargs) => VariableTracker) {
    super();
    this.fn = fn;
  }
  override truth(): boolean {
    return true;
  }
  override call_function(_tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    return this.fn(args, kwargs);
  }
}

/** `super()`. */
export class SuperVariable extends VariableTracker {
  readonly typevar: VariableTracker;
  readonly objvar: VariableTracker;

  constructor(typevar: VariableTracker, objvar: VariableTracker) {
    super();
    this.typevar = typevar;
    this.objvar = objvar;
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    const of = this.objvar.realize();
    const after = info_of(this.typevar.realize().as_python_constant());
    const type = of.python_type();
    const rest = type.mro.slice(type.mro.indexOf(after as TypeObject) + 1);
    const is_object = of instanceof UserDefinedObjectVariable;
    for (const base of rest) {
      const found = base.heap ? base.dict.get(name) : method_of(base, name);
      if (is_function(found) && is_object) return new UserMethodVariable(new UserFunctionVariable(found), of);
      if (base.heap ? found !== undefined : base.dict.has(name)) break;
    }
    if (name === "__init__" && rest.length === 1) return new LambdaVariable(() => new ConstantVariable(null));
    void tx;
    return super.var_getattr(tx, name);
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    return this.var_getattr(tx, name).call_function(tx, args, kwargs);
  }
}

/** An exception that the followed code made or met. */
export class ExceptionVariable extends ObjectVariable {
  readonly exception: BaseException;

  constructor(exception: BaseException) {
    super(null, "new");
    this.exception = exception;
  }
  override python_type(): TypeObject {
    return type_of(this.exception);
  }
  override get value(): unknown {
    return this.exception;
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    return new ConstantVariable(this.exception).var_getattr(tx, name);
  }
}

/** A class of exceptions: calling it makes one. */
export class ExceptionClassVariable extends VariableTracker {
  readonly cls: unknown;

  constructor(cls: unknown, source: Source | null = null) {
    super(source);
    this.cls = cls;
  }
  override toString(): string {
    return `BuiltinVariable(${full_name(info_of(this.cls) as TypeObject)})`;
  }
  override python_type(): TypeObject {
    return type_of(this.cls);
  }
  override is_python_constant(): boolean {
    return true;
  }
  override as_python_constant(): unknown {
    return this.cls;
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.cls);
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    if (kwargs.size > 0 || !args.every((arg) => arg.realize().is_python_constant()))
      return super.call_function(tx, args, kwargs);
    return new ExceptionVariable(
      call_function(
        this.cls,
        args.map((arg) => arg.realize().as_python_constant()),
      ) as BaseException,
    );
  }
}

/** Classes of the library whose objects are followed like lists: `torch.Size`, `collections.deque`. */
export class ListClassVariable extends ObjectVariable {
  readonly cls: unknown;

  constructor(cls: unknown, source: Source | null = null) {
    super(source);
    this.cls = cls;
  }
  static holds(cls: unknown): boolean {
    return cls === torch.Size || info_of(cls)?.name === "deque";
  }
  override python_type(): TypeObject {
    return type_of(this.cls);
  }
  override get value(): unknown {
    return this.cls;
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    return new ConstantVariable(this.cls).var_getattr(tx, name);
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const items = args[0] === undefined ? [] : tx.sequence(args[0]);
    if (this.cls === torch.Size) return new SizeVariable(items);
    const maxlen = args[1] ?? kwargs.get("maxlen");
    return new DequeVariable(items, this.cls, maxlen === undefined ? null : (tx.constant_of(maxlen) as number | null));
  }
}
