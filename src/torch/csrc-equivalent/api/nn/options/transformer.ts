/**
 * @file Options of the transformer and of its layers. The stacks' options are in transformercoder.ts.
 * @mirrors torch/csrc/api/include/torch/nn/options/transformer.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { any, double, int64, type Made, TORCH_OPTIONS } from "../../arg.ts";
import { type EnumValue, enumtype } from "../../enum.ts";
import { AnyModule } from "../modules/container/any.ts";

/** A word for a nonlinearity, or a function. */
export type activation_t = EnumValue<"kReLU" | "kGELU"> | ((input: Tensor) => Tensor);

const common = {
  dim_feedforward: int64(2048),
  dropout: double(0.1),
  activation: any<activation_t>(enumtype.kReLU),
} as const;

const layer = (name: string) =>
  TORCH_OPTIONS(name, ["d_model", "nhead"], { d_model: int64(), nhead: int64(), ...common });
export const TransformerEncoderLayerOptions: ReturnType<typeof layer> = layer("TransformerEncoderLayerOptions");
export const TransformerDecoderLayerOptions: ReturnType<typeof layer> = layer("TransformerDecoderLayerOptions");
export type TransformerLayerOptions = Made<ReturnType<typeof layer>>;

export const TransformerOptions = TORCH_OPTIONS(
  "TransformerOptions",
  ["d_model", "nhead", "num_encoder_layers", "num_decoder_layers"],
  {
    d_model: int64(512),
    nhead: int64(8),
    num_encoder_layers: int64(6),
    num_decoder_layers: int64(6),
    ...common,
    custom_encoder: any(new AnyModule()),
    custom_decoder: any(new AnyModule()),
  },
);
export type TransformerOptions = Made<typeof TransformerOptions>;
