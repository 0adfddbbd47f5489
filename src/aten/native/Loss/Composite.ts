/**
 * @file Losses composed of other operators, which autograd sees: margins, embeddings, counts, divergences, and binary
 * cross entropy with logits.
 * @mirrors aten/src/ATen/native/Loss.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { defined } from "#aten/TensorMethods";
import { minus } from "#aten/TensorOperators";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { apply_loss_reduction } from "./index.ts";

/** Added to values that may be zero; a float in C++. */
const EPSILON = Scalar.fromDouble(Math.fround(1e-12));
const MINUS_ONE = Scalar.fromInt(-1);

function contiguous_zeros_like(t: Tensor): Tensor {
  return at.zeros_like(t, TensorOptions.EMPTY, MemoryFormat.Contiguous);
}

// binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=Mean)
//   -> Tensor                                                                                CompositeExplicitAutograd
export function binary_cross_entropy_with_logits(
  input: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  pos_weight_opt: Tensor | null,
  reduction: number,
): Tensor {
  const log_sigmoid = at.log_sigmoid(input);
  const pos_weight = defined(pos_weight_opt);
  if (pos_weight !== null)
    log_sigmoid.mul__Tensor(pos_weight.sub_Scalar(Scalar.ONE).mul_Tensor(target).add__Scalar(Scalar.ONE));
  const loss = minus(Scalar.ONE, target).mul__Tensor(input).sub__Tensor(log_sigmoid);
  const weight = defined(weight_opt);
  if (weight !== null) loss.mul__Tensor(weight);
  return apply_loss_reduction(loss, reduction);
}

// hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=Mean) -> Tensor
//                                                                                            CompositeImplicitAutograd
export function hinge_embedding_loss(self: Tensor, target: Tensor, margin: number, reduction: number): Tensor {
  const zeros = contiguous_zeros_like(self);
  const margin_clamp = minus(Scalar.fromDouble(margin), self).clamp_min_(Scalar.ZERO);
  const output_margin = at.where_self(target.ne_Scalar(Scalar.ONE), margin_clamp, zeros);
  const output_self = at.where_self(target.ne_Scalar(MINUS_ONE), self, zeros);
  return apply_loss_reduction(output_margin.add_Tensor(output_self), reduction);
}

// margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=Mean) -> Tensor
//                                                                                            CompositeImplicitAutograd
export function margin_ranking_loss(
  input1: Tensor,
  input2: Tensor,
  target: Tensor,
  margin: number,
  reduction: number,
): Tensor {
  const difference = input1.sub_Tensor(input2);
  const output = target.neg().mul_Tensor(difference).add_Scalar(Scalar.fromDouble(margin)).clamp_min_(Scalar.ZERO);
  return apply_loss_reduction(output, reduction);
}

// triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, float eps=1e-06, bool swap=False,
//   int reduction=Mean) -> Tensor                                                            CompositeImplicitAutograd
/** With `swap`, the negative's distance is that from the nearer of anchor and positive. */
export function triplet_margin_loss(
  anchor: Tensor,
  positive: Tensor,
  negative: Tensor,
  margin: number,
  p: number,
  eps: number,
  swap: boolean,
  reduction: number,
): Tensor {
  const [a_dim, p_dim, n_dim] = [anchor.dim(), positive.dim(), negative.dim()];
  TORCH_CHECK(
    a_dim === p_dim && p_dim === n_dim,
    "The anchor, positive, and negative tensors are expected to have the same number of dimensions, ",
    `but got: anchor ${a_dim}D, positive ${p_dim}D, and negative ${n_dim}D inputs`,
  );
  const dist_pos = at.pairwise_distance(anchor, positive, p, eps);
  let dist_neg = at.pairwise_distance(anchor, negative, p, eps);
  if (swap) dist_neg = at.min_other(dist_neg, at.pairwise_distance(positive, negative, p, eps));
  const output = dist_pos.add_Scalar(Scalar.fromDouble(margin)).sub_Tensor(dist_neg);
  return apply_loss_reduction(at.clamp_min(output, Scalar.ZERO), reduction);
}

// cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=Mean) -> Tensor
//                                                                                            CompositeImplicitAutograd
export function cosine_embedding_loss(
  input1: Tensor,
  input2: Tensor,
  target: Tensor,
  margin: number,
  reduction: number,
): Tensor {
  const targ_dim = target.dim();
  TORCH_CHECK(targ_dim === 1 || targ_dim === 0, "0D or 1D target tensor expected, multi-target not supported");
  TORCH_CHECK(
    input1.dim() === targ_dim + 1 && input2.dim() === targ_dim + 1,
    targ_dim === 1 ? "1D target tensor expects 2D" : "0D target tensor expects 1D",
    " input tensors, but found inputs with sizes ",
    input1.sizes(),
    " and ",
    input2.sizes(),
    ".",
  );
  const dot = (a: Tensor, b: Tensor): Tensor => a.mul_Tensor(b).sum_dim_IntList([targ_dim]);
  const prod_sum = dot(input1, input2);
  const mag_square1 = dot(input1, input1).add_Scalar(EPSILON);
  const mag_square2 = dot(input2, input2).add_Scalar(EPSILON);
  const denom = mag_square1.mul_Tensor(mag_square2).sqrt_();
  const cos = prod_sum.div_Tensor(denom);
  const zeros = contiguous_zeros_like(cos);
  const pos = minus(Scalar.ONE, cos);
  const neg = cos.sub_Scalar(Scalar.fromDouble(margin)).clamp_min_(Scalar.ZERO);
  const output_pos = at.where_self(target.eq_Scalar(Scalar.ONE), pos, zeros);
  const output_neg = at.where_self(target.eq_Scalar(MINUS_ONE), neg, zeros);
  return apply_loss_reduction(output_pos.add_Tensor(output_neg), reduction);
}

// poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor
//                                                                                            CompositeImplicitAutograd
export function poisson_nll_loss(
  input: Tensor,
  target: Tensor,
  log_input: boolean,
  full: boolean,
  eps: number,
  reduction: number,
): Tensor {
  const loss = log_input ? likelihood_of_log(input, target) : likelihood(input, target, eps);
  if (full) loss.add__Tensor(stirling(target).masked_fill_Scalar(target.le_Scalar(Scalar.ONE), Scalar.ZERO));
  return apply_loss_reduction(loss, reduction);
}

function likelihood_of_log(input: Tensor, target: Tensor): Tensor {
  const product = target.mul_Tensor(input);
  return at.exp(input).sub_Tensor(product);
}
function likelihood(input: Tensor, target: Tensor, eps: number): Tensor {
  return input.sub_Tensor(target.mul_Tensor(at.log(input.add_Scalar(Scalar.fromDouble(eps)))));
}
/** Stirling's approximation of log(n!). */
function stirling(n: Tensor): Tensor {
  const half_log = at.log(n.mul_Scalar(Scalar.fromDouble(2 * Math.PI))).mul_Scalar(Scalar.fromDouble(0.5));
  return n.mul_Tensor(at.log(n)).sub_Tensor(n).add_Tensor(half_log);
}

// kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool log_target=False) -> Tensor
//                                                                                            CompositeImplicitAutograd
export function kl_div(input: Tensor, target: Tensor, reduction: number, log_target: boolean): Tensor {
  const integral = (t: Tensor): boolean => isIntegralType(t.scalar_type(), true);
  TORCH_CHECK(!integral(input) && !integral(target), "kl_div: Integral inputs not supported.");
  if (log_target) {
    const difference = target.sub_Tensor(input);
    return apply_loss_reduction(at.exp(target).mul_Tensor(difference), reduction);
  }
  const product = target.mul_Tensor(input);
  return apply_loss_reduction(at.xlogy_Tensor(target, target).sub_Tensor(product), reduction);
}
