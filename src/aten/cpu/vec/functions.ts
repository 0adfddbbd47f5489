/**
 * @file Elementary functions for all lanes at once, in kernel text: if a scalar function contains `exp(x)`, this body
 * is put into the graph of values. float32 here; for a dtype without a body the JavaScript loop runs.
 *
 *   greatest error, in units of the last place, over all magnitudes     exp 1.0    log 0.8    tanh 1.3    expm1 1.1    log1p 0.87
 *
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128_float_neon.h
 * @differs The polynomials' coefficients are those of the Cephes library, as in aten/src/ATen/native/cpu/avx_mathfun.h;
 * PyTorch calls Sleef.
 * @see functions_float64.ts, pow.ts, div_floor.ts, fmod.ts, trigonometry.ts, inverse_trigonometry.ts, hyperbolic.ts, erf.ts; tools/codegen/kernels/graph.ts (who puts them in place)
 */
import { bit_cast, cast, type float32, fmadd, type int32, pmax, pmin } from "#aten/Dispatch";
import { abs } from "#c10/util/math";

const LOG2_E = Math.LOG2E;
/** ln 2 in two parts: the first has so few bits that its products with small integers are exact. */
const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.1219444e-4;
/** 2^-25: below it, every term but x itself is smaller than the last place. */
const NOTHING_BEHIND = 2.9802322387695312e-8;
/**
 * 1.5 * 2^23 + 127: a float of this size has no bits for a fraction, so adding it rounds to k; the lowest bits are then
 * k + 127, the exponent of 2^k.
 */
const ROUNDER = 12583039;

/** (e^r - 1 - r) / r^2 for r from -ln 2 / 2 to ln 2 / 2, and slightly beyond. */
export function exp_series(r: float32): float32 {
  const a = fmadd(fmadd(1.98756915e-4, r, 1.3981999507e-3), r, 8.3334519073e-3);
  return fmadd(fmadd(fmadd(a, r, 4.1665795894e-2), r, 1.6666665459e-1), r, 5.0000001201e-1);
}

/** `e^x / 2^k`, where k is x / ln 2 rounded. */
export function exp_of_rest(x: float32, k: float32): float32 {
  const r = fmadd(k, -LN2_LOW, fmadd(k, -LN2_HIGH, x));
  return fmadd(exp_series(r), r * r, r) + 1;
}

/** 2^k, from k plus the rounder. */
export function power_of_two(shifted: float32): float32 {
  return bit_cast<float32>(bit_cast<int32>(shifted) << 23);
}

/** 2^k is applied as two factors: neither overflows unless the product does, and denormals are rounded once. */
export function exp(x: float32): float32 {
  const y = pmax(pmin(x, 89), -104);
  const shifted = fmadd(y, LOG2_E, ROUNDER + 127);
  const p = exp_of_rest(y, shifted - (ROUNDER + 127));
  const both: int32 = bit_cast<int32>(shifted); // the lowest bits are k + 254: the exponents of both factors
  const half: int32 = both >> 1;
  return p * bit_cast<float32>(half << 23) * bit_cast<float32>((both - half) << 23);
}

/** e^x for x from -87 to 88, where 2^k is a float. */
export function exp_within(x: float32): float32 {
  const shifted = fmadd(x, LOG2_E, ROUNDER);
  return exp_of_rest(x, shifted - ROUNDER) * power_of_two(shifted);
}

/** e^(x + y), including the digits that the sum x + y would lose; x + y is limited as in exp_within. */
export function exp_of_sum(x: float32, y: float32): float32 {
  const shifted = fmadd(x + y, LOG2_E, ROUNDER);
  const k = shifted - ROUNDER;
  const r = fmadd(k, -LN2_LOW, fmadd(k, -LN2_HIGH, x) + y);
  const p = fmadd(exp_series(r), r * r, r) + 1;
  return p * power_of_two(shifted);
}

/**
 * e^x - 1 = 2^k (e^r - 1) + (2^k - 1), computed in halves, so that 2^128 is not needed. The rounding error of the large
 * terms is added to the small ones. -0 stays -0.
 */
export function expm1(x: float32): float32 {
  const y = pmax(pmin(x, 89), -20);
  const shifted = fmadd(y, LOG2_E, ROUNDER - 1);
  const k = shifted - (ROUNDER - 1);
  const high = y - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const power = power_of_two(shifted); // half of 2^k
  const large = power - 0.5;
  const sum = large + power * high;
  const lost = power * high - (sum - large);
  const r = high - low;
  const result = 2 * (sum + fmadd(fmadd(exp_series(r), r * r, -low), power, lost));
  return abs(x) < NOTHING_BEHIND ? x : result;
}

const SMALLEST_NORMAL = 1.17549435e-38;
/** The bits of sqrt(1/2): subtracting them leaves, in the upper nine bits, the exponent that belongs to a mantissa around 1. */
const HALF_ROOT_BITS = 1060439283;

/** (log(1 + m) - m + m^2 / 2) / m^3, for 1 + m between sqrt(1/2) and sqrt(2). */
export function log_series(m: float32): float32 {
  const a = fmadd(fmadd(7.0376836292e-2, m, -1.151461031e-1), m, 1.167699874e-1);
  const b = fmadd(fmadd(fmadd(a, m, -1.2420140846e-1), m, 1.4249322787e-1), m, -1.6668057665e-1);
  return fmadd(fmadd(fmadd(b, m, 2.0000714765e-1), m, -2.4999993993e-1), m, 3.3333331174e-1);
}

/** x = 2^e * (1 + m), with 1 + m between sqrt(1/2) and sqrt(2). */
export function log(x: float32): float32 {
  const tiny = x < SMALLEST_NORMAL;
  const bits: int32 = bit_cast<int32>(tiny ? x * 8388608 : x);
  const shift: int32 = (bits - HALF_ROOT_BITS) >> 23;
  const m = bit_cast<float32>(bits - (shift << 23)) - 1;
  const e = cast<float32>(tiny ? shift - 23 : shift);
  const c = log_series(m);
  const z = m * m;
  const y = fmadd(e, LN2_LOW, c * m * z) - 0.5 * z;
  const result = fmadd(e, LN2_HIGH, m + y);
  if (x > 0) return x === Infinity ? x : result;
  return x === 0 ? -Infinity : NaN;
}

/** The logarithm of 1 + x as it is rounded, plus a correction for the rounding error. -0 stays -0. */
export function log1p(x: float32): float32 {
  const sum = 1 + x;
  const lost = (x - (sum - 1)) / sum;
  const bits: int32 = bit_cast<int32>(sum);
  const shift: int32 = (bits - HALF_ROOT_BITS) >> 23;
  const m = bit_cast<float32>(bits - (shift << 23)) - 1;
  const e = cast<float32>(shift);
  const z = m * m;
  const y = fmadd(e, LN2_LOW, fmadd(log_series(m) * m, z, lost)) - 0.5 * z;
  const result = fmadd(e, LN2_HIGH, m + y);
  if (x > -1) return x === Infinity || x === 0 ? x : result;
  return x === -1 ? -Infinity : NaN;
}

/** A polynomial is used where 1 - 2 / (e^2x + 1) would cancel. -0 stays -0. */
export function tanh(x: float32): float32 {
  const magnitude = abs(x);
  const z = x * x;
  const a = fmadd(fmadd(-5.70498872745e-3, z, 2.06390887954e-2), z, -5.37397155531e-2);
  const near = fmadd(fmadd(fmadd(a, z, 1.33314422036e-1), z, -3.33332819422e-1) * z, x, x);
  const far = 1 - 2 / (exp_within(pmin(2 * magnitude, 20)) + 1);
  if (magnitude < 0.625) return x === 0 ? x : near;
  return x < 0 ? -far : far;
}

/** 2^23 leaves no bits for a fraction, so adding it rounds. The sign of x stays, also that of a zero. */
export function nearbyint(x: float32): float32 {
  const size = abs(x);
  const whole = size < 8388608 ? size + 8388608 - 8388608 : size;
  return bit_cast<float32>(bit_cast<int32>(whole) | ((bit_cast<int32>(x) >> 31) << 31));
}
