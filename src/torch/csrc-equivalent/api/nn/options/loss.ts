/**
 * @file Options of losses. The reduction is `torch.kMean` unless it is set.
 * @mirrors torch/csrc/api/include/torch/nn/options/loss.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { bool, double, int64, type Made, one_of, optional, optional_double, TORCH_OPTIONS, tensor } from "../../arg.ts";
import { enumtype } from "../../enum.ts";

const reduction = one_of(enumtype.kMean, enumtype.kNone, enumtype.kSum);

/** Options of a loss that has a reduction and no other options; it may be given to the constructor. */
const reduced = (name: string) => TORCH_OPTIONS(name, ["reduction"], { reduction });
type ReducedOptions = ReturnType<typeof reduced>;

export const L1LossOptions: ReducedOptions = reduced("L1LossOptions");
export type L1LossOptions = Made<ReducedOptions>;
export const MSELossOptions: ReducedOptions = reduced("MSELossOptions");
export type MSELossOptions = Made<ReducedOptions>;
export const MultiLabelMarginLossOptions: ReducedOptions = reduced("MultiLabelMarginLossOptions");
export type MultiLabelMarginLossOptions = Made<ReducedOptions>;
export const SoftMarginLossOptions: ReducedOptions = reduced("SoftMarginLossOptions");
export type SoftMarginLossOptions = Made<ReducedOptions>;

export const KLDivLossOptions = TORCH_OPTIONS("KLDivLossOptions", ["reduction"], {
  reduction: one_of(enumtype.kMean, enumtype.kNone, enumtype.kBatchMean, enumtype.kSum),
  log_target: bool(false),
});
export type KLDivLossOptions = Made<typeof KLDivLossOptions>;

export const BCELossOptions = TORCH_OPTIONS("BCELossOptions", [], { weight: tensor, reduction });
export type BCELossOptions = Made<typeof BCELossOptions>;

export const HingeEmbeddingLossOptions = TORCH_OPTIONS("HingeEmbeddingLossOptions", [], {
  margin: double(1),
  reduction,
});
export type HingeEmbeddingLossOptions = Made<typeof HingeEmbeddingLossOptions>;

export const MultiMarginLossOptions = TORCH_OPTIONS("MultiMarginLossOptions", [], {
  p: int64(1),
  margin: double(1),
  weight: tensor,
  reduction,
});
export type MultiMarginLossOptions = Made<typeof MultiMarginLossOptions>;

export const CosineEmbeddingLossOptions = TORCH_OPTIONS("CosineEmbeddingLossOptions", [], {
  margin: double(0),
  reduction,
});
export type CosineEmbeddingLossOptions = Made<typeof CosineEmbeddingLossOptions>;

export const MultiLabelSoftMarginLossOptions = TORCH_OPTIONS("MultiLabelSoftMarginLossOptions", [], {
  weight: tensor,
  reduction,
});
export type MultiLabelSoftMarginLossOptions = Made<typeof MultiLabelSoftMarginLossOptions>;

export const TripletMarginLossOptions = TORCH_OPTIONS("TripletMarginLossOptions", [], {
  margin: double(1),
  p: double(2),
  eps: double(1e-6),
  swap: bool(false),
  reduction,
});
export type TripletMarginLossOptions = Made<typeof TripletMarginLossOptions>;

/** A distance between two tensors of vectors. */
export type distance_function_t = (x: Tensor, y: Tensor) => Tensor;
export const TripletMarginWithDistanceLossOptions = TORCH_OPTIONS("TripletMarginWithDistanceLossOptions", [], {
  distance_function: optional<distance_function_t>(),
  margin: double(1),
  swap: bool(false),
  reduction,
});
export type TripletMarginWithDistanceLossOptions = Made<typeof TripletMarginWithDistanceLossOptions>;

export const CTCLossOptions = TORCH_OPTIONS("CTCLossOptions", [], {
  blank: int64(0),
  reduction,
  zero_infinity: bool(false),
});
export type CTCLossOptions = Made<typeof CTCLossOptions>;

export const SmoothL1LossOptions = TORCH_OPTIONS("SmoothL1LossOptions", ["reduction"], {
  reduction,
  beta: optional_double,
});
export type SmoothL1LossOptions = Made<typeof SmoothL1LossOptions>;

export const HuberLossOptions = TORCH_OPTIONS("HuberLossOptions", ["reduction"], { reduction, delta: double(1) });
export type HuberLossOptions = Made<typeof HuberLossOptions>;

export const PoissonNLLLossOptions = TORCH_OPTIONS("PoissonNLLLossOptions", [], {
  log_input: bool(true),
  full: bool(false),
  eps: double(1e-8),
  reduction,
});
export type PoissonNLLLossOptions = Made<typeof PoissonNLLLossOptions>;

export const MarginRankingLossOptions = TORCH_OPTIONS("MarginRankingLossOptions", [], { margin: double(0), reduction });
export type MarginRankingLossOptions = Made<typeof MarginRankingLossOptions>;

export const NLLLossOptions = TORCH_OPTIONS("NLLLossOptions", [], {
  weight: tensor,
  ignore_index: int64(-100),
  reduction,
});
export type NLLLossOptions = Made<typeof NLLLossOptions>;

export const CrossEntropyLossOptions = TORCH_OPTIONS("CrossEntropyLossOptions", [], {
  weight: tensor,
  ignore_index: int64(-100),
  reduction,
  label_smoothing: double(0),
});
export type CrossEntropyLossOptions = Made<typeof CrossEntropyLossOptions>;

export const BCEWithLogitsLossOptions = TORCH_OPTIONS("BCEWithLogitsLossOptions", [], {
  weight: tensor,
  reduction,
  pos_weight: tensor,
});
export type BCEWithLogitsLossOptions = Made<typeof BCEWithLogitsLossOptions>;
