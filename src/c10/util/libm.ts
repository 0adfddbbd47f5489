/**
 * @file `log`, `sin` and `cos` of doubles as glibc rounds them (`log`: all but one result in a thousand). JavaScript
 * does not define the last bit: `Math.log` and similar functions may be off by an ulp, and random numbers must agree in
 * the last bit.
 * @original C++ calls the system's libm.
 *
 * A sum of two doubles (`hi + lo`, 106 bits) carries each value until the last rounding. Only the first terms of a
 * series need that width: the others are so small that their rounding errors lie far below the result's last bit.
 */
import { fma } from "./math.ts";

const SPLITTER = 134217729; // 2^27 + 1

/**
 * The latest double-double result. These functions run millions of times, and allocating an object for each result
 * would cost more than the arithmetic.
 */
let hi = 0;
let lo = 0;

/** Sets hi + lo = a + b exactly, for |a| >= |b|. */
function quick_two_sum(a: number, b: number): void {
  hi = a + b;
  lo = b - (hi - a);
}

/** Sets hi + lo = a + b exactly. */
function two_sum(a: number, b: number): void {
  hi = a + b;
  const bb = hi - a;
  lo = a - (hi - bb) + (b - bb);
}

/** Sets hi + lo = a * b exactly. */
function two_prod(a: number, b: number): void {
  const as = a * SPLITTER;
  const ah = as - (as - a);
  const al = a - ah;
  const bs = b * SPLITTER;
  const bh = bs - (bs - b);
  const bl = b - bh;
  hi = a * b;
  lo = al * bl - (hi - ah * bh - al * bh - ah * bl);
}

/** (ah + al) * (bh + bl) */
function mul(ah: number, al: number, bh: number, bl: number): void {
  two_prod(ah, bh);
  quick_two_sum(hi, lo + (ah * bl + al * bh));
}

/** (ah + al) + (bh + bl) */
function add(ah: number, al: number, bh: number, bl: number): void {
  two_sum(ah, bh);
  quick_two_sum(hi, lo + (al + bl));
}

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer); // low word first

const LN2_HIGH = 0.6931471805598903; // 42 bits: its product with an exponent is exact
const LN2_LOW = 5.497923018708371e-14;

const SMALLEST_NORMAL = 2 ** -1022;

/** Natural logarithm. */
export function log(x: number): number {
  if (!(x >= SMALLEST_NORMAL && x < Infinity)) return Math.log(x); // also NaN: the code below takes the bits of a normal number apart
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2)), and log m = 2 artanh(s), s = (m - 1) / (m + 1): only odd powers of a
  // small s occur.
  bits[0] = x;
  const high = words[1];
  let e = (high >>> 20) - 1023;
  words[1] = (high & 0xfffff) | 0x3ff00000;
  let m = bits[0];
  if (m > Math.SQRT2) {
    m /= 2;
    e += 1;
  }
  two_sum(m, 1);
  const dh = hi;
  const dl = lo;
  const s = (m - 1) / dh;
  two_prod(s, dh);
  const sl = (m - 1 - hi - lo - s * dl) / dh;
  mul(s, sl, s, sl);
  const zh = hi;
  const zl = lo;
  // artanh(s) / s - 1 = z (1/3 + z (1/5 + z (1/7 + ...)))
  const tail =
    zh *
    (1 / 7 + zh * (1 / 9 + zh * (1 / 11 + zh * (1 / 13 + zh * (1 / 15 + zh * (1 / 17 + zh * (1 / 19 + zh / 21)))))));
  add(0.2, -1.1102230246251566e-17, tail, 0);
  mul(hi, lo, zh, zl);
  add(0.3333333333333333, 1.850371707708594e-17, hi, lo);
  mul(hi, lo, zh, zl);
  mul(hi, lo, s, sl);
  add(s, sl, hi, lo);
  add(e * LN2_HIGH, e * LN2_LOW, 2 * hi, 2 * lo);
  return hi + lo;
}

// Note [Sine by table]
// ~~~~~~~~~~~~~~~~~~~~
// An angle in [0, pi/4] is split into the nearest multiple of 1/128 and a rest below 1/256. Sine and cosine of the
// multiple come from a table, in two doubles each; those of the rest are two or three terms of a series. The addition
// theorem combines them, and only the table's high part takes part in the last rounding. glibc uses the same
// coefficients and fused operations, so the last bits agree.

const STEPS = 128;
/** Rows (sin, its low part, cos, its low part) for 0/128, 1/128, ...; a row is computed at its first use. */
const table = new Float64Array(4 * 115);

/** Index of row k, computed if necessary. */
function row(k: number): number {
  if (table[4 * k + 2] === 0) tabulate(k); // no angle of the table has cosine 0: the row is still empty
  return 4 * k;
}

/** Computes row k by Taylor's series in double-double arithmetic. */
function tabulate(k: number): void {
  const x = k / STEPS;
  let th = 1; // x^n / n!
  let tl = 0;
  let ch = 1;
  let cl = 0;
  let sh = 0;
  let sl = 0;
  for (let n = 1; n < 30; n++) {
    mul(th, tl, x, 0);
    const q = hi / n;
    const ph = hi;
    const pl = lo;
    two_prod(q, n);
    quick_two_sum(q, (ph - hi - lo + pl) / n);
    th = hi;
    tl = lo;
    const sign = n % 4 < 2 ? 1 : -1;
    if (n % 2 === 1) {
      add(sh, sl, sign * th, sign * tl);
      sh = hi;
      sl = lo;
    } else {
      add(ch, cl, sign * th, sign * tl);
      ch = hi;
      cl = lo;
    }
  }
  table.set([sh, sl, ch, cl], 4 * k);
}

const S1 = -0.16666666666666666;
const S2 = 0.008333333333332329;
const S3 = -0.00019841269834414642;
const S4 = 2.755729806860771e-6;
const S5 = -2.5022014848318398e-8;
const SN3 = -0.16666666666666488;
const SN5 = 0.008333332142857223;
const CS2 = 0.5;
const CS4 = -0.04166666666666644;
const CS6 = 0.001388888740079376;

/** sin(x + dx), |x| < 1. */
function do_sin(x: number, dx: number): number {
  if (Math.abs(x) < 0.126) {
    const xx = x * x;
    const p = fma(fma(fma(fma(S5, xx, S4), xx, S3), xx, S2), xx, S1);
    return x + fma(fma(p, x, -0.5 * dx), xx, dx);
  }
  const d = x <= 0 ? -dx : dx;
  const k = Math.round(Math.abs(x) * STEPS);
  const r = Math.abs(x) - k / STEPS;
  const rr = r * r;
  const s = r + fma(r * rr, fma(rr, SN5, SN3), d);
  const c = fma(r, d, rr * fma(rr, fma(rr, CS6, CS4), CS2));
  const at = row(k);
  const sn = table[at];
  const cor = fma(table[at + 2], s, fma(-sn, c, fma(s, table[at + 3], table[at + 1])));
  return x < 0 ? -(sn + cor) : sn + cor;
}

/** cos(x + dx), |x| < 1. */
function do_cos(x: number, dx: number): number {
  const k = Math.round(Math.abs(x) * STEPS);
  const r = Math.abs(x) - k / STEPS + (x < 0 ? -dx : dx);
  const rr = r * r;
  const s = fma(r * rr, fma(rr, SN5, SN3), r);
  const c = rr * fma(rr, fma(rr, CS6, CS4), CS2);
  const at = row(k);
  const cs = table[at + 2];
  const cor = fma(-table[at], s, fma(-cs, c, fma(-s, table[at + 1], table[at + 3])));
  return cs + cor;
}

// pi / 2 in two parts, and in four short ones whose products with a small integer are exact
const HALF_PI = 1.5707963267948966;
const HALF_PI_LOW = 6.123233995736766e-17;
const MP1 = 1.5707963407039642;
const MP2 = -1.3909067564377153e-8;
const PP3 = -4.97899623147991e-17;
const PP4 = -1.9034889620193266e-25;
const TWO_OVER_PI = 0.6366197723675814;

/** The results of `sincos`. */
export const sincos_result = { sin: 0, cos: 0 };

/** Computes sine and cosine into `sincos_result`. Precondition: 0 <= x, and x is a few turns at most. */
export function sincos(x: number): void {
  if (x < 0.85546875) {
    sincos_result.sin = do_sin(x, 0);
    sincos_result.cos = do_cos(x, 0);
    return;
  }
  if (x < 2.4262638092041016) {
    // sin x = cos(pi/2 - x)
    const y = HALF_PI - x;
    const a = y + HALF_PI_LOW;
    const da = y - a + HALF_PI_LOW;
    sincos_result.sin = do_cos(a, da);
    sincos_result.cos = do_sin(a, da);
    return;
  }
  const quadrant = Math.round(x * TWO_OVER_PI);
  const y = fma(-quadrant, MP2, fma(-quadrant, MP1, x));
  const t1 = quadrant * PP3;
  const t2 = y - t1;
  const t3 = quadrant * PP4;
  let a = t2 - t3;
  let da = y - t2 - t1 + (t2 - a - t3);
  const n = quadrant & 3;
  if (n === 1 || n === 2) {
    a = -a;
    da = -da;
  }
  const sin = do_sin(a, da);
  const cos = (n & 2) !== 0 ? -do_cos(a, da) : do_cos(a, da);
  sincos_result.sin = (n & 1) !== 0 ? cos : sin;
  sincos_result.cos = (n & 1) !== 0 ? sin : cos;
}
