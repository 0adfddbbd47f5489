/**
 * @file Batching rules of normalizations.
 * @mirrors aten/src/ATen/functorch/BatchRulesNorm.cpp
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  type BDim,
  batch_rules,
  decomposed,
  ensure_has_bdim,
  moveBatchDimToFront,
  type RuleResult,
  reshape_dim_into,
  reshape_dim_outof,
} from "./BatchRulesHelper.ts";

/** A parameter (C) of each sample as (B, 1, C, 1, ...), which lines up with (B, N, C, ...). */
function channels(t: Tensor, bdim: BDim, rank: number): Tensor {
  const front = moveBatchDimToFront(t, bdim);
  const tail = new Array<number>(rank - 2).fill(1);
  return bdim === null ? front.view([front.size(0), ...tail]) : front.view([front.size(0), 1, front.size(1), ...tail]);
}

/** A result (B * C), as (B, C) */
const unfolded = (t: Tensor, batch_size: number): readonly [Tensor, number] => [
  t.dim() > 0 && t.numel() > 0 ? reshape_dim_outof(0, batch_size, t) : t.new_empty([batch_size, 0]),
  0,
];

// @parameters PyTorch's own: each tensor with its batch dimension.
function batch_norm(
  input: Tensor,
  input_bdim: BDim,
  weight: Tensor | null,
  weight_bdim: BDim,
  bias: Tensor | null,
  bias_bdim: BDim,
  running_mean: Tensor | null,
  running_mean_bdim: BDim,
  running_var: Tensor | null,
  running_var_bdim: BDim,
  training: boolean,
  momentum: number,
  eps: number,
): RuleResult {
  TORCH_CHECK(
    !training ||
      ((input_bdim === null || running_mean === null || running_mean_bdim !== null) &&
        (running_mean_bdim === null || running_var === null || running_var_bdim !== null)),
    "Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated in place, ",
    "were not batched.\nIf you are using a module and do not need eval mode, please set `track_running_stats` to be False.",
    "If you are using a prebuilt module and do not need eval mode, please see the functorch website for resources on ",
    "how to patch your module to work with vmap",
  );
  const batched = [
    [input, input_bdim],
    [running_mean, running_mean_bdim],
    [running_var, running_var_bdim],
  ].find(([, bdim]) => bdim !== null) as [Tensor, number] | undefined;
  if (batched === undefined) {
    const [out, mean, rstd] = at.native_batch_norm(
      input,
      null,
      null,
      running_mean,
      running_var,
      training,
      momentum,
      eps,
    );
    return [affine([out, null], [weight, weight_bdim], [bias, bias_bdim]), [mean, null], [rstd, null]];
  }
  const batch_size = batched[0].size(batched[1]);
  const front = ensure_has_bdim(moveBatchDimToFront(input, input_bdim), input_bdim !== null, batch_size);
  const stats = (t: Tensor | null, bdim: BDim): Tensor | null =>
    t === null
      ? null
      : reshape_dim_into(0, 0, ensure_has_bdim(moveBatchDimToFront(t, bdim), bdim !== null, batch_size).contiguous());
  const [mean_, var_] = [stats(running_mean, running_mean_bdim), stats(running_var, running_var_bdim)];
  // Each sample is a group of channels.
  const folded = reshape_dim_into(0, 1, front);
  const [out, mean, rstd] = at.native_batch_norm(folded, null, null, mean_, var_, training, momentum, eps);
  // The running statistics are updated in place.
  if (training && running_mean !== null && mean_ !== null)
    moveBatchDimToFront(running_mean, running_mean_bdim).copy_(reshape_dim_outof(0, batch_size, mean_));
  if (training && running_var !== null && var_ !== null)
    moveBatchDimToFront(running_var, running_var_bdim).copy_(reshape_dim_outof(0, batch_size, var_));
  const result = moveBatchDimToFront(reshape_dim_outof(1, batch_size, out), 1);
  return [
    affine([result, 0], [weight, weight_bdim], [bias, bias_bdim]),
    unfolded(mean, batch_size),
    unfolded(rstd, batch_size),
  ];
}

type Given = readonly [Tensor | null, BDim];

/** `out * weight + bias`, for parameters of the channels. */
function affine([out, bdim]: readonly [Tensor, BDim], weight: Given, bias: Given): readonly [Tensor, BDim] {
  let result = out;
  let result_bdim = bdim;
  const rank = out.dim() - (bdim === null ? 0 : 1);
  for (const [[t, t_bdim], fn] of [
    [weight, at.mul_Tensor],
    [bias, at.add_Tensor],
  ] as const) {
    if (t === null) continue;
    result = fn(result, channels(t, t_bdim, rank));
    if (t_bdim !== null) result_bdim = 0;
  }
  return [result, result_bdim];
}

function native_layer_norm(
  input: Tensor,
  input_bdim: BDim,
  normalized_shape: number[],
  weight: Tensor | null,
  weight_bdim: BDim,
  bias: Tensor | null,
  bias_bdim: BDim,
  eps: number,
): RuleResult {
  const front = moveBatchDimToFront(input, input_bdim);
  if (weight_bdim === null && bias_bdim === null) {
    const results = at.native_layer_norm(front, normalized_shape, weight, bias, eps);
    return results.map((t) => [t, 0] as const);
  }
  const [out, mean, rstd] = at.native_layer_norm(front, normalized_shape, null, null, eps);
  let result = out;
  const rank = out.dim() - (input_bdim === null ? 0 : 1);
  /** The parameter of each sample, lined up with the last dimensions of the input. */
  const lined_up = (t: Tensor, bdim: BDim): Tensor => {
    if (bdim === null) return t;
    const [batch, ...own] = moveBatchDimToFront(t, bdim).sizes();
    return moveBatchDimToFront(t, bdim).reshape([batch, ...new Array<number>(rank - own.length).fill(1), ...own]);
  };
  if (weight !== null) result = at.mul_Tensor(result, lined_up(weight, weight_bdim));
  if (bias !== null) result = at.add_Tensor(result, lined_up(bias, bias_bdim));
  const stats_bdim = input_bdim === null ? null : 0;
  return [
    [result, 0],
    [mean, stats_bdim],
    [rstd, stats_bdim],
  ];
}

/** The group norm without parameters: the batch becomes part of N. The parameters are applied to the samples. */
function native_group_norm(
  input: Tensor,
  weight: Tensor | null,
  bias: Tensor | null,
  N: number,
  C: number,
  HxW: number,
  group: number,
  eps: number,
): [Tensor, Tensor, Tensor] {
  const grouped = input.reshape([N, group, N === 0 ? 0 : (C / group) * HxW]);
  const mean = at.mean_dim(grouped, [2], true);
  const variance = at.mean_dim(at.square(at.sub_Tensor(grouped, mean)), [2], true);
  const rstd = at.rsqrt(at.add_Scalar(variance, Scalar.fromDouble(eps)));
  const normalized = at.mul_Tensor(at.sub_Tensor(grouped, mean), rstd).reshape([...input.sizes()]);
  const of_channels = (t: Tensor): Tensor => t.reshape([C, ...new Array<number>(input.dim() - 2).fill(1)]);
  let result = normalized;
  if (weight !== null) result = at.mul_Tensor(result, of_channels(weight));
  if (bias !== null) result = at.add_Tensor(result, of_channels(bias));
  return [result, mean.squeeze_dim(2), rstd.squeeze_dim(2)];
}

const sum_to = (t: Tensor, dims: number[]): Tensor => (dims.length === 0 ? t : at.sum_dim_IntList(t, dims));

/** The formulas of the gradient, in operators that have rules. */
function native_layer_norm_backward(
  grad_out: Tensor,
  input: Tensor,
  normalized_shape: number[],
  mean: Tensor,
  rstd: Tensor,
  weight: Tensor | null,
  bias: Tensor | null,
  output_mask: [boolean, boolean, boolean],
): Tensor[] {
  const axis = input.dim() - normalized_shape.length;
  const all = input.sizes().map((_, d) => d);
  const [outer, inner] = [all.slice(0, axis), all.slice(axis)];
  const N = normalized_shape.reduce((product, n) => product * n, 1);
  const x_hat = at.mul_Tensor(at.sub_Tensor(input, mean), rstd);
  const grad_x_hat = weight === null ? grad_out : at.mul_Tensor(grad_out, weight);
  const grads = [new Tensor(), new Tensor(), new Tensor()];
  if (output_mask[0]) {
    const a = at.mul_Scalar(grad_x_hat, Scalar.fromInt(N));
    const b = at.sum_dim_IntList(grad_x_hat, inner, true);
    const c = at.mul_Tensor(x_hat, at.sum_dim_IntList(at.mul_Tensor(grad_x_hat, x_hat), inner, true));
    grads[0] = at.mul_Tensor(at.div_Scalar(rstd, Scalar.fromInt(N)), at.sub_Tensor(at.sub_Tensor(a, b), c));
  }
  if (output_mask[1] && weight !== null) grads[1] = sum_to(at.mul_Tensor(grad_out, x_hat), outer);
  if (output_mask[2] && bias !== null) grads[2] = sum_to(grad_out, outer);
  return grads;
}

function native_batch_norm_backward(
  grad_out: Tensor,
  input: Tensor,
  weight: Tensor | null,
  running_mean: Tensor | null,
  running_var: Tensor | null,
  save_mean: Tensor | null,
  save_invstd: Tensor | null,
  train: boolean,
  eps: number,
  output_mask: [boolean, boolean, boolean],
): Tensor[] {
  const [batch, C] = input.sizes();
  const rest = input.sizes().slice(2);
  const shaped = (t: Tensor): Tensor => t.reshape([1, C, ...rest.map(() => 1)]);
  const dims = input
    .sizes()
    .map((_, d) => d)
    .filter((d) => d !== 1);
  const count = rest.reduce((product, n) => product * n, batch);
  const mean = train ? save_mean : running_mean;
  const invstd = train ? save_invstd : at.rsqrt(at.add_Scalar(running_var as Tensor, Scalar.fromDouble(eps)));
  const x_mu = at.sub_Tensor(input, shaped(mean as Tensor));
  const w = weight === null ? shaped(invstd as Tensor) : shaped(at.mul_Tensor(invstd as Tensor, weight));
  const grad_sum = at.sum_dim_IntList(grad_out, dims);
  const dot = at.sum_dim_IntList(at.mul_Tensor(grad_out, x_mu), dims);
  const grads = [new Tensor(), new Tensor(), new Tensor()];
  if (output_mask[0]) {
    if (train) {
      const proj = at.mul_Tensor(at.div_Scalar(dot, Scalar.fromInt(count)), at.square(invstd as Tensor));
      const centered = at.sub_Tensor(
        at.sub_Tensor(grad_out, at.mul_Tensor(x_mu, shaped(proj))),
        shaped(at.div_Scalar(grad_sum, Scalar.fromInt(count))),
      );
      grads[0] = at.mul_Tensor(centered, w);
    } else grads[0] = at.mul_Tensor(grad_out, w);
  }
  if (output_mask[1]) grads[1] = at.mul_Tensor(dot, invstd as Tensor);
  if (output_mask[2]) grads[2] = grad_sum;
  return grads;
}

function native_group_norm_backward(
  grad_out: Tensor,
  input: Tensor,
  mean: Tensor,
  rstd: Tensor,
  weight: Tensor | null,
  N: number,
  C: number,
  HxW: number,
  group: number,
  output_mask: [boolean, boolean, boolean],
): Tensor[] {
  const D = C / group;
  const by_channel = (t: Tensor): Tensor => t.reshape([N, C, HxW]);
  const by_group = (t: Tensor): Tensor => t.reshape([N, group, D * HxW]);
  const x_hat = at.mul_Tensor(at.sub_Tensor(by_group(input), mean.unsqueeze(-1)), rstd.unsqueeze(-1));
  const grads = [new Tensor(), new Tensor(), new Tensor()];
  if (output_mask[0]) {
    const scaled = weight === null ? grad_out : at.mul_Tensor(by_channel(grad_out), weight.unsqueeze(-1));
    const g = by_group(scaled);
    const s = Scalar.fromInt(D * HxW);
    const g_mean = at.div_Scalar(at.sum_dim_IntList(g, [2], true), s);
    const gx_mean = at.div_Scalar(at.sum_dim_IntList(at.mul_Tensor(g, x_hat), [2], true), s);
    const inner = at.sub_Tensor(at.sub_Tensor(g, g_mean), at.mul_Tensor(x_hat, gx_mean));
    grads[0] = at.mul_Tensor(inner, rstd.unsqueeze(-1)).reshape([...input.sizes()]);
  }
  if (output_mask[1])
    grads[1] = at.sum_dim_IntList(at.mul_Tensor(by_channel(grad_out), x_hat.reshape([N, C, HxW])), [0, 2]);
  if (output_mask[2]) grads[2] = at.sum_dim_IntList(by_channel(grad_out), [0, 2]);
  return grads;
}

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    native_batch_norm: batch_norm,
    _native_batch_norm_legit: batch_norm,
    "_native_batch_norm_legit.no_stats": (
      input: Tensor,
      bdim: BDim,
      weight: Tensor | null,
      weight_bdim: BDim,
      bias: Tensor | null,
      bias_bdim: BDim,
      training: boolean,
      momentum: number,
      eps: number,
    ) => batch_norm(input, bdim, weight, weight_bdim, bias, bias_bdim, null, null, null, null, training, momentum, eps),
    native_batch_norm_backward: decomposed(native_batch_norm_backward),
    native_group_norm: decomposed(native_group_norm),
    native_group_norm_backward: decomposed(native_group_norm_backward),
    native_layer_norm,
    native_layer_norm_backward: decomposed(native_layer_norm_backward),
  }),
);
