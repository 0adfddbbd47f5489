/**
 * @file The elementary functions of functions.ts for float64, in kernel text.
 *
 *   greatest error, in units of the last place     exp 0.85    log 0.8    tanh 1.0    expm1 1.1    log1p 0.9
 *
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128_double_neon.h
 * @differs The polynomials of exp and log are those with the smallest maximum error, and tanh is Lambert's continued
 * fraction; PyTorch calls Sleef.
 * @see functions.ts
 */
import { bit_cast, type float64, fmadd, type int64, pmax, pmin } from "#aten/Dispatch";
import { abs, floor } from "#c10/util/math";

const LOG2_E = Math.LOG2E;
/** ln 2 in two parts: the first has 32 bits, so that its products with exponents are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/**
 * 1.5 * 2^52: a double of this size has no bits for a fraction, so adding it rounds; its bits increase by one with every integer.
 */
const ROUNDER = 6755399441055744;
// biome-ignore lint/correctness/noPrecisionLoss: a power of two, exact as a double
const SIGN_BIT = -9223372036854775808;

/** `size`, which is not negative, with the sign of x. */
export function signed(size: float64, x: float64): float64 {
  return bit_cast<float64>(bit_cast<int64>(size) | (bit_cast<int64>(x) & SIGN_BIT));
}

/** 2^k, from k plus the rounder: the lowest bits are k, the others are shifted out. For k from -1022 to 1023. */
export function power_of_two(shifted: float64): float64 {
  return bit_cast<float64>((bit_cast<int64>(shifted) + 1023) << 52);
}

/** (e^r - 1 - r) / r^2, for r from -ln 2 / 2 to ln 2 / 2. */
export function exp_series(r: float64): float64 {
  const a = fmadd(fmadd(2.0926911196615787e-9, r, 2.511224003150414e-8), r, 2.7557233467093895e-7);
  const b = fmadd(fmadd(fmadd(a, r, 2.755723423623972e-6), r, 2.480158737361031e-5), r, 1.9841269897059505e-4);
  const c = fmadd(fmadd(fmadd(b, r, 1.3888888888858512e-3), r, 8.333333333316739e-3), r, 4.166666666666673e-2);
  return fmadd(fmadd(c, r, 0.16666666666666685), r, 0.5);
}

/**
 * The rounding errors of x - k ln 2 and of 1 + r are added to the small terms. 2^k is applied as two factors, so that
 * denormals are rounded once.
 */
export function exp(x: float64): float64 {
  const y = pmax(pmin(x, 710), -746);
  const k = y * LOG2_E + ROUNDER - ROUNDER;
  const high = y - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const d = exp_series(r);
  const sum = 1 + high;
  const p = sum + (high - (sum - 1) + (d * (r * r) - low));
  const half = floor(k * 0.5);
  return p * power_of_two(half + ROUNDER) * power_of_two(k - half + ROUNDER);
}

const SMALLEST_NORMAL = 2.2250738585072014e-308;
/**
 * The bits of sqrt(1/2) minus those of 1: subtracting them leaves, in the upper bits, the exponent that belongs to a
 * mantissa around 1.
 */
const HALF_ROOT_BITS = -2638147582215219;
/** The bits of 2^52: adding a small integer to them adds it to the value. */
const COUNTER_BITS = 4841369599423283200;
const COUNTER = 4503599627370496;

/** (2 artanh(s) / s - 2) / s^2, for s from -0.18 to 0.18. */
export function log_series(s: float64): float64 {
  const z = s * s;
  const a = fmadd(fmadd(0.13087945473815968, z, 0.13268638274222974), z, 0.1538624511818572);
  const b = fmadd(fmadd(fmadd(a, z, 0.18181795532320977), z, 0.2222222239281555), z, 0.2857142857079825);
  return fmadd(fmadd(b, z, 0.40000000000000885), z, 0.6666666666666666);
}

/**
 * x = 2^e * (1 + f), with 1 + f between sqrt(1/2) and sqrt(2); log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)) with s = f / (2 + f).
 */
export function log(x: float64): float64 {
  const tiny = x < SMALLEST_NORMAL;
  const bits: int64 = bit_cast<int64>(tiny ? x * 18014398509481984 : x);
  const exponent: int64 = (bits - HALF_ROOT_BITS) >>> 52;
  const f = bit_cast<float64>(bits - ((exponent - 1023) << 52)) - 1;
  const e = bit_cast<float64>(exponent | COUNTER_BITS) - (COUNTER + (tiny ? 1077 : 1023));
  const s = f / (2 + f);
  const c = log_series(s);
  const half = 0.5 * f * f;
  const result = e * LN2_HIGH - (half - (s * fmadd(c, s * s, half) + e * LN2_LOW) - f);
  if (x > 0) return x === Infinity ? x : result;
  return x === 0 ? -Infinity : NaN;
}

/**
 * Below 1, where 1 - 2 / (e^2x + 1) would cancel, it is x / (1 + z / (3 + z / (5 + ... / 19))) with z = x^2, as a
 * fraction. -0 stays -0.
 */
export function tanh(x: float64): float64 {
  const magnitude = abs(x);
  const z = x * x;
  const over = fmadd(fmadd(fmadd(fmadd(z, -1, -1430), z, -289575), z, -16081065), z, -218243025);
  const a = fmadd(fmadd(fmadd(z, 1, 1485), z, 315315), z, 18918900);
  const under = fmadd(fmadd(a, z, 310134825), z, 654729075);
  const near = x + x * ((z * over) / under);
  const far = 1 - 2 / (exp(pmin(2 * magnitude, 45)) + 1);
  if (magnitude < 1) return x === 0 ? x : near;
  return x < 0 ? -far : far;
}

/** Below it, every term but x itself is smaller than the last place. */
const NOTHING_BEHIND = 5.551115123125783e-17;

/**
 * e^x - 1 = 2^k (e^r - 1) + (2^k - 1), computed in halves, so that 2^1024 is not needed. The rounding error of the
 * large terms is added to the small ones.
 */
export function expm1(x: float64): float64 {
  const y = pmax(pmin(x, 710), -50);
  const k = y * LOG2_E + ROUNDER - ROUNDER;
  const high = y - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const power = power_of_two(k - 1 + ROUNDER);
  const large = power - 0.5;
  const sum = large + power * high;
  const lost = power * high - (sum - large);
  const r = high - low;
  const result = 2 * (sum + fmadd(fmadd(exp_series(r), r * r, -low), power, lost));
  return abs(x) < NOTHING_BEHIND ? x : result;
}

/** log(u) with u = 1 + x as it is rounded, plus a correction for the rounding error. */
export function log1p(x: float64): float64 {
  const u = 1 + x;
  const exponent: int64 = (bit_cast<int64>(u) - HALF_ROOT_BITS) >>> 52;
  const f = bit_cast<float64>(bit_cast<int64>(u) - ((exponent - 1023) << 52)) - 1;
  const e = bit_cast<float64>(exponent | COUNTER_BITS) - (COUNTER + 1023);
  const lost = (x - (u - 1)) / u;
  const s = f / (2 + f);
  const half = 0.5 * f * f;
  const tail = s * fmadd(log_series(s), s * s, half);
  const result = e * LN2_HIGH - (half - (tail + fmadd(e, LN2_LOW, lost)) - f);
  const finite = x === Infinity ? x : result;
  if (x > -1) return abs(x) < NOTHING_BEHIND ? x : finite;
  return x === -1 ? -Infinity : NaN;
}

/** 2^52 leaves no bits for a fraction, so adding it rounds. The sign of x stays, also that of a zero. */
export function nearbyint(x: float64): float64 {
  const size = abs(x);
  const whole = size < 4503599627370496 ? size + 4503599627370496 - 4503599627370496 : size;
  return bit_cast<float64>(bit_cast<int64>(whole) | ((bit_cast<int64>(x) >> 63) << 63));
}
