/**
 * @file Classes of the program and their objects.
 * @mirrors torch/_dynamo/variables/user_defined.py
 */
import { AttributeError } from "#c10/util/Exception";
import { property_type } from "#python/Objects/descrobject";
import { PyDict } from "#python/Objects/dictobject";
import { is_function, type PyFunction } from "#python/Objects/funcobject";
import { instance_dict } from "#python/Objects/instance_dict";
import { getattr_or_undefined, repr } from "#python/Objects/object";
import { full_name, info_of, object_type, type TypeObject, type_of } from "#python/Objects/typeobject";
import { as_python_exception } from "#python/vm/errors";
import type { PyCodegen } from "../codegen.ts";
import { unimplemented } from "../graph_break.ts";
import * as graph_break_hints from "../graph_break_hints.ts";
import { NOT_PRESENT_IN_GENERIC_DICT } from "../guards.ts";
import { ObservedException } from "../observed.ts";
import { AttrSource, type Source, TypeSource } from "../source.ts";
import {
  DeletedVariable,
  type Kwargs,
  type Mutation,
  NO_KWARGS,
  ObjectVariable,
  type Translator,
  VariableTracker,
} from "./base.ts";
import { build } from "./build.ts";
import { ConstantVariable } from "./constant.ts";
import { ConstDictVariable, DefaultDictVariable, dict_items } from "./dicts.ts";
import { UserFunctionVariable, UserMethodVariable } from "./functions.ts";
import { NamedTupleVariable } from "./lists.ts";

const wrapped = (of: unknown, name: string): unknown => getattr_or_undefined(of, name);

export class UserDefinedClassVariable extends ObjectVariable {
  /** The class as the program sees it. */
  override readonly value: unknown;
  readonly type: TypeObject;

  constructor(value: unknown, source: Source | null = null) {
    super(source, source === null ? null : "existing");
    this.value = value;
    this.type = info_of(value) as TypeObject;
  }
  override toString(): string {
    return `UserDefinedClassVariable(${repr(this.value)})`;
  }
  override python_type(): TypeObject {
    return type_of(this.value);
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    const stored = tx.output.side_effects.load_attr(this, name);
    if (stored !== null) return stored;
    const found = this.type.lookup(name);
    if (found === undefined) return new ConstantVariable(this.value).var_getattr(tx, name);
    const source = this.source === null ? null : new AttrSource(this.source, name);
    const kind = type_of(found).name;
    if (kind === "staticmethod") return build(tx, wrapped(found, "__func__"), source);
    if (kind === "classmethod")
      return new UserMethodVariable(build(tx, wrapped(found, "__func__"), null).realize(), this, source);
    return build(tx, getattr_or_undefined(this.value, name), source);
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    if (name === "__setattr__" && args.length === 2 && this.type.metatype.name === "type") {
      tx.output.side_effects.store_attr(
        this,
        tx.constant_of(args[0] as VariableTracker) as string,
        args[1] as VariableTracker,
      );
      return new ConstantVariable(null);
    }
    return this.var_getattr(tx, name).realize().call_function(tx, args, kwargs);
  }

  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const { type } = this;
    const fields = type.lookup("_fields");
    if (fields !== undefined && type.mro.some((base) => base.name === "tuple")) {
      const names = [...(fields as Iterable<string>)];
      const items = names.map((name, i) => args[i] ?? kwargs.get(name));
      if (items.every((it) => it !== undefined) && args.length + kwargs.size === names.length)
        return new NamedTupleVariable(items as VariableTracker[], type);
    }
    const of_library = collection_of(tx, type, args, kwargs);
    if (of_library !== null) return of_library;
    const is_plain =
      type.heap &&
      type.mro.every((base) => base.heap || base === object_type) &&
      ["type", "ABCMeta"].includes(type.metatype.name);
    const init = type.lookup("__init__");
    if (
      !is_plain ||
      type.lookup("__new__") !== object_type.lookup("__new__") ||
      type.mro.some((base) => (base.slots?.size ?? 0) > 0)
    )
      return unimplemented({
        gb_type: "Unsupported function call",
        context: `call_function ${this.toString()}`,
        explanation: `Dynamo does not know how to trace the function \`${this.toString()}\``,
        hints: [`Avoid calling \`${this.toString()}\` in your code.`, "Please report an issue to PyTorch."],
      });
    const made = tx.output.side_effects.track_object_new(this);
    if (is_function(init)) new UserFunctionVariable(init).call_function(tx, [made, ...args], kwargs);
    return made;
  }
}

/** Classes of Python's library whose methods write to files and the terminal. */
const LOGGERS: ReadonlySet<string> = new Set(["logging.Logger", "logging.RootLogger"]);

/** A method of an object of the library: a call of it breaks the graph. */
class LibraryMethodVariable extends VariableTracker {
  private readonly of: UserDefinedObjectVariable;
  private readonly method: string;

  constructor(of: UserDefinedObjectVariable, method: string) {
    super();
    this.of = of;
    this.method = method;
  }
  override truth(): boolean {
    return true;
  }
  override children(): Iterable<VariableTracker> {
    return [this.of];
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.reconstruct(this.of);
    codegen.load_attr(this.method);
  }
  override call_function(): VariableTracker {
    const { name } = this.of.type;
    const is_logger = name === "Logger";
    return unimplemented({
      gb_type: is_logger ? "logging.Logger method not supported for non-export cases" : "Unsupported method call",
      context: `call_method ${this.of.toString()} ${this.method}`,
      explanation: is_logger
        ? "logging.Logger methods are not supported for non-export cases."
        : `Dynamo does not know how to trace method \`${this.method}\` of class \`${name}\``,
      hints: is_logger
        ? ["Add the logging method to `torch._dynamo.config.ignore_logging_functions`."]
        : [`Avoid calling \`${name}.${this.method}\` in your code.`, "Please report an issue to PyTorch."],
    });
  }
}

/** Objects of `collections` that are followed like lists and dicts; null for another class. */
function collection_of(
  tx: Translator,
  type: TypeObject,
  args: readonly VariableTracker[],
  kwargs: Kwargs,
): VariableTracker | null {
  if (type.name === "OrderedDict" && full_name(type) === "collections.OrderedDict") {
    const items = args[0] === undefined ? new PyDict() : dict_items(tx, args[0]);
    for (const [name, it] of kwargs) items.set(name, it);
    return new ConstDictVariable(items, type);
  }
  if (type.name === "defaultdict" && full_name(type) === "collections.defaultdict") {
    const items = args[1] === undefined ? new PyDict() : dict_items(tx, args[1]);
    for (const [name, it] of kwargs) items.set(name, it);
    return new DefaultDictVariable(items, type, args[0] ?? new ConstantVariable(null));
  }
  return null;
}

/** A dict of a class of the program, with the methods that the class adds. */
export class UserDefinedDictVariable extends ConstDictVariable {
  private own_method(name: string): VariableTracker | null {
    const holder = this.type.mro.find((base) => base.dict.has(name));
    const found = holder?.heap === true && !full_name(holder).startsWith("collections.") ? holder.dict.get(name) : null;
    return is_function(found) ? new UserMethodVariable(new UserFunctionVariable(found), this) : null;
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    return this.own_method(name) ?? super.var_getattr(tx, name);
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    return this.own_method(name)?.call_function(tx, args, kwargs) ?? super.call_method(tx, name, args, kwargs);
  }
}

/** An object of a class of the program. Attributes that the followed code sets are kept by the side effects. */
export class UserDefinedObjectVariable extends VariableTracker {
  /** The object; null if the followed code made it. */
  readonly value: object | null;
  readonly type: TypeObject;
  /** The class's variable, for an object that the followed code made. */
  readonly cls: VariableTracker | null;

  constructor(
    value: object | null,
    type: TypeObject,
    source: Source | null,
    mutation: Mutation,
    cls: VariableTracker | null = null,
  ) {
    super(source, mutation);
    this.value = value;
    this.type = type;
    this.cls = cls;
  }
  override toString(): string {
    return `${this.vt_name}(${this.type.name})`;
  }
  override python_type(): TypeObject {
    return this.type;
  }
  override children(): Iterable<VariableTracker> {
    return [];
  }
  override reconstruct(codegen: PyCodegen): void {
    if (this.source === null) super.reconstruct(codegen);
    else codegen.load_source(this.source);
  }

  /** The attribute in the object's own dict; undefined: it has none of that name. */
  protected own(name: string): unknown {
    if (this.value === null) return undefined;
    if (this.type.mro.some((base) => base.slots?.has(name))) return getattr_or_undefined(this.value, name);
    if (!this.type.has_dict) return undefined;
    const dict = instance_dict(this.value);
    return dict.has(name) ? dict.get(name) : undefined;
  }

  /** A source of something of the class. */
  protected type_source(name: string): Source | null {
    return this.source === null ? null : new AttrSource(new TypeSource(this.source), name);
  }

  override var_getattr(tx: Translator, name: string): VariableTracker {
    const stored = tx.output.side_effects.load_attr(this, name);
    if (stored instanceof DeletedVariable) return this.absent(name);
    if (stored !== null) return stored;
    if (name === "__class__")
      return build(tx, this.type.cls, this.source === null ? null : new TypeSource(this.source));
    const found = this.type.lookup(name);
    if (found !== undefined) {
      const kind = type_of(found);
      if (kind === property_type) {
        const getter = wrapped(found, "fget");
        return build(tx, getter, null).realize().call_function(tx, [this], NO_KWARGS);
      }
      if (kind.name === "staticmethod") return build(tx, wrapped(found, "__func__"), this.type_source(name));
      if (kind.name === "classmethod")
        return new UserMethodVariable(
          build(tx, wrapped(found, "__func__"), null).realize(),
          build(tx, this.type.cls, null).realize(),
        );
      if (kind.tp_descr_set !== null && !is_function(found)) return this.unsupported(name);
    }
    const own = this.own(name);
    if (own !== undefined) return build(tx, own, this.source === null ? null : new AttrSource(this.source, name));
    if (is_function(found)) {
      if (LOGGERS.has(full_name(this.type))) return new LibraryMethodVariable(this, name);
      this.guard_absent(tx, name);
      return new UserMethodVariable(new UserFunctionVariable(found as PyFunction, this.function_source(name)), this);
    }
    if (found !== undefined) {
      if (type_of(found).tp_descr_get !== null) return new LibraryMethodVariable(this, name);
      return build(tx, found, this.source === null ? null : new AttrSource(this.source, name));
    }
    const getattr = this.type.lookup("__getattr__");
    if (is_function(getattr))
      return new UserFunctionVariable(getattr as PyFunction).call_function(
        tx,
        [this, new ConstantVariable(name)],
        NO_KWARGS,
      );
    return this.absent(name);
  }
  private absent(name: string): never {
    throw new ObservedException(
      as_python_exception(new AttributeError(`'${this.type.name}' object has no attribute '${name}'`)),
    );
  }

  protected function_source(name: string): Source | null {
    return this.type_source(name);
  }

  /** A method must not be hidden by an attribute of the object. */
  protected guard_absent(tx: Translator, name: string): void {
    if (this.source === null || this.mutation === "new") return;
    const { source } = this;
    tx.output.install_guard(NOT_PRESENT_IN_GENERIC_DICT(source, name));
  }

  private unsupported(name: string): never {
    return unimplemented({
      gb_type: "Unsupported attribute access",
      context: `var_getattr ${this.toString()} ${name}`,
      explanation: `Dynamo does not know how to get the attribute \`${name}\` of an object of class \`${this.type.name}\`.`,
      hints: [...graph_break_hints.SUPPORTABLE],
    });
  }

  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    if (name === "__setattr__" && args.length === 2) {
      const attribute = (args[0] as VariableTracker).as_python_constant() as string;
      this.set_attribute(tx, attribute, args[1] as VariableTracker);
      return new ConstantVariable(null);
    }
    if (name === "__delattr__" && args.length === 1) {
      const attribute = tx.constant_of(args[0] as VariableTracker) as string;
      this.var_getattr(tx, attribute);
      if (this.own(attribute) === undefined) tx.output.side_effects.forget_attr(this, attribute);
      else tx.output.side_effects.store_attr(this, attribute, new DeletedVariable());
      return new ConstantVariable(null);
    }
    const special = name.startsWith("__") ? this.type.lookup(name) : undefined;
    if (is_function(special))
      return new UserFunctionVariable(special as PyFunction).call_function(tx, [this, ...args], kwargs);
    if (name === "__init__" && this.type.lookup(name) === object_type.lookup(name)) return new ConstantVariable(null);
    return this.var_getattr(tx, name).realize().call_function(tx, args, kwargs);
  }

  set_attribute(tx: Translator, name: string, value: VariableTracker): void {
    const found = this.type.lookup(name);
    if (found !== undefined && type_of(found) === property_type) {
      const setter = wrapped(found, "fset");
      if (is_function(setter)) {
        new UserFunctionVariable(setter).call_function(tx, [this, value], NO_KWARGS);
        return;
      }
    }
    if (
      is_function(this.type.lookup("__setattr__")) ||
      (found !== undefined && type_of(found).tp_descr_set !== null && !is_function(found))
    )
      this.unsupported(name);
    tx.output.side_effects.store_attr(this, name, value);
  }

  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const method = this.type.lookup("__call__");
    if (is_function(method))
      return new UserFunctionVariable(method as PyFunction).call_function(tx, [this, ...args], kwargs);
    return super.call_function(tx, args, kwargs);
  }
}
