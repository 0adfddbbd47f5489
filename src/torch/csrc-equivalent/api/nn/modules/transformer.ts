/**
 * @file The transformer: a stack of encoder layers and a stack of decoder layers.
 * @mirrors torch/csrc/api/include/torch/nn/modules/transformer.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { Cloneable } from "../cloneable.ts";
import * as init from "../init.ts";
import { LayerNormOptions } from "../options/normalization.ts";
import {
  TransformerDecoderLayerOptions,
  TransformerEncoderLayerOptions,
  type TransformerLayerOptions,
  TransformerOptions,
} from "../options/transformer.ts";
import { TransformerDecoderOptions, TransformerEncoderOptions } from "../options/transformercoder.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { AnyModule } from "./container/any.ts";
import { LayerNorm } from "./normalization.ts";
import { TransformerDecoder, TransformerEncoder } from "./transformercoder.ts";

export class TransformerImpl extends Cloneable {
  readonly options: TransformerOptions;
  declare encoder: AnyModule;
  declare decoder: AnyModule;

  constructor(...args: OptionsArgs<typeof TransformerOptions>) {
    super();
    this.options = as_options(TransformerOptions, args);
    this.reset();
  }
  override reset(): void {
    const { options } = this;
    const norm = () => new AnyModule(LayerNorm(LayerNormOptions([options.d_model()])));
    const layer = (made: TransformerLayerOptions) =>
      made.dim_feedforward(options.dim_feedforward()).dropout(options.dropout()).activation(options.activation());
    const sizes = [options.d_model(), options.nhead()] as const;
    if (options.custom_encoder().is_empty()) {
      const final_norm = norm();
      const encoder_layer = layer(TransformerEncoderLayerOptions(...sizes));
      const made = TransformerEncoderOptions(encoder_layer, options.num_encoder_layers()).norm(final_norm);
      this.encoder = new AnyModule(TransformerEncoder(made));
    } else {
      this.encoder = options.custom_encoder().clone();
    }
    this.register_module("encoder", this.encoder.ptr());
    if (options.custom_decoder().is_empty()) {
      const final_norm = norm();
      const decoder_layer = layer(TransformerDecoderLayerOptions(...sizes));
      const made = TransformerDecoderOptions(decoder_layer, options.num_decoder_layers()).norm(final_norm);
      this.decoder = new AnyModule(TransformerDecoder(made));
    } else {
      this.decoder = options.custom_decoder().clone();
    }
    this.register_module("decoder", this.decoder.ptr());
    this.reset_parameters();
  }
  reset_parameters(): void {
    for (const parameter of this.parameters()) if (parameter.dim() > 1) init.xavier_uniform_(parameter);
  }
  /**
   * @param src `(S, N, d_model)`
   * @param tgt `(T, N, d_model)`
   */
  forward(
    src: Tensor,
    tgt: Tensor,
    src_mask: Tensor = new Tensor(),
    tgt_mask: Tensor = new Tensor(),
    memory_mask: Tensor = new Tensor(),
    src_key_padding_mask: Tensor = new Tensor(),
    tgt_key_padding_mask: Tensor = new Tensor(),
    memory_key_padding_mask: Tensor = new Tensor(),
  ): Tensor {
    TORCH_CHECK(
      src.dim() === 3 && tgt.dim() === 3,
      "src and tgt should have 3 dimensions, but got ",
      src.dim(),
      " and ",
      tgt.dim(),
    );
    TORCH_CHECK(
      src.size(1) === tgt.size(1),
      `src and tgt should have equal batch size (at dim 1), but got ${src.size(1)} and ${tgt.size(1)}`,
    );
    const d_model = this.options.d_model();
    TORCH_CHECK(
      src.size(2) === d_model && tgt.size(2) === d_model,
      `src and tgt should have same feature size as d_model (at dim 2), but got ${src.size(2)} and ${tgt.size(2)} while d_model is ${d_model}`,
    );
    const memory = this.encoder.forward(src, src_mask, src_key_padding_mask);
    return this.decoder.forward(
      tgt,
      memory,
      tgt_mask,
      memory_mask,
      tgt_key_padding_mask,
      memory_key_padding_mask,
    ) as Tensor;
  }
  /** A mask that hides later elements: 0 on and below the diagonal, -inf above it. `(sz, sz)` */
  static generate_square_subsequent_mask(sz: number): Tensor {
    return at.triu(at.full([sz, sz], Scalar.fromDouble(Number.NEGATIVE_INFINITY)), 1);
  }
}
export const Transformer: ModuleHolder<typeof TransformerImpl> = TORCH_MODULE(TransformerImpl, "Transformer");
