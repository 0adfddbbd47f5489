// biome-ignore-all lint/suspicious/noSelfCompare: NaN alone differs from itself, and the test is written in place in loops
// biome-ignore-all lint/correctness/noPrecisionLoss: the bounds of int64 are powers of two, exact as doubles
/**
 * @file Arithmetic that a kernel's source text may call by name. `f$int64` is the version for int64, whose values are
 * bigint there. The kernel generator inlines a function that is a single `return`; the others are called.
 * @mirrors c10/util/generic_math.h
 * @differs These compute in double and round when storing; PyTorch calls std:: functions of the element's type.
 */

export function exp(x: number): number {
  return Math.exp(x);
}
export function log(x: number): number {
  return Math.log(x);
}
export function log1p(x: number): number {
  return Math.log1p(x);
}
export function expm1(x: number): number {
  return Math.expm1(x);
}
export function sin(x: number): number {
  return Math.sin(x);
}
export function cos(x: number): number {
  return Math.cos(x);
}
export function tan(x: number): number {
  return Math.tan(x);
}
export function asin(x: number): number {
  return Math.asin(x);
}
export function acos(x: number): number {
  return Math.acos(x);
}
export function atan(x: number): number {
  return Math.atan(x);
}
export function sinh(x: number): number {
  return Math.sinh(x);
}
export function cosh(x: number): number {
  return Math.cosh(x);
}
export function asinh(x: number): number {
  return Math.asinh(x);
}
export function acosh(x: number): number {
  return Math.acosh(x);
}
export function atanh(x: number): number {
  return Math.atanh(x);
}
export function log2(x: number): number {
  return Math.log2(x);
}
export function log10(x: number): number {
  return Math.log10(x);
}
export function exp2(x: number): number {
  return 2 ** x;
}
export function sqrt(x: number): number {
  return Math.sqrt(x);
}
export function tanh(x: number): number {
  return Math.tanh(x);
}
export function floor(x: number): number {
  return Math.floor(x);
}
export function ceil(x: number): number {
  return Math.ceil(x);
}
export function trunc(x: number): number {
  return Math.trunc(x);
}
export function abs(x: number): number {
  return Math.abs(x);
}
export function abs$int64(x: bigint): bigint {
  return x < 0n ? -x : x;
}
export function isnan(x: number): boolean {
  return x !== x;
}
export function isnan$int64(x: bigint): boolean {
  return x !== x;
}
export function isinf(x: number): boolean {
  return x === Infinity || x === -Infinity;
}
export function isfinite(x: number): boolean {
  return x - x === 0;
}
/** The smaller argument; NaN if either is NaN. If both are equal (0 and -0), the first. */
export function min_propagate_nan(a: number, b: number): number {
  return a !== a || a <= b ? a : b;
}
export function min_propagate_nan$int64(a: bigint, b: bigint): bigint {
  return b < a ? b : a;
}
export function max_propagate_nan(a: number, b: number): number {
  return a !== a || a >= b ? a : b;
}
export function max_propagate_nan$int64(a: bigint, b: bigint): bigint {
  return a < b ? b : a;
}
/** `std::pow`. Unlike in JavaScript, 1 to any power is 1, and so is -1 to an infinite power. */
export function pow(x: number, y: number): number {
  if (x === 1 || ((y === Infinity || y === -Infinity) && x === -1)) return 1;
  return x ** y;
}

/** Rounds to the nearest integer, ties to even. The formula holds in every precision; -0 stays -0. */
export function nearbyint(x: number): number {
  const below = Math.floor(x);
  const rest = x - below;
  const even = Math.floor(below / 2) * 2 === below;
  const nearest = rest < 0.5 ? below : rest > 0.5 || !even ? below + 1 : below;
  if (x - x !== 0) return x;
  return nearest === 0 ? x * 0 : nearest;
}
/** Whether the sign bit is set. @differs False for every NaN, since JavaScript does not keep its sign; PyTorch reads the bit. */
export function signbit(x: number): boolean {
  return x < 0 || (x === 0 && 1 / x < 0);
}
/** `magnitude` with the sign of `sign`. @differs A NaN counts as positive, as in signbit; PyTorch reads its bit. */
export function copysign(magnitude: number, sign: number): number {
  return signbit(sign) ? -abs(magnitude) : abs(magnitude);
}
export function atan2(y: number, x: number): number {
  return Math.atan2(y, x);
}
/** The larger (smaller) argument; if one is NaN, the other. */
export function fmax(a: number, b: number): number {
  return a !== a || a < b ? b : a;
}
export function fmax$int64(a: bigint, b: bigint): bigint {
  return a < b ? b : a;
}
export function fmin(a: number, b: number): number {
  return a !== a || a > b ? b : a;
}
export function fmin$int64(a: bigint, b: bigint): bigint {
  return a > b ? b : a;
}

/**
 * Integer power by squaring, wrapping as the type does. With a negative exponent only the bases 1 and -1 give a nonzero result.
 */
export function powi$integral(base: number, exponent: number): number {
  if (exponent < 0) return base === 1 ? 1 : base === -1 ? (exponent % 2 === 0 ? 1 : -1) : 0;
  let result = 1;
  for (let b = base, e = exponent; e > 0; e = Math.floor(e / 2)) {
    if (e % 2 === 1) result = Math.imul(result, b);
    b = Math.imul(b, b);
  }
  return result;
}
export function powi$int64(base: bigint, exponent: bigint): bigint {
  if (exponent < 0n) return base === 1n ? 1n : base === -1n ? (exponent % 2n === 0n ? 1n : -1n) : 0n;
  let result = 1n;
  for (let b = base, e = exponent; e > 0n; e >>= 1n) {
    if ((e & 1n) === 1n) result = BigInt.asIntN(64, result * b);
    b = BigInt.asIntN(64, b * b);
  }
  return result;
}

/** Quotient rounded towards minus infinity. @mirrors c10/util/generic_math.h#div_floor_floating */
export function div_floor(a: number, b: number): number {
  if (b === 0) return a / b;
  const mod = a % b;
  let div = (a - mod) / b;
  if (mod !== 0 && b < 0 !== mod < 0) div -= 1;
  if (div === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floordiv = Math.floor(div);
  return div - floordiv > 0.5 ? floordiv + 1 : floordiv;
}
/** Floor division of integers up to 32 bits: the double quotient never rounds across an integer. */
export function div_floor$integral(a: number, b: number): number {
  return Math.floor(a / b);
}
export function div_floor$int64(a: bigint, b: bigint): bigint {
  return a % b !== 0n && a < 0n !== b < 0n ? a / b - 1n : a / b;
}

// Note [int64 as two int32]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// `Number(bigint)` costs ten times an addition. If a kernel converts an int64 from memory to a number, or stores a
// number as int64, the same eight bytes are read or written as two int32, low half first. This is exact below 2^53;
// beyond, the sum rounds once, like C++'s conversion to double.
let last_array: BigInt64Array | null = null;
let last_pairs: Int32Array = new Int32Array(0);

/** The array's memory as int32 halves. The latest view is cached: most calls use the same block again. */
export function int32_pairs(x: BigInt64Array): Int32Array {
  if (x === last_array) return last_pairs;
  last_pairs = new Int32Array(x.buffer, x.byteOffset, x.length * 2);
  last_array = x;
  return last_pairs;
}

export function load_int64(pairs: Int32Array, i: number): number {
  return pairs[2 * i + 1] * 4294967296 + (pairs[2 * i] >>> 0);
}

/** Stores `static_cast<int64_t>(x)`; a value that does not fit becomes the smallest int64, as on x86. */
export function store_int64(pairs: Int32Array, i: number, x: number): void {
  const low = x | 0;
  if (low === x) {
    pairs[2 * i] = low;
    pairs[2 * i + 1] = low >> 31;
  } else if (x >= -9223372036854775808 && x < 9223372036854775808) {
    const whole = Math.trunc(x);
    const high = Math.floor(whole / 4294967296);
    pairs[2 * i] = whole - high * 4294967296;
    pairs[2 * i + 1] = high;
  } else {
    pairs[2 * i] = 0;
    pairs[2 * i + 1] = -2147483648;
  }
}

/** `static_cast<int64_t>(double)` on x86. */
export function double_to_int64(x: number): bigint {
  return x >= -9223372036854775808 && x < 9223372036854775808 ? BigInt(Math.trunc(x)) : -9223372036854775808n;
}

/** `static_cast<int32_t>(double)` on x86: out of range gives the smallest int32, not the value modulo 2^32. */
export function double_to_int32(x: number): number {
  return x > -2147483649 && x < 2147483648 ? x | 0 : -2147483648;
}

/**
 * `static_cast<uint64_t>(double)` on x86: below 2^63 like int64_t, so -1 wraps; a value that does not fit becomes 0,
 * and NaN 2^63.
 */
export function double_to_uint64(x: number): bigint {
  if (x >= 9223372036854775808) return x < 18446744073709551616 ? BigInt(x) : 0n;
  return BigInt.asUintN(64, double_to_int64(x));
}

/** `static_cast<uint32_t>(double)` on x86: the low half of an int64_t. */
export function double_to_uint32(x: number): number {
  return x > -9223372036854775808 && x < 9223372036854775808 ? x >>> 0 : 0;
}

const SPLITTER = 134217729; // 2^27 + 1: cuts a double's 53 bits into two halves whose products are exact
const SPLITTABLE = 2 ** 995; // times SPLITTER, a greater one would overflow
const fmaBits = new Float64Array(1);
const fmaWords = new Uint32Array(fmaBits.buffer); // low half first

/**
 * `r` moved to the neighbour with an odd last bit, in the direction of the rounding error, so that a later rounding is
 * not biased.
 */
function toOdd(r: number, lost: number): number {
  fmaBits[0] = r;
  if (lost === 0 || (fmaWords[0] & 1) !== 0) return r;
  // The last bit is even: moving away from zero is +1, towards zero -1, which borrows from the high half if the low one is 0.
  if (lost > 0 === r > 0) fmaWords[0] = fmaWords[0] + 1;
  else if (fmaWords[0] !== 0) fmaWords[0] = fmaWords[0] - 1;
  else {
    fmaWords[0] = 0xffffffff;
    fmaWords[1] = fmaWords[1] - 1;
  }
  return fmaBits[0];
}

/**
 * `x * y + z` with one rounding, as the processor's fused multiply-add gives it (Boldo and Melquiond's algorithm).
 * Precondition: the product's low half does not underflow.
 */
export function fma(x: number, y: number, z: number): number {
  const product = x * y;
  if (!Number.isFinite(product) || !Number.isFinite(z) || product === 0) return product + z;
  if (Math.abs(x) > SPLITTABLE) return fma(x * 2 ** -54, y, z * 2 ** -54) * 2 ** 54;
  if (Math.abs(y) > SPLITTABLE) return fma(x, y * 2 ** -54, z * 2 ** -54) * 2 ** 54;
  const xs = x * SPLITTER;
  const xh = xs - (xs - x);
  const xl = x - xh;
  const ys = y * SPLITTER;
  const yh = ys - (ys - y);
  const yl = y - yh;
  const product_low = xl * yl - (product - xh * yh - xl * yh - xh * yl);
  if (product_low === 0) return product + z; // an exact product: one rounding as it is
  // (t, t_low) = z + product_low, (v, v_low) = product + t, each exactly
  const t = z + product_low;
  const tb = t - z;
  const t_low = z - (t - tb) + (product_low - tb);
  const v = product + t;
  const vb = v - product;
  const v_low = product - (v - vb) + (t - vb);
  const rest = t_low + v_low;
  const rb = rest - t_low;
  const lost = t_low - (rest - rb) + (v_low - rb);
  return v + toOdd(rest, lost);
}

/** `std::hypot`: no square overflows, and the rounding error of the root is corrected. An infinite side wins over a NaN. */
export function hypot(a: number, b: number): number {
  const x = Math.max(Math.abs(a), Math.abs(b));
  if (Math.abs(a) === Infinity || Math.abs(b) === Infinity) return Infinity;
  if (x === 0 || x !== x) return x;
  const scale = x > 1e150 ? 2 ** -600 : x < 1e-150 ? 2 ** 600 : 1;
  const p = x * scale;
  const q = Math.min(Math.abs(a), Math.abs(b)) * scale;
  const root = Math.sqrt(p * p + q * q);
  const excess = fma(root, root, -p * p) - fma(p, p, -p * p) - q * q; // root^2 - p^2 - q^2
  return (root - excess / (2 * root)) / scale;
}

// ---- the error function, which JavaScript lacks; tools/oracle/fit_vector_functions.py computes the polynomials, to within 2^-61

/** erf x / x - 1 as a polynomial of x^2, for x from -7/8 to 7/8. */
const ERF_NEAR = [
  0.1283791670955126, -0.37612638903183737, 0.11283791670954303, -0.02686617064493262, 0.005223977622956196,
  -0.0008548326839448837, 0.00012055324326252972, -1.492538149287831e-5, 1.6456518620831029e-6, -1.6288381021489603e-7,
  1.4118060644545463e-8, -8.65512017621092e-10,
];
/** (1 + 2x) e^(x^2) erfc x as a polynomial of (x - 15/4) / (x + 15/4), for x from 7/8 to 28. */
const ERFC_SCALED = [
  1.2375126308378275, -0.14024059858554702, 0.0035854154854637137, 0.08227673849015109, -0.10880393014171007,
  0.0923043211601961, -0.05869339859044652, 0.028362277421545467, -0.00974657954952012, 0.0017556258322431325,
  0.0002937136151328558, -0.0002901539791009417, 5.1649273054587146e-5, 2.238391595546375e-5, -1.1444469648140216e-5,
  -9.728766445894682e-7, 1.7517936027029395e-6, -5.8173485240413176e-8, -2.58049668145965e-7, 2.4115774360935535e-8,
  3.7257835013396004e-8, -4.185412542497743e-9, -3.919684151539168e-9, 4.1234860220645263e-10,
];

/** The polynomial with these coefficients, the constant one first. */
export function polynomial(x: number, coefficients: readonly number[]): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + coefficients[i];
  return sum;
}

/** e^(x^2) erfc(x), for x from 7/8 to 28. */
export function erfcx_far(x: number): number {
  return polynomial((x - 3.75) / (x + 3.75), ERFC_SCALED) / (1 + 2 * x);
}

/**
 * erfc for x from 7/8 on. e^(-x^2) / (1 + 2x) is computed from rounded values; the rounding errors of both factors are
 * corrected last.
 */
function erfc_far(x: number): number {
  if (x > 28) return 0;
  const high = Math.fround(x); // its square is exact
  const below = 1 + 2 * x;
  const lost = 2 * x - (below - 1);
  const result = (Math.exp(-high * high) * polynomial((x - 3.75) / (x + 3.75), ERFC_SCALED)) / below;
  return result + result * (Math.expm1((high - x) * (high + x)) - lost / below);
}

/** `std::erf`, within 1.3 units of the last place. */
export function erf(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude < 0.875) return x + x * polynomial(x * x, ERF_NEAR);
  const result = 1 - erfc_far(magnitude);
  return x < 0 ? -result : result;
}

/** Phi: the probability that a standard normal variable is below x. */
export function normal_cdf(x: number): number {
  return 0.5 * (1 + erf(x * Math.SQRT1_2));
}

/** `std::erfc`, within 3.5 units of the last place. */
export function erfc(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude < 0.875) {
    const rest = x * polynomial(x * x, ERF_NEAR);
    return x < 0.25 ? 1 - (x + rest) : 0.5 - (x - 0.5 + rest);
  }
  const result = erfc_far(magnitude);
  return x < 0 ? 2 - result : result;
}
