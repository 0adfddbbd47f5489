/**
 * @file Conversion of random bits to numbers for each distribution. There is no state here; DistributionsHelper.ts
 * draws. A 64-bit draw is two unsigned 32-bit halves, because JavaScript numbers hold 53 bits.
 * @mirrors aten/src/ATen/core/TransformationHelper.h
 */

const TWO_32 = 4294967296;
const TWO_M24 = 1 / 16777216;
const TWO_M53 = 1 / 9007199254740992;

/** 24 of the 32 bits as a float32 in [0, 1). */
export function uniform_real_float(bits: number): number {
  return (bits & 0xffffff) * TWO_M24;
}

/** 53 of the 64 bits as a double in [0, 1). */
export function uniform_real_double(high: number, low: number): number {
  return ((high & 0x1fffff) * TWO_32 + low) * TWO_M53;
}

/** `random64() % (2^53 + 1)` in double arithmetic: 2^64 = 2^11 * 2^53, and 2^53 is -1 modulo 2^53 + 1. */
export function mod_two_53_plus_1(high: number, low: number): number {
  const folded = (high & 0x1fffff) * TWO_32 + low - (high >>> 21);
  return folded >= 0 ? folded : folded + 1 + 9007199254740992;
}

/**
 * `x % range` for integers below 2^32, for which the quotient never rounds up to an integer. Several times faster than
 * `%` of doubles.
 */
export function modulo(x: number, range: number): number {
  return x - Math.floor(x / range) * range;
}
