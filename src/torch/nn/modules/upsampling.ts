/**
 * @file Resampling modules.
 * @mirrors torch/nn/modules/upsampling.py
 */
import { float_repr, PyNumber_Float, repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module, type Unary } from "./module/index.ts";
import { type Sizes, sizes_repr } from "./utils.ts";

type Size = Sizes | null;

const Upsample_init = new Init(
  "Upsample.__init__(self, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None)",
  types<
    [
      size: Size,
      scale_factor: Size,
      mode: string,
      align_corners: boolean | null,
      recompute_scale_factor: boolean | null,
    ]
  >,
);

/** Module form of `F.interpolate`. */
export class Upsample extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.upsampling";

  override readonly name: string;
  size: Size;
  scale_factor: Size;
  mode: string;
  align_corners: boolean | null;
  recompute_scale_factor: boolean | null;

  static {
    def_methods(Upsample, { __init__: Upsample_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Upsample_init>) {
    const [size, scale_factor, mode, align_corners, recompute_scale_factor] = Upsample_init.bind(args);
    super();
    this.name = new.target.name;
    this.size = size;
    this.scale_factor = Array.isArray(scale_factor)
      ? scale_factor.map(PyNumber_Float)
      : (scale_factor as number) || null;
    this.mode = mode;
    this.align_corners = align_corners;
    this.recompute_scale_factor = recompute_scale_factor;
  }

  override forward(input: Tensor): Tensor {
    const { size, scale_factor, mode, align_corners, recompute_scale_factor } = this;
    return F.interpolate(input, size, scale_factor, mode, align_corners, { recompute_scale_factor });
  }

  override extra_repr(): string {
    const { scale_factor: factor } = this;
    const told = Array.isArray(factor)
      ? `(${factor.map(float_repr).join(", ")}${factor.length === 1 ? "," : ""})`
      : float_repr(Number(factor));
    const info = factor === null ? `size=${sizes_repr(this.size)}` : `scale_factor=${told}`;
    return `${info}, mode=${repr(this.mode)}`;
  }
}

const UpsamplingNearest2d_init = new Init(
  "UpsamplingNearest2d.__init__(self, size=None, scale_factor=None)",
  types<[size: Size, scale_factor: Size]>,
);

/** `F.interpolate` with mode `"nearest"`. */
export class UpsamplingNearest2d extends Upsample {
  static {
    def_methods(UpsamplingNearest2d, { __init__: UpsamplingNearest2d_init });
  }

  constructor(...args: InitArgs<typeof UpsamplingNearest2d_init>) {
    const [size, scale_factor] = UpsamplingNearest2d_init.bind(args);
    super(size, scale_factor, { mode: "nearest" });
  }
}

const UpsamplingBilinear2d_init = new Init(
  "UpsamplingBilinear2d.__init__(self, size=None, scale_factor=None)",
  types<[size: Size, scale_factor: Size]>,
);

/** `F.interpolate` with mode `"bilinear"` and aligned corners. */
export class UpsamplingBilinear2d extends Upsample {
  static {
    def_methods(UpsamplingBilinear2d, { __init__: UpsamplingBilinear2d_init });
  }

  constructor(...args: InitArgs<typeof UpsamplingBilinear2d_init>) {
    const [size, scale_factor] = UpsamplingBilinear2d_init.bind(args);
    super(size, scale_factor, { mode: "bilinear", align_corners: true });
  }
}
