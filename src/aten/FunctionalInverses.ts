/**
 * @file The inverse of each view: the base in which a view has a new value.
 * @mirrors aten/src/ATen/FunctionalInverses.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { sum_to } from "./ExpandUtils.ts";
import { getFunctionalizationReapplyViewsTLS } from "./FunctionalTensorWrapper.ts";

/**
 * An inverse.
 * @param args the view's arguments behind `self`, by name
 * @param out_idx which result of the view it is, if it has several
 */
type Inverse = (base: Tensor, mutated_view: Tensor, args: Readonly<Record<string, never>>, out_idx: number) => Tensor;

// Views that inverses take; copies where the program has no views.

const reapply = getFunctionalizationReapplyViewsTLS;
const view = (self: Tensor, size: number[]): Tensor => (reapply() ? self.view(size) : at.view_copy(self, size));
const t = (self: Tensor): Tensor => (reapply() ? at.t(self) : at.t_copy(self));
const transpose = (self: Tensor, dim0: number, dim1: number): Tensor =>
  reapply() ? at.transpose_int(self, dim0, dim1) : at.transpose_copy_int(self, dim0, dim1);
const permute = (self: Tensor, dims: number[]): Tensor =>
  reapply() ? at.permute(self, dims) : at.permute_copy(self, dims);
const squeeze = (self: Tensor, dim: number): Tensor =>
  reapply() ? at.squeeze_dim(self, dim) : at.squeeze_copy_dim(self, dim);
const unsqueeze = (self: Tensor, dim: number): Tensor =>
  reapply() ? at.unsqueeze(self, dim) : at.unsqueeze_copy(self, dim);

/** Puts the dims of size 1 back that `squeeze` removed. */
function unsqueeze_to(self: Tensor, sizes: readonly number[], dims: readonly number[] | null = null): Tensor {
  const squeezed = dims?.map((dim) => maybe_wrap_dim(dim, sizes.length));
  let result = self;
  for (const [dim, size] of sizes.entries())
    if (size === 1 && (squeezed === undefined || squeezed.includes(dim))) result = unsqueeze(result, dim);
  return result;
}

const like_base: Inverse = (base, mutated_view) => view(mutated_view, [...base.sizes()]);
const same: Inverse = (_base, mutated_view) => mutated_view;

function slice_of_split(base: Tensor, mutated_view: Tensor, given: number, start: number, length: number): Tensor {
  const dim = maybe_wrap_dim(given, base.dim());
  return at.slice_scatter(base, mutated_view, dim, start, Math.min(start + length, base.size(dim)), 1);
}

/** By the name of the operator, with its overload where there are several. */
const inverses: Readonly<Record<string, Inverse>> = {
  view: like_base,
  _reshape_alias: like_base,
  _unsafe_view: like_base,
  "view.dtype": (base, mutated_view) => mutated_view.view_dtype(base.scalar_type()),
  alias: same,
  detach: same,
  lift_fresh: same,
  _fw_primal: same,
  _neg_view: (_base, mutated_view) => at.neg(mutated_view),
  t: (_base, mutated_view) => t(mutated_view),
  "transpose.int": (_base, mutated_view, { dim0, dim1 }) => transpose(mutated_view, dim0, dim1),
  permute(_base, mutated_view, { dims }) {
    const given: number[] = dims;
    const inverse: number[] = [];
    for (const [i, dim] of given.entries()) inverse[maybe_wrap_dim(dim, given.length)] = i;
    return permute(mutated_view, inverse);
  },
  expand: (base, mutated_view) => sum_to(mutated_view, base.sizes()),
  squeeze: (base, mutated_view) => unsqueeze_to(mutated_view, base.sizes()),
  "squeeze.dim": (base, mutated_view, { dim }) => unsqueeze_to(mutated_view, base.sizes(), [dim]),
  "squeeze.dims": (base, mutated_view, { dim }) => unsqueeze_to(mutated_view, base.sizes(), dim),
  unsqueeze: (_base, mutated_view, { dim }) => squeeze(mutated_view, dim),
  "select.int": (base, mutated_view, { dim, index }) => at.select_scatter(base, mutated_view, dim, index),
  "slice.Tensor": (base, mutated_view, { dim, start, end, step }) =>
    at.slice_scatter(base, mutated_view, dim, start, end, step),
  diagonal: (base, mutated_view, { offset, dim1, dim2 }) => at.diagonal_scatter(base, mutated_view, offset, dim1, dim2),
  as_strided: (base, mutated_view, { size, stride, storage_offset }) =>
    at.as_strided_scatter(base, mutated_view, size, stride, storage_offset),
  "split.Tensor": (base, mutated_view, { split_size, dim }, out_idx) =>
    slice_of_split(base, mutated_view, dim, split_size * out_idx, split_size),
  split_with_sizes(base, mutated_view, { split_sizes, dim }, out_idx) {
    const sizes: number[] = split_sizes;
    const start = sizes.slice(0, out_idx).reduce((sum, size) => sum + size, 0);
    return slice_of_split(base, mutated_view, dim, start, sizes[out_idx]);
  },
  "unbind.int": (base, mutated_view, { dim }, out_idx) => at.select_scatter(base, mutated_view, dim, out_idx),
  unfold: (base, mutated_view, { dimension, size, step }) =>
    at.unfold_backward(mutated_view, [...base.sizes()], maybe_wrap_dim(dimension, base.dim()), size, step),
};

/** The inverse of a view. */
export function inverse_of(name: string): Inverse {
  const found = inverses[name];
  TORCH_INTERNAL_ASSERT(
    found !== undefined,
    "Attempted to call ",
    name,
    "_inverse() during the functionalization pass. For now, a view with this operator cannot be changed.",
  );
  return found;
}
