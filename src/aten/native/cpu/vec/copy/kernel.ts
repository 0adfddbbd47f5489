/**
 * @file Kernel that copies a tile of elements which are not contiguous or come in reverse order. Values are only moved:
 * the float64 module moves any element of eight bytes, the float32 module all other sizes.
 * @mirrors aten/src/ATen/native/cpu/CopyKernel.cpp
 * @see driver.ts (the caller)
 * @vec CopyKernel: float32, float64
 */
import {
  copy,
  type int,
  interleave_low,
  lanes,
  load_byte,
  load_one,
  load_short,
  load_splat,
  min,
  type ptr,
  type scalar_t,
  sizeof,
  store,
  store_byte,
  store_one,
  store_short,
  type Vec,
} from "#aten/cpu/vec/Vec";

/** Copies the `n` scalar_t at `from` in reverse order. */
function copy_reversed(to: ptr, from: ptr, n: int): void {
  let f = from + n * sizeof<scalar_t>();
  const end = to + n * sizeof<scalar_t>();
  const whole = end - 16;
  if (n >= lanes<scalar_t>()) {
    for (; to <= whole; to += 16) {
      f -= 16;
      const a: Vec = load_splat(f);
      const b: Vec = load_splat(f + sizeof<scalar_t>());
      if (lanes<scalar_t>() === 4) {
        const c: Vec = load_splat(f + 8);
        const d: Vec = load_splat(f + 12);
        store(to, interleave_low(interleave_low(d, b), interleave_low(c, a)));
      } else store(to, interleave_low(b, a));
    }
  }
  for (; to < end; to += sizeof<scalar_t>()) {
    f -= sizeof<scalar_t>();
    store_one(to, load_one(f));
  }
}

/**
 * Copies `m` lines of `n` elements of `nbytes` bytes. The stride between elements is `step` bytes, between lines `line`
 * bytes. A few elements of every line are copied before the next few. This uses whole cache lines on both sides: a
 * matrix is transposed in blocks.
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
  if (to_step === -nbytes && from_step === nbytes && nbytes === sizeof<scalar_t>()) {
    const last = (n - 1) * nbytes;
    for (let j = 0; j < m; j++) copy_reversed(to + j * to_line - last, from + j * from_line, n);
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
