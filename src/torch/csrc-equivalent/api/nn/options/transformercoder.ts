/**
 * @file Options of stacks of layers: the layer, which is copied, or its options.
 * @mirrors torch/csrc/api/include/torch/nn/options/transformercoder.h
 */
import { type Arg, any, int64, type Made, OptionsBase, TORCH_OPTIONS } from "../../arg.ts";
import { AnyModule } from "../modules/container/any.ts";
import {
  TransformerDecoderLayer,
  type TransformerDecoderLayerImpl,
  TransformerEncoderLayer,
  type TransformerEncoderLayerImpl,
} from "../modules/transformerlayer.ts";
import type { TransformerLayerOptions } from "./transformer.ts";

function layer<M>(make: (options: TransformerLayerOptions) => M): Arg<M, M | TransformerLayerOptions, true> {
  return { convert: (given) => (given instanceof OptionsBase ? make(given as TransformerLayerOptions) : (given as M)) };
}

/** `norm`: a module after the last layer. */
export const TransformerEncoderOptions = TORCH_OPTIONS("TransformerEncoderOptions", ["encoder_layer", "num_layers"], {
  encoder_layer: layer<TransformerEncoderLayerImpl>((options) => TransformerEncoderLayer(options)),
  num_layers: int64(),
  norm: any(new AnyModule()),
});
export type TransformerEncoderOptions = Made<typeof TransformerEncoderOptions>;

export const TransformerDecoderOptions = TORCH_OPTIONS("TransformerDecoderOptions", ["decoder_layer", "num_layers"], {
  decoder_layer: layer<TransformerDecoderLayerImpl>((options) => TransformerDecoderLayer(options)),
  num_layers: int64(),
  norm: any(new AnyModule()),
});
export type TransformerDecoderOptions = Made<typeof TransformerDecoderOptions>;
