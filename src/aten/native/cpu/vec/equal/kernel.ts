/**
 * @file Kernel of `equal` with SIMD: contiguous elements are compared block by block, up to the first difference.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp#cpu_equal
 * @see ../../EqualKernel.ts (the JavaScript version, and the caller)
 * @vec EqualKernel: float32, float64, int32
 */
import {
  any,
  type int,
  load,
  load_byte,
  load_one,
  type Mask,
  type ptr,
  type scalar_t,
  sizeof,
  type Vec,
} from "#aten/cpu/vec/Vec";

/** Returns 1 if equal, else 0. NaN equals nothing. Bytes after the last whole scalar_t are compared one by one. */
export function equal(a: ptr, b: ptr, nbytes: int): int {
  const end = a + nbytes;
  const pairs = a + (nbytes & -32);
  const whole = a + (nbytes & -sizeof<scalar_t>());
  for (; a < pairs; a += 32) {
    const v: Vec = load(a);
    const w: Vec = load(b);
    const x: Vec = load(a + 16);
    const y: Vec = load(b + 16);
    const differ: Mask = v !== w || x !== y;
    if (any(differ)) return 0;
    b += 32;
  }
  for (; a < whole; a += sizeof<scalar_t>()) {
    if (load_one(a) !== load_one(b)) return 0;
    b += sizeof<scalar_t>();
  }
  for (; a < end; a++) {
    if (load_byte(a) !== load_byte(b)) return 0;
    b++;
  }
  return 1;
}
