/**
 * @file Kernels that draw categories: by a search in the cumulative sums of the weights, or by a race.
 * @mirrors aten/src/ATen/native/cpu/MultinomialKernel.cpp
 */
import { cpu_generator } from "#aten/CPUGeneratorImpl";
import { type Distribution, uniform_real_distribution_double } from "#aten/core/DistributionsHelper";
import type { Generator } from "#aten/core/Generator";
import {
  AT_DISPATCH,
  type captured,
  cast,
  type data,
  load,
  type opmath_t,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { multinomial_largest_stub, multinomial_with_replacement_stub } from "#aten/native/Distributions/Multinomial";
import { toOpMathType } from "#aten/OpMathType";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { int32_pairs, store_int64 } from "#c10/util/math";
import { stable_partial_sort } from "#c10/util/std_algorithm";
import { cumulative_instances, multinomial_instances } from "./generated/MultinomialKernel.ts";

/**
 * Cumulative sums of the weights, divided by the last one, which becomes 1.
 * @template multinomial: floating types and halves
 */
export function cumulative(cum_dist: data<opmath_t>, self: row<scalar_t>, n: number): void {
  let sum: opmath_t = cast<opmath_t>(0);
  for (let j = 0; j < n; j++) {
    const value: opmath_t = cast<opmath_t>(load(self, j));
    TORCH_CHECK(value >= 0, "invalid multinomial distribution (encountering probability entry < 0)");
    TORCH_CHECK(
      value < Infinity,
      "invalid multinomial distribution (encountering probability entry = infinity or NaN)",
    );
    sum += value;
    store(cum_dist, j, sum);
  }
  TORCH_CHECK(sum > 0, "invalid multinomial distribution (sum of probabilities <= 0)");
  for (let j = 0; j < n; j++) store(cum_dist, j, load(cum_dist, j) / sum);
  store(cum_dist, n - 1, cast<opmath_t>(1));
}

/**
 * Index of the first cumulative sum that is not smaller than a uniform random number.
 * @template multinomial: floating types and halves
 */
export function multinomial(cum_dist: data<scalar_t>, n: number, uniform: captured<Distribution>): number {
  const sample = cast<number>(uniform.sample());
  let left = 0;
  let right = n;
  while (left < right) {
    const middle = left + Math.floor((right - left) / 2);
    if (load(cum_dist, middle) < sample) left = middle + 1;
    else right = middle;
  }
  return left;
}

/** Row `i` of a matrix; a vector is one row. */
function row_of(t: Tensor, i: number): [offset: number, stride: number] {
  const strides = t.strides();
  const begin = t.impl_.data_offset() + (t.dim() > 1 ? i * strides[0] : 0);
  return [begin, strides[t.dim() - 1]];
}

function multinomial_with_replacement_kernel(
  result: Tensor,
  self: Tensor,
  n_sample: number,
  gen: Generator | null,
): void {
  const generator = cpu_generator(gen);
  const uniform = new uniform_real_distribution_double(generator, 0, 1);
  const dtype = self.scalar_type();
  const sums = AT_DISPATCH(cumulative_instances, dtype);
  const draw = AT_DISPATCH(multinomial_instances, toOpMathType(dtype));
  const n_categories = self.size(-1);
  const n_dist = self.dim() > 1 ? self.size(0) : 1;
  const cum_dist = at.empty_memory_format([n_categories], self.options().dtype(toOpMathType(dtype)));
  const table = cum_dist.impl_.data_view().subarray(cum_dist.impl_.data_offset());
  const out = result.impl_.data_view() as BigInt64Array;
  for (let i = 0; i < n_dist; i++) {
    const [from, step] = row_of(self, i);
    sums(table, self.impl_.data_view(), from, step, n_categories);
    const [to, to_step] = row_of(result, i);
    for (let j = 0; j < n_sample; j++) out[to + j * to_step] = BigInt(draw(table, n_categories, uniform));
  }
}

/**
 * Indices of the largest elements of each row, the largest first; of equal elements, the lower index first. NaN counts
 * as Infinity.
 */
function multinomial_largest_kernel(result: Tensor, q: Tensor, n_sample: number): void {
  const values = q.to_dtype(ScalarType.Double).contiguous();
  const view = values.impl_.data_view() as Float64Array;
  const out = int32_pairs(result.impl_.data_view() as BigInt64Array);
  const n = q.size(-1);
  const [keys, at] = [new Float64Array(n), new Int32Array(n)];
  for (let i = 0; i < (q.dim() > 1 ? q.size(0) : 1); i++) {
    const [from] = row_of(values, i);
    for (let j = 0; j < n; j++) {
      const value = view[from + j];
      keys[j] = value !== value ? -Infinity : -value;
      at[j] = j;
    }
    stable_partial_sort({ keys, at }, n_sample);
    const [to, step] = row_of(result, i);
    for (let j = 0; j < n_sample; j++) store_int64(out, to + j * step, at[j]);
  }
}

REGISTER_DEFAULT_DISPATCH(
  multinomial_with_replacement_stub,
  multinomial_with_replacement_kernel,
  "multinomial_with_replacement_kernel_impl",
);
REGISTER_DEFAULT_DISPATCH(multinomial_largest_stub, multinomial_largest_kernel, "multinomial_largest_kernel");
