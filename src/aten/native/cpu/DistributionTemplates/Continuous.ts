/**
 * @file Kernels of distributions with a formula: a uniform or normal double is transformed, for every dtype.
 * @mirrors aten/src/ATen/native/cpu/DistributionTemplates.h
 */
import { cpu_generator } from "#aten/CPUGeneratorImpl";
import {
  cauchy_distribution,
  exponential_distribution,
  geometric_distribution,
  lognormal_distribution,
} from "#aten/core/DistributionsContinuous";
import type { Distribution } from "#aten/core/DistributionsHelper";
import type { Generator } from "#aten/core/Generator";
import { type captured, cast, type scalar_t } from "#aten/Dispatch";
import {
  binomial_loops,
  cauchy_loops,
  dirichlet_grad_loops,
  exponential_loops,
  geometric_loops,
  log_normal_loops,
  poisson_loops,
  standard_gamma_grad_loops,
  standard_gamma_loops,
} from "#aten/native/cpu/generated/DistributionTemplates/Continuous";
import { cpu_serial_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { binomial_sampler, binomial_stub } from "#aten/native/Distributions/Binomial";
import { cauchy_stub, exponential_stub, geometric_stub, log_normal_stub } from "#aten/native/Distributions/Continuous";
import { dirichlet_grad_stub, dirichlet_gradient } from "#aten/native/Distributions/Dirichlet";
import {
  type GammaGradient,
  gamma_sampler,
  standard_gamma_grad_one,
  standard_gamma_grad_stub,
  standard_gamma_stub,
} from "#aten/native/Distributions/Gamma";
import { poisson_sampler, poisson_stub } from "#aten/native/Distributions/Poisson";
import type { TensorIterator } from "#aten/TensorIterator";
import { ScalarType } from "#c10/core/ScalarType";

type Gen = Generator | null;

/** @loop cauchy_cpu: floating types and halves */
export function cauchy(distribution: captured<Distribution>): scalar_t {
  return cast<scalar_t>(cast<number>(distribution.sample()));
}
/** @loop log_normal_cpu: floating types and halves */
export function log_normal(distribution: captured<Distribution>): scalar_t {
  return cast<scalar_t>(cast<number>(distribution.sample()));
}
/** @loop exponential_cpu: floating types and halves */
export function exponential(distribution: captured<Distribution>): scalar_t {
  return cast<scalar_t>(cast<number>(distribution.sample()));
}
/** @loop geometric_cpu: all types and halves */
export function geometric(distribution: captured<Distribution>): scalar_t {
  return cast<scalar_t>(cast<number>(distribution.sample()));
}

/** @loop poisson_cpu: floating types and halves */
export function poisson(lambda: scalar_t, sampler: captured<poisson_sampler>): scalar_t {
  return cast<scalar_t>(cast<number>(sampler.sample(cast<number>(lambda))));
}

/** @loop binomial_cpu: floating types */
export function binomial(count: scalar_t, prob: scalar_t, sampler: captured<binomial_sampler>): scalar_t {
  return cast<scalar_t>(cast<number>(sampler.sample(cast<number>(count), cast<number>(prob))));
}

/** @loop gamma_cpu: floating types */
export function standard_gamma(alpha: scalar_t, sampler: captured<gamma_sampler>): scalar_t {
  return cast<scalar_t>(cast<number>(sampler.sample(cast<number>(alpha))));
}

/** @loop _standard_gamma_grad_cpu: floating types */
export function standard_gamma_grad(alpha: scalar_t, x: scalar_t, gradient: captured<GammaGradient>): scalar_t {
  return cast<scalar_t>(cast<number>(gradient.one(cast<number>(alpha), cast<number>(x))));
}

/** @loop _dirichlet_grad_cpu: floating types */
export function dirichlet_grad(
  x: scalar_t,
  alpha: scalar_t,
  total: scalar_t,
  gradient: captured<dirichlet_gradient>,
): scalar_t {
  return cast<scalar_t>(cast<number>(gradient.one(cast<number>(x), cast<number>(alpha), cast<number>(total))));
}

/** Rounding function and smallest normal number of a dtype. */
function arithmetic_of(dtype: ScalarType): [round: (x: number) => number, smallest: number] {
  return dtype === ScalarType.Double ? [(x) => x, 2 ** -1022] : [Math.fround, 2 ** -126];
}

function cauchy_kernel(iter: TensorIterator, median: number, sigma: number, gen: Gen): void {
  cpu_serial_kernel(iter, cauchy_loops, new cauchy_distribution(cpu_generator(gen), median, sigma));
}
function log_normal_kernel(iter: TensorIterator, mean: number, std: number, gen: Gen): void {
  cpu_serial_kernel(iter, log_normal_loops, new lognormal_distribution(cpu_generator(gen), mean, std));
}
function exponential_kernel(iter: TensorIterator, lambda: number, gen: Gen): void {
  cpu_serial_kernel(iter, exponential_loops, new exponential_distribution(cpu_generator(gen), lambda));
}
function geometric_kernel(iter: TensorIterator, p: number, gen: Gen): void {
  cpu_serial_kernel(iter, geometric_loops, new geometric_distribution(cpu_generator(gen), p));
}

function poisson_kernel(iter: TensorIterator, gen: Gen): void {
  cpu_serial_kernel(iter, poisson_loops, new poisson_sampler(cpu_generator(gen)));
}

function binomial_kernel(iter: TensorIterator, gen: Gen): void {
  const [round] = arithmetic_of(iter.dtype());
  cpu_serial_kernel(iter, binomial_loops, new binomial_sampler(cpu_generator(gen), round));
}

function standard_gamma_kernel(iter: TensorIterator, gen: Gen): void {
  const [round, smallest] = arithmetic_of(iter.dtype());
  cpu_serial_kernel(iter, standard_gamma_loops, new gamma_sampler(cpu_generator(gen), round, smallest));
}

function standard_gamma_grad_kernel(iter: TensorIterator): void {
  cpu_serial_kernel(iter, standard_gamma_grad_loops, standard_gamma_grad_one);
}

function dirichlet_grad_kernel(iter: TensorIterator): void {
  const [round] = arithmetic_of(iter.dtype());
  cpu_serial_kernel(iter, dirichlet_grad_loops, new dirichlet_gradient(round));
}

REGISTER_DISPATCH(dirichlet_grad_stub, dirichlet_grad_kernel, "dirichlet_grad_kernel");
REGISTER_DISPATCH(binomial_stub, binomial_kernel, "binomial_kernel");
REGISTER_DISPATCH(standard_gamma_stub, standard_gamma_kernel, "standard_gamma_kernel");
REGISTER_DISPATCH(standard_gamma_grad_stub, standard_gamma_grad_kernel, "standard_gamma_grad_kernel");
REGISTER_DISPATCH(poisson_stub, poisson_kernel, "poisson_kernel");
REGISTER_DISPATCH(cauchy_stub, cauchy_kernel, "cauchy_kernel");
REGISTER_DISPATCH(log_normal_stub, log_normal_kernel, "log_normal_kernel");
REGISTER_DISPATCH(exponential_stub, exponential_kernel, "exponential_kernel");
REGISTER_DISPATCH(geometric_stub, geometric_kernel, "geometric_kernel");
