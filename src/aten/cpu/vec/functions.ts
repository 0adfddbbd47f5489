/**
 * @file Elementary functions for all lanes at once, in kernel text: where a scalar function says `exp(x)`, this body stands in the graph of
 * values. float32 only; what has no body here runs in the JavaScript loop.
 *
 *   greatest error, in units of the last place, over all magnitudes     exp 1.0    log 0.8    tanh 1.3
 *
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128_float_neon.h
 * @differs PyTorch calls Sleef. The polynomials' coefficients are those of the Cephes library, as in aten/src/ATen/native/cpu/avx_mathfun.h.
 * @see tools/codegen/kernels/graph.ts (who puts them in place)
 */
import { bit_cast, cast, type float32, fmadd, type int32, pmax, pmin } from "#aten/Dispatch";
import { abs } from "#c10/util/math";

const LOG2_E = Math.LOG2E;
/** ln 2 in two parts: the first has so few bits that its products with small integers are exact. */
const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.1219444e-4;
/** 1.5 * 2^23: a float beside it has no place for a fraction, so adding it rounds; its bits count up by one with every integer. */
const ROUNDER = 12582912;
const ROUNDER_BITS = 1262485504;

/** `e^x / 2^k`, where k is x / ln 2 rounded, and `shifted` is k beside the rounder. */
export function exp_of_rest(x: float32, shifted: float32): float32 {
  const n = shifted - ROUNDER;
  const r = fmadd(n, -LN2_LOW, fmadd(n, -LN2_HIGH, x));
  const a = fmadd(fmadd(1.98756915e-4, r, 1.3981999507e-3), r, 8.3334519073e-3);
  const b = fmadd(fmadd(fmadd(a, r, 4.1665795894e-2), r, 1.6666665459e-1), r, 5.0000001201e-1);
  return fmadd(b, r * r, r) + 1;
}

/** 2^k as two factors, so that neither overflows where the product does not, and denormals round once. */
export function exp(x: float32): float32 {
  const y = pmax(pmin(x, 89), -104);
  const shifted = fmadd(y, LOG2_E, ROUNDER);
  const p = exp_of_rest(y, shifted);
  const k: int32 = bit_cast<int32>(shifted) - ROUNDER_BITS;
  const half: int32 = k >> 1;
  return p * bit_cast<float32>((half + 127) << 23) * bit_cast<float32>((k - half + 127) << 23);
}

/** For x from -87 to 88, where 2^k is a float. */
export function exp_within(x: float32): float32 {
  const shifted = fmadd(x, LOG2_E, ROUNDER);
  return exp_of_rest(x, shifted) * bit_cast<float32>((bit_cast<int32>(shifted) - ROUNDER_BITS + 127) << 23);
}

const SMALLEST_NORMAL = 1.17549435e-38;
/** The bits of the square root of a half: subtracted, they leave in the upper nine bits the exponent of a mantissa around 1. */
const HALF_ROOT_BITS = 1060439283;

/** x = 2^e * (1 + m), with 1 + m between the roots of 1/2 and of 2. */
export function log(x: float32): float32 {
  const tiny = x < SMALLEST_NORMAL;
  const bits: int32 = bit_cast<int32>(tiny ? x * 8388608 : x);
  const shift: int32 = (bits - HALF_ROOT_BITS) >> 23;
  const m = bit_cast<float32>(bits - (shift << 23)) - 1;
  const e = cast<float32>(tiny ? shift - 23 : shift);
  const a = fmadd(fmadd(7.0376836292e-2, m, -1.151461031e-1), m, 1.167699874e-1);
  const b = fmadd(fmadd(fmadd(a, m, -1.2420140846e-1), m, 1.4249322787e-1), m, -1.6668057665e-1);
  const c = fmadd(fmadd(fmadd(b, m, 2.0000714765e-1), m, -2.4999993993e-1), m, 3.3333331174e-1);
  const z = m * m;
  const y = fmadd(e, LN2_LOW, c * m * z) - 0.5 * z;
  const result = fmadd(e, LN2_HIGH, m + y);
  if (x > 0) return x === Infinity ? x : result;
  return x === 0 ? -Infinity : NaN;
}

/** A polynomial where 1 - 2 / (e^2x + 1) would cancel. -0 stays -0. */
export function tanh(x: float32): float32 {
  const magnitude = abs(x);
  const z = x * x;
  const a = fmadd(fmadd(-5.70498872745e-3, z, 2.06390887954e-2), z, -5.37397155531e-2);
  const near = fmadd(fmadd(fmadd(a, z, 1.33314422036e-1), z, -3.33332819422e-1) * z, x, x);
  const far = 1 - 2 / (exp_within(pmin(2 * magnitude, 20)) + 1);
  if (magnitude < 0.625) return x === 0 ? x : near;
  return x < 0 ? -far : far;
}
