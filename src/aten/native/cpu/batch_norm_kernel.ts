/**
 * @file Kernels of batch_norm: sums over a channel, and the transformation of its elements.
 * @mirrors aten/src/ATen/native/cpu/batch_norm_kernel.cpp
 * @differs Ours has one loop for all strides, which an iterator over one channel finds; PyTorch has one kernel for
 * contiguous and one for channels-last memory, and iterator loops in Normalization.cpp for other strides.
 */
import {
  AT_DISPATCH,
  type acc_t,
  cast,
  type data,
  load,
  type opmath_t,
  type row,
  row_at,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import {
  accessor_1d,
  batch_norm_cpu_backward_stub,
  batch_norm_cpu_collect_stats_stub,
  batch_norm_cpu_stub,
  check_channels,
  conditional_accessor_1d,
  conditional_accessor_data,
  type Gradients,
  type Statistics,
  type TensorAccessor,
} from "#aten/native/batch_norm";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { toOpMathType } from "#aten/OpMathType";
import { check_type } from "#aten/TensorMethods";
import { isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { accumulator, type ChannelLoops, Channels, default_loops, row2 } from "./batch_norm_channels.ts";
import { normalize_instances } from "./generated/batch_norm_kernel.ts";
import { is_mixed_type, param_scalar_type } from "./mixed_data_type.ts";

// Note [A channel of batch_norm]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Input (N, C, *): the elements that are normalized together are a channel, N x *. An iterator merges these dims into
// as few as possible. Channel f starts `f` strides of dim 1 after channel 0:
//
//     (N, C, H, W) contiguous        N rows, C * H * W apart, of H * W neighbours
//     (N, C, H, W) channels last     one row of N * H * W elements, C apart
//     (N, C)                         one row of N elements, C apart
//
// The functions below get a tile of a channel: `m` rows of `n` elements.

/** @template batch_norm: floating types and halves */
export function channel_sum(sum: data<acc_t>, x: row<row<scalar_t>>, n: number, m: number): void {
  let total: acc_t = load(sum, 0);
  for (let j = 0; j < m; j++) {
    const from = row_at(x, j);
    for (let i = 0; i < n; i++) total += cast<acc_t>(load(from, i));
  }
  store(sum, 0, total);
}

/** Sum of squared distances from the mean. @template batch_norm: floating types and halves */
export function channel_var_sum(sum: data<acc_t>, x: row<row<scalar_t>>, n: number, m: number, mean: acc_t): void {
  let total: acc_t = load(sum, 0);
  for (let j = 0; j < m; j++) {
    const from = row_at(x, j);
    for (let i = 0; i < n; i++) {
      const d: acc_t = cast<acc_t>(load(from, i)) - mean;
      total += d * d;
    }
  }
  store(sum, 0, total);
}

/** @template batch_norm: floating types and halves */
export function linear_transform(
  out: row<row<scalar_t>>,
  x: row<row<scalar_t>>,
  n: number,
  m: number,
  alpha: opmath_t,
  beta: opmath_t,
): void {
  for (let j = 0; j < m; j++) {
    const from = row_at(x, j);
    const to = row_at(out, j);
    for (let i = 0; i < n; i++) store(to, i, cast<scalar_t>(cast<opmath_t>(load(from, i)) * alpha + beta));
  }
}

/**
 * Normalizes with strides that are neither contiguous nor channels last: scale and shift are not computed beforehand.
 * @template batch_norm: floating types and halves
 */
export function normalize(
  out: row<row<scalar_t>>,
  x: row<row<scalar_t>>,
  n: number,
  m: number,
  mean: opmath_t,
  invstd: opmath_t,
  weight: opmath_t,
  bias: opmath_t,
): void {
  for (let j = 0; j < m; j++) {
    const from = row_at(x, j);
    const to = row_at(out, j);
    for (let i = 0; i < n; i++)
      store(to, i, cast<scalar_t>((cast<opmath_t>(load(from, i)) - mean) * invstd * weight + bias));
  }
}

/**
 * Adds the gradient into sums[0], and its products with x - mean into sums[1].
 * @template batch_norm_backward: floating types and halves
 */
export function backward_sums(
  sums: data<acc_t>,
  dy: row<row<scalar_t>>,
  x: row<row<scalar_t>>,
  n: number,
  m: number,
  mean: acc_t,
): void {
  let sum: acc_t = load(sums, 0);
  let dotp: acc_t = load(sums, 1);
  for (let j = 0; j < m; j++) {
    const g = row_at(dy, j);
    const from = row_at(x, j);
    for (let i = 0; i < n; i++) {
      const v: acc_t = cast<acc_t>(load(g, i));
      sum += v;
      dotp += (cast<acc_t>(load(from, i)) - mean) * v;
    }
  }
  store(sums, 0, sum);
  store(sums, 1, dotp);
}

/** @template batch_norm_backward: floating types and halves */
export function grad_input_train(
  dx: row<row<scalar_t>>,
  dy: row<row<scalar_t>>,
  x: row<row<scalar_t>>,
  n: number,
  m: number,
  mean: opmath_t,
  grad_mean: opmath_t,
  k: opmath_t,
  scale: opmath_t,
): void {
  for (let j = 0; j < m; j++) {
    const to = row_at(dx, j);
    const g = row_at(dy, j);
    const from = row_at(x, j);
    for (let i = 0; i < n; i++) {
      const proj: opmath_t = (cast<opmath_t>(load(from, i)) - mean) * k;
      store(to, i, cast<scalar_t>((cast<opmath_t>(load(g, i)) - grad_mean - proj) * scale));
    }
  }
}

/** @template batch_norm_backward: floating types and halves */
export function grad_input_eval(
  dx: row<row<scalar_t>>,
  dy: row<row<scalar_t>>,
  n: number,
  m: number,
  scale: opmath_t,
): void {
  for (let j = 0; j < m; j++) {
    const to = row_at(dx, j);
    const g = row_at(dy, j);
    for (let i = 0; i < n; i++) store(to, i, cast<scalar_t>(cast<opmath_t>(load(g, i)) * scale));
  }
}

// -------------------------------------------------------------------------------------------------------------------------

/** Number of elements of a channel. */
function channel_numel(input: Tensor): number {
  return input.numel() / input.size(1);
}

/** Calls `f` for each channel of `input`. */
function by_channel(input: Tensor, f: (c: number) => number): Float64Array {
  return Float64Array.from({ length: input.size(1) }, (_, c) => f(c));
}

export function batch_norm_cpu_collect_stats_kernel(
  mean: Tensor,
  var_sum: Tensor,
  input: Tensor,
  loops: ChannelLoops = default_loops,
): void {
  const mean_a = accessor_1d(mean, mean.scalar_type());
  const var_sum_a = accessor_1d(var_sum, var_sum.scalar_type());
  const n = channel_numel(input);
  // The variance is taken about the unrounded mean, not about the mean rounded to a half.
  const means = accumulator(input.scalar_type(), input.size(1));
  for (const [f, sum] of Array.from(loops.sums(input)).entries()) {
    means[f] = sum / n;
    mean_a.set(f, means[f]);
  }
  for (const [f, sum] of Array.from(loops.var_sums(input, means)).entries()) var_sum_a.set(f, sum);
}

/** Sum of squared distances from `mean_of(f)`, for each channel f. */
export function var_sums(var_sum_a: TensorAccessor, input: Tensor, mean_of: (f: number) => number): void {
  const sums = default_loops.var_sums(input, by_channel(input, mean_of));
  for (let f = 0; f < input.size(1); f++) var_sum_a.set(f, sums[f]);
}

/** Mean and 1 / sqrt(var + eps) of channel f. */
interface Moments {
  mean(f: number): number;
  invstd(f: number): number;
}

/** @differs Ours throws; PyTorch reads at address 0 and crashes. */
function missing(train: boolean): string {
  return train
    ? "save_mean and save_invstd must be defined in training"
    : "running_mean must be defined in evaluation mode";
}

function moments_of(statistics: Statistics, dtype: ScalarType, accessor: typeof conditional_accessor_1d): Moments {
  const { train, eps } = statistics;
  const save_mean = accessor(statistics.save_mean, dtype);
  const save_invstd = accessor(statistics.save_invstd, dtype);
  const running_mean = accessor(statistics.running_mean, dtype);
  const running_var = accessor(statistics.running_var, dtype);
  const mean = train ? save_mean : running_mean;
  const variance = train ? save_invstd : running_var;
  if (mean === null || variance === null) throw new RuntimeError(missing(train));
  if (train) return { mean: (f) => mean.get(f), invstd: (f) => variance.get(f) };
  const round = rounding(dtype);
  return {
    mean: (f) => mean.get(f),
    invstd: (f) => round(1 / round(Math.sqrt(round(variance.get(f) + round(eps))))),
  };
}

/** Accessor that ignores the dims of a contiguous tensor; otherwise like `conditional_accessor_1d`. */
function conditional_accessor(t: Tensor | null, dtype: ScalarType): TensorAccessor | null {
  return t?.is_contiguous() ? conditional_accessor_data(t, dtype) : conditional_accessor_1d(t, dtype);
}

/** Dtype of parameters and statistics. */
function param_t_of(input: Tensor, weight: Tensor | null, bias: Tensor | null, s: Statistics): ScalarType {
  const mixed = is_mixed_type(input, weight, bias, s.save_mean, s.save_invstd, s.running_mean, s.running_var);
  return param_scalar_type(input, mixed);
}

/** The statistics that will be read. */
function used({ train, save_mean, save_invstd, running_mean, running_var }: Statistics): Record<string, Tensor | null> {
  return train ? { save_mean, save_invstd } : { running_mean, running_var };
}

/** Rounding to the type of the computation; halves compute in float. */
function rounding(dtype: ScalarType): (x: number) => number {
  return dtype === ScalarType.Double ? (x) => x : Math.fround;
}

export function batch_norm_cpu_kernel(
  output: Tensor,
  input: Tensor,
  weight: Tensor | null,
  bias: Tensor | null,
  statistics: Statistics,
  loops: ChannelLoops = default_loops,
): void {
  if (input.numel() === 0) return;
  input.size(0); // PyTorch checks this first
  const n_channel = input.size(1);
  const dtype = input.scalar_type();
  const param_t = param_t_of(input, weight, bias, statistics);
  const opmath = toOpMathType(dtype);
  const round = rounding(dtype);
  // x * alpha + beta: the factors per channel are computed once.
  const alpha_ = at.empty_memory_format([n_channel], input.options().dtype(opmath));
  const beta_ = at.empty_memory_format([n_channel], input.options().dtype(opmath));
  const [alpha, beta] = [accessor_1d(alpha_, opmath), accessor_1d(beta_, opmath)];
  const weight_a = conditional_accessor_data(weight, param_t);
  const bias_a = conditional_accessor_data(bias, param_t);
  const stats = moments_of(statistics, param_t, conditional_accessor_1d);
  check_channels(n_channel, { ...used(statistics), weight, bias });
  check_type(output, dtype);
  for (let c = 0; c < n_channel; c++) {
    alpha.set(c, stats.invstd(c) * (weight_a?.get(c) ?? 1));
    beta.set(c, (bias_a?.get(c) ?? 0) - round(stats.mean(c) * alpha.get(c)));
  }
  if (input.numel() !== 0) loops.transform(output, input, alpha_, beta_);
}

/** Normalizes an input with any strides; mean, invstd, weight and bias have one number per channel. */
export function transform_input(
  output: Tensor,
  input: Tensor,
  mean: TensorAccessor,
  invstd: TensorAccessor,
  weight: TensorAccessor,
  bias: TensorAccessor,
): void {
  const transform = AT_DISPATCH(normalize_instances, input.scalar_type());
  check_type(output, input.scalar_type());
  if (input.numel() === 0) return;
  const channels = new Channels(output, input);
  for (let c = 0; c < input.size(1); c++) {
    const [m, s, w, b] = [mean.get(c), invstd.get(c), weight.get(c), bias.get(c)];
    channels.for_each(c, ([out, x], size0, size1) => transform(...row2(out), ...row2(x), size0, size1, m, s, w, b));
  }
}

/** `sum` is the gradient summed over each channel, if it is already known. */
export function batch_norm_cpu_backward_kernel(
  { grad_input, grad_weight, grad_bias }: Gradients,
  grad_output: Tensor,
  input: Tensor,
  weight: Tensor | null,
  statistics: Statistics,
  sum_a: TensorAccessor | null = null,
  loops: ChannelLoops = default_loops,
): void {
  const dtype = input.scalar_type();
  check_type(grad_output, dtype);
  const param_t = param_t_of(input, weight, null, statistics);
  const accessor = sum_a === null && !isReducedFloatingType(dtype) ? conditional_accessor : conditional_accessor_1d;
  const weight_a = accessor(weight, param_t);
  const stats = moments_of(statistics, param_t, accessor);
  check_channels(input.size(1), { ...used(statistics), weight });
  TORCH_CHECK(
    sizes_equal(grad_output.sizes(), input.sizes()),
    "Expected grad_out of size ",
    input.sizes(),
    " but got ",
    grad_output.sizes(),
  );
  const grad_weight_a = conditional_accessor_1d(grad_weight, param_t);
  const grad_bias_a = conditional_accessor_1d(grad_bias, param_t);
  const round = rounding(dtype);
  const n = channel_numel(input);
  const mean = by_channel(input, (c) => stats.mean(c));
  const invstd = by_channel(input, (c) => stats.invstd(c));
  // This is read before loops may allocate memory, because an accessor does not keep its tensor alive.
  const scale = by_channel(input, (c) => round(invstd[c] * (weight_a?.get(c) ?? 1)));
  const [own_sum, dotp] = loops.backward_sums(grad_output, input, mean);
  const sum = sum_a === null ? own_sum : by_channel(input, (c) => sum_a.get(c));
  if (grad_input !== null && statistics.train) {
    const k = by_channel(input, (c) => round((dotp[c] * invstd[c] * invstd[c]) / n));
    const grad_mean = by_channel(input, (c) => round(sum[c] / n));
    loops.grad_input_train(grad_input, grad_output, input, { mean, grad_mean, k, scale });
  } else if (grad_input !== null) loops.grad_input_eval(grad_input, grad_output, scale);
  for (let c = 0; c < input.size(1); c++) {
    grad_weight_a?.set(c, dotp[c] * invstd[c]);
    grad_bias_a?.set(c, sum[c]);
  }
}

REGISTER_DISPATCH(batch_norm_cpu_stub, (...args) => batch_norm_cpu_kernel(...args), "batch_norm_cpu_kernel");
REGISTER_DISPATCH(
  batch_norm_cpu_collect_stats_stub,
  (...args) => batch_norm_cpu_collect_stats_kernel(...args),
  "batch_norm_cpu_collect_stats_kernel",
);
REGISTER_DISPATCH(
  batch_norm_cpu_backward_stub,
  (...args) => batch_norm_cpu_backward_kernel(...args),
  "batch_norm_cpu_backward_kernel",
);
