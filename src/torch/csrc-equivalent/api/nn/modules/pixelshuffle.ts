/**
 * @file Channels to pixels, and back.
 * @mirrors torch/csrc/api/include/torch/nn/modules/pixelshuffle.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { pixel_shuffle, pixel_unshuffle } from "../functional/pixelshuffle.ts";
import { PixelShuffleOptions, PixelUnshuffleOptions } from "../options/pixelshuffle.ts";
import { printed } from "./printed.ts";
import { type Stateless, stateless } from "./stateless.ts";

export const PixelShuffle: Stateless<typeof PixelShuffleOptions, [input: Tensor], Tensor> = stateless(
  "PixelShuffle",
  PixelShuffleOptions,
  pixel_shuffle,
  (options) => printed("PixelShuffle", [], { upscale_factor: options.upscale_factor() }),
);
export const PixelUnshuffle: Stateless<typeof PixelUnshuffleOptions, [input: Tensor], Tensor> = stateless(
  "PixelUnshuffle",
  PixelUnshuffleOptions,
  pixel_unshuffle,
  (options) => printed("PixelUnshuffle", [], { downscale_factor: options.downscale_factor() }),
);
