/**
 * @file Blocks of images to columns, and back.
 * @mirrors torch/csrc/api/include/torch/nn/modules/fold.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { fold, unfold } from "../functional/fold.ts";
import { FoldOptions, UnfoldOptions } from "../options/fold.ts";
import { printed } from "./printed.ts";
import { type Stateless, stateless } from "./stateless.ts";

const windows = (options: FoldOptions | UnfoldOptions) => ({
  kernel_size: options.kernel_size(),
  dilation: options.dilation(),
  padding: options.padding(),
  stride: options.stride(),
});

export const Fold: Stateless<typeof FoldOptions, [input: Tensor], Tensor> = stateless(
  "Fold",
  FoldOptions,
  fold,
  (options) => printed("Fold", [], { output_size: options.output_size(), ...windows(options) }),
);
export const Unfold: Stateless<typeof UnfoldOptions, [input: Tensor], Tensor> = stateless(
  "Unfold",
  UnfoldOptions,
  unfold,
  (options) => printed("Unfold", [], windows(options)),
);
