/**
 * @file A tile of elements that are no neighbours, copied. Values are only moved: the module for float64 does so with whatever has eight bytes,
 * that for float32 with all others.
 * @mirrors aten/src/ATen/native/cpu/CopyKernel.cpp
 * @see copy_driver.ts (who calls)
 * @vec CopyKernel: float32, float64
 */
import {
  copy,
  type int,
  load_byte,
  load_one,
  load_short,
  min,
  type ptr,
  store_byte,
  store_one,
  store_short,
} from "#aten/cpu/vec/Vec";

/**
 * `m` lines of `n` elements of `nbytes` bytes; from element to element it is `step` bytes, from line to line `line`. A few elements of
 * every line come before the next few: so the caches are used up on both sides, and a matrix is transposed in blocks.
 */
export function copy_tile(
  to: ptr,
  to_step: int,
  to_line: int,
  from: ptr,
  from_step: int,
  from_line: int,
  n: int,
  m: int,
  nbytes: int,
): void {
  if (to_step === nbytes && from_step === nbytes && n * nbytes >= 64) {
    for (let j = 0; j < m; j++) copy(to + j * to_line, from + j * from_line, n * nbytes);
    return;
  }
  for (let i = 0; i < n; i += 8) {
    const count = min(8, n - i);
    for (let j = 0; j < m; j++) {
      let t = to + i * to_step + j * to_line;
      let f = from + i * from_step + j * from_line;
      if (nbytes >= 4)
        for (let k = 0; k < count; k++) {
          store_one(t, load_one(f));
          t += to_step;
          f += from_step;
        }
      else if (nbytes === 2)
        for (let k = 0; k < count; k++) {
          store_short(t, load_short(f));
          t += to_step;
          f += from_step;
        }
      else
        for (let k = 0; k < count; k++) {
          store_byte(t, load_byte(f));
          t += to_step;
          f += from_step;
        }
    }
  }
}
