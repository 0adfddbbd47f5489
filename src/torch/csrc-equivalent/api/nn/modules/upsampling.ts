/**
 * @file Resampling as a module.
 * @mirrors torch/csrc/api/include/torch/nn/modules/upsampling.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { interpolate } from "../functional/upsampling.ts";
import { InterpolateFuncOptions, UpsampleOptions } from "../options/upsampling.ts";
import { g, printed } from "./printed.ts";
import { type Stateless, stateless } from "./stateless.ts";

export const Upsample: Stateless<typeof UpsampleOptions, [input: Tensor], Tensor> = stateless(
  "Upsample",
  UpsampleOptions,
  (input: Tensor, options) => {
    const call = InterpolateFuncOptions().size(options.size()).scale_factor(options.scale_factor());
    return interpolate(input, call.mode(options.mode()).align_corners(options.align_corners()));
  },
  (options) => {
    const [scale_factor, size] = [options.scale_factor(), options.size()];
    const sizes =
      scale_factor === null ? { size: size ?? undefined } : { scale_factor: `[${scale_factor.map(g).join(", ")}]` };
    return printed("Upsample", [], { ...sizes, mode: options.mode() });
  },
);
