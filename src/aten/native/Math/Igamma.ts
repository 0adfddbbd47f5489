// biome-ignore-all lint/correctness/noPrecisionLoss: coefficients as they are published
/**
 * @file Regularized incomplete gamma functions: the parts of the integral of `t^(a-1) e^-t` below x and above x.
 * @mirrors aten/src/ATen/native/Math.h#calc_igamma
 * @differs Ours computes the 625 coefficients of the asymptotic series at the first use; PyTorch has them in a table.
 * @see index.ts
 */
import { erfc } from "#c10/util/math";
import { lgamma } from "./index.ts";

const MACHEP = 1.1102230246251565e-16;
const MAXLOG = 709.782712893384;
const MAXITER = 2000;
const BIG = 2 ** 52;

// ---- Lanczos' approximation of the gamma function: gamma(a) = sum(a) ((a + g - 1/2) / e)^(a - 1/2)

const LANCZOS_G = 6.02468004077673;
/** The highest power comes first. */
const LANCZOS_NUM = [
  0.006061842346248906, 0.5098416655656676, 19.519927882476175, 449.9445569063168, 6955.999602515376, 75999.29304014542,
  601859.6171681099, 3481712.154980646, 14605578.087685067, 43338889.32467614, 86363131.28813859, 103794043.11634454,
  56906521.913471565,
];
/** `a (a + 1) ... (a + 11)`, multiplied out. */
const LANCZOS_DENOM = [
  1, 66, 1925, 32670, 357423, 2637558, 13339535, 45995730, 105258076, 150917976, 120543840, 39916800, 0,
];

/**
 * Quotient of two polynomials of the same degree. For x > 1 it is computed in powers of 1 / x, which cannot overflow.
 */
function ratevl(x: number, num: readonly number[], denom: readonly number[]): number {
  const beyond = Math.abs(x) > 1;
  const y = beyond ? 1 / x : x;
  const value = (c: readonly number[]) =>
    beyond ? c.reduceRight((sum, each) => sum * y + each) : c.reduce((sum, each) => sum * y + each);
  return value(num) / value(denom);
}

/** `x^a e^-x / gamma(a)`, the common factor of all series below. */
function _igam_helper_fac(a: number, x: number): number {
  if (Math.abs(a - x) > 0.4 * Math.abs(a)) {
    const ax = a * Math.log(x) - x - lgamma(a);
    return ax < -MAXLOG ? 0 : Math.exp(ax);
  }
  const fac = a + LANCZOS_G - 0.5;
  const res = Math.sqrt(fac / Math.E) / ratevl(a, LANCZOS_NUM, LANCZOS_DENOM);
  if (a < 200 && x < 200) return res * Math.exp(a - x) * (x / fac) ** a;
  const num = x - a - LANCZOS_G + 0.5;
  const relative = num / fac;
  return res * Math.exp(a * (Math.log1p(relative) - relative) + (x * (0.5 - LANCZOS_G)) / fac);
}

// ---- methods of computation

/** Lower part as a power series: DLMF 8.11.4. */
function _igam_helper_series(a: number, x: number): number {
  const ax = _igam_helper_fac(a, x);
  if (ax === 0) return 0;
  let r = a;
  let c = 1;
  let sum = 1;
  for (let i = 0; i < MAXITER; i++) {
    r += 1;
    c *= x / r;
    sum += c;
    if (c <= MACHEP * sum) break;
  }
  return (sum * ax) / a;
}

/** Upper part for small x, without the cancellation in 1 minus the lower part: DLMF 8.7.3. */
function _igamc_helper_series(a: number, x: number): number {
  let fac = 1;
  let sum = 0;
  for (let n = 1; n < MAXITER; n++) {
    fac *= -x / n;
    const term = fac / (a + n);
    sum += term;
    if (Math.abs(term) <= MACHEP * Math.abs(sum)) break;
  }
  const logx = Math.log(x);
  return -Math.expm1(a * logx - lgamma(1 + a)) - Math.exp(a * logx - lgamma(a)) * sum;
}

/** Upper part for large x: the continued fraction of DLMF 8.9.2, evaluated from its front. */
function _igamc_helper_continued_fraction(a: number, x: number): number {
  const ax = _igam_helper_fac(a, x);
  if (ax === 0) return 0;
  let y = 1 - a;
  let z = x + y + 1;
  let c = 0;
  let [p2, q2, p1, q1] = [1, x, x + 1, z * x]; // numerators and denominators of the two previous convergents
  let ans = p1 / q1;
  for (let i = 0; i < MAXITER; i++) {
    c += 1;
    y += 1;
    z += 2;
    const yc = y * c;
    const p = p1 * z - p2 * yc;
    const q = q1 * z - q2 * yc;
    let t = 1;
    if (q !== 0) {
      const r = p / q;
      t = Math.abs((ans - r) / r);
      ans = r;
    }
    [p2, q2, p1, q1] = [p1, q1, p, q];
    if (Math.abs(p) > BIG) [p2, q2, p1, q1] = [p2 / BIG, q2 / BIG, p1 / BIG, q1 / BIG];
    if (t <= MACHEP) break;
  }
  return ans * ax;
}

// Note [Coefficients of the incomplete gamma function]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// If a is large and near x, both parts are half of an erfc plus a correction: the double sum of d[k][n] eta^n / a^k
// (Temme; DLMF 8.12). All d follow from one series: eta^2 / 2 = m - log(1 + m) is solved by m = alpha_1 eta + alpha_2
// eta^2 + ..., where
//
//     (n + 1) alpha_n = alpha_(n-1) - the sum of k alpha_k alpha_(n-k+1) over k from 2 to n - 1
//     d[0][n] = (n + 2) alpha_(n+2), less 1 where n is 0
//     d[k][n] = (-1)^k g_k d[0][n] + (n + 2) d[k-1][n+2]      g_k = 1 3 5 ... (2k + 1) alpha_(2k+1), Stirling's
//
// The differences in the last line cancel. So these numbers have 512 binary places, and become doubles at the end.

const TERMS = 25;
const PLACES = 512n;
const ONE = 1n << PLACES;
const times = (a: bigint, b: bigint) => (a * b) >> PLACES;

function asymptotic_coefficients(): number[][] {
  const last = 3 * TERMS + 2;
  const alpha = [0n, ONE];
  for (let n = 2; n <= last; n++) {
    let sum = alpha[n - 1];
    for (let k = 2; k < n; k++) sum -= BigInt(k) * times(alpha[k], alpha[n - k + 1]);
    alpha.push(sum / BigInt(n + 1));
  }
  const first = Array.from({ length: last - 1 }, (_, n) => BigInt(n + 2) * alpha[n + 2] - (n === 0 ? ONE : 0n));
  const d = [first];
  let odd_factorial = 1n;
  for (let k = 1; k < TERMS; k++) {
    odd_factorial *= BigInt(2 * k + 1);
    const g = (k % 2 === 0 ? odd_factorial : -odd_factorial) * alpha[2 * k + 1];
    const above = d[k - 1];
    d.push(Array.from({ length: above.length - 2 }, (_, n) => times(g, first[n]) + BigInt(n + 2) * above[n + 2]));
  }
  return d.map((row) => row.slice(0, TERMS).map(to_double));
}

/** Rounds to the nearest double: the leading 64 places are enough. */
function to_double(fixed: bigint): number {
  const magnitude = fixed < 0n ? -fixed : fixed;
  const shift = Math.max(magnitude.toString(2).length - 64, 0);
  return Number(fixed >> BigInt(shift)) * 2 ** (shift - Number(PLACES));
}

let d: number[][] | null = null;
/** PyTorch has `c10::pi<float>` here, in double too, so the last seven digits of a correction differ from pi's. */
const PI_FLOAT = Math.fround(Math.PI);

/** Both parts if a is large and near x; see Note [Coefficients of the incomplete gamma function]. */
function _igam_helper_asymptotic_series(a: number, x: number, lower: boolean): number {
  d ??= asymptotic_coefficients();
  const lambda = x / a;
  const sigma = (x - a) / a;
  const sgn = lower ? -1 : 1;
  const distance = Math.sqrt(-2 * (Math.log1p(sigma) - sigma));
  const eta = lambda > 1 ? distance : lambda < 1 ? -distance : 0;
  let sum = 0;
  let afac = 1;
  let absoldterm = Infinity;
  for (const row of d) {
    let ck = row[0];
    let power = 1;
    for (let n = 1; n < TERMS; n++) {
      power *= eta;
      const ckterm = row[n] * power;
      ck += ckterm;
      if (Math.abs(ckterm) < MACHEP * Math.abs(ck)) break;
    }
    const term = ck * afac;
    const absterm = Math.abs(term);
    if (absterm > absoldterm) break;
    sum += term;
    if (absterm < MACHEP * Math.abs(sum)) break;
    absoldterm = absterm;
    afac /= a;
  }
  const half = 0.5 * erfc(sgn * eta * Math.sqrt(a / 2));
  return half + (sgn * Math.exp(-0.5 * a * eta * eta) * sum) / Math.sqrt(2 * PI_FLOAT * a);
}

/** Whether a is large and near x. */
function is_asymptotic(a: number, x: number): boolean {
  const distance = Math.abs(x - a) / a;
  return (a > 20 && a < 200 && distance < 0.3) || (a > 200 && distance < 4.5 / Math.sqrt(a));
}

/** Values for x or a of 0 or infinity; `nothing` is the value at x = 0. Undefined elsewhere. */
function at_the_border(a: number, x: number, nothing: 0 | 1): number | undefined {
  if (x < 0 || a < 0) return NaN;
  if (a === 0) return x > 0 ? 1 - nothing : NaN;
  if (x === 0) return nothing;
  if (a === Infinity) return x === Infinity ? NaN : nothing;
  if (x === Infinity) return 1 - nothing;
  return undefined;
}

/** Regularized upper incomplete gamma function. */
export function calc_igammac(a: number, x: number): number {
  const border = at_the_border(a, x, 1);
  if (border !== undefined) return border;
  if (is_asymptotic(a, x)) return _igam_helper_asymptotic_series(a, x, false);
  const below = x > 1.1 ? x < a : x <= 0.5 ? -0.4 / Math.log(x) < a : x * 1.1 < a;
  if (below) return 1 - _igam_helper_series(a, x);
  return x > 1.1 ? _igamc_helper_continued_fraction(a, x) : _igamc_helper_series(a, x);
}

/** Regularized lower incomplete gamma function. */
export function calc_igamma(a: number, x: number): number {
  const border = at_the_border(a, x, 0);
  if (border !== undefined) return border;
  if (is_asymptotic(a, x)) return _igam_helper_asymptotic_series(a, x, true);
  return x > 1 && x > a ? 1 - calc_igammac(a, x) : _igam_helper_series(a, x);
}
