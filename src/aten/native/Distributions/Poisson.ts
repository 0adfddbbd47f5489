/**
 * @file `poisson`: the number of events, given the expected number.
 * @mirrors aten/src/ATen/native/Distributions.cpp
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import { uniform_double } from "#aten/core/DistributionsHelper";
import type { Generator } from "#aten/core/Generator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { lgamma } from "#aten/native/Math/index";
import { TensorIterator } from "#aten/TensorIterator";
import { TORCH_CHECK } from "#c10/util/Exception";
import { log } from "#c10/util/libm";

type Gen = Generator | null;

/** PyTorch has no stub: its loop is next to the operator. */
export const poisson_stub = DEFINE_DISPATCH<(iter: TensorIterator, gen: Gen) => void>("poisson_stub");

// Note [How Poisson numbers are drawn]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// For few expected events, uniform numbers are multiplied until the product is below e^-lambda. For many, Hoermann's
// transformed rejection (1993), PTRS, is used, which needs two uniform numbers per attempt and usually one attempt. The
// constants are from that paper.

/** Number of events if `lambda` events are expected. */
function sample_poisson(lambda: number, generator: CPUGeneratorImpl): number {
  TORCH_CHECK(lambda >= 0, "invalid Poisson rate, expected rate to be non-negative");
  if (lambda >= 10) return transformed_rejection(lambda, generator);
  if (lambda === 0) return 0;
  const enlam = Math.exp(-lambda);
  let X = 0;
  for (let prod = uniform_double(generator); prod > enlam; prod *= uniform_double(generator)) X++;
  return X;
}

/** `sample_poisson` with its generator, for use in loops. */
export class poisson_sampler {
  private readonly generator_: CPUGeneratorImpl;

  constructor(generator: CPUGeneratorImpl) {
    this.generator_ = generator;
  }

  sample(lambda: number): number {
    return sample_poisson(lambda, this.generator_);
  }
}

/** Conversion as in the processor: a number that does not fit, or NaN, becomes the smallest int64. */
function as_int64(x: number): number {
  return x >= -(2 ** 63) && x < 2 ** 63 ? x : -(2 ** 63);
}

function transformed_rejection(lambda: number, generator: CPUGeneratorImpl): number {
  const slam = Math.sqrt(lambda);
  const loglam = log(lambda);
  const b = 0.931 + 2.53 * slam;
  const a = -0.059 + 0.02483 * b;
  const invalpha = 1.1239 + 1.1328 / (b - 3.4);
  const vr = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const U = uniform_double(generator) - 0.5;
    const V = uniform_double(generator);
    const us = 0.5 - Math.abs(U);
    const k = as_int64(Math.floor(((2 * a) / us + b) * U + lambda + 0.43));
    if (us >= 0.07 && V <= vr) return k;
    if (k < 0 || (us < 0.013 && V > us)) continue;
    if (log(V) + log(invalpha) - log(a / (us * us) + b) <= -lambda + k * loglam - lgamma(k + 1)) return k;
  }
}

// poisson(Tensor self, Generator? generator=None) -> Tensor                         CPU
export function _s_poisson_cpu(lambda: Tensor, gen: Gen): Tensor {
  const ret = at.zeros(lambda.sizes() as number[], lambda.options());
  const iter = TensorIterator.unary_op(ret, lambda);
  poisson_stub.call(iter.device_type(0), iter, gen);
  return ret;
}
