/**
 * @file The layers of a transformer: attention, then two linear layers; each is added to its input, and the sum is normalized.
 * @mirrors torch/csrc/api/include/torch/nn/modules/transformerlayer.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { enumtype } from "../../enum.ts";
import { Cloneable } from "../cloneable.ts";
import { gelu, relu } from "../functional/activation.ts";
import { MultiheadAttentionOptions } from "../options/activation.ts";
import { LayerNormOptions } from "../options/normalization.ts";
import {
  TransformerDecoderLayerOptions,
  TransformerEncoderLayerOptions,
  type TransformerLayerOptions,
} from "../options/transformer.ts";
import { type Held, type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { MultiheadAttention, type MultiheadAttentionImpl } from "./activation.ts";
import { Dropout, type DropoutImpl } from "./dropout.ts";
import { Linear, type LinearImpl } from "./linear.ts";
import { LayerNorm, type LayerNormImpl } from "./normalization.ts";

/** The parts that both kinds of layer have. */
abstract class LayerImpl extends Cloneable {
  readonly options: TransformerLayerOptions;
  declare self_attn: Held<MultiheadAttentionImpl>;
  declare linear1: Held<LinearImpl>;
  declare dropout: Held<DropoutImpl>;
  declare linear2: Held<LinearImpl>;
  declare norm1: Held<LayerNormImpl>;
  declare norm2: Held<LayerNormImpl>;
  declare dropout1: Held<DropoutImpl>;
  declare dropout2: Held<DropoutImpl>;

  constructor(options: TransformerLayerOptions) {
    super();
    this.options = options;
    this.reset();
  }
  protected attention(name: string): Held<MultiheadAttentionImpl> {
    const { options } = this;
    const made = MultiheadAttentionOptions(options.d_model(), options.nhead()).dropout(options.dropout());
    return this.register_module(name, MultiheadAttention(made));
  }
  protected drop(name: string): Held<DropoutImpl> {
    return this.register_module(name, Dropout(this.options.dropout()));
  }
  protected norm(name: string): Held<LayerNormImpl> {
    return this.register_module(name, LayerNorm(LayerNormOptions([this.options.d_model()])));
  }
  protected reset_feedforward(): void {
    const [d_model, inner] = [this.options.d_model(), this.options.dim_feedforward()];
    this.linear1 = this.register_module("linear1", Linear(d_model, inner));
    this.dropout = this.drop("dropout");
    this.linear2 = this.register_module("linear2", Linear(inner, d_model));
    this.norm1 = this.norm("norm1");
    this.norm2 = this.norm("norm2");
  }
  /** The layer keeps the parameters that its parts got. */
  reset_parameters(): void {}
  protected activation(input: Tensor): Tensor {
    const activation = this.options.activation();
    if (activation === enumtype.kGELU) return gelu(input);
    if (activation === enumtype.kReLU) return relu(input);
    return (activation as (input: Tensor) => Tensor)(input);
  }
  protected feedforward(input: Tensor): Tensor {
    return this.linear2(this.dropout(this.activation(this.linear1(input))));
  }
}

export class TransformerEncoderLayerImpl extends LayerImpl {
  constructor(...args: OptionsArgs<typeof TransformerEncoderLayerOptions>) {
    super(as_options(TransformerEncoderLayerOptions, args));
  }
  override reset(): void {
    this.self_attn = this.attention("self_attn");
    this.reset_feedforward();
    this.dropout1 = this.drop("dropout1");
    this.dropout2 = this.drop("dropout2");
  }
  /** @param src `(S, N, d_model)` */
  forward(src: Tensor, src_mask: Tensor = new Tensor(), src_key_padding_mask: Tensor = new Tensor()): Tensor {
    const [src2] = this.self_attn(src, src, src, src_key_padding_mask, true, src_mask);
    const ret = this.norm1(src.add_Tensor(this.dropout1(src2)));
    return this.norm2(ret.add_Tensor(this.dropout2(this.feedforward(ret))));
  }
}
export const TransformerEncoderLayer: ModuleHolder<typeof TransformerEncoderLayerImpl> = TORCH_MODULE(
  TransformerEncoderLayerImpl,
  "TransformerEncoderLayer",
);

export class TransformerDecoderLayerImpl extends LayerImpl {
  declare multihead_attn: Held<MultiheadAttentionImpl>;
  declare norm3: Held<LayerNormImpl>;
  declare dropout3: Held<DropoutImpl>;

  constructor(...args: OptionsArgs<typeof TransformerDecoderLayerOptions>) {
    super(as_options(TransformerDecoderLayerOptions, args));
  }
  override reset(): void {
    this.self_attn = this.attention("self_attn");
    this.multihead_attn = this.attention("multihead_attn");
    this.reset_feedforward();
    this.norm3 = this.norm("norm3");
    this.dropout1 = this.drop("dropout1");
    this.dropout2 = this.drop("dropout2");
    this.dropout3 = this.drop("dropout3");
  }
  /**
   * @param tgt `(T, N, d_model)`
   * @param memory the encoder's output, `(S, N, d_model)`
   */
  forward(
    tgt: Tensor,
    memory: Tensor,
    tgt_mask: Tensor = new Tensor(),
    memory_mask: Tensor = new Tensor(),
    tgt_key_padding_mask: Tensor = new Tensor(),
    memory_key_padding_mask: Tensor = new Tensor(),
  ): Tensor {
    const [tgt2] = this.self_attn(tgt, tgt, tgt, tgt_key_padding_mask, false, tgt_mask);
    const ret1 = this.norm1(tgt.add_Tensor(this.dropout1(tgt2)));
    const [tgt3] = this.multihead_attn(ret1, memory, memory, memory_key_padding_mask, false, memory_mask);
    const ret2 = this.norm2(ret1.add_Tensor(this.dropout2(tgt3)));
    return this.norm3(ret2.add_Tensor(this.dropout3(this.feedforward(ret2))));
  }
}
export const TransformerDecoderLayer: ModuleHolder<typeof TransformerDecoderLayerImpl> = TORCH_MODULE(
  TransformerDecoderLayerImpl,
  "TransformerDecoderLayer",
);
