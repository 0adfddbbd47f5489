/**
 * @file Options of batch normalization. A momentum of null means the plain average over all batches.
 * @mirrors torch/csrc/api/include/torch/nn/options/batchnorm.h
 */
import { bool, double, int64, type Made, optional_double, TORCH_OPTIONS, tensor } from "../../arg.ts";

export const BatchNormOptions = TORCH_OPTIONS("BatchNormOptions", ["num_features"], {
  num_features: int64(),
  eps: double(1e-5),
  momentum: { ...optional_double, initial: () => 0.1 },
  affine: bool(true),
  track_running_stats: bool(true),
});
export type BatchNormOptions = Made<typeof BatchNormOptions>;

export const BatchNormFuncOptions = TORCH_OPTIONS("BatchNormFuncOptions", [], {
  weight: tensor,
  bias: tensor,
  training: bool(false),
  momentum: double(0.1),
  eps: double(1e-5),
});
export type BatchNormFuncOptions = Made<typeof BatchNormFuncOptions>;
