/**
 * @file Contiguity bits: facts about the order of a tensor's elements, derived from sizes and strides and cached on the impl.
 * @mirrors c10/core/Contiguity.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  get_channels_last_strides_2d,
  get_channels_last_strides_3d,
  is_channels_last_strides_2d,
  is_channels_last_strides_3d,
  MemoryFormat,
} from "./MemoryFormat.ts";

const contiguous = 1;
const channels_last = 2;
const channels_last_contiguous = 4;
const channels_last_3d = 8;
const channels_last_3d_contiguous = 16;
const non_overlapping_and_dense = 32;

/** The bits. "like" (`channels_last`) allows gaps, the `_contiguous` ones do not. */
export const Contiguity = {
  contiguous,
  channels_last,
  channels_last_contiguous,
  channels_last_3d,
  channels_last_3d_contiguous,
  non_overlapping_and_dense,
  /** Bits of a row-major tensor with neither 4 nor 5 dimensions. */
  contiguousAndDense: contiguous | non_overlapping_and_dense,
  /** Bits of a tensor with sizes [0] and strides [1]. */
  ofOneDim: contiguous | non_overlapping_and_dense,

  names(bits: number): string[] {
    const names: string[] = [];
    if (bits & contiguous) names.push("contiguous");
    if (bits & channels_last) names.push("channels_last");
    if (bits & channels_last_contiguous) names.push("channels_last_contiguous");
    if (bits & channels_last_3d) names.push("channels_last_3d");
    if (bits & channels_last_3d_contiguous) names.push("channels_last_3d_contiguous");
    if (bits & non_overlapping_and_dense) names.push("non_overlapping_and_dense");
    return names;
  },
} as const;

/** Row-major strides; a size of 0 counts as 1. */
export function contiguousStrides(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length);
  let step = 1;
  for (let d = sizes.length - 1; d >= 0; d--) {
    strides[d] = step;
    const size = sizes[d];
    if (size > 1) step *= size;
  }
  return strides;
}

/** Strides of an empty tensor of this memory format. */
export function restride(sizes: readonly number[], memory_format: MemoryFormat): number[] {
  if (memory_format === MemoryFormat.ChannelsLast) {
    TORCH_CHECK(sizes.length === 4, "required rank 4 tensor to use channels_last format");
    return get_channels_last_strides_2d(sizes);
  }
  if (memory_format === MemoryFormat.ChannelsLast3d) {
    TORCH_CHECK(sizes.length === 5, "required rank 5 tensor to use channels_last_3d format");
    return get_channels_last_strides_3d(sizes);
  }
  return contiguousStrides(sizes);
}

export function _compute_contiguous(sizes: readonly number[], strides: readonly number[], numel: number): boolean {
  if (numel === 0) return true;
  let expected = 1;
  for (let d = sizes.length - 1; d >= 0; d--) {
    const size = sizes[d];
    if (size === 1) continue;
    if (strides[d] !== expected) return false;
    expected *= size;
  }
  return true;
}

function contiguousInOrder(sizes: readonly number[], strides: readonly number[], order: readonly number[]): boolean {
  let expected = 1;
  for (const d of order) {
    const size = sizes[d];
    if (size === 1) continue;
    if (strides[d] !== expected) return false;
    expected *= size;
  }
  return true;
}

export function _compute_channels_last_contiguous_2d(sizes: readonly number[], strides: readonly number[]): boolean {
  return sizes.length === 4 && contiguousInOrder(sizes, strides, [1, 3, 2, 0]);
}

export function _compute_channels_last_contiguous_3d(sizes: readonly number[], strides: readonly number[]): boolean {
  return sizes.length === 5 && contiguousInOrder(sizes, strides, [1, 4, 3, 2, 0]);
}

export function _compute_non_overlapping_and_dense(sizes: readonly number[], strides: readonly number[]): boolean {
  const ndim = sizes.length;
  if (ndim === 1) return sizes[0] < 2 || strides[0] === 1;
  // Dimensions of size 0 and 1 do not matter. Among the others one must have stride 1, one must step exactly over that
  // dimension, one exactly over both, and so on. PyTorch sorts by stride; searching for the next dimension allocates
  // nothing, and there are few.
  let left = 0;
  for (let d = 0; d < ndim; d++) if (sizes[d] >= 2) left++;
  let expected = 1;
  for (; left > 0; left--) {
    let next = 0;
    while (next < ndim && (sizes[next] < 2 || strides[next] !== expected)) next++;
    if (next === ndim) return false;
    expected *= sizes[next];
  }
  return true;
}

/** Computes all bits at once. */
export function computeContiguity(sizes: readonly number[], strides: readonly number[], numel: number): number {
  const ndim = sizes.length;
  let bits = _compute_contiguous(sizes, strides, numel) ? contiguous : 0;
  if (ndim === 4) {
    if (_compute_channels_last_contiguous_2d(sizes, strides)) bits |= channels_last_contiguous;
    if (is_channels_last_strides_2d(sizes, strides)) bits |= channels_last;
  } else if (ndim === 5) {
    if (_compute_channels_last_contiguous_3d(sizes, strides)) bits |= channels_last_3d_contiguous;
    if (is_channels_last_strides_3d(sizes, strides)) bits |= channels_last_3d;
  }
  if (bits & (contiguous | channels_last_contiguous | channels_last_3d_contiguous))
    return bits | non_overlapping_and_dense;
  return _compute_non_overlapping_and_dense(sizes, strides) ? bits | non_overlapping_and_dense : bits;
}
