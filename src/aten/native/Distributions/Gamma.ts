/**
 * @file `_standard_gamma`: gamma-distributed numbers with rate 1, and their derivative with respect to the shape.
 * @mirrors aten/src/ATen/native/Distributions.h#sample_gamma
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import { normal_distribution_double, uniform_double } from "#aten/core/DistributionsHelper";
import type { Generator } from "#aten/core/Generator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { DIGAMMA_FAR, PSI_10, polevl } from "#aten/native/Math/index";
import { TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { log } from "#c10/util/libm";

type Gen = Generator | null;

/** PyTorch has no stubs: its loops are next to the operators. */
export const standard_gamma_stub = DEFINE_DISPATCH<(iter: TensorIterator, gen: Gen) => void>("standard_gamma_stub");
export const standard_gamma_grad_stub = DEFINE_DISPATCH<(iter: TensorIterator) => void>("standard_gamma_grad_stub");

/** C++'s float constants, which are compared with doubles. */
const f = Math.fround;
const THIRD = f(f(1) / f(3));
const SQUEEZE = f(0.0331);

type Rounding = (x: number) => number;

/**
 * Sampler of gamma-distributed numbers by Marsaglia and Tsang (2000): the cube of a shifted normal number is accepted
 * or rejected by a uniform number. A shape below 1 is increased by 1, and the number is multiplied by a power of
 * another uniform number.
 */
export class gamma_sampler {
  private readonly generator_: CPUGeneratorImpl;
  private readonly normal_: normal_distribution_double;
  private readonly round_: Rounding;
  private readonly smallest_: number;

  /**
   * @param round rounds to the dtype, in which PyTorch does a part of the arithmetic
   * @param smallest replaces a number that rounds to 0
   */
  constructor(generator: CPUGeneratorImpl, round: Rounding, smallest: number) {
    this.generator_ = generator;
    this.normal_ = new normal_distribution_double(generator, 0, 1);
    this.round_ = round;
    this.smallest_ = smallest;
  }

  sample(alpha: number): number {
    const x = this.round_(this.draw(alpha));
    return x > this.smallest_ ? x : this.smallest_; // also for NaN
  }

  private draw(shape: number): number {
    let alpha = shape;
    let scale = 1;
    if (alpha < 1) {
      if (alpha === 0) return 0;
      scale = (1 - uniform_double(this.generator_)) ** this.round_(1 / alpha);
      alpha = this.round_(alpha + 1);
    }
    const d = this.round_(alpha - THIRD);
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      let x: number;
      let y: number;
      do {
        x = this.normal_.sample();
        y = 1 + c * x;
      } while (y <= 0);
      const v = y * y * y;
      const u = 1 - uniform_double(this.generator_);
      const xx = x * x;
      if (u < 1 - SQUEEZE * xx * xx) return scale * d * v;
      if (log(u) < 0.5 * xx + d * (1 - v + log(v))) return scale * d * v;
    }
  }
}

// Note [How a gamma number moves with its shape]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// At a fixed value of the cdf, the number x is a function of alpha: dx / dalpha = -(dcdf / dalpha) / pdf. For small x,
// both are series, summed term by term. For large alpha, Rice's saddle point expansion is used, and near x = alpha,
// where it is 0 / 0, its limit. In between, it is the exponential of a rational function of log(x / alpha) and
// log(alpha), whose coefficients PyTorch has fitted.

/** Coefficients of numerator and denominator in powers of log(alpha), by powers of log(x / alpha). */
const FITTED = [
  [0.16009398, -0.094634809, 0.025146376, -0.0030648343, 1, 0.32668115, 0.10406089, 0.0014179084],
  [0.53487893, 0.1298071, 0.065735949, -0.0015649758, 0.16639465, 0.020070113, -0.0035938915, -0.00058392623],
  [0.040121004, -0.0065914022, -0.0026286047, -0.0013441777, 0.017050642, -0.0021309326, 0.00085092367, -1.5247877e-7],
] as const;

/**
 * Digamma as PyTorch computes it for its distributions: +inf at 0 and at every pole, unlike the operator `digamma`.
 * @param round rounds to the dtype, in which PyTorch does a part of the arithmetic
 */
export function digamma_one(given: number, round: Rounding): number {
  if (given === 0) return Infinity;
  let x = given;
  let additional_summand = 0;
  if (x < 0) {
    if (x === Math.floor(x)) return Infinity;
    const pi = round(Math.PI);
    additional_summand = round(-pi / round(Math.tan(round(pi * x))));
    x = round(1 - x);
  }
  let result = 0;
  while (x < 10) {
    result -= round(1 / x);
    x = round(x + 1);
  }
  if (x === 10) return round(result + PSI_10 + additional_summand);
  const z = 1 / round(x * x);
  const y = x < 1e17 ? z * polevl(z, DIGAMMA_FAR) : 0;
  return round(result + round(log(x)) - round(0.5 / x) - y + additional_summand);
}

const exactly: Rounding = (x) => x;

function by_series(alpha: number, x: number): number {
  let numer = 1;
  let denom = alpha;
  let series1 = 1 / denom;
  let series2 = 1 / (denom * denom);
  for (let i = 1; i <= 5; i++) {
    numer *= -x / i;
    denom += 1;
    series1 += numer / denom;
    series2 += numer / (denom * denom);
  }
  const pow_x_alpha = x ** alpha;
  const pdf = x ** (alpha - 1) * Math.exp(-x);
  const cdf = pow_x_alpha * series1;
  const cdf_alpha = (log(x) - digamma_one(alpha, exactly)) * cdf - pow_x_alpha * series2;
  const result = -cdf_alpha / pdf;
  return Number.isNaN(result) ? 0 : result;
}

function by_saddle_point(alpha: number, x: number): number {
  if (f(0.9) * alpha <= x && x <= f(1.1) * alpha) {
    const numer_1 = 1 + 24 * alpha * (1 + 12 * alpha);
    const numer_2 = 1440 * (alpha * alpha) + 6 * x * (53 - 120 * x) - (65 * x * x) / alpha + alpha * (107 + 3600 * x);
    return (numer_1 * numer_2) / (1244160 * (alpha * alpha) * (alpha * alpha));
  }
  const denom = Math.sqrt(8 * alpha);
  const term2 = denom / (alpha - x);
  const term3 = (x - alpha - alpha * log(x / alpha)) ** -1.5;
  const term23 = x < alpha ? term2 - term3 : term2 + term3;
  const term1 = log(x / alpha) * term23 - (Math.sqrt(2 / alpha) * (alpha + x)) / ((alpha - x) * (alpha - x));
  const stirling = 1 + (1 / (12 * alpha)) * (1 + 1 / (24 * alpha));
  return (-stirling * (x * term1)) / denom;
}

/** The gradient, for use in loops. */
export interface GammaGradient {
  /** Derivative of the number `x` with respect to its shape `alpha`. */
  one(alpha: number, x: number): number;
}

export const standard_gamma_grad_one: GammaGradient = { one: gradient };

function gradient(alpha: number, x: number): number {
  if (x < f(0.8)) return by_series(alpha, x);
  if (alpha > 8) return by_saddle_point(alpha, x);
  const u = log(x / alpha);
  const v = log(alpha);
  const coef = (i: number): number => FITTED[0][i] + u * (FITTED[1][i] + u * FITTED[2][i]);
  const p = coef(0) + v * (coef(1) + v * (coef(2) + v * coef(3)));
  const q = coef(4) + v * (coef(5) + v * (coef(6) + v * coef(7)));
  return Math.exp(p / q);
}

// _standard_gamma(Tensor self, Generator? generator=None) -> Tensor                         CPU
export function _s_gamma_cpu(alpha: Tensor, gen: Gen): Tensor {
  const ret = at.zeros(alpha.sizes() as number[], alpha.options());
  const iter = TensorIterator.unary_op(ret, alpha);
  standard_gamma_stub.call(iter.device_type(0), iter, gen);
  return ret;
}

// _standard_gamma_grad(Tensor self, Tensor output) -> Tensor                         CPU
export function _standard_gamma_grad_cpu(self: Tensor, output: Tensor): Tensor {
  const ret = at.empty_memory_format(self.sizes() as number[], self.options());
  const iter = new TensorIteratorConfig().add_output(ret).add_const_input(self).add_const_input(output).build();
  standard_gamma_grad_stub.call(iter.device_type(0), iter);
  return ret;
}
