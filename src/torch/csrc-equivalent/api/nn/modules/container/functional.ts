/**
 * @file A function as a module, so that it can stand in a `Sequential`.
 * @mirrors torch/csrc/api/include/torch/nn/modules/container/functional.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Cloneable } from "../../cloneable.ts";
import { type ModuleHolder, TORCH_MODULE } from "../../pimpl.ts";

export class FunctionalImpl extends Cloneable {
  private readonly function_: (input: Tensor) => Tensor;

  /** @param args arguments of the function after its input */
  constructor(fn: (input: Tensor, ...args: never[]) => Tensor, ...args: unknown[]) {
    super();
    this.function_ = (input) => fn(input, ...(args as never[]));
  }
  override reset(): void {
    // It has no parameters.
  }
  forward(input: Tensor): Tensor {
    return this.function_(input);
  }
  override is_serializable(): boolean {
    return false;
  }
  override pretty_print(): string {
    return "torch::nn::Functional()";
  }
}
export const Functional: ModuleHolder<typeof FunctionalImpl> = TORCH_MODULE(FunctionalImpl, "Functional");
