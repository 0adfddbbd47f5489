/**
 * @file `_sample_dirichlet`: random points of a simplex, and their derivative with respect to the concentrations.
 * @mirrors aten/src/ATen/native/Distributions.h#dirichlet_grad_one
 */
import type { Generator } from "#aten/core/Generator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { log } from "#c10/util/libm";
import { digamma_one, standard_gamma_stub } from "./Gamma.ts";

type Gen = Generator | null;

/** PyTorch has no stub: its loop is next to the operator. */
export const dirichlet_grad_stub = DEFINE_DISPATCH<(iter: TensorIterator) => void>("dirichlet_grad_stub");

// Note [How a point of a simplex moves with its concentration]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// One coordinate against all others is a beta-distributed number x with parameters (alpha, total - alpha). At a fixed
// value of the cdf, it is a function of alpha. The result is -(dcdf / dalpha) / pdf / (1 - x). Near 0 and near 1,
// series are used. If both parameters are large, Rice's saddle point expansion is used, and near the mean, where it is
// 0 / 0, its limit. Elsewhere, a rational function of logarithms, whose coefficients PyTorch has fitted, is multiplied
// by x (digamma(total) - digamma(alpha)) / beta.

/**
 * Coefficients of numerator and denominator, by powers of u = log(x) and of a = log(alpha) - u; each entry is a
 * polynomial in b = log(total) - a.
 */
const FITTED = [
  [
    [
      [1.003668233, -0.01061107488, -0.0657888334, 0.01201642863],
      [0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033],
      [-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013],
    ],
    [
      [0.221950385, -0.3187676331, 0.01799915743, 0.01074823814],
      [-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057],
      [0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-5],
    ],
    [
      [-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565],
      [0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181],
      [0.005900514878, -0.001936558688, -9.495446725e-6, 5.385558597e-5],
    ],
  ],
  [
    [
      [1, -0.02924021934, -0.04438342661, 0.007285809825],
      [0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521],
      [-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149],
    ],
    [
      [0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273],
      [0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956],
      [-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-5],
    ],
    [
      [0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-5],
      [0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-5],
      [-0.0003477407336, 6.959756487e-5, 1.097287507e-5, -1.650964693e-6],
    ],
  ],
] as const;

function fitted(which: 0 | 1, u: number, a: number, b: number): number {
  let sum = 0;
  for (const [i, rows] of FITTED[which].entries())
    for (const [j, c] of rows.entries()) sum += u ** i * a ** j * (c[0] + b * (c[1] + b * (c[2] + b * c[3])));
  return sum;
}

function by_saddle_point(x: number, alpha: number, beta: number): number {
  const total = alpha + beta;
  const mean = alpha / total;
  const std = Math.sqrt((alpha * beta) / (total + 1)) / total;
  if (mean - 0.1 * std <= x && x <= mean + 0.1 * std) {
    const b2 = beta * beta;
    const poly =
      47 * x * b2 * b2 +
      alpha *
        ((43 + 20 * (16 + 27 * beta) * x) * b2 * beta +
          alpha *
            (3 * (59 + 180 * beta - 90 * x) * b2 +
              alpha * ((453 + 1620 * beta * (1 - x) - 455 * x) * beta + alpha * (8 * (1 - x) * (135 * beta - 11)))));
    const numer = ((1 + 12 * alpha) * (1 + 12 * beta)) / (total * total);
    const denom = 12960 * alpha * alpha * alpha * beta * beta * (1 + 12 * total);
    return ((numer / (1 - x)) * poly) / denom;
  }
  const stirling_of = (y: number): number => 1 + 1 / (12 * y) + 1 / (288 * y * y);
  const prefactor = -x / Math.sqrt((2 * alpha * beta) / total);
  const stirling = (stirling_of(alpha) * stirling_of(beta)) / stirling_of(total);
  const axbx = alpha * (x - 1) + beta * x;
  const term1_num = 2 * (alpha * alpha) * (x - 1) + alpha * beta * (x - 1) - x * (beta * beta);
  const term1 = term1_num / (Math.sqrt((2 * alpha) / beta) * total ** 1.5 * axbx * axbx);
  const term2 = 0.5 * log(alpha / (total * x));
  const term3 = Math.sqrt((8 * alpha * beta) / total) / axbx;
  const term4 = (beta * log(beta / (total * (1 - x))) + alpha * log(alpha / (total * x))) ** -1.5;
  return stirling * prefactor * (term1 + term2 * (term3 + (x < mean ? term4 : -term4)));
}

/** The gradient, for use in loops. For float32, the series are summed in float32, as in PyTorch. */
export class dirichlet_gradient {
  private readonly round_: (x: number) => number;

  constructor(round: (x: number) => number) {
    this.round_ = round;
  }

  /**
   * Derivative of the coordinate `x` with respect to its own concentration `alpha`; `total` is the sum of all
   * concentrations.
   */
  one(x: number, alpha: number, total: number): number {
    const round = this.round_;
    const beta = round(total - alpha);
    const boundary = round(round(total * x) * round(1 - x));
    if (x <= 0.5 && boundary < 2.5) return this.near_0(x, alpha, beta);
    if (x >= 0.5 && boundary < 0.75) return -this.near_1(round(1 - x), beta, alpha);
    if (alpha > 6 && beta > 6) return by_saddle_point(x, alpha, total - alpha);
    const u = log(x);
    const a = log(alpha) - u;
    const b = log(total) - a;
    const approx = (x * (this.digamma(total) - this.digamma(alpha))) / (total - alpha);
    return (fitted(0, u, a, b) / fitted(1, u, a, b)) * approx;
  }

  private digamma(x: number): number {
    return digamma_one(x, this.round_);
  }

  private near_0(x: number, alpha: number, beta: number): number {
    const r = this.round_;
    const digammas = r(this.digamma(alpha) - this.digamma(r(alpha + beta)));
    const factor = r(digammas - r(Math.log(x)));
    let numer = 1;
    let series = r(r(1 / alpha) * r(factor + r(1 / alpha)));
    for (let i = 1; i <= 10; i++) {
      numer = r(numer * r(r(r(i - beta) * x) / i));
      const denom = r(alpha + i);
      series = r(series + r(r(numer / denom) * r(factor + r(1 / denom))));
    }
    const result = r(r(x * r(r(1 - x) ** -beta)) * series);
    return Number.isNaN(result) ? 0 : result;
  }

  private near_1(x: number, alpha: number, beta: number): number {
    const r = this.round_;
    const factor = r(this.digamma(r(alpha + beta)) - this.digamma(beta));
    let numer = 1;
    let betas = 1;
    let dbetas = 0;
    let series = r(factor / alpha);
    for (let i = 1; i <= 8; i++) {
      numer = r(numer * r(-x / i));
      dbetas = r(r(dbetas * r(beta - i)) + betas);
      betas = r(betas * r(beta - i));
      series = r(series + r(r(numer / r(alpha + i)) * r(dbetas + r(factor * betas))));
    }
    const result = r(-r(r(1 - x) ** r(1 - beta)) * series);
    return Number.isNaN(result) ? 0 : result;
  }
}

// _sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor                         CPU
/**
 * Gamma-distributed numbers divided by their sum. They are doubles, so that small ones are not all 0.
 * @differs Ours is composed of operators; PyTorch has two loops here.
 */
export function _s_dirichlet_cpu(alpha: Tensor, gen: Gen): Tensor {
  const dtype = alpha.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(
    dtype === ScalarType.Float || dtype === ScalarType.Double,
    `"dirichlet" not implemented for '${toString(dtype)}'`,
  );
  const shapes = alpha.to_dtype(ScalarType.Double).contiguous();
  const gamma = at.zeros_like(shapes);
  const iter = TensorIterator.unary_op(gamma, shapes);
  standard_gamma_stub.call(iter.device_type(0), iter, gen);
  const point = at.div_Tensor(gamma, at.sum_dim_IntList(gamma, [-1], true)).to_dtype(dtype);
  const [smallest, largest] = dtype === ScalarType.Double ? [2 ** -1022, 1 - 2 ** -53] : [2 ** -126, 1 - 2 ** -24];
  const of_numbers = at.nan_to_num(point, smallest, null, null); // if the sum is infinite, a quotient may be NaN
  return at.clamp(of_numbers, Scalar.fromDouble(smallest), Scalar.fromDouble(largest));
}

// _dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor                         CPU
export function _dirichlet_grad_cpu(x: Tensor, alpha: Tensor, total: Tensor): Tensor {
  const ret = at.empty_memory_format(x.sizes() as number[], x.options());
  const iter = new TensorIteratorConfig()
    .add_output(ret)
    .add_const_input(x)
    .add_const_input(alpha)
    .add_const_input(total)
    .build();
  dirichlet_grad_stub.call(iter.device_type(0), iter);
  return ret;
}
