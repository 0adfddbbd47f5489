/**
 * @file SIMD helpers that the `@vec` files of this folder import: exp and log, sum and maximum of lanes, and conversion
 * between halves and floats. They are compiled into the module of each importing file.
 * @mirrors aten/src/ATen/cpu/vec/functional_base.h
 * @differs Ours computes exp and log by polynomials of its own; PyTorch takes them from Sleef.
 */
import {
  type float,
  from_bits,
  type int,
  lane,
  lanes,
  load,
  load_one_opmath,
  load_opmath,
  load_splat,
  type Mask,
  pmin,
  type ptr,
  type scalar_t,
  sizeof,
  store,
  store_one,
  store_opmath,
  to_bits,
  type Vec,
  vec_bytes,
} from "#aten/cpu/vec/Vec";

// Note [Computation of exp]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// x = n ln 2 + r with |r| <= ln 2 / 2, so exp(x) = 2^n exp(r). Adding 1.5 * 2^23 + 127 rounds x / ln 2 to n, and n +
// 127 is then in the lowest bits; shifted to the position of the exponent they are 2^n. n ln 2 is subtracted in two
// parts; the first is so short that its product is exact. exp(r) = 1 + r + r^2 q(r). In float32, q is the polynomial of
// degree 4 with the smallest relative error; in float64 it is the Taylor polynomial.

/** exp(x). `t` is n plus the constant that rounds it. The result is 0 wherever it would be denormal. @inline */
function exp_from(x: Vec, t: Vec): Vec {
  let scale: Vec = 0;
  let r: Vec = 0;
  let q: Vec = 0;
  let lowest: Vec = 0;
  if (sizeof<scalar_t>() === 8) {
    const n: Vec = t - (6755399441055744 + 1023);
    scale = from_bits(to_bits(t) << 52);
    r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10;
    q = (((r * (1 / 6227020800) + 1 / 479001600) * r + 1 / 39916800) * r + 1 / 3628800) * r + 1 / 362880;
    q = (((q * r + 1 / 40320) * r + 1 / 5040) * r + 1 / 720) * r + 1 / 120;
    q = ((q * r + 1 / 24) * r + 1 / 6) * r + 0.5;
    lowest = -708.39;
  } else {
    const n: Vec = t - (12582912 + 127);
    scale = from_bits(to_bits(t) << 23);
    r = x - n * 0.693359375 + n * 2.1219444005469057e-4;
    q = (((r * 0.0013814540579915047 + 0.00836874544620514) * r + 0.04166838899254799) * r + 0.1666652113199234) * r;
    q = q + 0.4999999403953552;
    lowest = -87.33;
  }
  const e: Vec = (q * (r * r) + r + 1) * scale;
  return x < lowest ? 0 : e;
}

/**
 * exp(x) for x <= 0, exact to 1 ulp. The result is 0 for -Infinity and wherever it would be denormal; NaN stays NaN.
 * @inline
 */
export function exp_nonpositive(x: Vec): Vec {
  let t: Vec = 0;
  if (sizeof<scalar_t>() === 8) t = x * Math.LOG2E + (6755399441055744 + 1023);
  else t = x * Math.LOG2E + (12582912 + 127);
  return exp_from(x, t);
}

/**
 * exp(x) for any x. If n is above the largest power of two it stays there, and the polynomial computes the rest.
 * @inline
 */
export function exp_of(x: Vec): Vec {
  let t: Vec = 0;
  if (sizeof<scalar_t>() === 8) t = pmin(x * Math.LOG2E + (6755399441055744 + 1023), 6755399441055744 + 2046);
  else t = pmin(x * Math.LOG2E + (12582912 + 127), 12582912 + 254);
  return exp_from(x, t);
}

/**
 * Natural logarithm of a finite x >= 1; NaN stays NaN. x = 2^e m with m near 1, and log m = 2 artanh((m - 1) / (m +
 * 1)).
 * @inline
 */
export function log_from_one(x: Vec): Vec {
  let e: Vec = 0;
  let m: Vec = 0;
  // A whole number in the lowest bits of 2^23 (2^52 in double) is a number added to it.
  if (sizeof<scalar_t>() === 8) {
    e = from_bits((to_bits(x) >>> 52) | (1075 * 2 ** 52)) - (4503599627370496 + 1023);
    m = from_bits((to_bits(x) & (2 ** 52 - 1)) | (1023 * 2 ** 52));
  } else {
    e = from_bits((to_bits(x) >>> 23) | 0x4b000000) - (8388608 + 127);
    m = from_bits((to_bits(x) & 0x7fffff) | 0x3f800000);
  }
  const large: Mask = m > Math.SQRT2;
  e = large ? e + 1 : e;
  m = large ? m * 0.5 : m;
  const s: Vec = (m - 1) / (m + 1);
  const z: Vec = s * s;
  let p: Vec = z * (1 / 9) + 1 / 7;
  if (sizeof<scalar_t>() === 8) {
    p = (((z * (1 / 19) + 1 / 17) * z + 1 / 15) * z + 1 / 13) * z + 1 / 11;
    p = (p * z + 1 / 9) * z + 1 / 7;
  }
  p = ((p * z + 1 / 5) * z + 1 / 3) * z;
  const y: Vec = e * Math.LN2 + (s + s + (s + s) * p);
  return x !== x ? x : y;
}

/** Sum of four lanes: the two halves of the vector are added first. @inline */
export function sum_of_lanes(v: Vec): float {
  let sum: float = lane(v, 0) + lane(v, 1);
  if (lanes<scalar_t>() === 4) sum += lane(v, lanes<scalar_t>() - 2) + lane(v, lanes<scalar_t>() - 1);
  return sum;
}

/** Larger value of each lane; NaN stays NaN. @inline */
export function greater(max: Vec, v: Vec): Vec {
  const better: Mask = v > max || v !== v;
  return better ? v : max;
}

/** @inline */
export function greater_one(max: float, v: float): float {
  return v > max || v !== v ? v : max;
}

/** Largest lane, or NaN if any lane is NaN. @inline */
export function greatest_of_lanes(v: Vec): float {
  let max: float = greater_one(lane(v, 0), lane(v, 1));
  if (lanes<scalar_t>() === 4) {
    max = greater_one(max, lane(v, lanes<scalar_t>() - 2));
    max = greater_one(max, lane(v, lanes<scalar_t>() - 1));
  }
  return max;
}

/** Number of extra bytes that `widen` may write after the last float. */
export const SPARE = 12;

/** Converts `n` halves, `step` bytes apart, to contiguous floats. @inline */
export function widen(to: ptr, x: ptr, n: int, step: int): void {
  if (step === sizeof<scalar_t>())
    for (; n >= 4; n -= 4, x += vec_bytes<scalar_t>(), to += 16) store_opmath(to, load(x));
  for (; n > 0; n--, x += step, to += 4) store_opmath(to, load_splat(x));
}

/** Converts `n` contiguous floats to contiguous halves. @inline */
export function narrow(to: ptr, x: ptr, n: int): void {
  for (; n >= 4; n -= 4, x += 16, to += vec_bytes<scalar_t>()) store(to, load_opmath(x));
  for (; n > 0; n--, x += 4, to += sizeof<scalar_t>()) store_one(to, load_one_opmath(x));
}
