/**
 * @file Distances as functions.
 * @mirrors torch/csrc/api/include/torch/nn/functional/distance.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { CosineSimilarityOptions, PairwiseDistanceOptions } from "../options/distance.ts";

export function cosine_similarity(
  x1: Tensor,
  x2: Tensor,
  options: CosineSimilarityOptions = CosineSimilarityOptions(),
): Tensor {
  return at.cosine_similarity(x1, x2, options.dim(), options.eps());
}
export function pairwise_distance(
  x1: Tensor,
  x2: Tensor,
  options: PairwiseDistanceOptions = PairwiseDistanceOptions(),
): Tensor {
  return at.pairwise_distance(x1, x2, options.p(), options.eps(), options.keepdim());
}
/** Distances between all pairs of rows: `(n, m)` -> `(n * (n - 1) / 2)`. */
export function pdist(input: Tensor, p = 2): Tensor {
  return at.pdist(input, p);
}
