/**
 * @file `binomial`: the number of successes in a number of trials.
 * @mirrors aten/src/ATen/native/Distributions.h#sample_binomial
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import { uniform_double } from "#aten/core/DistributionsHelper";
import type { Generator } from "#aten/core/Generator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { type TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { isFloatingType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK_VALUE } from "#c10/util/Exception";
import { log } from "#c10/util/libm";

type Gen = Generator | null;

/** PyTorch has no stub: its loop is next to the operator. */
export const binomial_stub = DEFINE_DISPATCH<(iter: TensorIterator, gen: Gen) => void>("binomial_stub");

// Note [How binomial numbers are drawn]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The rarer of the two outcomes is counted. If fewer than ten are expected, waiting times until the next success are
// added until the sum exceeds the number of trials. Otherwise Hoermann's transformed rejection (1993), BTRS, is used,
// which needs two uniform numbers per attempt. The constants are from that paper.

/** log(k! / Stirling's formula), for integers that are too small for its series. */
const STIRLING_TAILS = [
  0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
  0.0138761288230707, 0.0118967099458917, 0.010411265261972, 0.00925546218271273, 0.00833056343336287,
];

function stirling_approx_tail(k: number): number {
  if (k < STIRLING_TAILS.length) return STIRLING_TAILS[k];
  const square = (k + 1) * (k + 1);
  return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1);
}

/** Rounds to the dtype, in which PyTorch does a part of the arithmetic. */
type Rounding = (x: number) => number;

/** Sampler of the number of successes in `count` trials, for use in loops. */
export class binomial_sampler {
  private readonly generator_: CPUGeneratorImpl;
  private readonly round_: Rounding;

  constructor(generator: CPUGeneratorImpl, round: Rounding) {
    this.generator_ = generator;
    this.round_ = round;
  }

  sample(count: number, prob: number): number {
    if (count <= 0 || prob <= 0) return 0;
    if (prob >= 1) return count;
    if (prob <= 0.5) return this.of_the_rarer(count, prob);
    if (prob > 0.5) return this.round_(count - this.of_the_rarer(count, this.round_(1 - prob)));
    return Number.NaN;
  }

  private of_the_rarer(count: number, prob: number): number {
    return this.round_(count * prob) >= 10 ? this.transformed_rejection(count, prob) : this.waiting(count, prob);
  }

  private waiting(count: number, prob: number): number {
    const logprob = this.round_(Math.log1p(-prob));
    let successes = 0;
    for (let trials = 0; ; successes++) {
      trials += Math.ceil(log(uniform_double(this.generator_)) / logprob);
      if (!(trials <= count)) return this.round_(successes);
    }
  }

  private transformed_rejection(count: number, prob: number): number {
    const round = this.round_;
    const failing = round(1 - prob);
    const mean = round(count * prob);
    const stddev = round(Math.sqrt(round(mean * failing)));
    const b = 1.15 + 2.53 * stddev;
    const a = -0.0873 + 0.0248 * b + 0.01 * prob;
    const c = mean + 0.5;
    const v_r = 0.92 - 4.2 / b;
    const r = round(prob / failing);
    const alpha = (2.83 + 5.1 / b) * stddev;
    const m = Math.floor(round(round(count + 1) * prob));
    for (;;) {
      const U = uniform_double(this.generator_) - 0.5;
      const V = uniform_double(this.generator_);
      const us = 0.5 - Math.abs(U);
      const k = round(Math.floor(((2 * a) / us + b) * U + c));
      if (k < 0 || k > count) continue;
      if (us >= 0.07 && V <= v_r) return k;
      const upperbound =
        (m + 0.5) * log((m + 1) / (r * (count - m + 1))) +
        round(count + 1) * log((count - m + 1) / round(round(count - k) + 1)) +
        (k + 0.5) * log((r * round(round(count - k) + 1)) / round(k + 1)) +
        stirling_approx_tail(m) +
        stirling_approx_tail(count - m) -
        stirling_approx_tail(k) -
        stirling_approx_tail(count - k);
      if (log((V * alpha) / (a / (us * us) + b)) <= upperbound) return k;
    }
  }
}

// binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor                         CPU
export function _s_binomial_cpu(count: Tensor, prob: Tensor, gen: Gen): Tensor {
  for (const [name, tensor] of [
    ["count", count],
    ["prob", prob],
  ] as const)
    TORCH_CHECK_VALUE(
      isFloatingType(tensor.scalar_type()),
      `binomial only supports floating-point dtypes for ${name}, got: `,
      toString(tensor.scalar_type()),
    );
  const ret = at.zeros(count.sizes() as number[], count.options());
  const iter = new TensorIteratorConfig().add_output(ret).add_const_input(count).add_const_input(prob).build();
  binomial_stub.call(iter.device_type(0), iter, gen);
  return ret;
}
