/**
 * @file Stacks of transformer layers, all of which begin as copies of one.
 * @mirrors torch/csrc/api/include/torch/nn/modules/transformercoder.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";

import { as_options, type OptionsArgs } from "../../arg.ts";
import { Cloneable } from "../cloneable.ts";
import { TransformerDecoderOptions, TransformerEncoderOptions } from "../options/transformercoder.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { AnyModule } from "./container/any.ts";
import { ModuleList, type ModuleListImpl } from "./container/modulelist.ts";
import type { TransformerDecoderLayerImpl, TransformerEncoderLayerImpl } from "./transformerlayer.ts";

/** The modules that both stacks have. */
abstract class CoderImpl extends Cloneable {
  /** The layers. */
  declare layers: ModuleListImpl;
  /** The module after the last layer; it may be empty. */
  declare norm: AnyModule;

  protected reset_layers(layer: Cloneable, num_layers: number, norm: AnyModule): void {
    this.layers = this.register_module("layers", ModuleList());
    for (let i = 0; i < num_layers; i++) this.layers.push_back(layer.clone());
    this.norm = norm.is_empty() ? new AnyModule() : norm.clone();
    if (!this.norm.is_empty()) this.register_module("norm", this.norm.ptr());
  }
  protected normalized(output: Tensor): Tensor {
    return this.norm.is_empty() ? output : (this.norm.forward(output) as Tensor);
  }
}

export class TransformerEncoderImpl extends CoderImpl {
  readonly options: TransformerEncoderOptions;

  constructor(...args: OptionsArgs<typeof TransformerEncoderOptions>) {
    super();
    this.options = as_options(TransformerEncoderOptions, args);
    this.reset();
  }
  override reset(): void {
    const { options } = this;
    this.reset_layers(options.encoder_layer(), options.num_layers(), options.norm());
  }
  forward(src: Tensor, src_mask: Tensor = new Tensor(), src_key_padding_mask: Tensor = new Tensor()): Tensor {
    let output = src;

    for (const layer of this.layers as Iterable<unknown> as Iterable<TransformerEncoderLayerImpl>)
      output = layer.forward(output, src_mask, src_key_padding_mask);
    return this.normalized(output);
  }
}
export const TransformerEncoder: ModuleHolder<typeof TransformerEncoderImpl> = TORCH_MODULE(
  TransformerEncoderImpl,
  "TransformerEncoder",
);

export class TransformerDecoderImpl extends CoderImpl {
  readonly options: TransformerDecoderOptions;

  constructor(...args: OptionsArgs<typeof TransformerDecoderOptions>) {
    super();
    this.options = as_options(TransformerDecoderOptions, args);
    this.reset();
  }
  override reset(): void {
    const { options } = this;
    this.reset_layers(options.decoder_layer(), options.num_layers(), options.norm());
  }
  forward(
    tgt: Tensor,
    memory: Tensor,
    tgt_mask: Tensor = new Tensor(),
    memory_mask: Tensor = new Tensor(),
    tgt_key_padding_mask: Tensor = new Tensor(),
    memory_key_padding_mask: Tensor = new Tensor(),
  ): Tensor {
    let output = tgt;
    for (const layer of this.layers as Iterable<unknown> as Iterable<TransformerDecoderLayerImpl>) {
      output = layer.forward(output, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask);
    }
    return this.normalized(output);
  }
}
export const TransformerDecoder: ModuleHolder<typeof TransformerDecoderImpl> = TORCH_MODULE(
  TransformerDecoderImpl,
  "TransformerDecoder",
);
