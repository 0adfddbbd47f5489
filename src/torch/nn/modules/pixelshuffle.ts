/**
 * @file Module forms of `F.pixel_shuffle` and `F.pixel_unshuffle`.
 * @mirrors torch/nn/modules/pixelshuffle.py
 */
import { py_format } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module, type Unary } from "./module/index.ts";

const PixelShuffle_init = new Init("PixelShuffle.__init__(self, upscale_factor)", types<[upscale_factor: number]>);

/** Module form of `F.pixel_shuffle`. */
export class PixelShuffle extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.pixelshuffle";

  upscale_factor: number;

  static {
    def_methods(PixelShuffle, { __init__: PixelShuffle_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof PixelShuffle_init>) {
    const [upscale_factor] = PixelShuffle_init.bind(args);
    super();
    this.upscale_factor = upscale_factor;
  }

  override forward(input: Tensor): Tensor {
    return F.pixel_shuffle(input, this.upscale_factor);
  }

  override extra_repr(): string {
    return `upscale_factor=${py_format(this.upscale_factor)}`;
  }
}

const PixelUnshuffle_init = new Init(
  "PixelUnshuffle.__init__(self, downscale_factor)",
  types<[downscale_factor: number]>,
);

/** Module form of `F.pixel_unshuffle`. */
export class PixelUnshuffle extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.pixelshuffle";

  downscale_factor: number;

  static {
    def_methods(PixelUnshuffle, { __init__: PixelUnshuffle_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof PixelUnshuffle_init>) {
    const [downscale_factor] = PixelUnshuffle_init.bind(args);
    super();
    this.downscale_factor = downscale_factor;
  }

  override forward(input: Tensor): Tensor {
    return F.pixel_unshuffle(input, this.downscale_factor);
  }

  override extra_repr(): string {
    return `downscale_factor=${py_format(this.downscale_factor)}`;
  }
}
