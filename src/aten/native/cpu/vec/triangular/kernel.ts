/**
 * @file `tril` and `triu` of rows of neighbours: runs of bytes that are copied, and runs that become 0.
 * @mirrors aten/src/ATen/native/TriangularOps.cpp
 * @see ../../TriangularOpsKernel.ts (the same in JavaScript); driver.ts (who calls)
 * @vec TriangularOpsKernel: float32
 */
import { copy, fill, type int, max, min, type ptr } from "#aten/cpu/vec/Vec";

/** `count` rows of `nbytes`. Of row i the first (i + shift) elements of `size` bytes stay, if `lower`, else the others; the rest is 0. */
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
