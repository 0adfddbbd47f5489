/**
 * @file Wrapping of negative dimensions in lists of dims, and for lists of tensors.
 * @mirrors aten/src/ATen/WrapDimUtils.h
 */
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import type { Tensor } from "./generated/core/TensorBody.ts";

export { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";

/** Wraps each of `dims` into [0, ndims); a 0-d tensor counts as having one dimension. */
export function maybe_wrap_dims(dims: readonly number[], ndims: number, wrap_scalars = true): number[] {
  return dims.map((dim) => maybe_wrap_dim(dim, ndims, wrap_scalars));
}

/**
 * Whether `cat` ignores the tensor: it accepts a tensor of shape (0) as "nothing", whatever the shape of the others,
 * for old code.
 */
export function cat_should_skip_tensor(t: Tensor): boolean {
  return t.dim() === 1 && t.sizes()[0] === 0;
}

/** `dim` wrapped by the first tensor that is not ignored; unchanged if all are. */
export function legacy_cat_wrap_dim(dim: number, tensors: readonly Tensor[]): number {
  for (const t of tensors) if (!cat_should_skip_tensor(t)) return maybe_wrap_dim(dim, t.dim());
  return dim;
}
