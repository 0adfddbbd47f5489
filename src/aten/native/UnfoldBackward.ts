/**
 * @file The gradient of `unfold`: what an element gave to several windows comes back from all of them.
 * @mirrors aten/src/ATen/native/UnfoldBackward.cpp
 * @differs Where windows overlap PyTorch has a loop over the gradient; here the j-th elements of all windows are added at once.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";

// unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor   CPU
export function unfold_backward(grad: Tensor, input_sizes: number[], dim: number, size: number, step: number): Tensor {
  const grad_input = at.zeros(input_sizes, grad.options());
  if (step >= size) {
    grad_input.unfold(dim, size, step).copy_(grad);
    return grad_input;
  }
  if (grad.numel() === 0) return grad_input;
  // The one place of a number lies in the first window, at its begin.
  if (input_sizes.length === 0) return grad_input.copy_(grad.reshape([-1]).select_int(0, 0));
  const along = maybe_wrap_dim(dim, input_sizes.length);
  const windows = grad.size(along);
  for (let j = 0; j < size; j++) {
    const to = grad_input.slice_Tensor(along, j, j + (windows - 1) * step + 1, step);
    to.add__Tensor(grad.select_int(grad.dim() - 1, j));
  }
  return grad_input;
}
