/**
 * @file Functions `log`, `sin` and `cos` in float32 by the Cephes polynomials: one lane of PyTorch's eight-lane
 * version. They are used only to fill large normal tensors, where their last bit decides the last bit of `torch.randn`.
 * @see src/aten/cpu/vec/avx_mathfun.ts (the SIMD version)
 * @mirrors aten/src/ATen/native/cpu/avx_mathfun.h
 */

const fround = Math.fround;

/** Fused multiply-add in float32: the product is exact in double, so there is one rounding. */
function fma(a: number, b: number, c: number): number {
  return fround(a * b + c);
}

const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);

const SQRT_HALF = fround(Math.SQRT1_2);
const LN2_HIGH = 0.693359375;
const LN2_LOW = fround(-2.1219444e-4);

const LOG_P = Float32Array.of(
  7.0376836292e-2,
  -1.151461031e-1,
  1.167699874e-1,
  -1.2420140846e-1,
  1.4249322787e-1,
  -1.6668057665e-1,
  2.0000714765e-1,
  -2.4999993993e-1,
  3.3333331174e-1,
);

/** Natural logarithm. Precondition: `x` is a positive, normal float32. */
export function log256_ps(x: number): number {
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2)); the polynomial is in m - 1.
  floats[0] = x;
  const bits = words[0];
  let e = (bits >>> 23) - 126;
  words[0] = (bits & 0x007fffff) | 0x3f000000;
  let m = floats[0];
  if (m < SQRT_HALF) {
    e -= 1;
    m = fround(fround(m - 1) + m);
  } else {
    m = fround(m - 1);
  }
  const z = fround(m * m);
  let y = LOG_P[0];
  for (let i = 1; i < LOG_P.length; i++) y = fma(y, m, LOG_P[i]);
  y = fround(y * m);
  y = fma(y, z, fround(e * LN2_LOW));
  y = fma(z, -0.5, y);
  return fma(e, LN2_HIGH, fround(m + y));
}

const FOUR_OVER_PI = fround(1.27323954473516);
// pi / 4 in three parts, so that subtracting multiples of it is exact
const DP1 = -0.78515625;
const DP2 = fround(-0.00024187564849853516);
const DP3 = fround(-3.774894977445941e-8);
const COS_P0 = fround(2.443315711809948e-5);
const COS_P1 = fround(-1.388731625493765e-3);
const COS_P2 = fround(4.166664568298827e-2);
const SIN_P0 = fround(-1.9515295891e-4);
const SIN_P1 = fround(8.3321608736e-3);
const SIN_P2 = fround(-1.6666654611e-1);

/** The octant of x, rounded up to an even number. */
function eighth(x: number): number {
  return (Math.trunc(fround(x * FOUR_OVER_PI)) + 1) & ~1;
}

/** The remainder of x after subtracting the octants, in [-pi/4, pi/4]. */
function rest_of_eighths(x: number, j: number): number {
  return fma(j, DP3, fma(j, DP2, fma(j, DP1, x)));
}

function cosine_of_rest(x: number): number {
  const z = fround(x * x);
  const c = fround(fma(fma(COS_P0, z, COS_P1), z, COS_P2) * z);
  return fround(fma(c, z, -fround(z * 0.5)) + 1);
}

function sine_of_rest(x: number): number {
  const z = fround(x * x);
  const s = fround(fma(fma(SIN_P0, z, SIN_P1), z, SIN_P2) * z);
  return fma(s, x, x);
}

/** Sine of `x >= 0`. */
export function sin256_ps(x: number): number {
  const j = eighth(x);
  const rest = rest_of_eighths(x, j);
  const s = (j & 2) !== 0 ? cosine_of_rest(rest) : sine_of_rest(rest);
  return (j & 4) !== 0 ? -s : s;
}

/** Cosine of `x >= 0`. */
export function cos256_ps(x: number): number {
  const j = eighth(x);
  const rest = rest_of_eighths(x, j);
  const c = (j & 2) !== 0 ? sine_of_rest(rest) : cosine_of_rest(rest);
  return ((j - 2) & 4) !== 0 ? c : -c;
}
