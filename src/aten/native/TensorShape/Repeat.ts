/**
 * @file `repeat` and `tile`, which repeat a tensor along its dims, and `unfold`, the view of all windows along a dim.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK } from "#c10/util/Exception";
import { stack } from "./Join.ts";

// repeat(Tensor self, SymInt[] repeats) -> Tensor                                             CompositeExplicitAutograd
export function repeat(self: Tensor, repeats: number[]): Tensor {
  TORCH_CHECK(
    repeats.length >= self.dim(),
    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
  );
  const n_dims = repeats.length;
  const padded_size = [...new Array<number>(n_dims - self.dim()).fill(1), ...self.sizes()];
  const target_size = padded_size.map((size, d) => size * repeats[d]);
  const xtensor = self.expand(padded_size);
  let urtensor = at.empty_memory_format(target_size, self.options());
  if (repeats.includes(0)) return urtensor;

  // Windows of a dim's own size, one after the other: (a0, a1, ..., b0, b1, ...), where a is the number of the copy and
  // b is the position in it.
  for (const [d, size] of padded_size.entries()) urtensor = urtensor.unfold(d, size, Math.max(size, 1));
  urtensor.copy_(xtensor.expand_as(urtensor));

  // (a0, b0, a1, b1, ...) is the result with more dims. The order is computed with tensors, as a trace of PyTorch
  // shows.
  const range_a = at.arange(Scalar.fromInt(n_dims), TensorOptions.EMPTY.dtype(ScalarType.Long));
  const range_b = range_a.add_Scalar(Scalar.fromInt(n_dims));
  const stacked = stack([range_a, range_b], 1).flatten_using_ints();
  const order = stacked.data_view() as BigInt64Array;
  const begin = stacked.data_offset();
  const permutation = Array.from(order.subarray(begin, begin + 2 * n_dims), Number);
  urtensor = urtensor.permute(permutation);
  return urtensor.reshape(target_size);
}

// unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)                      CPU, Meta
export function unfold(self: Tensor, d: number, size: number, step: number): Tensor {
  const ndim = self.dim();
  const at_dim = maybe_wrap_dim(d, ndim, true);
  const max_size = ndim === 0 ? 1 : self.size(at_dim);
  TORCH_CHECK(size >= 0, "size is ", size, " but must be >= 0");
  TORCH_CHECK(
    size <= max_size,
    "maximum size for tensor at dimension ",
    at_dim,
    " is ",
    max_size,
    " but size is ",
    size,
  );
  TORCH_CHECK(step > 0, "step is ", step, " but must be > 0");
  const sizes = self.sizes().slice();
  const strides = self.strides().slice();
  if (ndim > 0) {
    sizes[at_dim] = Math.floor((max_size - size) / step) + 1;
    strides[at_dim] *= step;
  }
  return self.as_strided([...sizes, size], [...strides, ndim === 0 ? 1 : self.strides()[at_dim]]);
}
