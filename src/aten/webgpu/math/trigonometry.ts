/**
 * @file Trigonometric functions of float32 and their inverses for WGSL, in kernel text. The reduction by pi / 2 uses
 * integers (wgsl/helpers_math.ts), so it is exact for all floats.
 * @mirrors c10/cuda/CUDAMathCompat.h
 * @differs The polynomials' coefficients are those of the Cephes library; CUDA calls libdevice.
 */
import { type float32, fmadd, trig_quadrant, trig_rest } from "#aten/Dispatch";
import { abs, isnan, signbit, sqrt } from "#c10/util/math";

const PI = Math.PI;
const HALF_PI = 1.5707963267948966;
const QUARTER_PI = 0.7853981633974483;

/** sin r and cos r for r from -pi/4 to pi/4. -0 stays -0. */
export function sine_of_rest(r: float32): float32 {
  const z = r * r;
  const a = fmadd(fmadd(-1.9515295891e-4, z, 8.3321608736e-3), z, -1.6666654611e-1);
  return fmadd(a * z, r, r);
}
export function cosine_of_rest(r: float32): float32 {
  const z = r * r;
  const a = fmadd(fmadd(2.443315711809948e-5, z, -1.388731625493765e-3), z, 4.166664568298827e-2);
  return fmadd(a * z, z, fmadd(-0.5, z, 1));
}

export function sin(x: float32): float32 {
  const n = trig_quadrant(x);
  const r = trig_rest(x);
  const y = n === 0 || n === 2 ? sine_of_rest(r) : cosine_of_rest(r);
  return n >= 2 ? -y : y;
}

export function cos(x: float32): float32 {
  const n = trig_quadrant(x);
  const r = trig_rest(x);
  const y = n === 0 || n === 2 ? cosine_of_rest(r) : sine_of_rest(r);
  return n === 1 || n === 2 ? -y : y;
}

export function tan(x: float32): float32 {
  const n = trig_quadrant(x);
  const r = trig_rest(x);
  const s = sine_of_rest(r);
  const c = cosine_of_rest(r);
  return n === 0 || n === 2 ? s / c : -c / s;
}

/** asin x for x from 0 to 1/2, computed from x and its square. */
export function asin_series(x: float32, z: float32): float32 {
  const a = fmadd(fmadd(4.2163199048e-2, z, 2.4181311049e-2), z, 4.5470025998e-2);
  return fmadd(fmadd(fmadd(a, z, 7.4953002686e-2), z, 1.6666752422e-1) * z, x, x);
}

export function asin(x: float32): float32 {
  const a = abs(x);
  const z = 0.5 * (1 - a);
  const y = a > 0.5 ? fmadd(-2, asin_series(sqrt(z), z), HALF_PI) : asin_series(a, a * a);
  const result = x < 0 ? -y : x === 0 ? x : y;
  return a <= 1 ? result : NaN;
}

export function acos(x: float32): float32 {
  const z = 0.5 * (1 - abs(x));
  const y = 2 * asin_series(sqrt(z), z);
  const far = x < 0 ? PI - y : y;
  const near = HALF_PI - asin_series(x, x * x);
  return abs(x) <= 1 ? (abs(x) > 0.5 ? far : near) : NaN;
}

const TAN_PI_BY_8 = 0.4142135623730951;
const TAN_3_PI_BY_8 = 2.414213562373095;

/** -0 stays -0. */
export function atan(x: float32): float32 {
  const a = abs(x);
  const far = a > TAN_3_PI_BY_8;
  const t = far ? -1 / a : a > TAN_PI_BY_8 ? (a - 1) / (a + 1) : a;
  const base: float32 = far ? HALF_PI : a > TAN_PI_BY_8 ? QUARTER_PI : 0;
  const z = t * t;
  const s = fmadd(fmadd(8.05374449538e-2, z, -1.38776856032e-1), z, 1.99777106478e-1);
  const y = base + fmadd(fmadd(s, z, -3.33329491539e-1) * z, t, t);
  return x < 0 ? -y : x === 0 ? x : y;
}

/** The angle of the point (x, y), also if both are zero or both infinite. */
export function atan2(y: float32, x: float32): float32 {
  const infinite = abs(x) === Infinity && abs(y) === Infinity;
  const ratio = infinite ? 1 : y === 0 ? 0 : abs(y) / abs(x);
  const right = atan(ratio);
  const angle = signbit(x) ? PI - right : right;
  const result = signbit(y) ? -angle : angle;
  return isnan(x) || isnan(y) ? NaN : result;
}
