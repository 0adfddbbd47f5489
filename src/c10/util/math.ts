// biome-ignore-all lint/suspicious/noSelfCompare: NaN alone differs from itself, and the test is written in place in loops
// biome-ignore-all lint/correctness/noPrecisionLoss: the bounds of int64 are powers of two, exact as doubles
/**
 * @file The arithmetic that kernel text may call by name. `f$int64` is the body for int64, whose values are bigint there.
 * A function that is a single `return` is written in place by the kernel generator; the others are called.
 * @mirrors c10/util/generic_math.h
 * @differs PyTorch calls std:: functions of the element's type; these compute in double and round where they are stored.
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
/** The smaller one; NaN if either is. Of two equal ones (0 and -0) the first. */
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
/** `std::pow`: unlike JavaScript's, 1 to any power and (-1) to an infinite one are 1. */
export function pow(x: number, y: number): number {
  if (x === 1 || ((y === Infinity || y === -Infinity) && x === -1)) return 1;
  return x ** y;
}

/** Integer power by squaring, wrapping as the type does; a negative exponent leaves only what 1 and -1 have. */
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
/** Integers up to 32 bits: the double quotient never rounds across an integer. */
export function div_floor$integral(a: number, b: number): number {
  return Math.floor(a / b);
}
export function div_floor$int64(a: bigint, b: bigint): bigint {
  return a % b !== 0n && a < 0n !== b < 0n ? a / b - 1n : a / b;
}

// Note [int64 as two int32]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// `Number(bigint)` costs ten times an addition. Where kernel text turns an int64 straight from memory into a number, or stores a
// number as int64, the same eight bytes are read or written as two int32, low half first. Exact below 2^53; beyond, the sum
// rounds once, as C++'s conversion to double does.
let last_array: BigInt64Array | null = null;
let last_pairs: Int32Array = new Int32Array(0);

/** The same memory as int32 halves. The latest view is kept: most calls ask for the same block again. */
export function int32_pairs(x: BigInt64Array): Int32Array {
  if (x === last_array) return last_pairs;
  last_pairs = new Int32Array(x.buffer, x.byteOffset, x.length * 2);
  last_array = x;
  return last_pairs;
}

export function load_int64(pairs: Int32Array, i: number): number {
  return pairs[2 * i + 1] * 4294967296 + (pairs[2 * i] >>> 0);
}

/** Stores `static_cast<int64_t>(x)`; what does not fit becomes the smallest int64, as on x86. */
export function store_int64(pairs: Int32Array, i: number, x: number): void {
  if (x >= -9223372036854775808 && x < 9223372036854775808) {
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

const SPLITTER = 134217729; // 2^27 + 1: cuts a double's 53 bits into two halves whose products are exact
const fmaBits = new Float64Array(1);
const fmaWords = new Uint32Array(fmaBits.buffer); // low half first

/** `r` moved to the neighbour with an odd last bit, towards the sign of what was lost in rounding: no later rounding is misled. */
function toOdd(r: number, lost: number): number {
  fmaBits[0] = r;
  if (lost === 0 || (fmaWords[0] & 1) !== 0) return r;
  // An even last bit: away from zero is +1, towards it is -1, which borrows from the high half if the low one is 0.
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
  const xs = x * SPLITTER;
  const xh = xs - (xs - x);
  const xl = x - xh;
  const ys = y * SPLITTER;
  const yh = ys - (ys - y);
  const yl = y - yh;
  const product_low = xl * yl - (product - xh * yh - xl * yh - xh * yl);
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
