/**
 * @file Kernel of `tril` and `triu` for contiguous rows: one part of a row is copied, the other becomes 0.
 * @mirrors aten/src/ATen/native/TriangularOps.cpp
 * @see ../../TriangularOpsKernel.ts (the JavaScript version); driver.ts (the caller)
 * @vec TriangularOpsKernel: float32
 */
import { copy, fill, type int, max, min, type ptr } from "#aten/cpu/vec/Vec";

/**
 * Handles `count` rows of `nbytes` bytes. In row i, the first (i + shift) elements of `size` bytes are kept if `lower`
 * is 1; otherwise the others are kept. The rest becomes 0.
 */
export function triangle(
  out: ptr,
  out_row: int,
  self: ptr,
  self_row: int,
  count: int,
  nbytes: int,
  size: int,
  shift: int,
  lower: int,
): void {
  for (let i = 0; i < count; i++) {
    const first = min(max((i + shift) * size, 0), nbytes);
    const rest = nbytes - first;
    if (lower === 1) {
      if (first > 0) if (out !== self) copy(out, self, first);
      if (rest > 0) fill(out + first, 0, rest);
    } else {
      if (rest > 0) if (out !== self) copy(out + first, self + first, rest);
      if (first > 0) fill(out, 0, first);
    }
    out += out_row;
    self += self_row;
  }
}
