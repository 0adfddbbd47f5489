/**
 * @file Kernels of `index_select`, `index_add` and `index_fill_`: slices along a dim, selected by a vector of indices.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.h
 * @see IndexKernel.ts (the kernels), native/TensorAdvancedIndexing/IndexSelect.ts (the CPU version, which checks the
 * indices first)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { structured_index_add } from "#aten/native/TensorAdvancedIndexing/IndexAdd";
import { as_slices, prepare_index_fill } from "#aten/native/TensorAdvancedIndexing/IndexCopyFill";
import { along, prepare_index_select, standing_still } from "#aten/native/TensorAdvancedIndexing/IndexSelect";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import type { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { index_add_kernel, index_fill_kernel, index_select_kernel, over_slices } from "./IndexKernel.ts";

// index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)
export function index_select_out(self: Tensor, dim_: number, index: Tensor, result: Tensor): Tensor {
  const dim = maybe_wrap_dim(dim_, self.dim());
  const numel = index.numel();
  prepare_index_select(self, dim, index, result);
  if (numel === 0) return result;
  if (self.numel() === 0 && self.dim() > 1)
    TORCH_CHECK(self.size(dim) > 0, "index_select(): self indexing axis dim should be positive");
  if (result.numel() === 0) return result;
  if (self.dim() === 0) return result.copy_(self);
  const iter = over_slices(result, standing_still(self, dim, numel), along(index, dim, self.dim()));
  index_select_kernel(iter, self.size(dim), self.strides()[dim]);
  return result;
}

// index_select(Tensor self, int dim, Tensor index) -> Tensor
export function index_select(self: Tensor, dim: number, index: Tensor): Tensor {
  return index_select_out(self, dim, index, at.empty_memory_format([0], self.options()));
}

// index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
export abstract class structured_index_add_out extends structured_index_add {
  impl(self: Tensor, dim: number, index: Tensor, source_: Tensor, alpha: Scalar, result: Tensor): void {
    if (!result.is_same(self)) result.copy_(self);
    if (index.numel() === 0 || self.numel() === 0) return;
    const source = alpha.equal(1) ? source_ : source_.mul_Scalar(alpha);
    const vector = (t: Tensor): Tensor => (t.dim() === 0 ? t.unsqueeze(0) : t);
    const [out, added] = [vector(result), vector(source)];
    const n = index.numel();
    const iter = over_slices(standing_still(out, dim, n), added, along(index, dim, out.dim()));
    index_add_kernel(iter, out.size(dim), out.strides()[dim]);
  }
}

// index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)
export function index_fill__int_Scalar(self: Tensor, dim_: number, index: Tensor, value: Scalar): Tensor {
  const prepared = prepare_index_fill(self, dim_, index, value);
  if (prepared === null) return self;
  const { to, dim } = prepared;
  const n = index.numel();
  const iter = over_slices(standing_still(to, dim, n), as_slices(value, to, dim, n), along(index, dim, to.dim()));
  index_fill_kernel(iter, to.size(dim), to.strides()[dim]);
  return self;
}
