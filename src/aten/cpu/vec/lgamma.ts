/**
 * @file The logarithm of the gamma function's magnitude for float32, computed in doubles: nearly always the nearest
 * float, also near its zeros.
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128_float_neon.h#lgamma
 * @differs The polynomials are those with the smallest maximum error; PyTorch calls Sleef, which is within 1 unit of
 * the last place.
 * @see functions.ts, tools/oracle/fit_vector_functions.py; native/Math/index.ts (the same by series)
 */
import { C10_UNLIKELY, cast, type float32, type float64, fmadd } from "#aten/Dispatch";
import { abs, floor } from "#c10/util/math";
import { log } from "./functions_float64.ts";

/** 1 - gamma, with Euler's constant gamma. */
const SLOPE_AT_2 = 0.42278433509846713;
const HALF_LOG_2_PI = 0.9189385332046728;
const LOG_PI = 1.1447298858494002;

/** log Gamma(2 + w) for w from -1/2 to 1/2. */
export function lgamma_near_2(w: float64): float64 {
  const a = fmadd(
    fmadd(fmadd(-2.5563420739117255e-6, w, 5.3204196602207585e-6), w, -9.221723300839345e-6),
    w,
    2.0168964650256448e-5,
  );
  const b = fmadd(fmadd(fmadd(a, w, -4.497220863686098e-5), w, 9.951632900187854e-5), w, -2.2314956560353822e-4);
  const c = fmadd(fmadd(fmadd(b, w, 5.096643161853501e-4), w, -1.1927542143830444e-3), w, 2.890510549508579e-3);
  const d = fmadd(fmadd(fmadd(c, w, -7.385551020822671e-3), w, 0.020580808424347386), w, -0.06735230105325776);
  return w * fmadd(fmadd(d, w, 0.32246703342412203), w, SLOPE_AT_2);
}

/** The correction to Stirling's formula, for x >= 4.5. */
export function stirling_series(x: float64): float64 {
  const z = 1 / (x * x);
  const a = fmadd(fmadd(3.3210196966638366e-3, z, -1.7434363662286252e-3), z, 8.364188554391789e-4);
  const b = fmadd(fmadd(fmadd(a, z, -5.951511862928227e-4), z, 7.936501078652045e-4), z, -2.7777777757330684e-3);
  return fmadd(b, z, 0.08333333333333233) / x;
}

/** lgamma for x >= 0. Below 4.5 the argument is moved near to 2 by at most two factors, so that one logarithm is enough. */
export function lgamma_of_positive(x: float64): float64 {
  const below_3 = x < 2.5 ? 1 : x - 1;
  const factors = x < 0.5 ? x * (x + 1) : x < 1.5 ? x : x < 3.5 ? below_3 : (x - 1) * (x - 2);
  const large = x >= 4.5;
  const logarithm = log(large ? x : factors);
  const nearest = x < 0.5 ? x : x - floor(x + 0.5);
  const near = lgamma_near_2(large ? 0 : nearest) + (x < 1.5 ? -logarithm : logarithm);
  const far = (x - 0.5) * (logarithm - 1) + (HALF_LOG_2_PI - 0.5) + stirling_series(x);
  return large ? far : near;
}

/** |sin(pi x)|; the reduction is exact. */
export function sine_of_pi(x: float64): float64 {
  const r = x - floor(x + 0.5);
  const z = r * r;
  const a = fmadd(fmadd(-2.112295366477853e-5, z, 4.6597761821435115e-4), z, -7.370361072339474e-3);
  const b = fmadd(fmadd(fmadd(a, z, 0.08214587825671803), z, -0.5992645287757306), z, 2.5501640398597774);
  return abs(r * fmadd(fmadd(b, z, -5.167712780049753), z, Math.PI));
}

/** Negative arguments are reflected at 0. Infinite at 0, at negative integers and for infinities. */
export function lgamma(x: float32): float32 {
  const v: float64 = cast<float64>(x);
  const size = abs(v);
  const positive = lgamma_of_positive(size);
  const reflected = LOG_PI - log(sine_of_pi(size) * size) - positive;
  const result = C10_UNLIKELY(v < 0) ? reflected : positive;
  return cast<float32>(size === Infinity ? Infinity : result);
}
