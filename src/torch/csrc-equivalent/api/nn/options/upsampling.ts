/**
 * @file Options of resampling: either the output's size or the factor by which it is larger.
 * @mirrors torch/csrc/api/include/torch/nn/options/upsampling.h
 */
import { bool, list, type Made, one_of, optional, TORCH_OPTIONS } from "../../arg.ts";
import { enumtype } from "../../enum.ts";

const { kNearest, kLinear, kBilinear, kBicubic, kTrilinear, kArea, kNearestExact } = enumtype;
const sizes = {
  size: optional<readonly number[]>(list().convert),
  scale_factor: optional<readonly number[]>(list().convert),
  align_corners: optional<boolean>(),
} as const;

export const UpsampleOptions = TORCH_OPTIONS("UpsampleOptions", [], {
  ...sizes,
  mode: one_of(kNearest, kLinear, kBilinear, kBicubic, kTrilinear),
});
export type UpsampleOptions = Made<typeof UpsampleOptions>;

export const InterpolateFuncOptions = TORCH_OPTIONS("InterpolateFuncOptions", [], {
  ...sizes,
  mode: one_of(kNearest, kLinear, kBilinear, kBicubic, kTrilinear, kArea, kNearestExact),
  recompute_scale_factor: optional<boolean>(),
  antialias: bool(false),
});
export type InterpolateFuncOptions = Made<typeof InterpolateFuncOptions>;
