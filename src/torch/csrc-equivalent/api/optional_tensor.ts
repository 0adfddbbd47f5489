/**
 * @file Undefined tensors of C++ and the null that operators take.
 * @original C++ converts between `Tensor` and `optional<Tensor>` by itself.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";

/** The tensor, or null if it is undefined. */
export function or_null(tensor: Tensor): Tensor | null {
  return tensor.defined() ? tensor : null;
}
