/**
 * @file Conversion of index tensors to one form: masks become positions, and all are broadcast together. If there is a
 * gap between them, they are moved to the front together with the dimensions that they index.
 * @mirrors aten/src/ATen/native/IndexingUtils.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK_INDEX, TORCH_WARN } from "#c10/util/Exception";

export function invalid_mask(self: Tensor, idx: number, mask: Tensor, maskIdx: number): never {
  TORCH_CHECK_INDEX(
    false,
    "The shape of the mask ",
    mask.sizes(),
    " at index ",
    maskIdx,
    " does not match the shape of the indexed tensor ",
    self.sizes(),
    " at index ",
    idx,
  );
}

export function is_mask(index: Tensor): boolean {
  return index.scalar_type() === ScalarType.Bool || index.scalar_type() === ScalarType.Byte;
}

export function checkIndexTensorTypes(indices: readonly (Tensor | null)[]): void {
  for (const index of indices) {
    if (index === null || !index.defined()) continue;
    const type = index.scalar_type();
    TORCH_CHECK_INDEX(
      is_mask(index) || type === ScalarType.Long || type === ScalarType.Int,
      "tensors used as indices must be long, int, byte or bool tensors",
    );
  }
}

/** A mask with n dimensions becomes n tensors: the coordinates of its true elements. */
export function expandTensors(self: Tensor, indices: readonly (Tensor | null)[]): (Tensor | null)[] {
  const result: (Tensor | null)[] = [];
  for (const index of indices) {
    if (index === null || !index.defined()) {
      result.push(null);
      continue;
    }
    if (!is_mask(index)) {
      result.push(index);
      continue;
    }
    if (index.scalar_type() === ScalarType.Byte) {
      TORCH_WARN("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
    }
    for (let j = 0; j < index.dim(); j++) {
      const srcIdx = result.length + j;
      if (index.size(j) !== self.size(srcIdx)) invalid_mask(self, srcIdx, index, j);
    }
    const nonzero = index.nonzero();
    for (let j = 0; j < index.dim(); j++) result.push(nonzero.select_int(1, j));
  }
  return result;
}

/** Whether no `null` lies between two index tensors. */
export function hasContiguousSubspace(indices: readonly (Tensor | null)[]): boolean {
  const first = indices.findIndex((index) => index !== null);
  if (first < 0) return true;
  const last = indices.findLastIndex((index) => index !== null);
  return !indices.slice(first, last + 1).includes(null);
}

/** Moves indexed dimensions to the front, keeping their order; `self` is permuted in the same way. */
export function transposeToFront(self: Tensor, indices: readonly (Tensor | null)[]): [Tensor, (Tensor | null)[]] {
  const dims: number[] = [];
  const transposed: (Tensor | null)[] = [];
  for (let i = 0; i < self.dim(); i++) {
    const index = indices[i] ?? null;
    if (index === null) continue;
    dims.push(i);
    transposed.push(index);
  }
  for (let i = 0; i < self.dim(); i++) {
    if ((indices[i] ?? null) !== null) continue;
    dims.push(i);
    transposed.push(null);
  }
  return [self.permute(dims), transposed];
}
