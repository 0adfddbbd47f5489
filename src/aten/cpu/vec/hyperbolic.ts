/**
 * @file Hyperbolic functions of float32 except tanh, their inverses, and hypot, computed in doubles: nearly always the
 * nearest float. Where exponentials or logarithms would cancel, the function's series is used.
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128_float_neon.h#sinh
 * @differs Computed in doubles; PyTorch calls Sleef, which is within 1 unit of the last place.
 * @see pow.ts (2^x and log2 x), functions.ts (tanh)
 */
import { cast, type float32, type float64, fmadd, pmin } from "#aten/Dispatch";
import { abs, sqrt } from "#c10/util/math";
import { signed } from "./functions_float64.ts";
import { exp2_of_float, log2_of_float } from "./pow.ts";

const LOG2_E = Math.LOG2E;
const LN_2 = Math.LN2;
/** Beyond it both exponentials overflow a float. */
const FAR = 100;

/** log u for u > 0; infinite if u is. */
export function log_of(u: float64): float64 {
  return u < Infinity ? log2_of_float(u) * LN_2 : u;
}

export function sinh(x: float32): float32 {
  const v: float64 = cast<float64>(x);
  const z = v * v;
  const a = fmadd(fmadd(2.7557319223985893e-6, z, 1.984126984126984e-4), z, 8.333333333333333e-3);
  const near = fmadd(fmadd(a, z, 0.16666666666666666) * z, v, v);
  const power = exp2_of_float(pmin(abs(v), FAR) * LOG2_E);
  return cast<float32>(abs(v) < 0.5 ? near : signed(0.5 * power - 0.5 / power, v));
}

export function cosh(x: float32): float32 {
  const power = exp2_of_float(pmin(abs(cast<float64>(x)), FAR) * LOG2_E);
  return cast<float32>(0.5 * power + 0.5 / power);
}

export function asinh(x: float32): float32 {
  const v: float64 = cast<float64>(x);
  const z = v * v;
  const a = fmadd(fmadd(0.030381944444444444, z, -0.044642857142857144), z, 0.075);
  const near = fmadd(fmadd(a, z, -0.16666666666666666) * z, v, v);
  return cast<float32>(abs(v) < 0.125 ? near : signed(log_of(abs(v) + sqrt(z + 1)), v));
}

export function acosh(x: float32): float32 {
  const above = cast<float64>(x) - 1;
  return cast<float32>(above >= 0 ? log_of(1 + above + sqrt(above * (above + 2))) : NaN);
}

export function atanh(x: float32): float32 {
  const v: float64 = cast<float64>(x);
  const size = abs(v);
  const near = fmadd(v * v * 0.3333333333333333, v, v);
  const far = size < 1 ? 0.5 * log_of((1 + size) / (1 - size)) : size === 1 ? Infinity : NaN;
  return cast<float32>(size < 0.0009765625 ? near : signed(far, v));
}

/** Squares of floats are exact in doubles, and none overflows. An infinite side wins over a NaN. */
export function hypot(a: float32, b: float32): float32 {
  const x: float64 = cast<float64>(a);
  const y: float64 = cast<float64>(b);
  const infinite = abs(x) === Infinity || abs(y) === Infinity;
  return cast<float32>(infinite ? Infinity : sqrt(x * x + y * y));
}
