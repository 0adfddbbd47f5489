// biome-ignore-all lint/correctness/noPrecisionLoss: quotients of Bernoulli's numbers, as doubles have them
/**
 * @file Mathematical functions that kernel text may call by name and that the standard library does not have.
 * @mirrors aten/src/ATen/native/Math.h
 * @see c10/util/math.ts (functions of C++'s standard library)
 */
import { erf, erfc, erfcx_far, polynomial, pow } from "#c10/util/math";

/** Greatest common divisor of two numbers; 0 for two zeros. */
export function calc_gcd(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (x !== 0) [x, y] = [y % x, x];
  return y;
}
export function calc_gcd$int64(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (x !== 0n) [x, y] = [y % x, x];
  return y;
}

/** Least common multiple in 32 bits: a larger product wraps before its sign is removed. */
export function calc_lcm(a: number, b: number): number {
  const g = calc_gcd(a, b);
  return g === 0 ? 0 : Math.abs(Math.imul(a / g, b));
}
export function calc_lcm$int64(a: bigint, b: bigint): bigint {
  const g = calc_gcd$int64(a, b);
  const product = g === 0n ? 0n : BigInt.asIntN(64, (a / g) * b);
  return product < 0n ? -product : product;
}

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer); // low half first

/** Power of two by which `std::frexp` scales: |x| / 2^e is in [1/2, 1). It is 0 if x has no such power. */
export function frexp_exponent(x: number): number {
  if (x === 0 || x - x !== 0) return 0;
  bits[0] = x;
  const exponent = (words[1] >>> 20) & 0x7ff;
  if (exponent !== 0) return exponent - 1022;
  bits[0] = x * 2 ** 54; // denormal
  return ((words[1] >>> 20) & 0x7ff) - 1022 - 54;
}

/** `x / 2^exponent` in two steps, because the power alone may be out of range. */
export function frexp_mantissa(x: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return x * 2 ** -half * 2 ** (half - exponent);
}

// ---- functions related to gamma

/**
 * log Gamma(2 + w) is w (1 - gamma) + w^2 (...), where (...) is Taylor's series with the terms (zeta(n) - 1) (-w)^n /
 * n, from n = 2 on.
 */
const LGAMMA_AT_2 = [
  0.3224670334241132, -0.0673523010531981, 0.020580808427784546, -0.007385551028673986, 0.0028905103307415234,
  -0.001192753911703261, 0.0005096695247430425, -0.00022315475845357939, 9.945751278180853e-5, -4.492623673813314e-5,
  2.050721277567069e-5, -9.439488275268397e-6, 4.374866789907488e-6, -2.039215753801366e-6, 9.55141213040742e-7,
  -4.492469198764566e-7, 2.1207184805554665e-7, -1.0043224823968099e-7, 4.7698101693639804e-8, -2.2711094608943164e-8,
  1.0838659214896955e-8, -5.183475041970047e-9, 2.4836745438024785e-9, -1.1921401405860912e-9, 5.731367241678862e-10,
  -2.7595228851242334e-10, 1.330476437424449e-10, -6.4229645638381e-11, 3.1044247747322276e-11, -1.5021384080754142e-11,
];
/** Coefficients of Stirling's series in 1 / x^2. */
const STIRLING = [
  0.08333333333333333, -0.002777777777777778, 0.0007936507936507937, -0.0005952380952380953, 0.0008417508417508417,
  -0.0019175269175269176, 0.00641025641025641, -0.029550653594771242,
];

/** Polynomial with coefficients from the highest power down, as in Cephes. */
export function polevl(x: number, coefficients: readonly number[]): number {
  let result = 0;
  for (const c of coefficients) result = result * x + c;
  return result;
}

/** 1 - gamma (Euler's constant). */
const SLOPE_AT_2 = 0.42278433509846713;

/** log Gamma(2 + w), for w from -1/2 to 1/2. */
function lgamma_near_2(w: number): number {
  return w * (SLOPE_AT_2 + w * polynomial(w, LGAMMA_AT_2));
}

/** sin(pi x) with exact argument reduction. */
function sinpi(x: number): number {
  const rest = x - 2 * Math.round(x / 2); // from -1 to 1
  return Math.sin(Math.PI * (Math.abs(rest) > 0.5 ? Math.sign(rest) - rest : rest));
}

/** `std::lgamma`: log |Gamma(x)|, by Stirling's series from 10 on, else by a series around 2 and recurrence. */
export function lgamma(x: number): number {
  if (x !== x) return x;
  if (x === Infinity || x === -Infinity || (x <= 0 && x === Math.floor(x))) return Infinity;
  if (x < 0) return Math.log(Math.PI / Math.abs(sinpi(x) * x)) - lgamma(-x);
  if (x < 0.5) return lgamma_near_2(x) - Math.log1p(x) - Math.log(x);
  if (x < 1.5) return lgamma_near_2(x - 1) - Math.log1p(x - 1);
  if (x >= 10) {
    const stirling = x > 1e17 ? 0 : polynomial(1 / (x * x), STIRLING) / x;
    return (x - 0.5) * (Math.log(x) - 1) - 0.5 + HALF_LOG_2_PI + stirling;
  }
  let y = x;
  let factors = 1;
  while (y > 2.5) {
    y -= 1;
    factors *= y;
  }
  return lgamma_near_2(y - 2) + Math.log(factors);
}
/** log(2 pi) / 2 */
const HALF_LOG_2_PI = 0.9189385332046728;

/** The asymptotic series of digamma in 1 / x^2, from Cephes. */
export const DIGAMMA_FAR = [
  0.08333333333333333, -0.021092796092796094, 0.007575757575757576, -0.004166666666666667, 0.003968253968253968,
  -0.008333333333333333, 0.08333333333333333,
];
export const PSI_10 = 2.251752589066721;

/** Derivative of lgamma: the argument is raised to 10 by recurrence, and reflected at 0. */
export function calc_digamma(x: number): number {
  if (x === 0) return Object.is(x, -0) ? Infinity : -Infinity;
  if (x < 0) {
    if (x === Math.trunc(x)) return NaN;
    return calc_digamma(1 - x) - Math.PI / Math.tan(Math.PI * (x % 1)); // the tangent of the remainder is more exact
  }
  let y = x;
  let result = 0;
  while (y < 10) {
    result -= 1 / y;
    y += 1;
  }
  if (y === 10) return result + PSI_10;
  const z = 1 / (y * y);
  const far = y < 1e17 ? z * polevl(z, DIGAMMA_FAR) : 0;
  return result + Math.log(y) - 0.5 / y - far;
}

/** Derivative of digamma. */
export function trigamma(x: number): number {
  let y = x;
  let sign = 1;
  let result = 0;
  if (x < 0.5) {
    sign = -1;
    const sin_pi_x = Math.sin(Math.PI * x);
    result -= (Math.PI * Math.PI) / (sin_pi_x * sin_pi_x);
    y = 1 - x;
  }
  for (let i = 0; i < 6; i++) {
    result += 1 / (y * y);
    y += 1;
  }
  const ixx = 1 / (y * y);
  result += (1 + 1 / (2 * y) + ixx * (1 / 6 - ixx * (1 / 30 - ixx * (1 / 42)))) / y;
  return sign * result;
}

const PI_FLOAT = Math.fround(Math.PI);

/**
 * trigamma in float. Near a pole the result depends on the sine of a rounded angle, so every step is rounded as in
 * PyTorch.
 */
export function trigamma_float(x: number): number {
  const { fround } = Math;
  let y = x;
  let sign = 1;
  let result = 0;
  if (x < 0.5) {
    sign = -1;
    const sin_pi_x = fround(Math.sin(fround(PI_FLOAT * x)));
    result = fround(-fround(PI_FLOAT * PI_FLOAT) / fround(sin_pi_x * sin_pi_x));
    y = fround(1 - x);
  }
  for (let i = 0; i < 6; i++) {
    result = fround(result + fround(1 / fround(y * y)));
    y = fround(y + 1);
  }
  const ixx = fround(1 / fround(y * y));
  const series = 1 + 1 / (2 * y) + ixx * (1 / 6 - ixx * (1 / 30 - ixx * (1 / 42)));
  return sign * fround(result + fround(fround(series) / y));
}

/** Coefficients of the Euler-Maclaurin sum, from Cephes: (2k)! divided by the Bernoulli number 2k. */
const EULER_MACLAURIN = [
  12, -720, 30240, -1209600, 47900160, -1.8924375803183792e9, 7.47242496e10, -2.950130727918164e12,
  1.1646782814350068e14, -4.5979787224074726e15, 1.8152105401943547e17, -7.166165256175667e18,
];
const MACHEP = 1.1102230246251565e-16;

/** Hurwitz zeta function: the sum of (q + k)^-x over k from 0 on. `first` is q^-x, rounded to the dtype. */
export function zeta(x: number, q: number, first: number): number {
  if (x === 1) return Infinity;
  if (x < 1) return NaN;
  if (q <= 0) {
    if (q === Math.floor(q)) return Infinity;
    if (x !== Math.floor(x)) return NaN;
  }
  let sum = first;
  let a = q;
  let b = 0;
  for (let i = 0; i < 9 || a <= 9; i++) {
    a += 1;
    b = pow(a, -x);
    sum += b;
    if (-MACHEP * sum < b && b < MACHEP * sum) return sum;
  }
  sum += (b * a) / (x - 1) - 0.5 * b;
  let factor = 1;
  let k = 0;
  const w = a;
  for (const c of EULER_MACLAURIN) {
    factor *= x + k;
    b /= w;
    const term = (factor * b) / c;
    sum += term;
    if (Math.abs(term / sum) < MACHEP) return sum;
    k += 1;
    factor *= x + k;
    b /= w;
    k += 1;
  }
  return sum;
}

/** n-th derivative of digamma, for n >= 2. */
export function calc_polygamma(x: number, n: number): number {
  return (n % 2 === 0 ? -1 : 1) * Math.exp(lgamma(n + 1)) * zeta(n + 1, x, pow(x, -n - 1));
}

// ---- functions related to erf

const ERFINV_NEAR = [-0.140543331, 0.914624893, -1.645349621, 0.886226899];
const ERFINV_NEAR_BELOW = [0.012229801, -0.329097515, 1.442710462, -2.118377725, 1];
const ERFINV_FAR = [1.641345311, 3.429567803, -1.624906493, -1.970840454];
const ERFINV_FAR_BELOW = [1.6370678, 3.5438892, 1];

/** Inverse of erf: a rational approximation and two Newton steps. */
export function calc_erfinv(y: number): number {
  const magnitude = Math.abs(y);
  if (!(magnitude <= 1)) return NaN;
  if (magnitude === 1) return y * Infinity;
  let x: number;
  if (magnitude <= 0.7) {
    const z = y * y;
    x = (y * polevl(z, ERFINV_NEAR)) / polevl(z, ERFINV_NEAR_BELOW);
  } else {
    const z = Math.sqrt(-Math.log((1 - magnitude) / 2));
    x = (Math.sign(y) * polevl(z, ERFINV_FAR)) / polevl(z, ERFINV_FAR_BELOW);
  }
  for (let step = 0; step < 2; step++) x -= (erf(x) - y) / (TWO_OVER_SQRT_PI * Math.exp(-x * x));
  return x;
}
const TWO_OVER_SQRT_PI = 1.1283791670955126;

/**
 * e^(x^2) erfc(x): a product if neither factor is out of range, else a series in 1 / x^2.
 * @param square x^2 rounded to the dtype: for x < 0, its rounding is most of the result's error, and is the same in
 * PyTorch
 */
export function calc_erfcx(x: number, square: number): number {
  if (x < 0) return x < -26.7 ? Infinity : 2 * Math.exp(square) - calc_erfcx(-x, square);
  if (x < 0.875) return Math.exp(x * x) * erfc(x);
  if (x <= 28) return erfcx_far(x);
  const z = 1 / (2 * x * x);
  return (TWO_OVER_SQRT_PI / 2 / x) * (1 - z * (1 - z * (3 - z * (15 - z * (105 - z * (945 - z * 10395))))));
}

// ---- modified Bessel functions: Chebyshev series, from Cephes

/** e^-x I0(x) from 0 to 8; e^-x sqrt(x) I0(x) beyond. */
const I0_NEAR = [
  -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
  -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12, -1.726826291441556e-11,
  9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-9, -1.300025009986248e-8, 6.046995022541919e-8,
  -2.670793853940612e-7, 1.1173875391201037e-6, -4.4167383584587505e-6, 1.6448448070728896e-5, -5.754195010082104e-5,
  0.00018850288509584165, -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
  -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877, -0.3046826723431984,
  0.6767952744094761,
];
const I0_FAR = [
  -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17, -2.8276239805165836e-16,
  -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15, -9.554846698828307e-15,
  -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13, 7.180124451383666e-13, -1.7941785315068062e-12,
  -1.3215811840447713e-11, -3.1499165279632416e-11, 1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-9,
  2.266668990498178e-8, 2.0489185894690638e-7, 2.8913705208347567e-6, 6.889758346916825e-5, 0.0033691164782556943,
  0.8044904110141088,
];
/** e^-x I1(x) / x from 0 to 8; e^-x sqrt(x) I1(x) beyond. */
const I1_NEAR = [
  2.7779141127610464e-18, -2.111421214358166e-17, 1.5536319577362005e-16, -1.1055969477353862e-15,
  7.600684294735408e-15, -5.042185504727912e-14, 3.223793365945575e-13, -1.9839743977649436e-12, 1.1736186298890901e-11,
  -6.663489723502027e-11, 3.625590281552117e-10, -1.8872497517228294e-9, 9.381537386495773e-9, -4.445059128796328e-8,
  2.0032947535521353e-7, -8.568720264695455e-7, 3.4702513081376785e-6, -1.3273163656039436e-5, 4.781565107550054e-5,
  -0.00016176081582589674, 0.0005122859561685758, -0.0015135724506312532, 0.004156422944312888, -0.010564084894626197,
  0.024726449030626516, -0.05294598120809499, 0.1026436586898471, -0.17641651835783406, 0.25258718644363365,
];
const I1_FAR = [
  7.517296310842105e-18, 4.414348323071708e-18, -4.6503053684893586e-17, -3.209525921993424e-17, 2.96262899764595e-16,
  3.3082023109209285e-16, -1.8803547755107825e-15, -3.8144030724370075e-15, 1.0420276984128802e-14,
  4.272440016711951e-14, -2.1015418427726643e-14, -4.0835511110921974e-13, -7.198551776245908e-13,
  2.0356285441470896e-12, 1.4125807436613782e-11, 3.2526035830154884e-11, -1.8974958123505413e-11,
  -5.589743462196584e-10, -3.835380385964237e-9, -2.6314688468895196e-8, -2.512236237870209e-7, -3.882564808877691e-6,
  -0.00011058893876262371, -0.009761097491361469, 0.7785762350182801,
];

/**
 * Sum of coefficients times Chebyshev polynomials of x / 2, by Clenshaw's recurrence. The constant term comes last and
 * is halved.
 */
function chbevl(x: number, coefficients: readonly number[]): number {
  let [b0, b1, b2] = [0, 0, 0];
  for (const c of coefficients) [b0, b1, b2] = [x * b0 - b1 + c, b0, b1];
  return 0.5 * (b0 - b2);
}

export function calc_i0(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude <= 8) return Math.exp(magnitude) * chbevl(magnitude / 2 - 2, I0_NEAR);
  return (Math.exp(magnitude) * chbevl(32 / magnitude - 2, I0_FAR)) / Math.sqrt(magnitude);
}

export function calc_i1(x: number): number {
  const magnitude = Math.abs(x);
  const result =
    magnitude <= 8
      ? Math.exp(magnitude) * magnitude * chbevl(magnitude / 2 - 2, I1_NEAR)
      : (Math.exp(magnitude) * chbevl(32 / magnitude - 2, I1_FAR)) / Math.sqrt(magnitude);
  return x < 0 ? -result : result;
}
