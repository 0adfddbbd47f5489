/**
 * @file Options of fold and unfold.
 * @mirrors torch/csrc/api/include/torch/nn/options/fold.h
 */
import { expanding, type Made, TORCH_OPTIONS } from "../../arg.ts";

const windows = {
  kernel_size: expanding(2),
  dilation: expanding(2, 1),
  padding: expanding(2, 0),
  stride: expanding(2, 1),
} as const;

export const FoldOptions = TORCH_OPTIONS("FoldOptions", ["output_size", "kernel_size"], {
  output_size: expanding(2),
  ...windows,
});
export type FoldOptions = Made<typeof FoldOptions>;

export const UnfoldOptions = TORCH_OPTIONS("UnfoldOptions", ["kernel_size"], windows);
export type UnfoldOptions = Made<typeof UnfoldOptions>;
