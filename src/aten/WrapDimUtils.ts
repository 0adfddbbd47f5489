/**
 * @file Negative dimensions of lists of dims and lists of tensors.
 * @mirrors aten/src/ATen/WrapDimUtils.h
 */
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import type { Tensor } from "./generated/core/TensorBody.ts";

export { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";

/** Each of `dims` in [0, ndims); a 0-d tensor counts as having one dimension. */
export function maybe_wrap_dims(dims: readonly number[], ndims: number, wrap_scalars = true): number[] {
  return dims.map((dim) => maybe_wrap_dim(dim, ndims, wrap_scalars));
}

/** `cat` once took any tensor of shape (0) for "nothing", whatever the others' shape; it still does. */
export function cat_should_skip_tensor(t: Tensor): boolean {
  return t.dim() === 1 && t.sizes()[0] === 0;
}

/** `dim` wrapped by the first tensor that counts; unchanged if none does. */
export function legacy_cat_wrap_dim(dim: number, tensors: readonly Tensor[]): number {
  for (const t of tensors) if (!cat_should_skip_tensor(t)) return maybe_wrap_dim(dim, t.dim());
  return dim;
}
