/**
 * @file Losses as functions. Options come last; the reduction is the mean unless they say otherwise.
 * @mirrors torch/csrc/api/include/torch/nn/functional/loss.h
 */

import { infer_size_dimvector, sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { minus } from "#aten/TensorOperators";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { format_general } from "#c10/util/format_float";
import { type EnumValue, enumtype, reduction_get_enum } from "../../enum.ts";
import { or_null } from "../../optional_tensor.ts";
import {
  BCELossOptions,
  BCEWithLogitsLossOptions,
  CosineEmbeddingLossOptions,
  CrossEntropyLossOptions,
  CTCLossOptions,
  HingeEmbeddingLossOptions,
  HuberLossOptions,
  KLDivLossOptions,
  L1LossOptions,
  MarginRankingLossOptions,
  MSELossOptions,
  MultiLabelMarginLossOptions,
  MultiLabelSoftMarginLossOptions,
  MultiMarginLossOptions,
  NLLLossOptions,
  PoissonNLLLossOptions,
  SmoothL1LossOptions,
  SoftMarginLossOptions,
  TripletMarginLossOptions,
  TripletMarginWithDistanceLossOptions,
} from "../options/loss.ts";
import { pairwise_distance } from "./distance.ts";

const double = Scalar.fromDouble;
const same_sizes = (a: Tensor, b: Tensor): boolean => sizes_equal(a.sizes(), b.sizes());

/** Both with the size to which they broadcast, and a warning if it is a new one for the target. */
function broadcast(input: Tensor, target: Tensor): readonly Tensor[] {
  if (!same_sizes(input, target)) {
    TORCH_WARN(
      "Using a target size (",
      target.sizes(),
      ") that is different to the input size (",
      input.sizes(),
      "). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
    );
  }
  return at.broadcast_tensors([input, target]);
}

/** A loss of several elements, reduced by operators. */
function reduced(loss: Tensor, reduction: EnumValue): Tensor {
  if (reduction === enumtype.kNone) return loss;
  return reduction === enumtype.kMean ? loss.mean() : loss.sum();
}

export function l1_loss(input: Tensor, target: Tensor, options: L1LossOptions = L1LossOptions()): Tensor {
  return at.l1_loss(input, target, reduction_get_enum(options.reduction()));
}

export function kl_div(input: Tensor, target: Tensor, options: KLDivLossOptions = KLDivLossOptions()): Tensor {
  const reduction = options.reduction();
  if (reduction === enumtype.kMean) {
    TORCH_WARN(
      "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' in the next major release.",
    );
  }
  const batch_mean = reduction === enumtype.kBatchMean;
  const number = reduction_get_enum(batch_mean ? enumtype.kSum : reduction);
  const loss = at.kl_div(input, target, number, options.log_target());
  return batch_mean && input.dim() !== 0 ? loss.div_Scalar(Scalar.fromInt(input.size(0))) : loss;
}

export function mse_loss(input: Tensor, target: Tensor, options: MSELossOptions = MSELossOptions()): Tensor {
  const [expanded_input, expanded_target] = broadcast(input, target);
  return at.mse_loss(expanded_input, expanded_target, reduction_get_enum(options.reduction()));
}

export function binary_cross_entropy(
  input: Tensor,
  target: Tensor,
  options: BCELossOptions = BCELossOptions(),
): Tensor {
  const reduction = reduction_get_enum(options.reduction());
  TORCH_CHECK(
    same_sizes(target, input),
    "Using a target size (",
    target.sizes(),
    ") that is different to the input size (",
    input.sizes(),
    ") is deprecated. Please ensure they have the same size.",
  );
  let weight = options.weight();
  if (weight.defined()) weight = weight.expand(infer_size_dimvector(target.sizes(), weight.sizes()));
  return at.binary_cross_entropy(input, target, or_null(weight), reduction);
}

export function hinge_embedding_loss(
  input: Tensor,
  target: Tensor,
  options: HingeEmbeddingLossOptions = HingeEmbeddingLossOptions(),
): Tensor {
  return at.hinge_embedding_loss(input, target, options.margin(), reduction_get_enum(options.reduction()));
}

export function multi_margin_loss(
  input: Tensor,
  target: Tensor,
  options: MultiMarginLossOptions = MultiMarginLossOptions(),
): Tensor {
  const [p, weight] = [options.p(), options.weight()];
  TORCH_CHECK(p === 1 || p === 2, "only p == 1 and p == 2 supported");
  if (weight.defined()) TORCH_CHECK(weight.dim() === 1, "weight must be one-dimensional");
  const reduction = reduction_get_enum(options.reduction());
  return at.multi_margin_loss(input, target, Scalar.fromInt(p), double(options.margin()), or_null(weight), reduction);
}

export function cosine_embedding_loss(
  input1: Tensor,
  input2: Tensor,
  target: Tensor,
  options: CosineEmbeddingLossOptions = CosineEmbeddingLossOptions(),
): Tensor {
  return at.cosine_embedding_loss(input1, input2, target, options.margin(), reduction_get_enum(options.reduction()));
}

/** @param beta may be given here or in the options, where it is 1 without a setter */
export function smooth_l1_loss(
  input: Tensor,
  target: Tensor,
  options: SmoothL1LossOptions = SmoothL1LossOptions(),
  beta: number | null = null,
): Tensor {
  const given = options.beta();
  TORCH_CHECK(
    beta === null || given === null,
    "expected beta not to be provided in 'options', but got ",
    format_general(given ?? 0),
  );
  const [expanded_input, expanded_target] = broadcast(input, target);
  return at.smooth_l1_loss(
    expanded_input,
    expanded_target,
    reduction_get_enum(options.reduction()),
    beta ?? given ?? 1,
  );
}

export function huber_loss(input: Tensor, target: Tensor, options: HuberLossOptions = HuberLossOptions()): Tensor {
  const [expanded_input, expanded_target] = broadcast(input, target);
  return at.huber_loss(expanded_input, expanded_target, reduction_get_enum(options.reduction()), options.delta());
}

export function multilabel_margin_loss(
  input: Tensor,
  target: Tensor,
  options: MultiLabelMarginLossOptions = MultiLabelMarginLossOptions(),
): Tensor {
  return at.multilabel_margin_loss(input, target, reduction_get_enum(options.reduction()));
}

export function soft_margin_loss(
  input: Tensor,
  target: Tensor,
  options: SoftMarginLossOptions = SoftMarginLossOptions(),
): Tensor {
  return at.soft_margin_loss(input, target, reduction_get_enum(options.reduction()));
}

export function multilabel_soft_margin_loss(
  input: Tensor,
  target: Tensor,
  options: MultiLabelSoftMarginLossOptions = MultiLabelSoftMarginLossOptions(),
): Tensor {
  const negative = minus(Scalar.ONE, target).mul_Tensor(at.log_sigmoid(input.neg()));
  let loss = target.mul_Tensor(at.log_sigmoid(input)).add_Tensor(negative).neg();
  const weight = options.weight();
  if (weight.defined()) loss = loss.mul_Tensor(weight);
  const class_dim = input.dim() - 1;
  loss = loss.sum_dim_IntList([class_dim]).div_Scalar(Scalar.fromInt(input.size(class_dim)));
  return reduced(loss, options.reduction());
}

export function triplet_margin_loss(
  anchor: Tensor,
  positive: Tensor,
  negative: Tensor,
  options: TripletMarginLossOptions = TripletMarginLossOptions(),
): Tensor {
  const [margin, p, eps] = [options.margin(), options.p(), options.eps()];
  const reduction = reduction_get_enum(options.reduction());
  return at.triplet_margin_loss(anchor, positive, negative, margin, p, eps, options.swap(), reduction);
}

export function triplet_margin_with_distance_loss(
  anchor: Tensor,
  positive: Tensor,
  negative: Tensor,
  options: TripletMarginWithDistanceLossOptions = TripletMarginWithDistanceLossOptions(),
): Tensor {
  const distance = options.distance_function() ?? ((x: Tensor, y: Tensor) => pairwise_distance(x, y));
  const dist_pos = distance(anchor, positive);
  let dist_neg = distance(anchor, negative);
  if (options.swap()) dist_neg = at.min_other(dist_neg, distance(positive, negative));
  const loss = at.clamp_min(dist_pos.sub_Tensor(dist_neg).add_Scalar(double(options.margin())), Scalar.ZERO);
  return reduced(loss, options.reduction());
}

export function ctc_loss(
  log_probs: Tensor,
  targets: Tensor,
  input_lengths: Tensor,
  target_lengths: Tensor,
  options: CTCLossOptions = CTCLossOptions(),
): Tensor {
  const reduction = reduction_get_enum(options.reduction());
  const lengths = [input_lengths, target_lengths] as const;
  return at.ctc_loss_Tensor(log_probs, targets, ...lengths, options.blank(), reduction, options.zero_infinity());
}

export function poisson_nll_loss(
  input: Tensor,
  target: Tensor,
  options: PoissonNLLLossOptions = PoissonNLLLossOptions(),
): Tensor {
  const reduction = reduction_get_enum(options.reduction());
  return at.poisson_nll_loss(input, target, options.log_input(), options.full(), options.eps(), reduction);
}

export function margin_ranking_loss(
  input1: Tensor,
  input2: Tensor,
  target: Tensor,
  options: MarginRankingLossOptions = MarginRankingLossOptions(),
): Tensor {
  TORCH_CHECK(
    input1.dim() === input2.dim() && input1.dim() === target.dim(),
    "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: ",
    input1.sizes(),
    ", input2: ",
    input2.sizes(),
    ", target: ",
    target.sizes(),
  );
  return at.margin_ranking_loss(input1, input2, target, options.margin(), reduction_get_enum(options.reduction()));
}

export function nll_loss(input: Tensor, target: Tensor, options: NLLLossOptions = NLLLossOptions()): Tensor {
  TORCH_CHECK(input.dim() >= 2, "Expected 2 or more dimensions (got ", input.dim(), ")");
  TORCH_CHECK(
    input.size(0) === target.sizes()[0],
    `Expected input batch_size (${input.size(0)}) to match target batch_size (${target.sizes()[0]}).`,
  );
  const reduction = reduction_get_enum(options.reduction());
  return at.nll_loss_nd(input, target, or_null(options.weight()), reduction, options.ignore_index());
}

export function cross_entropy(
  input: Tensor,
  target: Tensor,
  options: CrossEntropyLossOptions = CrossEntropyLossOptions(),
): Tensor {
  const [weight, reduction] = [or_null(options.weight()), reduction_get_enum(options.reduction())];
  return at.cross_entropy_loss(input, target, weight, reduction, options.ignore_index(), options.label_smoothing());
}

export function binary_cross_entropy_with_logits(
  input: Tensor,
  target: Tensor,
  options: BCEWithLogitsLossOptions = BCEWithLogitsLossOptions(),
): Tensor {
  TORCH_CHECK(
    same_sizes(target, input),
    "Target size (",
    target.sizes(),
    ") must be the same as input size (",
    input.sizes(),
    ")",
  );
  const [weight, pos_weight] = [or_null(options.weight()), or_null(options.pos_weight())];
  return at.binary_cross_entropy_with_logits(
    input,
    target,
    weight,
    pos_weight,
    reduction_get_enum(options.reduction()),
  );
}
