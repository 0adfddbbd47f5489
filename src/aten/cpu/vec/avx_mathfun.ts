/**
 * @file Logarithm, sine and cosine of float32, equal to the last bit with those that fill normal tensors in PyTorch:
 * fused products, computed in doubles.
 * @mirrors aten/src/ATen/native/cpu/avx_mathfun.h
 * @see ../../native/cpu/avx_mathfun.ts: the same, one number at a time, and what the numbers are
 */
import { bit_cast, cast, type float32, type float64, type int32 } from "#aten/Dispatch";

/** `a * b + c` with one rounding: the product is exact in a double. */
export function fused(a: float32, b: float32, c: float32): float32 {
  const product: float64 = cast<float64>(a) * cast<float64>(b);
  return cast<float32>(product + cast<float64>(c));
}

/** Precondition: `x` is positive and normal. */
export function log256_ps(x: float32): float32 {
  const bits: int32 = bit_cast<int32>(x);
  const half: float32 = bit_cast<float32>((bits & 8388607) | 1056964608);
  const small = half < Math.SQRT1_2;
  const e: float32 = cast<float32>((bits >> 23) - 126) - (small ? 1 : 0);
  const m: float32 = half - 1 + (small ? half : 0);
  const z: float32 = m * m;
  const a: float32 = fused(fused(7.0376836292e-2, m, -1.151461031e-1), m, 1.167699874e-1);
  const b: float32 = fused(fused(fused(a, m, -1.2420140846e-1), m, 1.4249322787e-1), m, -1.6668057665e-1);
  const c: float32 = fused(fused(fused(b, m, 2.0000714765e-1), m, -2.4999993993e-1), m, 3.3333331174e-1);
  const y: float32 = fused(z, -0.5, fused(c * m, z, e * -2.1219444e-4));
  return fused(e, 0.693359375, m + y);
}

/** The eighth of the circle in which x lies, rounded up to an even number. */
export function eighth(x: float32): int32 {
  return (cast<int32>(x * 1.27323954473516) + 1) & -2;
}

/** x without its eighths: from -pi / 4 to pi / 4. */
export function rest_of_eighths(x: float32): float32 {
  const j: float32 = cast<float32>(eighth(x));
  return fused(j, -3.774894977445941e-8, fused(j, -0.00024187564849853516, fused(j, -0.78515625, x)));
}

export function cosine_of_rest(x: float32): float32 {
  const z: float32 = x * x;
  const a: float32 = fused(fused(2.443315711809948e-5, z, -1.388731625493765e-3), z, 4.166664568298827e-2);
  return fused(a * z, z, z * -0.5) + 1;
}

export function sine_of_eighths(x: float32): float32 {
  const z: float32 = x * x;
  const a: float32 = fused(fused(-1.9515295891e-4, z, 8.3321608736e-3), z, -1.6666654611e-1);
  return fused(a * z, x, x);
}

/** Precondition: x >= 0. */
export function sin256_ps(x: float32): float32 {
  const j: int32 = eighth(x);
  const rest: float32 = rest_of_eighths(x);
  const s: float32 = (j & 2) !== 0 ? cosine_of_rest(rest) : sine_of_eighths(rest);
  return (j & 4) !== 0 ? -s : s;
}

/** Precondition: x >= 0. */
export function cos256_ps(x: float32): float32 {
  const j: int32 = eighth(x);
  const rest: float32 = rest_of_eighths(x);
  const c: float32 = (j & 2) !== 0 ? sine_of_eighths(rest) : cosine_of_rest(rest);
  return ((j - 2) & 4) !== 0 ? c : -c;
}
