/**
 * @file Batching rules of losses: the loss of each element, reduced over the samples.
 * @mirrors aten/src/ATen/functorch/BatchRulesLoss.cpp
 * @differs The losses that PyTorch decomposes in Python for vmap (`torch/_functorch/vmap.py#lazy_load_decompositions`) are here, too.
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { Reduction } from "#aten/core/Reduction";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK, TORCH_CHECK_INDEX } from "#c10/util/Exception";
import {
  type BDim,
  batch_rules,
  decomposed,
  maybePadToLogicalRank,
  moveBatchDimToFront,
  type RuleResult,
  rankWithoutBatchDim,
} from "./BatchRulesHelper.ts";

const int = (n: number): Scalar => Scalar.fromInt(n);

/** Reduces (B, ...) over each sample. */
function reduced(unreduced: Tensor, reduction: number): RuleResult {
  if (reduction === Reduction.None) return [unreduced, 0];
  const flat = unreduced.dim() === 1 ? unreduced.unsqueeze(-1) : unreduced.flatten_using_ints(1, -1);
  return [reduction === Reduction.Sum ? at.sum_dim_IntList(flat, [-1]) : at.mean_dim(flat, [-1]), 0];
}

/** A loss of two tensors, from the function that computes it for each element. */
const loss =
  <A extends unknown[]>(fn: (self: Tensor, target: Tensor, ...rest: A) => Tensor) =>
  (self: Tensor, self_bdim: BDim, target: Tensor, target_bdim: BDim, reduction: number, ...rest: A): RuleResult => {
    const rank = Math.max(rankWithoutBatchDim(self, self_bdim), rankWithoutBatchDim(target, target_bdim));
    const a = maybePadToLogicalRank(moveBatchDimToFront(self, self_bdim), self_bdim, rank);
    const b = maybePadToLogicalRank(moveBatchDimToFront(target, target_bdim), target_bdim, rank);
    return reduced(fn(a, b, ...rest), reduction);
  };

function apply_reduction(unreduced: Tensor, reduction: number): Tensor {
  if (reduction === Reduction.Mean) return at.mean(unreduced);
  return reduction === Reduction.Sum ? at.sum(unreduced) : unreduced;
}

/** The gradient of each element, for a mean divided by the number of elements. */
const of_mean = (grad: Tensor, self: Tensor, reduction: number): Tensor =>
  reduction === Reduction.Mean ? at.div_Scalar(grad, int(self.numel())) : grad;

function binary_cross_entropy(self: Tensor, target: Tensor, weight: Tensor | null, reduction: number): Tensor {
  const clamp = (t: Tensor): Tensor => at.clamp_min(t, int(-100));
  const a = at.mul_Tensor(at.sub_Scalar(target, int(1)), clamp(at.log1p(at.neg(self))));
  const all = at.sub_Tensor(a, at.mul_Tensor(target, clamp(at.log(self))));
  return apply_reduction(weight === null ? all : at.mul_Tensor(all, weight), reduction);
}

function binary_cross_entropy_backward(
  grad: Tensor,
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
): Tensor {
  const denominator = at.clamp_min(at.mul_Tensor(at.rsub_Scalar(self, int(1)), self), Scalar.fromDouble(1e-12));
  const each = at.div_Tensor(at.mul_Tensor(grad, at.sub_Tensor(self, target)), denominator);
  return of_mean(weight === null ? each : at.mul_Tensor(each, weight), self, reduction);
}

/** The dimension of the classes, of (C) and of (N, C, ...). */
const class_dim = (self: Tensor): number => (self.dim() < 2 ? 0 : 1);

function nll_loss_forward(
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
): [Tensor, Tensor] {
  TORCH_CHECK(self.dim() > 0 && self.dim() <= 4, "input tensor should be 1D or 2D");
  const dim = class_dim(self);
  const ignored = at.eq_Scalar(target, int(ignore_index));
  const safe_target = at.where_self(ignored, at.zeros_like(target), target);
  const of_classes = (t: Tensor): Tensor =>
    self.dim() > 1 ? t.view(self.sizes().map((n, d) => (d === 1 ? n : 1))) : t;
  const weighted = weight === null ? self : at.mul_Tensor(self, of_classes(weight));
  const picked = at.neg(at.gather(weighted, dim, safe_target.unsqueeze(dim)).squeeze_dim(dim));
  const result = at.where_self(ignored, at.zeros_like(picked), picked);
  if (reduction === Reduction.None && self.dim() > 1) return [result, self.new_full([], Scalar.fromDouble(0))];
  const counted =
    weight === null
      ? at.logical_not(ignored).to_dtype(self.scalar_type())
      : weights_of(weight, self, safe_target, ignored, dim);
  const total_weight = at.sum(counted);
  if (reduction === Reduction.Mean) return [at.div_Tensor(at.sum(result), total_weight), total_weight];
  return [reduction === Reduction.Sum ? at.sum(result) : result, total_weight];
}

function weights_of(weight: Tensor, self: Tensor, target: Tensor, ignored: Tensor, dim: number): Tensor {
  const shaped = self.dim() > 1 ? weight.view(self.sizes().map((n, d) => (d === 1 ? n : 1))) : weight;
  const picked = at.gather(shaped.expand([...self.sizes()]), dim, target.unsqueeze(dim)).squeeze_dim(dim);
  return at.where_self(ignored, at.zeros_like(picked), picked);
}

function nll_loss_backward(
  grad_output: Tensor,
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
  total_weight: Tensor,
): Tensor {
  TORCH_CHECK_INDEX(self.dim() > 0, "input tensor should be 1D or 2D");
  const dim = class_dim(self);
  let grad = reduction === Reduction.Mean ? at.div_Tensor(grad_output, total_weight) : grad_output;
  const index = target.unsqueeze(dim);
  const ignored = at.eq_Scalar(index, int(ignore_index));
  const safe = at.where_self(ignored, at.zeros_like(index), index);
  const one_hot = at.scatter_value(at.zeros_like(self), dim, safe, Scalar.fromDouble(-1));
  if (grad.dim() > 0 && self.dim() > grad.dim()) grad = grad.unsqueeze(dim);
  const shaped =
    weight === null ? null : self.dim() > 1 ? weight.view(self.sizes().map((n, d) => (d === 1 ? n : 1))) : weight;
  if (shaped !== null) grad = at.mul_Tensor(grad, shaped);
  const used = at.where_self(ignored, at.zeros_like(grad), grad);
  return at.mul_Tensor(one_hot, used);
}

const smooth_l1_loss_backward = (
  grad: Tensor,
  self: Tensor,
  target: Tensor,
  reduction: number,
  beta: number,
): Tensor => {
  const x = at.sub_Tensor(self, target);
  const inside = at.div_Scalar(x, Scalar.fromDouble(beta));
  const each = at.where_self(at.lt_Scalar(at.abs(x), Scalar.fromDouble(beta)), inside, at.sign(x));
  return of_mean(at.mul_Tensor(each, grad), x, reduction);
};

const huber_loss_backward = (grad: Tensor, self: Tensor, target: Tensor, reduction: number, delta: number): Tensor => {
  const x = at.sub_Tensor(self, target);
  const outside = at.mul_Scalar(at.sign(x), Scalar.fromDouble(delta));
  const each = at.where_self(at.le_Scalar(at.abs(x), Scalar.fromDouble(delta)), x, outside);
  return of_mean(at.mul_Tensor(each, grad), x, reduction);
};

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    mse_loss: loss((self, target) => at.mse_loss(self, target, Reduction.None)),
    huber_loss: loss((self, target, delta: number) => at.huber_loss(self, target, Reduction.None, delta)),
    smooth_l1_loss: loss((self, target, beta: number) => at.smooth_l1_loss(self, target, Reduction.None, beta)),
    binary_cross_entropy: decomposed(binary_cross_entropy),
    binary_cross_entropy_backward: decomposed(binary_cross_entropy_backward),
  }),
);

let loaded = false;

/** Registers the losses' derivatives that PyTorch decomposes in Python; the first vmap calls it. */
export function lazy_load_decompositions(): void {
  if (loaded) return;
  loaded = true;
  TORCH_LIBRARY_IMPL(
    "aten",
    "FuncTorchBatched",
    batch_rules({
      mse_loss_backward: decomposed((grad: Tensor, self: Tensor, target: Tensor, reduction: number) => {
        const twice = at.mul_Scalar(at.sub_Tensor(self, target), Scalar.fromDouble(2));
        return of_mean(at.mul_Tensor(twice, grad), self, reduction);
      }),
      smooth_l1_loss_backward: decomposed(smooth_l1_loss_backward),
      huber_loss_backward: decomposed(huber_loss_backward),
      nll_loss_forward: decomposed(nll_loss_forward),
      nll_loss_backward: decomposed(nll_loss_backward),
      nll_loss2d_forward: decomposed(nll_loss_forward),
      nll_loss2d_backward: decomposed(nll_loss_backward),
    }),
  );
}
