/**
 * @file Powers of float32 without doubles: log2 x is a sum of two floats. The first has so few bits that its product
 * with the first part of the exponent is exact.
 * @mirrors c10/cuda/CUDAMathCompat.h#pow
 * @differs The method is that of Sun's e_powf.c; CUDA calls libdevice.
 * @see elementary.ts
 */
import { exp_series } from "#aten/cpu/vec/functions";
import { bit_cast, type float32, fmadd, type int32, nearest, pmax, pmin } from "#aten/Dispatch";
import { abs, floor, isnan } from "#c10/util/math";
import { copysign } from "./bits.ts";
import { exponent_of, mantissa_of, times_two_to } from "./elementary.ts";

const LN2 = Math.LN2;
/** A mask for all but the last twelve bits. */
const UPPER_BITS = -4096;
const SMALLEST_NORMAL = 1.17549435e-38;

/** x with its upper twelve significant bits. */
export function upper_part(x: float32): float32 {
  const bits: int32 = bit_cast<int32>(x) & UPPER_BITS;
  return bit_cast<float32>(bits);
}

/** 2 / (3 ln 2), as one float and in two parts. */
const SCALE = 0.96179669;
const SCALE_HIGH = 0.9619140625;
const SCALE_LOW = -1.1736857402e-4;

/** 3/5 + 3/7 z + 3/9 z^2 + ...: the terms after 3 + z in 3 artanh(s) / s, with z = s^2. */
export function artanh_series(z: float32): float32 {
  const a = fmadd(fmadd(0.2, z, 0.23076923), z, 0.27272727);
  return fmadd(fmadd(fmadd(a, z, 0.33333333), z, 0.42857143), z, 0.6);
}

/** Special cases are those of C's `pow`, as in IEEE 754. */
export function pow(x: float32, y: float32): float32 {
  const magnitude = abs(x);
  const tiny = magnitude < SMALLEST_NORMAL;
  const normal = tiny ? magnitude * 8388608 : magnitude;
  const e = exponent_of(normal);
  const m = mantissa_of(normal); // exact
  // log2(1 + m) = 2 / ln 2 artanh(s), s = m / (2 + m) in two parts
  const d = 2 + m;
  const s = m / d;
  const s_high = upper_part(s);
  const d_high = upper_part(d);
  const d_low = m - (d_high - 2);
  const s_low = (m - s_high * d_high - s_high * d_low) / d;
  const z = s * s;
  const square = s_high * s_high;
  const rest = fmadd(artanh_series(z), z * z, s_low * (s_high + s));
  const t_high = upper_part(3 + square + rest);
  const t_low = rest - (t_high - 3 - square);
  const u = s_high * t_high;
  const v = fmadd(s_low, t_high, t_low * s);
  const p_high = upper_part(u + v);
  const p_low = v - (p_high - u);
  const low = fmadd(SCALE_LOW, p_high, p_low * SCALE);
  const whole_part = tiny ? e - 23 : e;
  const log2_high = upper_part(fmadd(SCALE_HIGH, p_high, low) + whole_part);
  const log2_low = low - (log2_high - whole_part - SCALE_HIGH * p_high);
  // y log2 x; the first product is exact
  const y_high = upper_part(y);
  const first = y_high * log2_high;
  const second = fmadd(y - y_high, log2_high, y * log2_low);
  const n = pmax(pmin(nearest(first + second), 130), -152);
  const r = (first - n + second) * LN2;
  const power = times_two_to(fmadd(exp_series(r), r * r, r) + 1, n);
  const log2 = magnitude === 0 ? -Infinity : magnitude < Infinity ? log2_high : magnitude;
  const size = y * log2;
  const result = size > 129 ? Infinity : size < -151 ? 0 : isnan(size) ? NaN : power;
  const whole = floor(y) === y;
  const odd = whole && floor(y * 0.5) !== y * 0.5;
  const signed = odd ? copysign(result, x) : result;
  const is_one = y === 0 || x === 1 || (abs(y) === Infinity && x === -1);
  return is_one ? 1 : !whole && x < 0 && x !== -Infinity ? NaN : signed;
}
