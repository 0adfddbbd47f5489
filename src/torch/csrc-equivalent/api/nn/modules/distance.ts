/**
 * @file Distances as modules.
 * @mirrors torch/csrc/api/include/torch/nn/modules/distance.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { cosine_similarity, pairwise_distance } from "../functional/distance.ts";
import { CosineSimilarityOptions, PairwiseDistanceOptions } from "../options/distance.ts";
import { g, printed } from "./printed.ts";
import { type Stateless, stateless } from "./stateless.ts";

type Binary = [x1: Tensor, x2: Tensor];

export const CosineSimilarity: Stateless<typeof CosineSimilarityOptions, Binary, Tensor> = stateless(
  "CosineSimilarity",
  CosineSimilarityOptions,
  cosine_similarity,
  (options) => printed("CosineSimilarity", [], { dim: options.dim(), eps: g(options.eps()) }),
);
export const PairwiseDistance: Stateless<typeof PairwiseDistanceOptions, Binary, Tensor> = stateless(
  "PairwiseDistance",
  PairwiseDistanceOptions,
  pairwise_distance,
  (options) =>
    printed("PairwiseDistance", [], { p: g(options.p()), eps: g(options.eps()), keepdim: options.keepdim() }),
);
