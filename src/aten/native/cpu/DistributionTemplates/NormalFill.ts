/**
 * @file Kernel that fills a contiguous tensor of 16 elements or more with normal numbers.
 * @mirrors aten/src/ATen/native/cpu/DistributionTemplates.h#normal_fill_AVX2
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import { uniform_double, uniform_real_distribution_float } from "#aten/core/DistributionsHelper";
import { type captured, cast, type float64, round_to, type scalar_t } from "#aten/Dispatch";
import { empty_cpu } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { cos256_ps, log256_ps, sin256_ps } from "#aten/native/cpu/avx_mathfun";
import { normal_fill_loops } from "#aten/native/cpu/generated/DistributionTemplates/NormalFill";
import { cpu_kernel_multiple_outputs } from "#aten/native/cpu/Loops/index";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { type ReducedFloatingType, reducedFloatingType } from "#c10/core/ReducedFloatingType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import * as libm from "#c10/util/libm";
import { fma, sqrt } from "#c10/util/math";

// Note [Two ways to fill a normal tensor]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A short or strided tensor takes one number after the other from `normal_distribution_double`. A contiguous tensor of
// 16 or more elements is first filled with uniform numbers. The Box-Muller transform then converts blocks of 16 in
// place: element j together with element j + 8, which suits SIMD with eight lanes. If the size is not a multiple of 16,
// the last 16 elements are drawn again. The two ways give different numbers.

export const BLOCK = 16;
const HALF_BLOCK = 8;
/** 2 pi, rounded to float32. */
const TWO_PI = 6.2831854820251465;

/** Converts two uniform numbers in [0, 1) to two normal numbers. @loop normal_fill_16: Float */
export function normal_fill(u1: scalar_t, u2: scalar_t, mean: captured, std: captured): [scalar_t, scalar_t] {
  const from_zero: scalar_t = round_to<scalar_t>(1 - u1); // in (0, 1], so the logarithm is finite
  const radius: scalar_t = round_to<scalar_t>(sqrt(round_to<scalar_t>(-2 * log256_ps(from_zero))));
  const angle: scalar_t = round_to<scalar_t>(TWO_PI * u2);
  const first: scalar_t = round_to<scalar_t>(radius * cos256_ps(angle));
  const second: scalar_t = round_to<scalar_t>(radius * sin256_ps(angle));
  // Rounded once, because the products are exact in double.
  const high: float64 = cast<float64>(first) * cast<float64>(std) + cast<float64>(mean);
  const low: float64 = cast<float64>(second) * cast<float64>(std) + cast<float64>(mean);
  return [cast<scalar_t>(high), cast<scalar_t>(low)];
}

/**
 * Converts `blocks` blocks of 16 uniform numbers of a contiguous float32 tensor to normal numbers, from element `begin`
 * on.
 */
function box_muller(self: Tensor, begin: number, blocks: number, mean: Scalar, std: Scalar): void {
  const half = (at: number): Tensor =>
    as_strided_tensorimpl(self, [blocks, HALF_BLOCK], [BLOCK, 1], self.storage_offset() + at);
  const [low, high] = [half(begin), half(begin + HALF_BLOCK)];
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false) // each element is read before it is written
    .add_output(low)
    .add_output(high)
    .add_const_input(low)
    .add_const_input(high)
    .build();
  cpu_kernel_multiple_outputs(iter, normal_fill_loops, mean, std);
}

/** Fills `n` elements from `begin` on. */
function fill_float(
  self: Tensor,
  begin: number,
  n: number,
  mean: Scalar,
  std: Scalar,
  generator: CPUGeneratorImpl,
): void {
  const data = self.impl_.data_view() as Float32Array;
  const at = self.impl_.data_offset() + begin;
  new uniform_real_distribution_float(generator, 0, 1).fill(data, at, n);
  box_muller(self, begin, Math.floor(n / BLOCK), mean, std);
  if (n % BLOCK > 0) fill_float(self, begin + n - BLOCK, BLOCK, mean, std, generator);
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

function fill_double(self: Tensor, mean: number, std: number, generator: CPUGeneratorImpl): void {
  const data = self.impl_.data_view() as Float64Array;
  const [offset, n] = [self.impl_.data_offset(), self.numel()];
  const end = offset + n;
  for (let i = offset; i < end; i++) data[i] = uniform_double(generator);
  for (let i = offset; i + BLOCK <= end; i += BLOCK) normal_fill_16_double(data, i, mean, std);
  if (n % BLOCK === 0) return;
  for (let i = end - BLOCK; i < end; i++) data[i] = uniform_double(generator);
  normal_fill_16_double(data, end - BLOCK, mean, std);
}

/**
 * Reduced types get the float32 results, rounded. Here each block draws its own 16 numbers, and no extra numbers are
 * drawn for the last elements.
 */
function fill_reduced(self: Tensor, mean: Scalar, std: Scalar, generator: CPUGeneratorImpl): void {
  const n = self.numel();
  const floats = empty_cpu([n], ScalarType.Float);
  const rest = n % BLOCK;
  fill_float(floats, 0, n - rest, mean, std, generator);
  if (rest > 0) fill_float(floats, n - BLOCK, BLOCK, mean, std, generator);
  const { from_float } = reducedFloatingType(self.scalar_type()) as ReducedFloatingType;
  const [out, data] = [self.impl_.data_view() as Uint16Array, floats.impl_.data_view() as Float32Array];
  const [to, from] = [self.impl_.data_offset(), floats.impl_.data_offset()];
  for (let i = 0; i < n; i++) out[to + i] = from_float(data[from + i]);
}

/** Fills `self`. Precondition: it is contiguous, has a floating dtype, and has 16 elements or more. */
export function normal_fill_contiguous(self: Tensor, mean: number, std: number, generator: CPUGeneratorImpl): void {
  const dtype = self.scalar_type();
  if (dtype === ScalarType.Double) fill_double(self, mean, std, generator);
  else {
    const [m, s] = [Scalar.fromDouble(Math.fround(mean)), Scalar.fromDouble(Math.fround(std))];
    if (dtype === ScalarType.Float) fill_float(self, 0, self.numel(), m, s, generator);
    else fill_reduced(self, m, s, generator);
  }
}
