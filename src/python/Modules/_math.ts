/**
 * @file Elementary functions that round as the C library does: almost always the float nearest to the exact value. JavaScript's own are often one
 * unit in the last place away, and a program that prints all digits shows it.
 * @mirrors Modules/_math.h (CPython 3.11)
 * @differs Functions are computed with two floats for a number; CPython calls the C library.
 */
export { pow } from "../Objects/floatobject/pow.ts";

// An idea in miniature
// ~~~~~~~~~~~~~~~~~~~~
// A `Pair` (high, low) stands for the exact sum of two floats, about 106 bits. `exp`, `sin` and `cos` are power series of pairs. The inverse
// functions begin with JavaScript's value and add one Newton step, whose residue is computed with pairs: log(x) = y + (x * exp(-y) - 1).

type Pair = readonly [high: number, low: number];

function two_sum(a: number, b: number): Pair {
  const sum = a + b;
  const part = sum - a;
  return [sum, a - (sum - part) + (b - part)];
}

const SPLIT = 134217729; // 2^27 + 1 cuts a float into two halves of 26 bits

function two_product(a: number, b: number): Pair {
  const product = a * b;
  const x = SPLIT * a;
  const a1 = x - (x - a);
  const y = SPLIT * b;
  const b1 = y - (y - b);
  const a2 = a - a1;
  const b2 = b - b1;
  return [product, a2 * b2 - (product - a1 * b1 - a2 * b1 - a1 * b2)];
}

function add(a: Pair, b: Pair): Pair {
  const [high, low] = two_sum(a[0], b[0]);
  const [more, rest] = two_sum(a[1], b[1]);
  const [x, y] = two_sum(high, low + more);
  return two_sum(x, y + rest);
}

const negative = (a: Pair): Pair => [-a[0], -a[1]];
const subtract = (a: Pair, b: Pair): Pair => add(a, negative(b));

function multiply(a: Pair, b: Pair): Pair {
  const [high, low] = two_product(a[0], b[0]);
  return two_sum(high, low + a[0] * b[1] + a[1] * b[0]);
}

function divide(a: Pair, b: Pair): Pair {
  const q = a[0] / b[0];
  const rest = subtract(a, multiply(b, [q, 0]));
  const r = rest[0] / b[0];
  const last = subtract(rest, multiply(b, [r, 0]));
  return add(two_sum(q, r), [last[0] / b[0], 0]);
}

const scale = (a: Pair, factor: number): Pair => [a[0] * factor, a[1] * factor];
const value = (a: Pair): number => a[0] + a[1];
const pair = (x: number): Pair => [x, 0];
const ONE = pair(1);

/** ln 2 and pi / 2 in three parts; the first two parts have so few bits that a product with a small integer is exact. */
const LN2 = [0.6931471804855391, 7.440617109802979e-11, 2.0941744292700725e-21] as const;
const HALF_PI = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;

/** `x - n * constant`, where the constant is given in three parts. */
function reduced(x: Pair, n: number, parts: readonly number[]): Pair {
  let rest = x;
  for (const part of parts) rest = subtract(rest, two_product(n, part));
  return rest;
}

/** `1 + x/first + x^2/(first (first+step)) ...` by Horner's rule; `divisor(k)` is the k-th factor. */
function series(x: Pair, terms: number, divisor: (k: number) => number): Pair {
  let sum = ONE;
  for (let k = terms; k > 0; k--) sum = add(ONE, divide(multiply(x, sum), pair(divisor(k))));
  return sum;
}

function exp_pair(x: Pair): readonly [Pair, exponent: number] {
  const n = Math.round(x[0] / Math.LN2);
  let result = series(scale(reduced(x, n, LN2), 1 / 16), 14, (k) => k);
  for (let i = 0; i < 4; i++) result = multiply(result, result);
  return [result, n];
}

/** `x * 2^exponent`, rounded once. */
export function ldexp(x: number, exponent: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  let e = Math.max(-2200, Math.min(2200, exponent));
  let result = x;
  // Steps down must not round twice: all but the last stay among the normal numbers.
  for (; e > 1023; e -= 1023) result *= 2 ** 1023;
  if (e < -1000) {
    const [m, own] = frexp(result);
    result = m;
    e += own;
    if (e > -1000) return result * 2 ** e;
    if (e < -1080) return result * 0;
    result *= 2 ** -900;
    e += 900;
  }
  return result * 2 ** e;
}

/** Mantissa in [0.5, 1) and exponent. */
export function frexp(x: number): readonly [number, number] {
  if (x === 0 || !Number.isFinite(x)) return [x, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(x))) + 1);
  let mantissa = exponent < -1000 ? x * 2 ** 1000 * 2 ** (-exponent - 1000) : x * 2 ** -exponent;
  while (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    exponent--;
  }
  while (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    exponent++;
  }
  return [mantissa, exponent];
}

export function exp(x: number): number {
  if (!(Math.abs(x) < 746)) return Math.exp(x);
  const [result, n] = exp_pair(pair(x));
  return ldexp(value(result), n);
}

function log_pair(x: number): Pair {
  const [m, e] = frexp(x);
  const near = m < Math.SQRT1_2 ? ([m * 2, e - 1] as const) : ([m, e] as const);
  const y = Math.log(near[0]);
  const [inverse, n] = exp_pair(pair(-y));
  const residue = subtract(scale(multiply(pair(near[0]), inverse), 2 ** n), ONE);
  let result = add(pair(y), residue);
  for (const part of LN2) result = add(result, two_product(near[1], part));
  return result;
}

export function log(x: number): number {
  return x > 0 && Number.isFinite(x) ? value(log_pair(x)) : Math.log(x);
}

/** sin and cos of an angle below a quarter turn. */
function sin_cos_small(r: Pair): readonly [Pair, Pair] {
  const square = negative(multiply(r, r));
  return [
    multiply(
      r,
      series(square, 14, (k) => 2 * k * (2 * k + 1)),
    ),
    series(square, 14, (k) => 2 * k * (2 * k - 1)),
  ];
}

/** Beyond this angle the three parts of pi / 2 do not suffice. */
const LARGEST_ANGLE = 1e6;

/** Bits behind the point of the pi below: as many as the largest float has before the point, and enough for a quotient. */
const PI_BITS = 1300n;
let half_pi = 0n;

/** arctan(1 / n) with `PI_BITS` bits behind the point. */
function arctan_of_inverse(n: bigint): bigint {
  let power = (1n << PI_BITS) / n;
  let sum = power;
  for (let k = 3n; power !== 0n; k += 2n) {
    power /= -n * n;
    sum += power / k;
  }
  return sum;
}

/** The rest of a large angle beyond the nearest multiple of pi / 2, and that multiple modulo 4. Both are exact, whatever the size. */
function reduced_exactly(x: number): readonly [rest: Pair, multiple: number] {
  if (half_pi === 0n) half_pi = 8n * arctan_of_inverse(5n) - 2n * arctan_of_inverse(239n); // Machin's formula
  const angle = Number.isInteger(x) ? BigInt(x) << PI_BITS : BigInt(x * 2 ** 53) << (PI_BITS - 53n);
  const multiple = (2n * angle + half_pi) / (2n * half_pi);
  const rest = angle - multiple * half_pi;
  const kept = rest >> (PI_BITS - 200n);
  const high = Number(kept);
  return [[high * 2 ** -200, Number(kept - BigInt(high)) * 2 ** -200], Number(multiple % 4n)];
}

function sin_cos(x: number): readonly [Pair, Pair] {
  if (x < 0) {
    const [s, c] = sin_cos(-x);
    return [negative(s), c];
  }
  const quotient = Math.round(x / (Math.PI / 2));
  const [rest, n] =
    x < LARGEST_ANGLE ? ([reduced(pair(x), quotient, HALF_PI), quotient % 4] as const) : reduced_exactly(x);
  const [s, c] = sin_cos_small(rest);
  switch (n) {
    case 0:
      return [s, c];
    case 1:
      return [c, negative(s)];
    case 2:
      return [negative(s), negative(c)];
    default:
      return [negative(c), s];
  }
}

export const sin = (x: number): number => (Number.isFinite(x) && x !== 0 ? value(sin_cos(x)[0]) : Math.sin(x));
export const cos = (x: number): number => (Number.isFinite(x) ? value(sin_cos(x)[1]) : Math.cos(x));
export function tan(x: number): number {
  if (!Number.isFinite(x) || x === 0) return Math.tan(x);
  const [s, c] = sin_cos(x);
  return value(divide(s, c));
}

/** One Newton step: `y` plus a residue of pairs. */
const stepped = (y: number, numerator: Pair, denominator: Pair): number => y + value(divide(numerator, denominator));

export function atan2(y: number, x: number): number {
  const angle = Math.atan2(y, x);
  if (y === 0 || x === 0 || !Number.isFinite(y) || !Number.isFinite(x)) return angle;
  const [, size] = frexp(Math.max(Math.abs(x), Math.abs(y)));
  const [v, u] = [pair(ldexp(y, -size)), pair(ldexp(x, -size))];
  if (v[0] === 0 || u[0] === 0 || Math.abs(angle) < 1e-290) return angle;
  const [s, c] = sin_cos(angle);
  return stepped(angle, subtract(multiply(v, c), multiply(u, s)), add(multiply(u, c), multiply(v, s)));
}

export const atan = (x: number): number => (Number.isFinite(x) ? atan2(x, 1) : Math.atan(x));

export function asin(x: number): number {
  const angle = Math.asin(x);
  if (!(Math.abs(x) < 1) || Math.abs(x) < 1e-9) return angle;
  const [s, c] = sin_cos(angle);
  return stepped(angle, subtract(pair(x), s), c);
}

export function acos(x: number): number {
  const angle = Math.acos(x);
  if (!(Math.abs(x) < 1)) return angle;
  const [s, c] = sin_cos(angle);
  return stepped(angle, subtract(c, pair(x)), s);
}

export function cosh(x: number): number {
  const t = Math.abs(x);
  if (t < 0.34657359027997264) {
    const e = Math.expm1(t);
    const w = 1 + e;
    return t < 2.78e-17 ? w : 1 + (e * e) / (w + w);
  }
  if (t > 22) return t < 709.78 ? 0.5 * exp(t) : Math.cosh(x);
  const e = exp(t);
  return 0.5 * e + 0.5 / e;
}

export const sinh = (x: number): number =>
  Math.abs(x) > 22 && Math.abs(x) < 709.78 ? Math.sign(x) * 0.5 * exp(Math.abs(x)) : Math.sinh(x);

export function asinh(x: number): number {
  const t = Math.abs(x);
  if (t < 3.7e-9 || !Number.isFinite(x)) return x;
  const w =
    t > 268435456
      ? log(t) + Math.LN2
      : t > 2
        ? log(2 * t + 1 / (Math.sqrt(x * x + 1) + t))
        : Math.log1p(t + (x * x) / (1 + Math.sqrt(1 + x * x)));
  return x < 0 ? -w : w;
}

export function acosh(x: number): number {
  if (!(x > 2)) return x >= 1 ? Math.log1p(x - 1 + Math.sqrt(2 * (x - 1) + (x - 1) * (x - 1))) : Number.NaN;
  return x >= 268435456 ? log(x) + Math.LN2 : log(2 * x - 1 / (x + Math.sqrt(x * x - 1)));
}

/** 2 / sqrt(pi). */
const TWO_BY_ROOT_PI: Pair = [1.1283791670955126, 1.533545961316588e-17];

/** erf by the series whose terms are all positive: `exp(-x^2)` times the sum of `2^n x^(2n+1) / (1 * 3 * ... (2n+1))`. */
function erf_pair(x: number): Pair {
  const square = two_product(x, x);
  let term: Pair = pair(x);
  let sum = term;
  for (let n = 1; term[0] > sum[0] * 1e-33; n++) {
    term = divide(multiply(term, scale(square, 2)), pair(2 * n + 1));
    sum = add(sum, term);
  }
  const [e, n] = exp_pair(negative(square));
  return multiply(multiply(TWO_BY_ROOT_PI, sum), scale(e, 2 ** n));
}

export function erf(x: number): number {
  const t = Math.abs(x);
  if (Number.isNaN(x) || x === 0) return x;
  const result = t > 6 ? 1 : value(erf_pair(t));
  return x < 0 ? -result : result;
}

export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x < 0) return x < -6 ? 2 : value(add(ONE, erf_pair(-x)));
  if (x < 4) return value(subtract(ONE, erf_pair(x)));
  if (x > 27.3) return 0;
  // A continued fraction: x + (1/2)/(x + 1/(x + (3/2)/(x + ...))).
  let fraction = pair(x);
  for (let k = 80; k > 0; k--) fraction = add(pair(x), divide(pair(k / 2), fraction));
  const [e, n] = exp_pair(negative(two_product(x, x)));
  return ldexp(value(divide(multiply(e, scale(TWO_BY_ROOT_PI, 0.5)), fraction)), n);
}

/** Square root of a sum of squares, rounded once. */
export function norm(values: readonly number[]): number {
  const largest = Math.max(0, ...values.map(Math.abs));
  if (values.some((x) => Math.abs(x) === Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
  if (values.some(Number.isNaN)) return Number.NaN;
  if (largest === 0) return 0;
  const [, e] = frexp(largest);
  let sum = pair(0);
  for (const x of values) {
    const scaled = ldexp(x, -e);
    sum = add(sum, two_product(scaled, scaled));
  }
  const root = Math.sqrt(sum[0]);
  return ldexp(root + value(subtract(sum, two_product(root, root))) / (2 * root), e);
}
