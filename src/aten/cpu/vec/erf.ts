/**
 * @file The error function of float32, its complement, its inverse, and the normal cumulative distribution.
 *
 *   greatest error, in units of the last place, over all floats     erf 1.24    erfc 0.501    erfinv 0.51
 *   greatest error of a result between 0 and 1                      normal_cdf 2.5e-7
 *
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128_float_neon.h#erf
 * @differs The polynomials are those with the smallest maximum error; PyTorch calls Sleef.
 * @see functions.ts, tools/oracle/fit_vector_functions.py
 */
import { C10_UNLIKELY, cast, type float32, type float64, fmadd, pmax, pmin } from "#aten/Dispatch";
import { abs, sqrt } from "#c10/util/math";
import { exp_of_sum } from "./functions.ts";
import { exp2_of_float, log2_of_float } from "./pow.ts";

const LOG2_E = Math.LOG2E;

/** Below 7/8 a polynomial; above, 1 - e^(s - 2x), where s is small near 1. From 4 on the nearest float is 1. -0 stays -0. */
export function erf(x: float32): float32 {
  const magnitude = abs(x);
  const z = x * x;
  const a = fmadd(fmadd(-6.203253548e-4, z, 5.032181062e-3), z, -2.67914629e-2);
  const near = fmadd(fmadd(fmadd(fmadd(a, z, 0.1128245533), z, -0.3761255046), z, 0.1283791575), x, x);
  const y = pmin(magnitude, 4);
  const b = fmadd(fmadd(1.99901182e-4, y, -3.081994168e-3), y, 2.238102323e-2);
  const c = fmadd(fmadd(fmadd(b, y, -0.1042501883), y, -0.6368206645), y, 0.872110621);
  const far = 1 - exp_of_sum(-2 * y, fmadd(c, y, -1.442126339e-4));
  if (magnitude < 0.875) return near;
  return x < 0 ? -far : far;
}

/** e^(-x^2) times a polynomial of (x - 2.5) / (x + 2.5), in doubles, because the square does not fit into a float. */
export function erfc(x: float32): float32 {
  const magnitude: float64 = pmin(abs(cast<float64>(x)), 11);
  const t = (magnitude - 2.5) / (magnitude + 2.5);
  const a = fmadd(fmadd(6.048941112808155e-6, t, 1.5340183633076758e-5), t, -3.3914461706902265e-5);
  const b = fmadd(fmadd(fmadd(a, t, -1.2696399261545512e-4), t, 2.2849620317683117e-4), t, 8.753508446498964e-4);
  const c = fmadd(fmadd(fmadd(b, t, -2.6424128267640247e-3), t, -3.993616258767748e-3), t, 3.9922543886518495e-2);
  const d = fmadd(fmadd(fmadd(c, t, -0.12503305804784884), t, 0.2517131931151282), t, -0.3717367338398619);
  const tail = fmadd(d, t, 0.2108063640607182) * exp2_of_float(magnitude * magnitude * -LOG2_E);
  return cast<float32>(x < 0 ? 2 - tail : tail);
}

/** erfinv(x) / x as a function of u = -log2(1 - x^2), for u from 0 to 6.5. */
export function erfinv_near(u: float64): float64 {
  const a = fmadd(fmadd(-2.1303378476594206e-13, u, 1.159268069276328e-11), u, -2.5686156808056967e-10);
  const b = fmadd(fmadd(fmadd(a, u, 2.763662637038984e-9), u, -1.0507480699369987e-8), u, -5.244072400998355e-8);
  const c = fmadd(fmadd(fmadd(b, u, 1.7264882386883504e-7), u, 7.52729524182821e-6), u, -2.9616740431080183e-5);
  const d = fmadd(fmadd(fmadd(c, u, -7.776157911644383e-4), u, 5.548908098117473e-3), u, 0.16081961964369387);
  return fmadd(d, u, 0.886226925438676);
}

/** erfinv(x) / x as a function of sqrt(u), for u from 6.5 to 23. */
export function erfinv_far(s: float64): float64 {
  const a = fmadd(fmadd(1.5271667415885375e-6, s, -7.013400484016801e-5), s, 1.465572568233911e-3);
  const b = fmadd(fmadd(fmadd(a, s, -0.018403653916110117), s, 0.1544263923572022), s, -0.9104494862839245);
  const c = fmadd(fmadd(fmadd(b, s, 3.858359567471078), s, -11.812599763459195), s, 25.871801511111492);
  const d = fmadd(fmadd(fmadd(c, s, -39.51706755325105), s, 40.19453971824011), s, -24.192009429070733);
  return fmadd(d, s, 7.4937622291099055);
}

/** In doubles, because near 1 the square does not fit into a float. -0 stays -0. */
export function calc_erfinv(x: float32): float32 {
  const y: float64 = cast<float64>(x);
  const size = abs(y);
  const u = -log2_of_float(1 - y * y);
  const ratio = C10_UNLIKELY(u > 6.5) ? erfinv_far(sqrt(u)) : erfinv_near(u);
  const edge = size === 1 ? y * Infinity : NaN;
  return cast<float32>(size < 1 ? y * ratio : edge);
}

/** 5.4^2: the tail above 5.4 is smaller than the distance between floats below 1. */
const NOTHING_ABOVE = 29.16;

/** 1/2 + x p(x^2) / q(x^2), which is 0 or 1 beyond 5.4. */
export function normal_cdf(x: float32): float32 {
  const z = pmin(x * x, NOTHING_ABOVE);
  const a = fmadd(fmadd(fmadd(0.0192502864, z, 5.21748279), z, 134.293247), z, 3817.22301);
  const p = fmadd(fmadd(a, z, 27354.0172), z, 327809.307);
  const b = fmadd(fmadd(z + 59.2368565, z, 1523.46689), z, 23279.2564);
  const q = fmadd(fmadd(b, z, 205515.353), z, 821696.116);
  return 0.5 + pmax(pmin(x * (p / q), 0.5), -0.5);
}
