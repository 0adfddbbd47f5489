/**
 * @file Constants: numbers, texts, None, dtypes, and what else cannot change.
 * @mirrors torch/_dynamo/variables/constant.py
 */
import { NotImplementedError } from "#c10/util/Exception";
import { list_from } from "#python/Objects/iterobject";
import { getattr, repr, truth } from "#python/Objects/object";
import { type TypeObject, type_of } from "#python/Objects/typeobject";
import { call_function, call_method as call_of } from "#torch/fx/callables";
import type { PyCodegen } from "../codegen.ts";
import type { Source } from "../source.ts";
import { type Kwargs, MethodVariable, type Translator, VariableTracker } from "./base.ts";
import { constant_call } from "./constant_call.ts";

export class ConstantVariable extends VariableTracker {
  readonly value: unknown;

  constructor(value: unknown, source: Source | null = null) {
    super(source);
    this.value = value;
  }
  static create(value: unknown, source: Source | null = null): ConstantVariable {
    return new ConstantVariable(value, source);
  }
  override toString(): string {
    return `ConstantVariable(${type_of(this.value).name}: ${repr(this.value)})`;
  }
  override python_type(): TypeObject {
    return type_of(this.value);
  }
  override is_python_constant(): boolean {
    return true;
  }
  override as_python_constant(): unknown {
    return this.value;
  }
  override as_proxy(): unknown {
    return this.value;
  }
  override truth(_tx?: Translator): boolean {
    return truth(this.value);
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.value);
  }
  override unpack_var_sequence(): VariableTracker[] {
    if (typeof this.value !== "string" && type_of(this.value).name !== "bytes")
      throw new NotImplementedError(this.toString());
    return list_from(this.value).map((it) => new ConstantVariable(it));
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    const found = constant_call(tx, () => getattr(this.value, name));
    return found.is_python_constant() && typeof found.as_python_constant() === "function"
      ? new MethodVariable(this, name)
      : found;
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    if (name === "join" && typeof this.value === "string" && args.length === 1) {
      const parts = (args[0] as VariableTracker).unpack_var_sequence(tx).map((it) => it.as_python_constant());
      return new ConstantVariable(call_of(this.value, "join", [parts]));
    }
    if (![...args, ...kwargs.values()].every((arg) => arg.is_python_constant()))
      return super.call_method(tx, name, args, kwargs);
    return constant_call(tx, () =>
      call_function(
        getattr(this.value, name),
        args.map((arg) => arg.as_python_constant()),
        new Map([...kwargs].map(([key, value]) => [key, value.as_python_constant()])),
      ),
    );
  }
}

/** A member of an Enum. */
export class EnumVariable extends ConstantVariable {
  override reconstruct(codegen: PyCodegen): void {
    if (this.source !== null) codegen.load_source(this.source);
    else codegen.load_const(this.value);
  }
  override as_proxy(): unknown {
    return this.value;
  }
}
