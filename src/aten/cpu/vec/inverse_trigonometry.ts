/**
 * @file Inverse tangent, sine and cosine of float32, computed in doubles: nearly always the nearest float, for all
 * floats. Each is the angle of a point:
 *
 *   asin x = atan2(x, sqrt(1 - x^2))          acos x = atan2(sqrt(1 - x^2), x)          atan x = atan2(x, 1)
 *
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128_float_neon.h#atan2
 * @differs The polynomial is the one with the smallest maximum error; PyTorch calls Sleef, which is within 1 unit of
 * the last place.
 * @see functions.ts, tools/oracle/fit_vector_functions.py
 */
import { bit_cast, cast, type float32, type float64, fmadd, type int64, pmin } from "#aten/Dispatch";
import { abs, sqrt } from "#c10/util/math";
import { signed } from "./functions_float64.ts";

const PI = Math.PI;
const HALF_PI = 1.5707963267948966;
const QUARTER_PI = 0.7853981633974483;
/** tan(pi / 8) */
const EIGHTH = 0.41421356237309503;
/**
 * A number in place of infinity: a side of this length gives an angle of 0 beside any float, and pi / 4 beside another such side.
 */
const ENDLESS = 1e300;

/** atan t for t from -tan(pi / 8) to tan(pi / 8). */
export function atan_series(t: float64): float64 {
  const z = t * t;
  const a = fmadd(fmadd(-0.037924541773126444, z, 0.06991228972657347), z, -0.08996842361730999);
  const b = fmadd(fmadd(fmadd(a, z, 0.11104004076552551), z, -0.1428542363123773), z, 0.19999994326539056);
  return fmadd(fmadd(b, z, -0.3333333329572778) * z, t, t);
}

/** The angle of (x, y), from -pi to pi. Signs of zeros count, as in C. */
export function angle(y: float64, x: float64): float64 {
  const height = pmin(abs(y), ENDLESS);
  const width = pmin(abs(x), ENDLESS);
  const steep = height > width;
  const low = steep ? width : height;
  const high = steep ? height : width;
  const turned = low > high * EIGHTH; // by pi / 4
  const t = (turned ? low - high : low) / (turned ? low + high : high);
  const small = atan_series(low + high === 0 ? 0 : t) + (turned ? QUARTER_PI : 0);
  const acute = steep ? HALF_PI - small : small;
  const above = bit_cast<int64>(x) < 0 ? PI - acute : acute;
  return signed(above, y);
}

export function atan2(y: float32, x: float32): float32 {
  return cast<float32>(angle(cast<float64>(y), cast<float64>(x)));
}

export function atan(x: float32): float32 {
  return cast<float32>(angle(cast<float64>(x), 1));
}

/** sqrt(1 - x^2); NaN beyond 1. */
export function other_side(x: float64): float64 {
  return sqrt((1 - x) * (1 + x));
}

export function asin(x: float32): float32 {
  const v: float64 = cast<float64>(x);
  return cast<float32>(angle(v, other_side(v)));
}

export function acos(x: float32): float32 {
  const v: float64 = cast<float64>(x);
  return cast<float32>(angle(other_side(v), v));
}
