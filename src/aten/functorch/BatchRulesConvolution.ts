/**
 * @file Batching rules of convolutions.
 * @mirrors aten/src/ATen/functorch/BatchRulesConvolution.cpp
 *
 * | batched | the batch becomes part of | result |
 * |---|---|---|
 * | input | the dimension N of the input | split from N |
 * | weight | the output channels, or the groups | split from the channels |
 * | both | the groups: each sample is a group of channels | split from the channels |
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { makeBatched } from "./BatchedTensorImpl.ts";
import {
  type BDim,
  batch_rules,
  below_batched,
  currentVmap,
  decomposed,
  ensure_has_bdim,
  moveBatchDimToFront,
  type RuleResult,
  rankWithoutBatchDim,
  reshape_dim_into,
  reshape_dim_outof,
  unwrapTensorAtCurrentLevel,
} from "./BatchRulesHelper.ts";

/** The arguments of a convolution besides its tensors, in their order. */
type Options = readonly [
  stride: number[],
  padding: number[],
  dilation: number[],
  transposed: boolean,
  output_padding: number[],
  groups: number,
];

/** The weight as it is when its groups are split: (groups, O / groups, I, ...), or transposed (groups, I / groups, O, ...). */
function conv(
  lhs: Tensor,
  lhs_bdim: BDim,
  rhs: Tensor,
  rhs_bdim: BDim,
  bias: Tensor | null,
  [stride, padding, dilation, transposed, output_padding, groups]: Options,
): readonly [Tensor, number] {
  const run = (x: Tensor, w: Tensor, own_groups: number, b: Tensor | null = null): Tensor =>
    at.convolution(x, w, b, stride, padding, dilation, transposed, output_padding, own_groups);
  /** The dimension of the weight in which the output channels of a group are. */
  const out_dim = transposed ? 1 : 0;
  if (lhs_bdim !== null && rhs_bdim === null) {
    const out = run(reshape_dim_into(lhs_bdim, 0, lhs), rhs, groups, bias);
    return [reshape_dim_outof(0, lhs.size(lhs_bdim), out), 0];
  }
  const batch_size = rhs.size(rhs_bdim as number);
  if (lhs_bdim === null) {
    if (groups === 1) {
      const out = run(lhs, reshape_dim_into(rhs_bdim as number, out_dim, rhs), 1);
      return [reshape_dim_outof(1, batch_size, out), 1];
    }
    // (B, G * O, I): the batch goes inside of each group.
    const dim_with_groups = transposed ? 1 : 0;
    if (transposed) {
      // (B, G * I, O) -> (G * I, B * O)
      const out = run(lhs, reshape_dim_into(rhs_bdim as number, 1, rhs), groups); // N, G * B * O
      const split = reshape_dim_outof(1, groups, out); // N, G, B * O
      return [reshape_dim_into(1, 2, reshape_dim_outof(2, batch_size, split)), 1];
    }
    const by_group = reshape_dim_outof(dim_with_groups + 1, groups, moveBatchDimToFront(rhs, rhs_bdim)); // B, G, O, I
    const weight = reshape_dim_into(0, 0, reshape_dim_into(0, 1, by_group)); // G * (B * O), I
    const out = reshape_dim_outof(1, groups, run(lhs, weight, groups)); // N, G, B * O
    return [reshape_dim_into(1, 2, reshape_dim_outof(2, batch_size, out)), 1];
  }
  const new_w = reshape_dim_into(rhs_bdim as number, 0, rhs);
  const out = run(reshape_dim_into(lhs_bdim, 1, lhs), new_w, groups * batch_size);
  return [reshape_dim_outof(1, batch_size, out), 1];
}

function convolution(
  lhs: Tensor,
  lhs_bdim: BDim,
  rhs: Tensor,
  rhs_bdim: BDim,
  bias: Tensor | null,
  bias_bdim: BDim,
  ...options: Options
): RuleResult {
  const unbatched_bias = bias !== null && bias_bdim === null && rhs_bdim === null;
  if (lhs_bdim === null && rhs_bdim === null) {
    const [stride, padding, dilation, transposed, output_padding, groups] = options;
    const out = at.convolution(lhs, rhs, null, stride, padding, dilation, transposed, output_padding, groups);
    return with_bias(out, null, bias, bias_bdim);
  }
  const [out, bdim] = conv(lhs, lhs_bdim, rhs, rhs_bdim, unbatched_bias ? bias : null, options);
  return unbatched_bias || bias === null ? [out, bdim] : with_bias(out, bdim, bias, bias_bdim);
}

/** Adds the bias, (C) for each sample, to the channels. */
function with_bias(out: Tensor, out_bdim: BDim, bias: Tensor | null, bias_bdim: BDim): RuleResult {
  if (bias === null) return [out, out_bdim];
  const spatial = new Array<number>(rankWithoutBatchDim(out, out_bdim) - 2).fill(1);
  const channels = moveBatchDimToFront(bias, bias_bdim);
  const batch = bias_bdim === null ? [] : [channels.size(0)];
  const shaped = channels.reshape([...batch, 1, channels.size(-1), ...spatial]);
  const front = moveBatchDimToFront(out, out_bdim);
  return [at.add_Tensor(front, shaped), 0];
}

/** The gradients of one convolution for a batch: what is not batched is repeated, and the batch becomes groups. */
function convolution_backward(
  grad_output_: Tensor,
  input_: Tensor,
  weight_: Tensor,
  bias_sizes: number[] | null,
  stride: number[],
  padding: number[],
  dilation: number[],
  transposed: boolean,
  output_padding: number[],
  groups: number,
  output_mask: [boolean, boolean, boolean],
): (Tensor | null)[] {
  return below_batched(() => {
    const level = currentVmap().level();
    const given = [grad_output_, input_, weight_].map(unwrapTensorAtCurrentLevel);
    const batched = given.find(([, bdim]) => bdim !== null);
    const run = (go: Tensor, x: Tensor, w: Tensor, own_groups: number, mask: [boolean, boolean, boolean]) =>
      at.convolution_backward(go, x, w, null, stride, padding, dilation, transposed, output_padding, own_groups, mask);
    if (batched === undefined) {
      return at.convolution_backward(
        grad_output_,
        input_,
        weight_,
        bias_sizes,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        output_mask,
      );
    }
    const batch_size = batched[0].size(batched[1] as number);
    const all = given.map(([t, bdim]) => ensure_has_bdim(moveBatchDimToFront(t, bdim), bdim !== null, batch_size));
    const [go, x, w] = all;
    const results: (Tensor | null)[] = [null, null, null];
    if (output_mask[2]) {
      const spatial = go
        .sizes()
        .map((_, d) => d)
        .filter((d) => d !== 0 && d !== 2);
      results[2] = makeBatched(at.sum_dim_IntList(go, spatial), 0, level);
    }
    const mask: [boolean, boolean, boolean] = [output_mask[0], output_mask[1], false];
    if (!mask[0] && !mask[1]) return results;
    if (given[2][1] === null && !mask[1]) {
      const [gx] = run(reshape_dim_into(0, 0, go), reshape_dim_into(0, 0, x), given[2][0], groups, [
        true,
        false,
        false,
      ]);
      results[0] = makeBatched(reshape_dim_outof(0, batch_size, gx), 0, level);
      return results;
    }
    const [gx, gw] = run(
      reshape_dim_into(0, 1, go),
      reshape_dim_into(0, 1, x),
      reshape_dim_into(0, 0, w),
      groups * batch_size,
      mask,
    );
    if (mask[0]) results[0] = makeBatched(reshape_dim_outof(1, batch_size, gx), 1, level);
    if (mask[1]) results[1] = makeBatched(reshape_dim_outof(0, batch_size, gw), 0, level);
    return results;
  });
}

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    convolution,
    _convolution: decomposed((input: Tensor, weight: Tensor, bias: Tensor | null, ...rest: Options) => {
      const [stride, padding, dilation, transposed, output_padding, groups] = rest;
      return at.convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
    }),
    convolution_backward: decomposed(convolution_backward),
  }),
);
