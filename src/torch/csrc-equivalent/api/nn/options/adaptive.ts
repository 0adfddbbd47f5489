/**
 * @file Options of the softmax over classes in groups by frequency.
 * @mirrors torch/csrc/api/include/torch/nn/options/adaptive.h
 */
import { bool, double, int64, list, type Made, TORCH_OPTIONS } from "../../arg.ts";

/** `cutoffs` are the classes at which a new group begins, in ascending order. */
export const AdaptiveLogSoftmaxWithLossOptions = TORCH_OPTIONS(
  "AdaptiveLogSoftmaxWithLossOptions",
  ["in_features", "n_classes", "cutoffs"],
  { in_features: int64(), n_classes: int64(), cutoffs: list(), div_value: double(4), head_bias: bool(false) },
);
export type AdaptiveLogSoftmaxWithLossOptions = Made<typeof AdaptiveLogSoftmaxWithLossOptions>;
