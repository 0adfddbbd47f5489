/**
 * @file Kernel of `equal`: one answer for two whole tensors; the host waits for it.
 * @mirrors aten/src/ATen/native/ReduceOps.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";

// equal(Tensor self, Tensor other) -> bool
export function equal(self: Tensor, other: Tensor): boolean {
  if (!at.is_same_size(self, other)) return false;
  return self.numel() === 0 || self.eq_Tensor(other).all().item().toNumber() === 1;
}
