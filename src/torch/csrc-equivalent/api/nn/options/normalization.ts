/**
 * @file Options of normalizations over features, channels and neighbours.
 * @mirrors torch/csrc/api/include/torch/nn/options/normalization.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { bool, double, int64, list, type Made, optional, TORCH_OPTIONS, tensor } from "../../arg.ts";

export const LayerNormOptions = TORCH_OPTIONS("LayerNormOptions", ["normalized_shape"], {
  normalized_shape: list(),
  eps: double(1e-5),
  elementwise_affine: bool(true),
});
export type LayerNormOptions = Made<typeof LayerNormOptions>;
export const LayerNormFuncOptions = TORCH_OPTIONS("LayerNormFuncOptions", ["normalized_shape"], {
  normalized_shape: list(),
  weight: tensor,
  bias: tensor,
  eps: double(1e-5),
});
export type LayerNormFuncOptions = Made<typeof LayerNormFuncOptions>;

export const LocalResponseNormOptions = TORCH_OPTIONS("LocalResponseNormOptions", ["size"], {
  size: int64(),
  alpha: double(1e-4),
  beta: double(0.75),
  k: double(1),
});
export type LocalResponseNormOptions = Made<typeof LocalResponseNormOptions>;

export const CrossMapLRN2dOptions = TORCH_OPTIONS("CrossMapLRN2dOptions", ["size"], {
  size: int64(),
  alpha: double(1e-4),
  beta: double(0.75),
  k: int64(1),
});
export type CrossMapLRN2dOptions = Made<typeof CrossMapLRN2dOptions>;

export const NormalizeFuncOptions = TORCH_OPTIONS("NormalizeFuncOptions", [], {
  p: double(2),
  dim: int64(1),
  eps: double(1e-12),
  out: optional<Tensor>(),
});
export type NormalizeFuncOptions = Made<typeof NormalizeFuncOptions>;

export const GroupNormOptions = TORCH_OPTIONS("GroupNormOptions", ["num_groups", "num_channels"], {
  num_groups: int64(),
  num_channels: int64(),
  eps: double(1e-5),
  affine: bool(true),
});
export type GroupNormOptions = Made<typeof GroupNormOptions>;
export const GroupNormFuncOptions = TORCH_OPTIONS("GroupNormFuncOptions", ["num_groups"], {
  num_groups: int64(),
  weight: tensor,
  bias: tensor,
  eps: double(1e-5),
});
export type GroupNormFuncOptions = Made<typeof GroupNormFuncOptions>;
