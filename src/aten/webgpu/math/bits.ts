/**
 * @file Tests on the bits of a float32, in kernel text for WGSL. A WGSL compiler may assume that NaN and infinity do
 * not occur, so arithmetic cannot detect them.
 * @mirrors c10/util/generic_math.h
 */
import { bit_cast, type bool, cast, type float32, type int32, nearest } from "#aten/Dispatch";
import { abs } from "#c10/util/math";

const SIGN_BIT = -2147483648;
const EXPONENT_BITS = 2139095040;
const MAGNITUDE_BITS = 2147483647;

export function isfinite(x: float32): bool {
  const bits: int32 = bit_cast<int32>(x);
  return (bits & EXPONENT_BITS) !== EXPONENT_BITS;
}

export function isinf(x: float32): bool {
  const bits: int32 = bit_cast<int32>(x);
  return (bits & MAGNITUDE_BITS) === EXPONENT_BITS;
}

export function isnan(x: float32): bool {
  const bits: int32 = bit_cast<int32>(x);
  return (bits & MAGNITUDE_BITS) > EXPONENT_BITS;
}

/** Whether the sign bit is set, also for a NaN. */
export function signbit(x: float32): bool {
  return bit_cast<int32>(x) < 0;
}

export function copysign(magnitude: float32, sign: float32): float32 {
  const bits: int32 = bit_cast<int32>(abs(magnitude));
  const sign_bit: int32 = bit_cast<int32>(sign) & SIGN_BIT;
  return bit_cast<float32>(bits | sign_bit);
}

/** Rounds to the nearest integer, ties to even. -0 stays -0. */
export function nearbyint(x: float32): float32 {
  return nearest(x);
}

/** 2^23 */
const SHIFT = 8388608;
const SMALLEST_NORMAL = 1.17549435e-38;

/** The exponent of the power of two that scales |x| into [1/2, 1); 0 if there is none. */
export function frexp_exponent(x: float32): float32 {
  const tiny = abs(x) < SMALLEST_NORMAL;
  const bits: int32 = bit_cast<int32>(tiny ? x * SHIFT : x);
  const exponent: int32 = ((bits >> 23) & 255) - 126;
  const result = cast<float32>(tiny ? exponent - 23 : exponent);
  return x === 0 || (bits & EXPONENT_BITS) === EXPONENT_BITS ? 0 : result;
}

/** `x / 2^exponent` */
export function frexp_mantissa(x: float32, exponent: float32): float32 {
  const bits: int32 = bit_cast<int32>(abs(x) < SMALLEST_NORMAL ? x * SHIFT : x);
  const rest: int32 = (bits & -2139095041) | 1056964608;
  return x === 0 || (bits & EXPONENT_BITS) === EXPONENT_BITS ? x : bit_cast<float32>(rest) + 0 * exponent;
}
