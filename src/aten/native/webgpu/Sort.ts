/**
 * @file Kernel of `sort`. It is always stable, as on CUDA.
 * @mirrors aten/src/ATen/native/cuda/Sort.cpp
 * @see SortUtils.ts (the algorithm); TensorTopK.ts (the first k)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { structured_sort_stable } from "#aten/native/Sorting/index";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { sort_rows } from "./SortUtils.ts";

/** The first `k` elements of every sorted line of `self` along `dim`, and their indices. */
export function sort_lines(
  self: Tensor,
  dim: number,
  k: number,
  descending: boolean,
  values: Tensor,
  indices: Tensor,
): void {
  if (values.numel() === 0) return;
  if (self.dim() === 0) {
    values.copy_(self);
    indices.zero_();
    return;
  }
  const n = self.size(dim);
  const lines = (t: Tensor): Tensor => at.transpose_int(t, dim, -1);
  const room = (t: Tensor): Tensor => (t.is_contiguous() ? t : at.empty_memory_format([...t.sizes()], t.options()));
  const source = lines(self).contiguous();
  const results = [lines(values), lines(indices)];
  const [in_order, places] = results.map(room);
  const is_own = source.is_alias_of(values);
  const rows = { self: is_own ? source.clone() : source, rows: self.numel() / n, n, k, descending };
  sort_rows(rows, in_order, places);
  if (in_order !== results[0]) results[0].copy_(in_order);
  if (places !== results[1]) results[1].copy_(places);
}

export abstract class structured_sort_out extends structured_sort_stable {
  impl(self: Tensor, _stable: boolean | null, dim: number, descending: boolean, values: Tensor, indices: Tensor): void {
    const wrapped = maybe_wrap_dim(dim, self.dim());
    sort_lines(self, wrapped, self.dim() === 0 ? 1 : self.size(wrapped), descending, values, indices);
  }
}
