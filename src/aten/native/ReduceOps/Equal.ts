/**
 * @file `equal`: one answer for two whole tensors.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp#cpu_equal
 */

import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { equal_kernel } from "#aten/native/cpu/EqualKernel";
import { result_type } from "#aten/native/TypeProperties";

// equal(Tensor self, Tensor other) -> bool                                       CPU
export function cpu_equal(self: Tensor, other: Tensor): boolean {
  if (!at.is_same_size(self, other)) return false;
  const common = result_type(self, other);
  const a = self.scalar_type() === common ? self : self.to_dtype(common);
  const b = other.scalar_type() === common ? other : other.to_dtype(common);
  return self.numel() === 0 || equal_kernel(a, b);
}
