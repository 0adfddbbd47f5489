/**
 * @file Gradient of `unfold`: an element gets the sum of the gradients from all windows that contain it.
 * @mirrors aten/src/ATen/native/UnfoldBackward.cpp
 * @see cpu/UnfoldBackwardKernel.ts (the loop)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK_VALUE } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

/** Adds to `grad_out`, which has the sizes of the unfolded tensor. */
export const unfold_backward_stub =
  DEFINE_DISPATCH<(grad_out: Tensor, grad_in: Tensor, dim: number, size: number, step: number) => void>(
    "unfold_backward_stub",
  );

// unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor   CPU
export function unfold_backward(grad: Tensor, input_sizes: number[], dim: number, size: number, step: number): Tensor {
  TORCH_CHECK_VALUE(step > 0, "step is ", step, " but must be > 0");
  const grad_input = at.zeros(input_sizes, grad.options());
  if (step >= size) grad_input.unfold(dim, size, step).copy_(grad);
  else unfold_backward_stub.call(grad.device().type(), grad_input, grad, dim, size, step);
  return grad_input;
}
