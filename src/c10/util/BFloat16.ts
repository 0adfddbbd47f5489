/**
 * @file bfloat16 in a Uint16Array: the upper 16 bits of a float.
 * @mirrors c10/util/BFloat16.h
 */

const scratch = new Float32Array(1);
const scratchBits = new Uint32Array(scratch.buffer);

/** Value of a bfloat16, from its bits. */
export function f32_from_bits(src: number): number {
  scratchBits[0] = src << 16;
  return scratch[0];
}

/** Bits of the bfloat16 nearest to `src`, after `src` is rounded to a float; ties go to even. */
export function round_to_nearest_even(src: number): number {
  if (Number.isNaN(src)) return 0x7fc0;
  scratch[0] = src;
  const bits = scratchBits[0];
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

/** Rounds a number to bfloat16 precision. */
export function round_to_bfloat16(f: number): number {
  return f32_from_bits(round_to_nearest_even(f));
}
