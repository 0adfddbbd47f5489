/**
 * @file Exponentials and logarithms of float32 for WGSL, in kernel text. Those of cpu/vec depend on the order of a sum,
 * but a GPU's compiler may replace `(x + c) - c` by x. So numbers are rounded by `nearest`, and products that must be
 * exact use few enough bits.
 * @mirrors c10/cuda/CUDAMathCompat.h
 * @differs The polynomials' coefficients are those of the Cephes library; CUDA calls libdevice.
 * @see aten/cpu/vec/functions.ts; tools/codegen/kernels/machines.ts (which machine takes which)
 */
import { exp_series, log, log_series } from "#aten/cpu/vec/functions";
import { bit_cast, cast, type float32, fmadd, type int32, nearest, pmax, pmin } from "#aten/Dispatch";
import { abs, floor, isnan, sqrt } from "#c10/util/math";

const LOG2_E = Math.LOG2E;
const LN2 = Math.LN2;
const LOG10_E = Math.LOG10E;
/** ln 2 in two parts: the first has so few bits that its products with small integers are exact. */
const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.1219444e-4;
/** 2^-25: below it, every term but x itself is smaller than the last place. */
const NOTHING_BEHIND = 2.9802322387695312e-8;
const ROOT_OF_HALF = Math.SQRT1_2;
const ROOT_OF_TWO = Math.SQRT2;
/** The bits of sqrt(1/2): subtracting them leaves, in the upper nine bits, the exponent that belongs to a mantissa around 1. */
const HALF_ROOT_BITS = 1060439283;
const LARGE = 1e8;

// ---- powers

/** 2^n, n an integer from -126 to 127. */
export function two_to(n: float32): float32 {
  return bit_cast<float32>((cast<int32>(n) + 127) << 23);
}

/** 2^n p, by two factors: neither overflows unless the product does, and denormals are rounded once. n from -252 to 254. */
export function times_two_to(p: float32, n: float32): float32 {
  const half = floor(n * 0.5);
  return p * two_to(half) * two_to(n - half);
}

/** e^x / 2^n, where n is x / ln 2 rounded. */
export function exp_of_part(x: float32, n: float32): float32 {
  const r = fmadd(n, -LN2_LOW, fmadd(n, -LN2_HIGH, x));
  return fmadd(exp_series(r), r * r, r) + 1;
}

export function exp(x: float32): float32 {
  const y = pmax(pmin(x, 89), -104);
  const n = nearest(y * LOG2_E);
  return times_two_to(exp_of_part(y, n), n);
}

/** e^x for x from -87 to 88, where 2^n is a float. */
export function exp_within(x: float32): float32 {
  const n = nearest(x * LOG2_E);
  return exp_of_part(x, n) * two_to(n);
}

/**
 * e^(x + y), where y is small compared with x, including the digits that the sum would lose. For results that are normal floats.
 */
export function exp_of_sum(x: float32, y: float32): float32 {
  const n = nearest((x + y) * LOG2_E);
  const r = fmadd(n, -LN2_LOW, fmadd(n, -LN2_HIGH, x) + y);
  return (fmadd(exp_series(r), r * r, r) + 1) * two_to(n);
}

export function exp2(x: float32): float32 {
  const y = pmax(pmin(x, 129), -151);
  const n = nearest(y);
  const r = (y - n) * LN2;
  return times_two_to(fmadd(exp_series(r), r * r, r) + 1, n);
}

/** e^x - 1 = 2^n (e^r - 1) + (2^n - 1), computed in halves, so that 2^128 is not needed. -0 stays -0. */
export function expm1(x: float32): float32 {
  const y = pmax(pmin(x, 89), -20);
  const n = nearest(y * LOG2_E);
  const r = fmadd(n, -LN2_LOW, fmadd(n, -LN2_HIGH, y));
  const power = two_to(n - 1);
  const result = 2 * fmadd(fmadd(exp_series(r), r * r, r), power, power - 0.5);
  return abs(x) < NOTHING_BEHIND ? x : result;
}

/** It does not overflow if the result is a float. */
export function sinh(x: float32): float32 {
  const magnitude = abs(x);
  const t = expm1(magnitude);
  const half = exp(0.5 * magnitude);
  const y = magnitude > 88 ? 0.5 * half * half : 0.5 * (t + t / (t + 1));
  return x < 0 ? -y : magnitude < NOTHING_BEHIND ? x : y;
}

export function cosh(x: float32): float32 {
  const half = exp(0.5 * abs(x));
  const e = half * half;
  return abs(x) > 88 ? 0.5 * half * half : 0.5 * e + 0.5 / e;
}

// ---- logarithms

/** log(1 + m) for 1 + m between sqrt(1/2) and sqrt(2). */
export function log_near_one(m: float32): float32 {
  const z = m * m;
  return fmadd(log_series(m) * m, z, -0.5 * z) + m;
}

/** Near 0 the series of x itself; elsewhere the rounding error of 1 + x is below the last place of the result. -0 stays -0. */
export function log1p(x: float32): float32 {
  const sum = 1 + x;
  const is_near = sum > ROOT_OF_HALF && sum < ROOT_OF_TWO;
  return abs(x) < NOTHING_BEHIND ? x : is_near ? log_near_one(x) : log(sum);
}

/** The exponent e of x = 2^e (1 + m), with 1 + m between sqrt(1/2) and sqrt(2); x is a normal number. */
export function exponent_of(x: float32): float32 {
  return cast<float32>((bit_cast<int32>(x) - HALF_ROOT_BITS) >> 23);
}

/** The `m` of x = 2^e (1 + m). */
export function mantissa_of(x: float32): float32 {
  const bits: int32 = bit_cast<int32>(x);
  return bit_cast<float32>(bits - (((bits - HALF_ROOT_BITS) >> 23) << 23)) - 1;
}

const SMALLEST_NORMAL = 1.17549435e-38;

/** log2; exact for a power of two. */
export function log2(x: float32): float32 {
  const tiny = x < SMALLEST_NORMAL;
  const normal = tiny ? x * 8388608 : x;
  const e = tiny ? exponent_of(normal) - 23 : exponent_of(normal);
  const result = fmadd(log_near_one(mantissa_of(normal)), LOG2_E, e);
  if (x > 0) return x === Infinity ? x : result;
  return x === 0 ? -Infinity : NaN;
}

export function log10(x: float32): float32 {
  return log(x) * LOG10_E;
}

/** log(a + sqrt(a^2 + 1)) */
export function asinh(x: float32): float32 {
  const a = abs(x);
  const near = log1p(a + (a * a) / (1 + sqrt(fmadd(a, a, 1))));
  const y = a > LARGE ? log(a) + LN2 : near;
  return x < 0 ? -y : a < NOTHING_BEHIND ? x : y;
}

/** log(x + sqrt(x^2 - 1)) */
export function acosh(x: float32): float32 {
  const t = x - 1;
  const near = log1p(t + sqrt(fmadd(t, t, 2 * t)));
  return x > LARGE ? log(x) + LN2 : x < 1 ? NaN : near;
}

export function atanh(x: float32): float32 {
  const a = abs(x);
  const y = 0.5 * log1p((2 * a) / (1 - a));
  return x < 0 ? -y : a < NOTHING_BEHIND ? x : y;
}

/** No square overflows. An infinite side wins over a NaN. */
export function hypot(a: float32, b: float32): float32 {
  const x = pmax(abs(a), abs(b));
  const y = pmin(abs(a), abs(b));
  const ratio = y / x;
  const finite = x === 0 ? x : x * sqrt(fmadd(ratio, ratio, 1));
  const result = isnan(a) || isnan(b) ? NaN : finite;
  return abs(a) === Infinity || abs(b) === Infinity ? Infinity : result;
}
