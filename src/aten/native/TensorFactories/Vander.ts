/**
 * @file `vander`: a matrix of the powers of numbers.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

// vander(Tensor x, int? N=None, bool increasing=False) -> Tensor                    CompositeImplicitAutograd
export function vander(x: Tensor, N: number | null, increasing: boolean): Tensor {
  TORCH_CHECK(x.dim() === 1, "x must be a one-dimensional tensor.");
  const n = N ?? x.size(0);
  TORCH_CHECK(n >= 0, "N must be non-negative.");
  // Powers are computed by cumprod, which promotes integers to int64.
  const options = x.options().dtype(at.promote_types(x.scalar_type(), ScalarType.Long));
  const result = at.empty_memory_format([x.size(0), n], options); // (size of x, N)
  if (n > 0) result.select_int(1, 0).fill__Scalar(Scalar.ONE);
  if (n > 1) {
    result.slice_Tensor(1, 1).copy_(x.unsqueeze(1));
    result.slice_Tensor(1, 1).copy_(at.cumprod(result.slice_Tensor(1, 1), 1));
  }
  return increasing ? result : at.flip(result, [1]);
}
