/**
 * @file `nonzero`: the coordinates of nonzero elements; `nonzero_static`: a given number of them; `count_nonzero` and
 * `argwhere`.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap, assert_no_overlap } from "#aten/MemoryOverlap";
import { count_nonzero_kernel, nonzero_kernel } from "#aten/native/cpu/NonzeroKernel";
import { fill__Scalar } from "#aten/native/Fill";
import { resize_output } from "#aten/native/Resize";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

// nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)                      CPU
export function nonzero_out_cpu(self: Tensor, result: Tensor): Tensor {
  TORCH_CHECK(
    result.scalar_type() === ScalarType.Long,
    "nonzero: Expected out tensor to have scalar type Long but got scalar type",
    toString(result.scalar_type()),
  );
  assert_no_internal_overlap(result);
  assert_no_overlap(result, self);
  const total_nonzero = count_nonzero_kernel(self);
  if (resize_output(result, [total_nonzero, self.dim()])) {
    // Column-major: the coordinates of each dimension are contiguous, because `x[mask]` reads one dimension at a time.
    result.as_strided_([total_nonzero, self.dim()], [1, total_nonzero]);
  }
  if (result.numel() > 0) nonzero_kernel(self, result);
  return result;
}

// nonzero(Tensor self) -> Tensor                                                 CPU
export function nonzero_cpu(self: Tensor): Tensor {
  const result = at.empty_memory_format([0], self.options().dtype(ScalarType.Long));
  return nonzero_out_cpu(self, result);
}

// nonzero_static.out(Tensor self, *, SymInt size, int fill_value=-1, Tensor(a!) out) -> Tensor(a!)     CPU
export function nonzero_static_out_cpu(self: Tensor, size: number, fill_value: number, result: Tensor): Tensor {
  TORCH_CHECK(size >= 0, "nonzero_static: 'size' must be an non-negative integer");
  const ndim = self.dim();
  TORCH_CHECK(
    result.scalar_type() === ScalarType.Long,
    "nonzero_static: Expected out tensor to have scalar type Long but got scalar type",
    toString(result.scalar_type()),
  );
  if (result.dim() !== 2 || result.size(0) !== size || result.size(1) !== ndim) resize_output(result, [size, ndim]);
  if (result.numel() === 0) return result;
  assert_no_internal_overlap(result);
  assert_no_overlap(result, self);
  const all = nonzero_cpu(self);
  const found = Math.min(all.size(0), size);
  result.narrow(0, 0, found).copy_(all.narrow(0, 0, found));
  if (found < size) result.narrow(0, found, size - found).fill__Scalar(Scalar.fromInt(fill_value));
  return result;
}

// nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor          CPU
export function nonzero_static_cpu(self: Tensor, size: number, fill_value: number): Tensor {
  TORCH_CHECK(size >= 0, "nonzero_static: 'size' must be an non-negative integer");
  const result = at.empty_memory_format([size, self.dim()], self.options().dtype(ScalarType.Long));
  return nonzero_static_out_cpu(self, size, fill_value, result);
}

// nonzero_numpy(Tensor self) -> Tensor[]                                         CompositeImplicitAutograd
/** One index tensor per dimension, as NumPy's `nonzero` gives them. */
export function nonzero_numpy(self: Tensor): Tensor[] {
  return (self.dim() === 0 ? self.unsqueeze(0) : self).nonzero().unbind_int(1);
}

// count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor                    CPU
export function count_nonzero_cpu(self: Tensor, dims: number[]): Tensor {
  if (dims.length > 0) return self.ne_Scalar(Scalar.ZERO).sum_dim_IntList(dims);
  const count = count_nonzero_kernel(self);
  return fill__Scalar(at.empty_memory_format([], self.options().dtype(ScalarType.Long)), Scalar.fromInt(count));
}

// count_nonzero(Tensor self, int? dim=None) -> Tensor                            CompositeExplicitAutograd
export function count_nonzero(self: Tensor, dim: number | null): Tensor {
  return at.count_nonzero_dim_IntList(self, dim === null ? [] : [dim]);
}

// argwhere(Tensor self) -> Tensor                                                CompositeImplicitAutograd
export function argwhere(self: Tensor): Tensor {
  return self.nonzero();
}
