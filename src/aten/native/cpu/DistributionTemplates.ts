/**
 * @file The loops that draw. Every draw happens in memory order and on one thread: the order is part of the result.
 * @mirrors aten/src/ATen/native/cpu/DistributionTemplates.h
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import {
  bernoulli_distribution,
  type Distribution,
  LEAST_64_BIT_RANGE,
  normal_distribution_double,
  uniform_double,
  uniform_int_distribution,
  uniform_int_distribution_double,
  uniform_int_from_to_distribution,
  uniform_int_from_to_distribution_64,
  uniform_real_distribution_double,
  uniform_real_distribution_float,
} from "#aten/core/DistributionsHelper";
import { uniform_real_float } from "#aten/core/TransformationHelper";
import { type captured, cast, check_all_types_and3, round_to, type scalar_t } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { type ReducedFloatingType, reducedFloatingType } from "#c10/core/ReducedFloatingType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import * as libm from "#c10/util/libm";
import { fma, int32_pairs } from "#c10/util/math";
import { log256_ps, sincos, sincos256_ps } from "./avx_mathfun.ts";
import {
  bernoulli_loops,
  bernoulli_probability_loops,
  normal_loops,
  random_from_to_loops,
  random_loops,
  uniform_loops,
} from "./generated/DistributionTemplates.ts";
import { cpu_serial_kernel } from "./Loops.ts";

// uniform -------------------------------------------------------------------------------------------------------------

/**
 * Rounding to the dtype can carry a number of [from, to) up to `to` itself: it becomes `from`.
 * @loop uniform_kernel_cpu: floating types and halves
 */
export function uniform(distribution: captured<Distribution>, from: captured, to: captured): scalar_t {
  const value = round_to<scalar_t>(cast<number>(distribution.sample()));
  return value === to ? from : value;
}

export function uniform_kernel(iter: TensorIterator, from: number, to: number, generator: CPUGeneratorImpl): void {
  const distribution =
    iter.dtype() === ScalarType.Double
      ? new uniform_real_distribution_double(generator, from, to)
      : new uniform_real_distribution_float(generator, from, to);
  cpu_serial_kernel(iter, uniform_loops, distribution, Scalar.fromDouble(from), Scalar.fromDouble(to));
}

// normal --------------------------------------------------------------------------------------------------------------

/** @loop normal_kernel_cpu: floating types and halves */
export function normal(distribution: captured<Distribution>): scalar_t {
  return cast<scalar_t>(cast<number>(distribution.sample()));
}

// Note [Two ways to fill a normal tensor]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A short or strided tensor takes one number after the other from `normal_distribution_double`. A contiguous one of 16 or more is first
// filled with uniforms; then Box-Muller turns blocks of 16 in place, element j with element j + 8, as suits a vector
// unit of eight lanes. The last 16 are drawn afresh if the size is no multiple of 16. The two ways give different numbers.

const BLOCK = 16;
const HALF_BLOCK = 8;

function normal_fill_16_float(data: Float32Array, at: number, mean: number, std: number): void {
  const round = Math.fround;
  const two_pi = round(2 * Math.PI);
  for (let j = at; j < at + HALF_BLOCK; j++) {
    const u1 = round(1 - data[j]); // [0, 1) becomes (0, 1], whose logarithm is finite
    const radius = round(Math.sqrt(round(-2 * log256_ps(u1))));
    sincos256_ps(round(two_pi * data[j + HALF_BLOCK]));
    data[j] = round(radius * sincos.cos) * std + mean;
    data[j + HALF_BLOCK] = round(radius * sincos.sin) * std + mean;
  }
}

function normal_fill_16_double(data: Float64Array, at: number, mean: number, std: number): void {
  for (let j = at; j < at + HALF_BLOCK; j++) {
    const u1 = 1 - data[j];
    const radius = Math.sqrt(-2 * libm.log(u1));
    libm.sincos(2 * Math.PI * data[j + HALF_BLOCK]);
    data[j] = fma(radius * libm.sincos_result.cos, std, mean);
    data[j + HALF_BLOCK] = fma(radius * libm.sincos_result.sin, std, mean);
  }
}

function normal_fill_float(
  data: Float32Array,
  offset: number,
  n: number,
  mean: number,
  std: number,
  generator: CPUGeneratorImpl,
): void {
  const end = offset + n;
  for (let i = offset; i < end; i++) data[i] = uniform_real_float(generator.random());
  for (let i = offset; i + BLOCK <= end; i += BLOCK) normal_fill_16_float(data, i, mean, std);
  if (n % BLOCK === 0) return;
  for (let i = end - BLOCK; i < end; i++) data[i] = uniform_real_float(generator.random());
  normal_fill_16_float(data, end - BLOCK, mean, std);
}

function normal_fill_double(
  data: Float64Array,
  offset: number,
  n: number,
  mean: number,
  std: number,
  generator: CPUGeneratorImpl,
): void {
  const end = offset + n;
  for (let i = offset; i < end; i++) data[i] = uniform_double(generator);
  for (let i = offset; i + BLOCK <= end; i += BLOCK) normal_fill_16_double(data, i, mean, std);
  if (n % BLOCK === 0) return;
  for (let i = end - BLOCK; i < end; i++) data[i] = uniform_double(generator);
  normal_fill_16_double(data, end - BLOCK, mean, std);
}

function normal_fill(self: Tensor, mean: number, std: number, generator: CPUGeneratorImpl): void {
  const impl = self.impl_;
  const n = self.numel();
  switch (impl.dtype()) {
    case ScalarType.Double:
      normal_fill_double(impl.data_view() as Float64Array, impl.data_offset(), n, mean, std, generator);
      return;
    case ScalarType.Float:
      normal_fill_float(
        impl.data_view() as Float32Array,
        impl.data_offset(),
        n,
        Math.fround(mean),
        Math.fround(std),
        generator,
      );
      return;
    default:
      normal_fill_reduced(self, Math.fround(mean), Math.fround(std), generator);
  }
}

/** Reduced types are what float32 gives, rounded; but here each block draws its own 16, and no uniform is drawn for a rest. */
function normal_fill_reduced(self: Tensor, mean: number, std: number, generator: CPUGeneratorImpl): void {
  const n = self.numel();
  const data = new Float32Array(n);
  const whole = n - (n % BLOCK);
  normal_fill_float(data, 0, whole, mean, std, generator);
  if (whole < n) normal_fill_float(data, n - BLOCK, BLOCK, mean, std, generator);
  const { from_float } = reducedFloatingType(self.scalar_type()) as ReducedFloatingType;
  const out = self.impl_.data_view() as Uint16Array;
  const offset = self.impl_.data_offset();
  for (let i = 0; i < n; i++) out[offset + i] = from_float(data[i]);
}

const normalTypes: ReadonlySet<ScalarType> = new Set([
  ScalarType.Double,
  ScalarType.Float,
  ScalarType.Half,
  ScalarType.BFloat16,
]);

export function normal_kernel(self: Tensor, mean: number, std: number, generator: CPUGeneratorImpl): void {
  const dtype = self.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(
    normalTypes.has(dtype),
    '"normal_kernel_cpu" not implemented for \'',
    toString(dtype),
    "'",
  );
  if (self.numel() >= BLOCK && self.is_contiguous()) {
    normal_fill(self, mean, std, generator);
    return;
  }
  const iter = TensorIterator.borrowing_nullary_op(self);
  cpu_serial_kernel(iter, normal_loops, new normal_distribution_double(generator, mean, std));
}

// random --------------------------------------------------------------------------------------------------------------

/** @loop random_from_to_kernel_cpu: Bool, all types and halves, barebones unsigned types */
export function random_from_to(distribution: captured<Distribution>): scalar_t {
  return cast<scalar_t>(cast<number>(distribution.sample()));
}

export function random_from_to_kernel(
  iter: TensorIterator,
  range: bigint,
  base: bigint,
  generator: CPUGeneratorImpl,
): void {
  if (range < LEAST_64_BIT_RANGE && Number.isSafeInteger(Number(base))) {
    const distribution = new uniform_int_from_to_distribution(generator, Number(range), Number(base));
    cpu_serial_kernel(iter, random_from_to_loops, distribution);
    return;
  }
  const distribution = new uniform_int_from_to_distribution_64(generator, range, base);
  if (iter.dtype() === ScalarType.Long) fill_int64(iter, distribution);
  else cpu_serial_kernel(iter, random_from_to_loops, distribution);
}

function fill_int64(iter: TensorIterator, distribution: { sample_int64(): bigint }): void {
  iter.for_each(([out]: readonly OperandInfo[], n: number, m: number) => {
    const self = out.view() as BigInt64Array;
    for (let j = 0; j < m; j++) {
      for (let i = 0; i < n; i++) self[out.at(i, j)] = distribution.sample_int64();
    }
  });
}

/** Of all 64 bits, the given ones: high and low half are drawn straight into the element's two int32. */
function fill_int64_bits(iter: TensorIterator, generator: CPUGeneratorImpl, high_mask: number): void {
  iter.for_each(([out]: readonly OperandInfo[], n: number, m: number) => {
    const pairs = int32_pairs(out.view() as BigInt64Array);
    for (let j = 0; j < m; j++) {
      for (let i = 0; i < n; i++) {
        const at = out.at(i, j);
        pairs[2 * at + 1] = generator.random() & high_mask;
        pairs[2 * at] = generator.random();
      }
    }
  });
}

/** `random_(-2^63, None)`: every int64 is as likely. */
export function random_full_64_bits_range_kernel(iter: TensorIterator, generator: CPUGeneratorImpl): void {
  const dtype = iter.dtype();
  if (dtype === ScalarType.Long) {
    fill_int64_bits(iter, generator, -1);
    return;
  }
  TORCH_CHECK(
    dtype === ScalarType.Float || dtype === ScalarType.Double || dtype === ScalarType.BFloat16,
    "random_full_64_bits_range_kernel_cpu handles only int64, double, float and bfloat16",
  );
  const all = new uniform_int_from_to_distribution_64(generator, 2n ** 64n, 0n);
  cpu_serial_kernel(iter, random_from_to_loops, all);
}

/** @loop random_kernel_fp_cpu: Bool, all types and halves */
export function random(distribution: captured<Distribution>): scalar_t {
  return cast<scalar_t>(cast<number>(distribution.sample()));
}

/** `random_()` draws from [0, this) for dtypes of up to 32 bits: as far as every integer is exact. */
const randomRange: ReadonlyMap<ScalarType, number> = new Map([
  [ScalarType.Bool, 2],
  [ScalarType.Byte, 2 ** 8],
  [ScalarType.Char, 2 ** 7],
  [ScalarType.Short, 2 ** 15],
  [ScalarType.Int, 2 ** 31],
  [ScalarType.Half, 2 ** 11 + 1],
  [ScalarType.BFloat16, 2 ** 8 + 1],
  [ScalarType.Float, 2 ** 24 + 1],
] as [ScalarType, number][]);

export function random_kernel(iter: TensorIterator, generator: CPUGeneratorImpl): void {
  const dtype = iter.dtype();
  if (dtype === ScalarType.Long) {
    fill_int64_bits(iter, generator, 0x7fffffff); // [0, 2^63)
    return;
  }
  check_all_types_and3(dtype, "random_kernel_cpu");
  const range = randomRange.get(dtype);
  const distribution =
    range === undefined
      ? new uniform_int_distribution_double(generator)
      : new uniform_int_distribution(generator, range);
  cpu_serial_kernel(iter, random_loops, distribution);
}

// bernoulli -----------------------------------------------------------------------------------------------------------

/** @loop bernoulli_scalar_cpu_: Bool, all types and halves */
export function bernoulli(distribution: captured<Distribution>): scalar_t {
  return cast<scalar_t>(cast<number>(distribution.sample()));
}

export function bernoulli_scalar_kernel(self: Tensor, p: number, generator: CPUGeneratorImpl): void {
  const iter = TensorIterator.borrowing_nullary_op(self);
  cpu_serial_kernel(iter, bernoulli_loops, new bernoulli_distribution(generator, p));
}

type self_t = number;
type p_t = number;

/** @loop bernoulli_tensor_cpu_p_ self_t: Bool, all types and halves; p_t: floating types and halves */
export function bernoulli_probability(p: p_t, uniform: captured<Distribution>): self_t {
  TORCH_CHECK(
    p >= 0 && p <= 1,
    "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)",
  );
  return cast<self_t>(cast<number>(uniform.sample()) < p);
}

/** One draw per element, in the precision of the probabilities. */
export function bernoulli_tensor_kernel(self: Tensor, p: Tensor, generator: CPUGeneratorImpl): void {
  const iter = new TensorIteratorConfig().add_output(self).add_const_input(p).check_all_same_dtype(false).build();
  const uniform =
    p.scalar_type() === ScalarType.Double
      ? new uniform_real_distribution_double(generator, 0, 1)
      : new uniform_real_distribution_float(generator, 0, 1);
  cpu_serial_kernel(iter, bernoulli_probability_loops, uniform);
}
