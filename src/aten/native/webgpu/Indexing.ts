/**
 * @file `index_select` and `index_add`: slices along a dim that a vector of indices names.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.h
 * @see IndexKernel.ts (the kernels), native/IndexSelect.ts (the CPU's, which looks at the indices first)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { structured_index_add } from "#aten/native/IndexAdd";
import { along, prepare_index_select, standing_still } from "#aten/native/IndexSelect";
import { type TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import type { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { index_add_kernel, index_select_kernel } from "./IndexKernel.ts";

function over_slices(out: Tensor, input: Tensor, index: Tensor): TensorIterator {
  return new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .add_owned_output(out)
    .add_owned_const_input(input)
    .add_owned_const_input(index)
    .build();
}

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
