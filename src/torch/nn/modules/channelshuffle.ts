/**
 * @file Module form of `F.channel_shuffle`.
 * @mirrors torch/nn/modules/channelshuffle.py
 */
import { py_format } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module, type Unary } from "./module/index.ts";

const ChannelShuffle_init = new Init("ChannelShuffle.__init__(self, groups)", types<[groups: number]>);

/** Module form of `F.channel_shuffle`. */
export class ChannelShuffle extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.channelshuffle";

  groups: number;

  static {
    def_methods(ChannelShuffle, { __init__: ChannelShuffle_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof ChannelShuffle_init>) {
    const [groups] = ChannelShuffle_init.bind(args);
    super();
    this.groups = groups;
  }

  override forward(input: Tensor): Tensor {
    return F.channel_shuffle(input, this.groups);
  }

  override extra_repr(): string {
    return `groups=${py_format(this.groups)}`;
  }
}
