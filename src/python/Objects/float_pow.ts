/**
 * @file Powers of floats, correct to the last digit in practice. The engine's own `**` is off by one unit in about one of ten cases.
 * @original CPython calls the C library's `pow`, which computes in more digits than a double has, too.
 *
 * `x ** y` is `exp(y * log(x))`, computed with pairs of doubles: the second holds what the first has rounded off, together about 105 bits.
 */

/** A value as an unevaluated sum; the second part is below half a unit of the first. */
type Pair = readonly [high: number, low: number];

const LN2: Pair = [Math.LN2, 2.3190468138462996e-17];
const SPLITTER = 2 ** 27 + 1;

/** `a + b` for any a and b. */
function sum(a: number, b: number): Pair {
  const high = a + b;
  const other = high - a;
  return [high, a - (high - other) + (b - other)];
}

/** `a * b`. A double is cut into halves whose products are exact. */
function product(a: number, b: number): Pair {
  const high = a * b;
  const [ta, tb] = [SPLITTER * a, SPLITTER * b];
  const [ah, bh] = [ta - (ta - a), tb - (tb - b)];
  const [al, bl] = [a - ah, b - bh];
  return [high, ah * bh - high + ah * bl + al * bh + al * bl];
}

function add([ah, al]: Pair, [bh, bl]: Pair): Pair {
  const [high, low] = sum(ah, bh);
  return sum(high, low + (al + bl));
}

function multiply([ah, al]: Pair, [bh, bl]: Pair): Pair {
  const [high, low] = product(ah, bh);
  return sum(high, low + (ah * bl + al * bh));
}

function divide(a: Pair, b: Pair): Pair {
  const first = a[0] / b[0];
  const rest = add(a, multiply([-first, 0], b));
  return sum(first, rest[0] / b[0]);
}

/** `x` as `m * 2 ** e` with m near 1. */
function split_exponent(x: number): readonly [m: number, e: number] {
  let e = Math.floor(Math.log2(x));
  // 2 ** -e may lie outside of the doubles, so the way goes in two steps.
  const half = Math.trunc(-e / 2);
  let m = x * 2 ** half * 2 ** (-e - half);
  if (m > Math.SQRT2) {
    m /= 2;
    e++;
  }
  return [m, e];
}

/** `log(x)` of a positive number: 2 * (z + z³/3 + z⁵/5 + ...) with z = (m - 1) / (m + 1). */
function log(x: number): Pair {
  const [m, e] = split_exponent(x);
  const z = divide(sum(m, -1), sum(m, 1));
  const square = multiply(z, z);
  let series: Pair = [0, 0];
  for (let n = 45; n >= 1; n -= 2) series = add(multiply(series, square), divide([1, 0], [n, 0]));
  const [high, low] = multiply(z, series);
  return add(multiply([e, 0], LN2), [2 * high, 2 * low]);
}

/** `exp(t)`: the power of 2 apart, and the rest by its series for a 64th of it, which is then squared six times. */
function exp(t: Pair): number {
  const k = Math.round(t[0] / LN2[0]);
  const [high, low] = add(t, multiply([-k, 0], LN2));
  const r: Pair = [high / 64, low / 64];
  let series: Pair = [1, 0];
  for (let n = 12; n >= 1; n--) series = add([1, 0], divide(multiply(series, r), [n, 0]));
  for (let i = 0; i < 6; i++) series = multiply(series, series);
  const half = Math.trunc(k / 2);
  return series[0] * 2 ** half * 2 ** (k - half);
}

/** `x ** y` as C's `pow` gives it. NaN for a negative `x` and a `y` that is not integral. */
export function float_pow(x: number, y: number): number {
  if (x === 1 || y === 0 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY)) return 1;
  if (x === 0 || !Number.isFinite(x) || !Number.isFinite(y) || (x < 0 && !Number.isInteger(y))) return x ** y;
  if (y === 2) return x * x;
  if (y === 0.5) return Math.sqrt(x);
  // Exact, so a result halfway between two doubles is rounded as it must be.
  if (Number.isInteger(x) && Number.isInteger(y) && y > 0 && y <= 40) return Number(BigInt(x) ** BigInt(y));
  const sign = x < 0 && Math.abs(y % 2) === 1 ? -1 : 1;
  const estimate = y * Math.log(Math.abs(x));
  if (Math.abs(estimate) > 746) return sign * (estimate > 0 ? Number.POSITIVE_INFINITY : 0);
  return sign * exp(multiply(log(Math.abs(x)), [y, 0]));
}
