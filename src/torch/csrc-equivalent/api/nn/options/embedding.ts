/**
 * @file Options of embeddings: tables of vectors that integers look up.
 * @mirrors torch/csrc/api/include/torch/nn/options/embedding.h
 */
import {
  bool,
  double,
  int64,
  type Made,
  one_of,
  optional_double,
  optional_int,
  TORCH_OPTIONS,
  tensor,
} from "../../arg.ts";
import { enumtype } from "../../enum.ts";

const lookup = {
  max_norm: optional_double,
  norm_type: double(2),
  scale_grad_by_freq: bool(false),
  sparse: bool(false),
} as const;
const table = { num_embeddings: int64(), embedding_dim: int64(), _weight: tensor } as const;
const bag = {
  ...lookup,
  mode: one_of(enumtype.kMean, enumtype.kSum, enumtype.kMax),
  include_last_offset: bool(false),
  padding_idx: optional_int,
} as const;
const positional = ["num_embeddings", "embedding_dim"] as const;

export const EmbeddingOptions = TORCH_OPTIONS("EmbeddingOptions", positional, {
  ...table,
  ...lookup,
  padding_idx: optional_int,
});
export type EmbeddingOptions = Made<typeof EmbeddingOptions>;
/** `freeze`: the table gets no gradient. */
export const EmbeddingFromPretrainedOptions = TORCH_OPTIONS("EmbeddingFromPretrainedOptions", [], {
  freeze: bool(true),
  ...lookup,
  padding_idx: optional_int,
});
export type EmbeddingFromPretrainedOptions = Made<typeof EmbeddingFromPretrainedOptions>;
export const EmbeddingFuncOptions = TORCH_OPTIONS("EmbeddingFuncOptions", [], { ...lookup, padding_idx: optional_int });
export type EmbeddingFuncOptions = Made<typeof EmbeddingFuncOptions>;

export const EmbeddingBagOptions = TORCH_OPTIONS("EmbeddingBagOptions", positional, { ...table, ...bag });
export type EmbeddingBagOptions = Made<typeof EmbeddingBagOptions>;
export const EmbeddingBagFromPretrainedOptions = TORCH_OPTIONS("EmbeddingBagFromPretrainedOptions", [], {
  freeze: bool(true),
  ...bag,
});
export type EmbeddingBagFromPretrainedOptions = Made<typeof EmbeddingBagFromPretrainedOptions>;
export const EmbeddingBagFuncOptions = TORCH_OPTIONS("EmbeddingBagFuncOptions", [], {
  offsets: tensor,
  per_sample_weights: tensor,
  ...bag,
});
export type EmbeddingBagFuncOptions = Made<typeof EmbeddingBagFuncOptions>;
