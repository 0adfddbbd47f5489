/**
 * @file Module forms of `F.fold` and `F.unfold`: blocks of images as columns, and back.
 * @mirrors torch/nn/modules/fold.py
 */
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module, type Unary } from "./module/index.ts";
import { type Sizes, sizes_repr } from "./utils.ts";

const told = (fields: Readonly<Record<string, Sizes>>): string =>
  Object.entries(fields)
    .map(([name, size]) => `${name}=${sizes_repr(size)}`)
    .join(", ");

const Fold_init = new Init(
  "Fold.__init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1)",
  types<[output_size: Sizes, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes]>,
);

/** Module form of `F.fold`. */
export class Fold extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.fold";

  output_size: Sizes;
  kernel_size: Sizes;
  dilation: Sizes;
  padding: Sizes;
  stride: Sizes;

  static {
    def_methods(Fold, { __init__: Fold_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Fold_init>) {
    const [output_size, kernel_size, dilation, padding, stride] = Fold_init.bind(args);
    super();
    this.output_size = output_size;
    this.kernel_size = kernel_size;
    this.dilation = dilation;
    this.padding = padding;
    this.stride = stride;
  }

  override forward(input: Tensor): Tensor {
    return F.fold(input, this.output_size, this.kernel_size, this.dilation, this.padding, this.stride);
  }

  override extra_repr(): string {
    const { output_size, kernel_size, dilation, padding, stride } = this;
    return told({ output_size, kernel_size, dilation, padding, stride });
  }
}

const Unfold_init = new Init(
  "Unfold.__init__(self, kernel_size, dilation=1, padding=0, stride=1)",
  types<[kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes]>,
);

/** Module form of `F.unfold`. */
export class Unfold extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.fold";

  kernel_size: Sizes;
  dilation: Sizes;
  padding: Sizes;
  stride: Sizes;

  static {
    def_methods(Unfold, { __init__: Unfold_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Unfold_init>) {
    const [kernel_size, dilation, padding, stride] = Unfold_init.bind(args);
    super();
    this.kernel_size = kernel_size;
    this.dilation = dilation;
    this.padding = padding;
    this.stride = stride;
  }

  override forward(input: Tensor): Tensor {
    return F.unfold(input, this.kernel_size, this.dilation, this.padding, this.stride);
  }

  override extra_repr(): string {
    const { kernel_size, dilation, padding, stride } = this;
    return told({ kernel_size, dilation, padding, stride });
  }
}
