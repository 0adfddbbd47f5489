/**
 * @file A module of a loaded file: an object, and the methods that the file has.
 * @mirrors torch/csrc/jit/mobile/module.cpp
 */
import { IValue } from "#aten/core/ivalue";
import type { Object_ } from "#aten/core/ivalue_inl";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { MobileFunction } from "./function.ts";

export class MobileModule {
  readonly object: Object_;
  /** By qualified name. */
  private readonly functions_: ReadonlyMap<string, MobileFunction>;
  /** Full names of the operators that its methods call. */
  readonly operators: ReadonlySet<string>;

  constructor(object: Object_, functions: ReadonlyMap<string, MobileFunction>, operators: ReadonlySet<string>) {
    this.object = object;
    this.functions_ = functions;
    this.operators = operators;
  }

  find_method(name: string): MobileFunction | null {
    return this.functions_.get(`${this.object.name()}.${name}`) ?? null;
  }
  get_method(name: string): MobileFunction {
    const method = this.find_method(name);
    TORCH_CHECK(method !== null, `Method '${name}' is not defined.`);
    return method;
  }
  run_method(name: string, args: readonly IValue[]): IValue {
    return this.get_method(name).call([IValue.fromObject(this.object), ...args]);
  }
  forward(args: readonly IValue[]): IValue {
    return this.run_method("forward", args);
  }
}
