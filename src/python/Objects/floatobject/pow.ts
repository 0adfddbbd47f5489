/**
 * @file `x ** y` of doubles, rounded to the nearest double.
 * @original C calls the system's `pow`, which errs by less than 0.52 units in the last place; JavaScript does not define its own in the last bits.
 */

// An idea in miniature
// ~~~~~~~~~~~~~~~~~~~~
//   x = 2^k z, c near z:   log x = k ln 2 + log c + log(1 + r),   r = z / c - 1, a short series
//   y log x = (n / 128) ln 2 + s:   exp(y log x) = 2^(n / 128) exp(s), a short series
// A result needs 53 correct bits, and y log x may be as large as 700, so its first 10 bits come before the point. Numbers are therefore sums of two
// doubles, `hi + lo`, about 106 bits. The logarithms of the 128 values of c and the powers 2^(j / 128) are computed once, with bigints.

/** Latest result of the functions below. Returning objects would cost more than the arithmetic. */
let hi = 0;
let lo = 0;

/** hi + lo = a + b exactly. */
function two_sum(a: number, b: number): void {
  hi = a + b;
  const part = hi - a;
  lo = a - (hi - part) + (b - part);
}

const SPLITTER = 2 ** 27 + 1;

/** hi + lo = a * b exactly. */
function two_product(a: number, b: number): void {
  const x = SPLITTER * a;
  const a1 = x - (x - a);
  const a2 = a - a1;
  const y = SPLITTER * b;
  const b1 = y - (y - b);
  const b2 = b - b1;
  hi = a * b;
  lo = a2 * b2 - (hi - a1 * b1 - a2 * b1 - a1 * b2);
}

/** hi + lo = (ah + al) + (bh + bl). */
function add(ah: number, al: number, bh: number, bl: number): void {
  two_sum(ah, bh);
  const high = hi;
  const low = lo;
  two_sum(high, low + (al + bl));
}

/** hi + lo = (ah + al) * (bh + bl). */
function multiply(ah: number, al: number, bh: number, bl: number): void {
  two_product(ah, bh);
  two_sum(hi, lo + (ah * bl + al * bh));
}

/** Bits behind the point of the numbers that fill the tables. */
const BITS = 140n;
const ONE = 1n << BITS;

/** A number with 140 bits behind the point as a sum of two doubles. */
function two_doubles(value: bigint): readonly [number, number] {
  const high = Number(value); // rounded, but an integer
  return [high * 2 ** -140, Number(value - BigInt(high)) * 2 ** -140];
}

/** ln(numerator / denominator) = 2 artanh of (numerator - denominator) / (numerator + denominator). */
function logarithm(numerator: bigint, denominator: bigint): bigint {
  const t = ((numerator - denominator) * ONE) / (numerator + denominator);
  const square = (t * t) >> BITS;
  let power = t;
  let sum = 0n;
  for (let n = 1n; power !== 0n && power !== -1n; n += 2n) {
    sum += power / n;
    power = (power * square) >> BITS;
  }
  return 2n * sum;
}

function square_root(value: bigint): bigint {
  const target = value << BITS;
  let guess = ONE << 1n;
  for (;;) {
    const next = (guess + target / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

interface Tables {
  /** 1 / c for the i-th part of [1, 2), in 256ths. */
  readonly inverse: Float64Array;
  /** log c, in two doubles. */
  readonly log_high: Float64Array;
  readonly log_low: Float64Array;
  /** 2^(j / 128), in two doubles. */
  readonly power_high: Float64Array;
  readonly power_low: Float64Array;
  /** ln 2 in two doubles; the first has so few bits that its product with an exponent is exact. */
  readonly ln2_high: number;
  readonly ln2_low: number;
}

function make_tables(): Tables {
  const [inverse, log_high, log_low, power_high, power_low] = Array.from(
    { length: 5 },
    () => new Float64Array(128),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  for (let i = 0; i < 128; i++) {
    // A part above the square root of 2 stands for the numbers of half its size, so that z lies around 1.
    const middle = 1 + (i + 0.5) / 128;
    const factor = middle > Math.SQRT2 ? 2 : 1;
    const numerator = i === 0 || i === 127 ? 256 / 1 : Math.round((256 * factor) / middle);
    inverse[i] = numerator / 256;
    [log_high[i], log_low[i]] = two_doubles(logarithm(256n, BigInt(numerator))) as [number, number];
  }
  let root = ONE << 1n;
  for (let i = 0; i < 7; i++) root = square_root(root);
  let power = ONE;
  for (let j = 0; j < 128; j++) {
    [power_high[j], power_low[j]] = two_doubles(power) as [number, number];
    power = (power * root) >> BITS;
  }
  const ln2 = logarithm(2n, 1n);
  const high = Number(ln2 >> 98n) / 2 ** 42;
  const [ln2_low] = two_doubles(ln2 - ((ln2 >> 98n) << 98n));
  return { inverse, log_high, log_low, power_high, power_low, ln2_high: high, ln2_low };
}

let tables: Tables | null = null;

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer); // low word first

/** hi + lo = log x. Precondition: x is positive and finite. */
function log(x: number, table: Tables): void {
  let k = 0;
  bits[0] = x;
  if (x < 2 ** -1022) {
    bits[0] = x * 2 ** 54;
    k = -54;
  }
  const high = words[1] as number;
  k += (high >>> 20) - 1023;
  words[1] = (high & 0xfffff) | 0x3ff00000;
  const i = (high >>> 13) & 127;
  let z = bits[0] as number; // in [1, 2)
  if (1 + (i + 0.5) / 128 > Math.SQRT2) {
    z /= 2;
    k++;
  }
  two_product(z, table.inverse[i] as number);
  two_sum(hi - 1, lo);
  const r = hi;
  const r_low = lo;
  // log(1 + r) = r - r^2/2 + r^3/3 - r^4/4 + ...: the first four terms in two doubles, the others are small.
  let rest = 0;
  for (let n = 12; n >= 5; n--) rest = (n % 2 === 1 ? 1 / n : -1 / n) + r * rest;
  const third = 1 / 3;
  add(-0.25, 0, r * rest, 0);
  multiply(r, r_low, hi, lo);
  add(third, 1.850371707708594e-17, hi, lo);
  multiply(r, r_low, hi, lo);
  add(-0.5, 0, hi, lo);
  multiply(r, r_low, hi, lo);
  add(1, 0, hi, lo);
  multiply(r, r_low, hi, lo);
  const series = hi;
  const series_low = lo;
  two_product(k, table.ln2_low);
  add(k * table.ln2_high, 0, hi, lo);
  add(hi, lo, table.log_high[i] as number, table.log_low[i] as number);
  add(hi, lo, series, series_low);
}

/** `(high + low) * 2^exponent`, rounded once. */
function scaled(high: number, low: number, exponent: number): number {
  if (exponent > 1023) return (high + low) * 2 ** 1023 * 2 ** (exponent - 1023);
  if (exponent >= -1000) return (high + low) * 2 ** exponent;
  if (exponent < -1080) return 0;
  // The result may be subnormal: cut the sum at the last bit that it can keep, by adding a number that is large enough.
  const large = 2 ** (-1074 - exponent + 52);
  if (large * 2 ** -52 <= 2 ** -52) return (high + low) * 2 ** -1000 * 2 ** (exponent + 1000);
  two_sum(large, high);
  return (hi + (lo + low) - large) * 2 ** -1000 * 2 ** (exponent + 1000);
}

/** x ** y for a positive finite x and a finite y. */
function positive_pow(x: number, y: number): number {
  tables ??= make_tables();
  const table = tables;
  log(x, table);
  const l = hi;
  const l_low = lo;
  if (Math.abs(l * y) > 800) return l * y > 0 ? Number.POSITIVE_INFINITY : 0;
  two_product(l, y);
  two_sum(hi, lo + l_low * y);
  const e = hi;
  const e_low = lo;
  const n = Math.round(e * (128 / Math.LN2));
  // s = e - n ln 2 / 128
  two_product(-n / 128, table.ln2_high);
  add(e, e_low, hi, lo);
  const part = hi;
  const part_low = lo;
  two_product(-n / 128, table.ln2_low);
  add(part, part_low, hi, lo);
  const s = hi;
  const s_low = lo;
  // exp(s) - 1 = s + s^2/2 + s^3/6 + ...
  let rest = 0;
  for (let k = 9; k >= 4; k--) rest = (1 + s * rest) / k;
  add(1, 0, s * rest, 0);
  multiply(s, s_low, hi, lo);
  multiply(hi, lo, 1 / 3, 1.850371707708594e-17);
  add(1, 0, hi, lo);
  multiply(hi, lo, s, s_low);
  multiply(hi, lo, 0.5, 0);
  add(1, 0, hi, lo);
  multiply(s, s_low, hi, lo);
  const j = ((n % 128) + 128) % 128;
  const p = table.power_high[j] as number;
  const p_low = table.power_low[j] as number;
  multiply(p, p_low, hi, lo);
  add(p, p_low, hi, lo);
  return scaled(hi, lo, (n - j) / 128);
}

/**
 * x ** y for a positive finite x of few bits and a small whole y, which may lie halfway between two doubles; undefined for others. The product of
 * the bits is exact, so its rounding is the only one.
 */
function exact_pow(x: number, y: number): number | undefined {
  bits[0] = x;
  if (words[0] !== 0 || y < 2 || y > 33 || !Number.isInteger(y) || x < 2 ** -1022) return undefined;
  const high = words[1] as number;
  const mantissa = (high & 0xfffff) | 0x100000; // x = mantissa * 2^(exponent - 20)
  const zeros = 31 - Math.clz32(mantissa & -mantissa);
  const exponent = (high >>> 20) - 1043 + zeros;
  const product = Number(BigInt(mantissa >> zeros) ** BigInt(y));
  const shift = exponent * y;
  return shift < -500 || shift > 500 ? undefined : product * 2 ** shift;
}

/** `x ** y` by C's rules, which unlike JavaScript's make 1 of 1 to any power; NaN if x is negative and y has a fraction. */
export function pow(x: number, y: number): number {
  if (y === 2) return x * x;
  if (y === 1) return x;
  if (y === 0 || x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY)) return 1;
  if (x === 0 || !Number.isFinite(x) || !Number.isFinite(y)) return x ** y;
  if (y === 0.5) return Math.sqrt(x);
  if (y === -1) return 1 / x;
  if (x > 0) return exact_pow(x, y) ?? positive_pow(x, y);
  if (!Number.isInteger(y)) return Number.NaN;
  const magnitude = x === -1 ? 1 : (exact_pow(-x, y) ?? positive_pow(-x, y));
  return y % 2 === 0 ? magnitude : -magnitude;
}
