/**
 * @file `nn.Dropout`.
 * @mirrors torch/nn/modules/dropout.py
 */
import { ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor";
import * as F from "#torch/nn/functional";
import { Module, type Unary } from "./module.ts";

const _DropoutNd_init = new Init(
  "_DropoutNd.__init__(self, p=0.5, inplace=False)",
  types<[p: number, inplace: boolean]>,
);

abstract class _DropoutNd extends Module<Unary, Tensor> {
  p: number;
  inplace: boolean;

  static {
    def_methods(_DropoutNd, { __init__: _DropoutNd_init, extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof _DropoutNd_init>) {
    const [p, inplace] = _DropoutNd_init.bind(args);
    super();
    if (PyObject_RichCompareBool(p, "<", 0, "int") || PyObject_RichCompareBool(p, ">", 1, "int"))
      throw new ValueError(`dropout probability has to be between 0 and 1, but got ${repr(p)}`);
    this.p = p;
    this.inplace = inplace;
  }

  override extra_repr(): string {
    return `p=${repr(this.p)}, inplace=${this.inplace ? "True" : "False"}`;
  }
}

/** In training, zeroes elements with probability `p` and scales the others by `1 / (1 - p)`; in evaluation, nothing. */
export class Dropout extends _DropoutNd {
  static readonly __module__: string = "torch.nn.modules.dropout";

  static {
    def_methods(Dropout, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.dropout(input, this.p, this.training, this.inplace);
  }
}
