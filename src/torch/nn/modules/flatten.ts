/**
 * @file `nn.Flatten`.
 * @mirrors torch/nn/modules/flatten.py
 */
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor";
import { Module, type Unary } from "./module.ts";

const Flatten_init = new Init(
  "Flatten.__init__(self, start_dim=1, end_dim=-1)",
  types<[start_dim: number, end_dim: number]>,
);

/** Dimensions `start_dim` to `end_dim` as one. */
export class Flatten extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.flatten";

  start_dim: number;
  end_dim: number;

  static {
    def_methods(Flatten, { __init__: Flatten_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Flatten_init>) {
    const [start_dim, end_dim] = Flatten_init.bind(args);
    super();
    this.start_dim = start_dim;
    this.end_dim = end_dim;
  }

  override forward(input: Tensor): Tensor {
    return input.flatten(this.start_dim, this.end_dim);
  }

  override extra_repr(): string {
    return `start_dim=${this.start_dim}, end_dim=${this.end_dim}`;
  }
}
