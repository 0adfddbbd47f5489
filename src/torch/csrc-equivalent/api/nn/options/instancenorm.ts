/**
 * @file Options of instance normalization.
 * @mirrors torch/csrc/api/include/torch/nn/options/instancenorm.h
 */
import { bool, double, int64, type Made, TORCH_OPTIONS, tensor } from "../../arg.ts";

export const InstanceNormOptions = TORCH_OPTIONS("InstanceNormOptions", ["num_features"], {
  num_features: int64(),
  eps: double(1e-5),
  momentum: double(0.1),
  affine: bool(false),
  track_running_stats: bool(false),
});
export type InstanceNormOptions = Made<typeof InstanceNormOptions>;

export const InstanceNormFuncOptions = TORCH_OPTIONS("InstanceNormFuncOptions", [], {
  running_mean: tensor,
  running_var: tensor,
  weight: tensor,
  bias: tensor,
  use_input_stats: bool(true),
  momentum: double(0.1),
  eps: double(1e-5),
});
export type InstanceNormFuncOptions = Made<typeof InstanceNormFuncOptions>;
