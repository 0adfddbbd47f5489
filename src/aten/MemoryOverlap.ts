/**
 * @file Memory overlap: whether writing one tensor may change elements that are still to be read.
 * @mirrors aten/src/ATen/MemoryOverlap.cpp
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { sizes_equal } from "./ExpandUtils.ts";
import type { Tensor } from "./generated/core/TensorBody.ts";

/** Whether two indices of one tensor can refer to the same element. */
export const MemOverlap = { No: 0, Yes: 1, TooHard: 2 } as const;
export type MemOverlap = (typeof MemOverlap)[keyof typeof MemOverlap];

/** Whether two tensors share elements. Full: the same elements in the same order. */
export const MemOverlapStatus = { Full: 0, Partial: 1, No: 2, TooHard: 3 } as const;
export type MemOverlapStatus = (typeof MemOverlapStatus)[keyof typeof MemOverlapStatus];

export function has_internal_overlap(t: Tensor): MemOverlap {
  if (t.impl_.is_non_overlapping_and_dense()) return MemOverlap.No;
  const sizes = t.sizes();
  const strides = t.strides();
  for (let i = 0; i < strides.length; i++) if (strides[i] === 0 && sizes[i] > 1) return MemOverlap.Yes;
  return MemOverlap.TooHard;
}

export function assert_no_internal_overlap(t: Tensor): void {
  if (has_internal_overlap(t) !== MemOverlap.Yes) return;
  TORCH_CHECK(
    false,
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. " +
      "Please clone() the tensor before performing the operation.",
  );
}

/** Overlap of two tensors. As in PyTorch, it is decided only for dense tensors; for others the answer is TooHard. */
export function get_overlap_status(a: Tensor, b: Tensor): MemOverlapStatus {
  const implA = a.impl_;
  const implB = b.impl_;
  if (implA === implB) return MemOverlapStatus.Full;
  if (implA.numel() === 0 || implB.numel() === 0) return MemOverlapStatus.No;
  if (!implA.is_non_overlapping_and_dense() || !implB.is_non_overlapping_and_dense()) return MemOverlapStatus.TooHard;
  const storage = implA.storage().unsafeGetStorageImpl();
  if (storage !== implB.storage().unsafeGetStorageImpl() || storage.nbytes() === 0) return MemOverlapStatus.No;
  const beginA = implA.storage_offset() * implA.itemsize();
  const beginB = implB.storage_offset() * implB.itemsize();
  const endA = beginA + implA.numel() * implA.itemsize();
  const endB = beginB + implB.numel() * implB.itemsize();
  if (beginA === beginB && endA === endB) {
    return sizes_equal(implA.strides(), implB.strides()) ? MemOverlapStatus.Full : MemOverlapStatus.Partial;
  }
  return beginA < endB && beginB < endA ? MemOverlapStatus.Partial : MemOverlapStatus.No;
}

function refuse(): never {
  TORCH_CHECK(
    false,
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. " +
      "Please clone() the tensor before performing the operation.",
  );
  throw new Error("unreachable");
}

export function assert_no_partial_overlap(a: Tensor, b: Tensor): void {
  if (get_overlap_status(a, b) === MemOverlapStatus.Partial) refuse();
}

export function assert_no_overlap(a: Tensor, b: Tensor): void {
  const status = get_overlap_status(a, b);
  if (status === MemOverlapStatus.Partial || status === MemOverlapStatus.Full) refuse();
}
