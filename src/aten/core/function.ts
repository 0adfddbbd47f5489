/**
 * @file A function or method of TorchScript as types know it, and the type of a function as a value.
 * @mirrors aten/src/ATen/core/function.h
 */
import type { FunctionSchema } from "./function_schema.ts";
import { Type } from "./jit_type.ts";

export interface Function {
  /** `__torch__.Net.forward` */
  qualname(): string;
  /** The last part of the qualified name. */
  name(): string;
  getSchema(): FunctionSchema;
  isGraphFunction(): boolean;
  /** Compiles the function if that has not happened yet. */
  ensure_defined(): void;
}

/** The type of `f` in `%1 : Function = prim::Constant[name="f"]()`. Equal only for the same function. */
export class FunctionType extends Type {
  private readonly function_: Function;

  constructor(fn: Function) {
    super("FunctionType", "Function", fn.qualname());
    this.function_ = fn;
  }
  static create(fn: Function): FunctionType {
    return new FunctionType(fn);
  }
  function(): Function {
    return this.function_;
  }
  override equals(other: Type): boolean {
    return other instanceof FunctionType && other.function_ === this.function_;
  }
}
