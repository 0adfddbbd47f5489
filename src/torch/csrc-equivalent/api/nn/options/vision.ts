/**
 * @file Options of sampling at the points of a grid.
 * @mirrors torch/csrc/api/include/torch/nn/options/vision.h
 */
import { type Made, one_of, optional, TORCH_OPTIONS } from "../../arg.ts";
import { enumtype } from "../../enum.ts";

export const GridSampleFuncOptions = TORCH_OPTIONS("GridSampleFuncOptions", [], {
  mode: one_of(enumtype.kBilinear, enumtype.kNearest, enumtype.kBicubic),
  padding_mode: one_of(enumtype.kZeros, enumtype.kBorder, enumtype.kReflection),
  align_corners: optional<boolean>(),
});
export type GridSampleFuncOptions = Made<typeof GridSampleFuncOptions>;
