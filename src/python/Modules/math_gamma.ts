/**
 * @file The gamma function and its logarithm, by Lanczos' approximation.
 * @mirrors Modules/mathmodule.c (CPython 3.11)
 */
import { cos, exp, log, pow, sin } from "./_math.ts";

/** Lanczos' g, and the coefficients of numerator and denominator of his sum, lowest power first. */
const G = 6.02468004077673;
const NUMERATOR = [
  23531376880.41076, 42919803642.6491, 35711959237.35567, 17921034426.03721, 6039542586.352028, 1439720407.3117216,
  248874557.86205417, 31426415.585400194, 2876370.6289353725, 186056.26539522348, 8071.672002365816, 210.82427775157936,
  2.5066282746310002,
];
const DENOMINATOR = [
  0, 39916800, 120543840, 150917976, 105258076, 45995730, 13339535, 2637558, 357423, 32670, 1925, 66, 1,
];

/** Both polynomials, in powers of `1 / x` where `x` is large. */
function lanczos_sum(x: number): number {
  let numerator = 0;
  let denominator = 0;
  for (let i = 0; i < 13; i++) {
    const k = x < 5 ? 12 - i : i;
    numerator = x < 5 ? numerator * x + (NUMERATOR[k] as number) : numerator / x + (NUMERATOR[k] as number);
    denominator = x < 5 ? denominator * x + (DENOMINATOR[k] as number) : denominator / x + (DENOMINATOR[k] as number);
  }
  return numerator / denominator;
}

/** `sin(pi x)`, exact in its zeros. */
function sin_pi(x: number): number {
  const y = Math.abs(x) % 2;
  const n = Math.round(2 * y);
  const sign = x < 0 ? -1 : 1;
  switch (n) {
    case 0:
      return sign * sin(Math.PI * y);
    case 1:
      return sign * cos(Math.PI * (y - 0.5));
    case 2:
      return sign * sin(Math.PI * (1 - y));
    case 3:
      return -sign * cos(Math.PI * (y - 1.5));
    default:
      return sign * sin(Math.PI * (y - 2));
  }
}

export function gamma(x: number): number {
  if (!Number.isFinite(x)) return x === Number.NEGATIVE_INFINITY ? Number.NaN : x;
  if (x === 0) return 1 / x;
  if (Number.isInteger(x)) {
    if (x < 0) return Number.NaN;
    if (x <= 23) {
      let result = 1;
      for (let i = 2; i < x; i++) result *= i;
      return result;
    }
  }
  const size = Math.abs(x);
  if (size < 1e-20) return 1 / x;
  if (size > 200) return x < 0 ? 0 / sin_pi(x) : Number.POSITIVE_INFINITY;
  const y = size + (G - 0.5);
  const lost = size > G - 0.5 ? y - size - (G - 0.5) : y - (G - 0.5) - size;
  const z = (lost * G) / y;
  if (x < 0) {
    let r = ((-Math.PI / sin_pi(size) / size) * exp(y)) / lanczos_sum(size);
    r -= z * r;
    return size < 140 ? r / pow(y, size - 0.5) : r / pow(y, size / 2 - 0.25) / pow(y, size / 2 - 0.25);
  }
  let r = lanczos_sum(size) / exp(y);
  r += z * r;
  return size < 140 ? r * pow(y, size - 0.5) : r * pow(y, size / 2 - 0.25) * pow(y, size / 2 - 0.25);
}

export function lgamma(x: number): number {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? x : Number.POSITIVE_INFINITY;
  if (Number.isInteger(x) && x <= 2) return x <= 0 ? Number.POSITIVE_INFINITY : 0;
  const size = Math.abs(x);
  if (size < 1e-20) return -log(size);
  // exp(-g) is part of the coefficients that CPython's own sum for lgamma uses; here it is subtracted.
  const r = log(lanczos_sum(size)) - G + (size - 0.5) * (log(size + G - 0.5) - 1);
  return x < 0 ? log(Math.PI) - log(Math.abs(sin_pi(size))) - log(size) - r : r;
}
