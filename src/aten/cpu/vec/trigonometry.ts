/**
 * @file Sine, cosine and tangent of float32, computed in doubles: nearly always the nearest float, for all floats.
 *
 *   x = n pi + r     sin x = (-1)^n sin r          cos x likewise, with n half an integer
 *
 * From 2^25 on the reduction needs more digits of 1 / pi (Payne and Hanek's method). Few programs use such arguments,
 * so that is a branch.
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128_float_neon.h#sin
 * @differs The polynomial is the one with the smallest maximum error; PyTorch calls Sleef, which is within 1 unit of
 * the last place.
 * @see functions.ts, tools/oracle/fit_vector_functions.py
 */
import { bit_cast, C10_UNLIKELY, cast, type float32, type float64, fmadd, type int64 } from "#aten/Dispatch";
import { abs } from "#c10/util/math";

const ONE_BY_PI = 0.3183098861837907;
const PI = Math.PI;
/** pi in two parts: the first has 28 bits, so that its products with multiples of 1/2 up to 2^24 are exact. */
const PI_HIGH = 3.141592651605606;
const PI_LOW = 1.984187159361081e-9;
/** 1.5 * 2^52: see functions_float64.ts */
const ROUNDER = 6755399441055744;
/** 2^25 */
const LARGE = 33554432;

/** sin(r + n pi) for r from -pi/2 to pi/2; only the lowest bit of `n` matters. -0 stays -0. */
export function sine_of_rest(r: float64, n: int64): float64 {
  const z = r * r;
  const a = fmadd(fmadd(-2.388889656187598e-8, z, 2.7525383720022893e-6), z, -1.9840868196578898e-4);
  const b = fmadd(fmadd(a, z, 8.33333110850572e-3), z, -0.16666666626147542);
  const s = r * fmadd(b, z, 1);
  return bit_cast<float64>(bit_cast<int64>(s) ^ (n << 63));
}

/** Selects one of four values, for floats below 2^50, below 2^77, below 2^104, and above. */
export function by_size(x: float64, a: float64, b: float64, c: float64, d: float64): float64 {
  const size = abs(x);
  return size < 1125899906842624 ? a : size < 1.5111572745182865e23 ? b : size < 2.028240960365167e31 ? c : d;
}

/** x / 2^k, below 2^50. From 2^25 on it is an integer, so 2^k / pi matters only modulo 2. */
export function shortened(x: float64): float64 {
  return x * by_size(x, 1, 7.450580596923828e-9, 5.551115123125783e-17, 4.1359030627651384e-25);
}

/** 2^k / pi modulo 2 in three parts; the first two have so few bits that their products with floats are exact. */
export function first_part(x: float64): float64 {
  const y = shortened(x);
  return y * by_size(x, 0.31830988451838493, -0.2764730267226696, 0.6455004774034023, -0.6569525487720966);
}
export function second_part(x: float64): float64 {
  const y = shortened(x);
  return y * by_size(x, 1.6654057369280828e-9, 1.0840630268460494e-9, -1.16938760758023e-9, 1.1330060709080492e-9);
}
export function third_part(x: float64): float64 {
  const y = shortened(x);
  return y * by_size(x, 1.138005036539198e-18, -1.7737227042175265e-18, 1.5026591323163072e-18, -1.594624528086086e-18);
}

/**
 * sin(x) for a float as a double. The products with `first` and `second` are reduced by their nearest integers; the
 * rest is small enough for the third part.
 */
export function sine(x: float64): float64 {
  const near = x * ONE_BY_PI + ROUNDER;
  const n = near - ROUNDER;
  const rest = x - n * PI_HIGH - n * PI_LOW;
  const first = first_part(x) + ROUNDER;
  const fraction = first_part(x) - (first - ROUNDER);
  const second = fraction + second_part(x) + ROUNDER;
  const left = fraction - (second - ROUNDER) + second_part(x) + third_part(x);
  const large = C10_UNLIKELY(abs(x) >= LARGE);
  const count: int64 = bit_cast<int64>(first) + bit_cast<int64>(second);
  return sine_of_rest(large ? left * PI : rest, large ? count : bit_cast<int64>(near));
}

/** sin(x + pi/2) */
export function cosine(x: float64): float64 {
  const near = fmadd(x, ONE_BY_PI, 0.5) + ROUNDER;
  const n = near - ROUNDER - 0.5;
  const rest = x - n * PI_HIGH - n * PI_LOW;
  const first = first_part(x) + ROUNDER;
  const fraction = first_part(x) - (first - ROUNDER) + 0.5;
  const second = fraction + second_part(x) + ROUNDER;
  const left = fraction - (second - ROUNDER) + second_part(x) + third_part(x);
  const large = C10_UNLIKELY(abs(x) >= LARGE);
  const count: int64 = bit_cast<int64>(first) + bit_cast<int64>(second);
  return sine_of_rest(large ? left * PI : rest, large ? count : bit_cast<int64>(near));
}

export function sin(x: float32): float32 {
  return cast<float32>(sine(cast<float64>(x)));
}

export function cos(x: float32): float32 {
  return cast<float32>(cosine(cast<float64>(x)));
}

export function tan(x: float32): float32 {
  const v: float64 = cast<float64>(x);
  return cast<float32>(sine(v) / cosine(v));
}
