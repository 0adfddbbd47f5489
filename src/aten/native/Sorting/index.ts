/**
 * @file `sort` and `topk`: all elements of a line in order, or the first k of them.
 * @mirrors aten/src/ATen/native/Sorting.cpp
 * @see cpu/SortingKernel/index.ts (the algorithms); Select.ts (kthvalue, median)
 */
import { infer_dense_strides } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { MetaBase } from "#aten/TensorMeta";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

export const sort_stub =
  DEFINE_DISPATCH<
    (self: Tensor, values: Tensor, indices: Tensor, dim: number, descending: boolean, stable: boolean) => void
  >("sort_stub");
export const topk_stub =
  DEFINE_DISPATCH<
    (values: Tensor, indices: Tensor, self: Tensor, k: number, dim: number, largest: boolean, sorted: boolean) => void
  >("topk_stub");

// sort, argsort, msort --------------------------------------------------------------------------------------------------

export abstract class structured_sort_stable extends MetaBase {
  meta(self: Tensor, _stable: boolean | null, dim: number, _descending: boolean): void {
    maybe_wrap_dim(dim, self.dim());
    const [sizes, strides] = [self.sizes() as number[], self.strides() as number[]];
    const dense = self.is_non_overlapping_and_dense() ? strides : infer_dense_strides(sizes, strides);
    this.set_output_raw_strided(0, sizes, dense, self.options());
    this.set_output_raw_strided(1, sizes, dense, self.options().dtype(ScalarType.Long));
  }
}

/** Writes the indices of each line along `dim` in order; a sort then moves them together with the values. */
function fill_indices(indices: Tensor, dim: number): void {
  const n = indices.size(dim);
  const range = at.arange(Scalar.fromInt(n), indices.options());
  const one = indices.sizes().map(() => 1);
  indices.copy_(range.as_strided(one.with(dim, n), one));
}

// sort.values_stable                                                                CPU
export abstract class structured_sort_stable_out extends structured_sort_stable {
  impl(self: Tensor, stable: boolean | null, dim: number, descending: boolean, values: Tensor, indices: Tensor): void {
    values.copy_(self);
    if (self.dim() === 0 && self.numel() === 1) indices.zero_();
    else {
      const wrapped = maybe_wrap_dim(dim, self.dim());
      fill_indices(indices, wrapped);
      sort_stub.call(self.device_type(), values, values, indices, wrapped, descending, stable ?? false);
    }
  }
}

// sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)   CompositeExplicitAutograd
export function sort(self: Tensor, dim: number, descending: boolean): [Tensor, Tensor] {
  return at.sort_stable(self, false, dim, descending);
}

// sort.values                                                                       CompositeExplicitAutograd
export function sort_out(
  self: Tensor,
  dim: number,
  descending: boolean,
  values: Tensor,
  indices: Tensor,
): [Tensor, Tensor] {
  return at.sort_values_stable(self, false, dim, descending, values, indices);
}

// argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor                CompositeImplicitAutograd
export function argsort(self: Tensor, dim: number, descending: boolean): Tensor {
  return at.sort(self, dim, descending)[1];
}

// argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor   CompositeImplicitAutograd
export function argsort_stable(self: Tensor, stable: boolean, dim: number, descending: boolean): Tensor {
  return at.sort_stable(self, stable, dim, descending)[1];
}

export function argsort_out(self: Tensor, stable: boolean, dim: number, descending: boolean, result: Tensor): Tensor {
  const values = at.empty_memory_format([0], self.options());
  at.sort_values_stable(self, stable, dim, descending, values, result);
  return result;
}

// msort(Tensor self) -> Tensor                                                     CompositeImplicitAutograd
export function msort(self: Tensor): Tensor {
  return at.sort(self, 0)[0];
}

export function msort_out(self: Tensor, values: Tensor): Tensor {
  const indices = at.empty_memory_format([0], self.options().dtype(ScalarType.Long));
  at.sort_values(self, 0, false, values, indices);
  return values;
}

// topk ------------------------------------------------------------------------------------------------------------------

export abstract class structured_topk extends MetaBase {
  meta(self: Tensor, k: number, dim_: number, _largest: boolean, _sorted: boolean): void {
    const dim = maybe_wrap_dim(dim_, self.dim());
    const slice_size = self.dim() > 0 ? self.size(dim) : 1;
    TORCH_CHECK(k >= 0 && k <= slice_size, "selected index k out of range");
    const sizes = self.dim() === 0 ? [] : (self.sizes() as number[]).with(dim, k);
    this.set_output_raw_strided(0, sizes, [], self.options());
    this.set_output_raw_strided(1, sizes, [], self.options().dtype(ScalarType.Long));
  }
}

// topk.values                                                                       CPU
export abstract class structured_topk_out_cpu extends structured_topk {
  impl(self: Tensor, k: number, dim: number, largest: boolean, sorted: boolean, values: Tensor, indices: Tensor): void {
    TORCH_CHECK(self.scalar_type() !== ScalarType.Bool, "topk does not support bool dtypes on CPU");
    if (self.dim() === 0 && self.numel() === 1) {
      values.copy_(self);
      indices.zero_();
    } else {
      const wrapped = maybe_wrap_dim(dim, self.dim());
      topk_stub.call(self.device_type(), values, indices, self, k, wrapped, largest, sorted);
    }
  }
}
