/**
 * @file Conversion of a list of dims to a set.
 * @mirrors aten/src/ATen/WrapDimUtilsMulti.h
 */
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK } from "#c10/util/Exception";

export const dim_bitset_size = 64;

/** `result[d]` says whether `d` is among `dims`. If `wrap_all`, an absent or empty list means every dim. */
export function dim_list_to_bitset(dims: readonly number[] | null, ndims: number, wrap_all = false): boolean[] {
  TORCH_CHECK(ndims <= dim_bitset_size, "only tensors with up to ", dim_bitset_size, " dims are supported");
  const all = dims === null || (wrap_all && dims.length === 0);
  const seen = new Array<boolean>(Math.max(ndims, 1)).fill(all);
  if (all) return seen;
  for (const given of dims) {
    const dim = maybe_wrap_dim(given, ndims);
    TORCH_CHECK(!seen[dim], "dim ", dim, " appears multiple times in the list of dims");
    seen[dim] = true;
  }
  return seen;
}
