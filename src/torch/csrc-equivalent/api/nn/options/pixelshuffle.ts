/**
 * @file Options of the exchange between channels and pixels.
 * @mirrors torch/csrc/api/include/torch/nn/options/pixelshuffle.h
 */
import { int64, type Made, TORCH_OPTIONS } from "../../arg.ts";

export const PixelShuffleOptions = TORCH_OPTIONS("PixelShuffleOptions", ["upscale_factor"], {
  upscale_factor: int64(),
});
export type PixelShuffleOptions = Made<typeof PixelShuffleOptions>;

export const PixelUnshuffleOptions = TORCH_OPTIONS("PixelUnshuffleOptions", ["downscale_factor"], {
  downscale_factor: int64(),
});
export type PixelUnshuffleOptions = Made<typeof PixelUnshuffleOptions>;
