/**
 * @file Kernels that draw random numbers. They draw in memory order and on one thread, because the order is part of the
 * result.
 * @mirrors aten/src/ATen/native/cpu/DistributionTemplates.h
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import {
  bernoulli_distribution,
  type Distribution,
  LEAST_64_BIT_RANGE,
  normal_distribution_double,
  uniform_int_distribution,
  uniform_int_distribution_double,
  uniform_int_from_to_distribution,
  uniform_int_from_to_distribution_int64,
  uniform_real_distribution_double,
  uniform_real_distribution_float,
} from "#aten/core/DistributionsHelper";
import { type captured, cast, check_all_types_and3, round_to, type scalar_t } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { default_loop } from "#aten/native/cpu/default_loop";
import {
  bernoulli_loops,
  bernoulli_probability_loops,
  normal_loops,
  random_from_to_loops,
  random_loops,
  uniform_loops,
} from "#aten/native/cpu/generated/DistributionTemplates/index";
import { cpu_serial_kernel } from "#aten/native/cpu/Loops/index";
import { is_short_row } from "#aten/native/cpu/Loops/VecLoops";
import { TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { int32_pairs } from "#c10/util/math";
import { traceCall, tracer } from "#c10/util/Trace";
import { BLOCK, normal_fill_contiguous } from "./NormalFill.ts";

// uniform -------------------------------------------------------------------------------------------------------------

/**
 * Rounding to the dtype can turn a number in [from, to) into `to`; that number becomes `from`.
 * @loop uniform_kernel_cpu: floating types and halves
 */
export function uniform(distribution: captured<Distribution>, from: captured, to: captured): scalar_t {
  const value = round_to<scalar_t>(cast<number>(distribution.sample()));
  return value === to ? from : value;
}

/** Like `uniform`, for contiguous elements in order. */
function uniform_neighbours(
  self: Tensor,
  distribution: uniform_real_distribution_float,
  from: number,
  to: number,
): void {
  const data = self.impl_.data_view() as Float32Array;
  const [begin, n] = [self.impl_.data_offset(), self.numel()];
  distribution.fill(data, begin, n);
  const [low, high] = [Math.fround(from), Math.fround(to)];
  if (low === 0 && high === 1) return; // a multiple of 2^-24 below 1 is never rounded
  for (let i = begin; i < begin + n; i++) if (data[i] === high) data[i] = low;
}

export function uniform_kernel(iter: TensorIterator, from: number, to: number, generator: CPUGeneratorImpl): void {
  if (iter.dtype() === ScalarType.Float) {
    const distribution = new uniform_real_distribution_float(generator, from, to);
    const self = iter.tensor(0);
    if (is_short_row(self.numel()) || !self.is_contiguous()) serial(iter, distribution, from, to);
    else if (tracer === null) uniform_neighbours(self, distribution, from, to);
    else {
      const told = default_loop(
        "uniform",
        "DistributionTemplates/index",
        iter.dtype(),
        iter.shape(),
        "one draw after the other",
      );
      const args: Parameters<typeof uniform_neighbours> = [self, distribution, from, to];
      traceCall("loop", "at::native::uniform", uniform_neighbours, args, told);
    }
    return;
  }
  const real = iter.dtype() === ScalarType.Double ? uniform_real_distribution_double : uniform_real_distribution_float;
  serial(iter, new real(generator, from, to), from, to);
}

function serial(iter: TensorIterator, distribution: Distribution, from: number, to: number): void {
  cpu_serial_kernel(iter, uniform_loops, distribution, Scalar.fromDouble(from), Scalar.fromDouble(to));
}

// normal --------------------------------------------------------------------------------------------------------------

/** @loop normal_kernel_cpu: floating types and halves */
export function normal(distribution: captured<Distribution>): scalar_t {
  return cast<scalar_t>(cast<number>(distribution.sample()));
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
    normal_fill_contiguous(self, mean, std, generator); // Note [Two ways to fill a normal tensor]
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
  const exact = Number.isSafeInteger(Number(base)) && Number.isSafeInteger(Number(base + range));
  if (range < LEAST_64_BIT_RANGE && exact) {
    const distribution = new uniform_int_from_to_distribution(generator, Number(range), Number(base));
    cpu_serial_kernel(iter, random_from_to_loops, distribution);
    return;
  }
  const distribution = new uniform_int_from_to_distribution_int64(generator, range, base);
  const dtype = iter.dtype();
  if (dtype === ScalarType.Long || dtype === ScalarType.UInt64) fill_int64(iter, distribution);
  else cpu_serial_kernel(iter, random_from_to_loops, distribution);
}

function fill_int64(iter: TensorIterator, distribution: { sample_int64(): bigint }): void {
  iter.for_each(([out]: readonly OperandInfo[], n: number, m: number) => {
    const self = out.view() as BigInt64Array; // or BigUint64Array, which takes the same bits
    for (let j = 0; j < m; j++) {
      for (let i = 0; i < n; i++) self[out.at(i, j)] = distribution.sample_int64();
    }
  });
}

/**
 * Draws the high and low half of each 64-bit element directly into its two int32; `high_mask` selects the bits of the
 * high half.
 */
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

/** `random_(-2^63, None)`: every int64 is equally likely. */
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
  const all = new uniform_int_from_to_distribution_int64(generator, 2n ** 64n, 0n);
  cpu_serial_kernel(iter, random_from_to_loops, all);
}

/** @loop random_kernel_fp_cpu: Bool, all types and halves */
export function random(distribution: captured<Distribution>): scalar_t {
  return cast<scalar_t>(cast<number>(distribution.sample()));
}

/** Upper bound of `random_()` for dtypes of up to 32 bits: integers below it are exact in the dtype. */
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

/** Draws one number per element, in the precision of the probabilities. */
export function bernoulli_tensor_kernel(self: Tensor, p: Tensor, generator: CPUGeneratorImpl): void {
  const iter = new TensorIteratorConfig().add_output(self).add_const_input(p).check_all_same_dtype(false).build();
  const uniform =
    p.scalar_type() === ScalarType.Double
      ? new uniform_real_distribution_double(generator, 0, 1)
      : new uniform_real_distribution_float(generator, 0, 1);
  cpu_serial_kernel(iter, bernoulli_probability_loops, uniform);
}
