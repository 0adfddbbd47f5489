/**
 * @file Distributions that are a function of one uniform or normal double.
 * @mirrors aten/src/ATen/core/DistributionsHelper.h
 * @see DistributionsHelper.ts: the others of the same PyTorch file
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import { log } from "#c10/util/libm";
import { type Distribution, normal_distribution_double, uniform_double } from "./DistributionsHelper.ts";

/** `-log(1 - u) / lambda`. */
export class exponential_distribution implements Distribution {
  private readonly generator_: CPUGeneratorImpl;
  private readonly lambda_: number;

  constructor(generator: CPUGeneratorImpl, lambda: number) {
    this.generator_ = generator;
    this.lambda_ = lambda;
  }

  sample(): number {
    return (-1 / this.lambda_) * Math.log1p(-uniform_double(this.generator_));
  }
}

/** Number of attempts until one succeeds. */
export class geometric_distribution implements Distribution {
  private readonly generator_: CPUGeneratorImpl;
  private readonly log_of_failure_: number;

  constructor(generator: CPUGeneratorImpl, p: number) {
    this.generator_ = generator;
    this.log_of_failure_ = log(1 - p);
  }

  sample(): number {
    return Math.ceil(log(uniform_double(this.generator_)) / this.log_of_failure_);
  }
}

/** The tangent of an angle that is uniform between -π/2 and π/2. */
export class cauchy_distribution implements Distribution {
  private readonly generator_: CPUGeneratorImpl;
  private readonly median_: number;
  private readonly sigma_: number;

  constructor(generator: CPUGeneratorImpl, median: number, sigma: number) {
    this.generator_ = generator;
    this.median_ = median;
    this.sigma_ = sigma;
  }

  sample(): number {
    return this.median_ + this.sigma_ * Math.tan(Math.PI * (uniform_double(this.generator_) - 0.5));
  }
}

/** `exp` of a normal sample: its logarithm is normally distributed. */
export class lognormal_distribution implements Distribution {
  private readonly normal_: normal_distribution_double;

  constructor(generator: CPUGeneratorImpl, mean: number, std: number) {
    this.normal_ = new normal_distribution_double(generator, mean, std);
  }

  sample(): number {
    return Math.exp(this.normal_.sample());
  }
}
