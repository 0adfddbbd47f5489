/**
 * @file Options of distances between vectors.
 * @mirrors torch/csrc/api/include/torch/nn/options/distance.h
 */
import { bool, double, int64, type Made, TORCH_OPTIONS } from "../../arg.ts";

export const CosineSimilarityOptions = TORCH_OPTIONS("CosineSimilarityOptions", [], {
  dim: int64(1),
  eps: double(1e-8),
});
export type CosineSimilarityOptions = Made<typeof CosineSimilarityOptions>;

export const PairwiseDistanceOptions = TORCH_OPTIONS("PairwiseDistanceOptions", [], {
  p: double(2),
  eps: double(1e-6),
  keepdim: bool(false),
});
export type PairwiseDistanceOptions = Made<typeof PairwiseDistanceOptions>;
