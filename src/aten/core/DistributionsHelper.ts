/**
 * @file The distributions as objects: each holds its parameters, draws bits from a generator and converts them to a number.
 * @mirrors aten/src/ATen/core/DistributionsHelper.h
 * @differs `sample()` is C++'s `operator()(generator)`; the generator is held instead of passed, so that a loop
 * captures one object; PyTorch passes it at each call.
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import { sincos, sincos_result } from "#c10/util/libm";
import { fma } from "#c10/util/math";
import { mod_two_53_plus_1, modulo, uniform_real_double, uniform_real_float } from "./TransformationHelper.ts";

/** The interface of a distribution for a loop. */
export interface Distribution {
  sample(): number;
}

/**
 * Uniform float32 in [from, to), from one 32-bit draw; float16 and bfloat16 round its results. The multiply-add is
 * exact before the store rounds.
 */
export class uniform_real_distribution_float implements Distribution {
  private readonly generator_: CPUGeneratorImpl;
  private readonly from_: number;
  private readonly range_: number;

  constructor(generator: CPUGeneratorImpl, from: number, to: number) {
    this.generator_ = generator;
    this.from_ = Math.fround(from);
    this.range_ = Math.fround(Math.fround(to) - this.from_);
  }

  sample(): number {
    return uniform_real_float(this.generator_.random()) * this.range_ + this.from_;
  }

  /**
   * Writes `n` samples to `data` from `begin` on. Words are drawn by the hundred, because a call for each would take
   * most of the time.
   */
  fill(data: Float32Array, begin: number, n: number): void {
    const { generator_, from_, range_ } = this;
    const end = begin + n;
    for (let at = begin; at < end; ) {
      const words = generator_.random_words(end - at);
      fill_uniforms(data, at, words, range_, from_);
      at += words.length;
    }
  }
}

/** The loop of `fill`, in a function of its own: V8 then makes it a quarter faster. */
function fill_uniforms(data: Float32Array, begin: number, words: Int32Array, range: number, from: number): void {
  const n = words.length;
  for (let i = 0; i < n; i++) data[begin + i] = uniform_real_float(words[i]) * range + from;
}

/** Uniform double in [from, to), from two draws; the first gives the high half. */
export class uniform_real_distribution_double implements Distribution {
  private readonly generator_: CPUGeneratorImpl;
  private readonly from_: number;
  private readonly range_: number;

  constructor(generator: CPUGeneratorImpl, from: number, to: number) {
    this.generator_ = generator;
    this.from_ = from;
    this.range_ = to - from;
  }

  sample(): number {
    const high = this.generator_.random();
    return fma(uniform_real_double(high, this.generator_.random()), this.range_, this.from_);
  }
}

/** A uniform double in [0, 1). */
export function uniform_double(generator: CPUGeneratorImpl): number {
  const high = generator.random();
  return uniform_real_double(high, generator.random());
}

/**
 * Normal samples by the Box-Muller method, in double for every dtype. Each pair of uniforms gives two results: the
 * second stays in the generator and is its next result, for whichever tensor.
 */
export class normal_distribution_double implements Distribution {
  private readonly generator_: CPUGeneratorImpl;
  private readonly mean_: number;
  private readonly stdv_: number;

  constructor(generator: CPUGeneratorImpl, mean: number, stdv: number) {
    this.generator_ = generator;
    this.mean_ = mean;
    this.stdv_ = stdv;
  }

  sample(): number {
    return fma(this.standard(), this.stdv_, this.mean_);
  }

  private standard(): number {
    const generator = this.generator_;
    const cached = generator.next_double_normal_sample();
    if (cached !== null) {
      generator.set_next_double_normal_sample(null);
      return cached;
    }
    const u1 = uniform_double(generator);
    const u2 = uniform_double(generator);
    const r = Math.sqrt(-2 * Math.log1p(-u2));
    sincos(2 * Math.PI * u1);
    generator.set_next_double_normal_sample(r * sincos_result.sin);
    return r * sincos_result.cos;
  }
}

/** From this size on an integer range needs 64 random bits: with 32, `% range` would prefer small numbers noticeably. */
export const LEAST_64_BIT_RANGE = 2n ** 28n;

/** `base + random() % range`. Precondition: range below 2^28, base and base + range safe integers. */
export class uniform_int_from_to_distribution {
  private readonly generator_: CPUGeneratorImpl;
  private readonly range_: number;
  private readonly base_: number;

  constructor(generator: CPUGeneratorImpl, range: number, base: number) {
    this.generator_ = generator;
    this.range_ = range;
    this.base_ = base;
  }

  sample(): number {
    return this.base_ + modulo(this.generator_.random(), this.range_);
  }
}

/** `base + random() % range` for ranges and bases of any size, with `random64()` if 32 bits are too few. */
export class uniform_int_from_to_distribution_int64 {
  private readonly generator_: CPUGeneratorImpl;
  private readonly range_: bigint;
  private readonly base_: bigint;

  constructor(generator: CPUGeneratorImpl, range: bigint, base: bigint) {
    this.generator_ = generator;
    this.range_ = range;
    this.base_ = base;
  }

  sample_int64(): bigint {
    const word = BigInt(this.generator_.random());
    const bits = this.range_ < LEAST_64_BIT_RANGE ? word : (word << 32n) | BigInt(this.generator_.random());
    return BigInt.asIntN(64, (bits % this.range_) + this.base_);
  }

  sample(): number {
    return Number(this.sample_int64());
  }
}

/** `random() % range`: used by `random_()` for dtypes of up to 32 bits. */
export class uniform_int_distribution {
  private readonly generator_: CPUGeneratorImpl;
  private readonly range_: number;

  constructor(generator: CPUGeneratorImpl, range: number) {
    this.generator_ = generator;
    this.range_ = range;
  }

  sample(): number {
    return modulo(this.generator_.random(), this.range_);
  }
}

/** `random64() % (2^53 + 1)`: used by `random_()` for float64. */
export class uniform_int_distribution_double implements Distribution {
  private readonly generator_: CPUGeneratorImpl;

  constructor(generator: CPUGeneratorImpl) {
    this.generator_ = generator;
  }

  sample(): number {
    const high = this.generator_.random();
    return mod_two_53_plus_1(high, this.generator_.random());
  }
}

/** 1 with probability `p`, by a 53-bit uniform. */
export class bernoulli_distribution {
  private readonly generator_: CPUGeneratorImpl;
  private readonly p_: number;

  constructor(generator: CPUGeneratorImpl, p: number) {
    this.generator_ = generator;
    this.p_ = p;
  }

  sample(): number {
    return +(uniform_double(this.generator_) < this.p_); // a conditional would be mispredicted half of the time
  }
}
