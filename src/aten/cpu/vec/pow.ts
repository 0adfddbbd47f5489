/**
 * @file Powers of float32 as 2^(y log2 x), and their parts, computed in doubles. The polynomials are good to 45 bits,
 * so the result is nearly always the nearest float.
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128_float_neon.h#pow
 * @differs Computed in doubles; PyTorch calls Sleef, which is within 1 unit of the last place.
 * @see functions.ts
 */
import { bit_cast, cast, type float32, type float64, fmadd, type int64, pmax, pmin } from "#aten/Dispatch";
import { abs, floor } from "#c10/util/math";
import { power_of_two } from "./functions_float64.ts";

const LOG10_2 = 0.3010299956639812;
const ROUNDER = 6755399441055744;
const HALF_ROOT_BITS = -2638147582215219;
const COUNTER_BITS = 4841369599423283200;
/** 2^52 + 1023 */
const COUNTER = 4503599627371519;
// biome-ignore lint/correctness/noPrecisionLoss: a power of two, exact as a double
const SIGN_BIT = -9223372036854775808;

/** log2 of a normal x > 0: x = 2^e m, with m between sqrt(1/2) and sqrt(2), and log m = 2 artanh((m - 1) / (m + 1)). */
export function log2_of_float(x: float64): float64 {
  const bits: int64 = bit_cast<int64>(x);
  const exponent: int64 = (bits - HALF_ROOT_BITS) >>> 52;
  const m = bit_cast<float64>(bits - ((exponent - 1023) << 52));
  const e = bit_cast<float64>(exponent | COUNTER_BITS) - COUNTER;
  const s = (m - 1) / (m + 1);
  const z = s * s;
  const a = fmadd(fmadd(0.28291038329094814, z, 0.3199049540440298), z, 0.41220927127486484);
  const b = fmadd(fmadd(fmadd(a, z, 0.5770779421685758), z, 0.961796694114056), z, 2.8853900817778495);
  return fmadd(b, s, e);
}

/** 2^t for t from -1000 to 1000. */
export function exp2_of_float(t: float64): float64 {
  const shifted = t + ROUNDER;
  const r = t - (shifted - ROUNDER);
  const a = fmadd(fmadd(1.0150307732684199e-7, r, 1.3259422381691563e-6), r, 1.52529851263683e-5);
  const b = fmadd(fmadd(fmadd(a, r, 1.540343487557224e-4), r, 1.333355761684252e-3), r, 9.618129192163054e-3);
  const c = fmadd(fmadd(fmadd(b, r, 0.05550410866869236), r, 0.24022650695649259), r, 0.6931471805598708);
  return fmadd(c, r, 1) * power_of_two(shifted);
}

/** Special cases are those of C's `pow`, as in IEEE 754. */
export function pow(base: float32, exponent: float64): float32 {
  const x: float64 = cast<float64>(base);
  const magnitude = abs(x);
  const log2 = magnitude === 0 ? -Infinity : magnitude < Infinity ? log2_of_float(magnitude) : magnitude;
  const t = pmax(pmin(exponent * log2, 200), -200);
  const whole = floor(exponent) === exponent;
  const odd = whole && floor(exponent * 0.5) !== exponent * 0.5;
  const sign: int64 = bit_cast<int64>(x) & SIGN_BIT;
  const power = bit_cast<float64>(bit_cast<int64>(exp2_of_float(t)) | (odd ? sign : 0));
  const infinite = exponent === Infinity || exponent === -Infinity;
  const is_one = exponent === 0 || x === 1 || (infinite && x === -1);
  const result = !whole && x < 0 && x !== -Infinity ? NaN : power;
  return cast<float32>(is_one ? 1 : result);
}

/** log2 for all arguments: the logarithm of a negative number is NaN, that of 0 is minus infinity. */
export function binary_logarithm(x: float64): float64 {
  if (x > 0) return x < Infinity ? log2_of_float(x) : x;
  return x === 0 ? -Infinity : NaN;
}

export function log2(x: float32): float32 {
  return cast<float32>(binary_logarithm(cast<float64>(x)));
}

export function log10(x: float32): float32 {
  return cast<float32>(binary_logarithm(cast<float64>(x)) * LOG10_2);
}

export function exp2(x: float32): float32 {
  return cast<float32>(exp2_of_float(pmax(pmin(cast<float64>(x), 200), -200)));
}
