/**
 * @file Check whether `x[mask] = value` is only a `masked_fill_`.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexingUtils.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import { invalid_mask, is_mask } from "./IndexingUtils.ts";

/**
 * If the only index is a mask and `value` is a single number, returns the mask, expanded to `self`'s dimensions; else
 * null.
 */
export function canDispatchToMaskedFill(
  self: Tensor,
  indices: readonly (Tensor | null)[],
  value: Tensor,
): Tensor | null {
  if (value.numel() !== 1 || !value.is_cpu()) return null;
  let mask: Tensor | null = null;
  let num_ind = 0;
  for (const index of indices) {
    if (index === null || !index.defined()) {
      num_ind++;
      continue;
    }
    if (!is_mask(index) || !index.device().eq(self.device()) || mask !== null) return null;
    mask = index;
    for (let j = 0; j < index.dim(); j++) {
      if (index.sizes()[j] !== self.sizes()[num_ind + j]) invalid_mask(self, num_ind + j, index, j);
    }
    num_ind += index.dim();
  }
  // Without any tensor there is no mask to expand, and PyTorch fails here.
  TORCH_CHECK(
    mask !== null,
    num_ind < self.dim()
      ? "sym_strides() called on an undefined Tensor"
      : "masked_fill_ only supports boolean masks, but got mask with dtype nullptr (uninitialized)",
  );
  for (let i = num_ind; i < self.dim(); i++) mask = mask.unsqueeze(-1);
  return mask;
}
