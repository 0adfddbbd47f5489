/**
 * @file Channels to pixels, and back.
 * @mirrors torch/csrc/api/include/torch/nn/functional/pixelshuffle.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { PixelShuffleOptions, PixelUnshuffleOptions } from "../options/pixelshuffle.ts";

export function pixel_shuffle(input: Tensor, options: PixelShuffleOptions): Tensor {
  return at.pixel_shuffle(input, options.upscale_factor());
}
export function pixel_unshuffle(input: Tensor, options: PixelUnshuffleOptions): Tensor {
  return at.pixel_unshuffle(input, options.downscale_factor());
}
