/**
 * @file `nn.Dropout` and its variants.
 * @mirrors torch/nn/modules/dropout.py
 */
import { ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module, type Unary } from "./module/index.ts";

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

/**
 * Dropout: in training, sets elements to zero with probability `p` and scales the others by `1 / (1 - p)`; in evaluation, returns its
 * input.
 */
export class Dropout extends _DropoutNd {
  static readonly __module__: string = "torch.nn.modules.dropout";

  static {
    def_methods(Dropout, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.dropout(input, this.p, this.training, this.inplace);
  }
}

/** Channel dropout: in training, sets whole channels to zero.   `(N, C, L)` */
export class Dropout1d extends _DropoutNd {
  static readonly __module__: string = "torch.nn.modules.dropout";

  static {
    def_methods(Dropout1d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.dropout1d(input, this.p, this.training, this.inplace);
  }
}

/** Channel dropout: in training, sets whole channels to zero.   `(N, C, H, W)` */
export class Dropout2d extends _DropoutNd {
  static readonly __module__: string = "torch.nn.modules.dropout";

  static {
    def_methods(Dropout2d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.dropout2d(input, this.p, this.training, this.inplace);
  }
}

/** Channel dropout: in training, sets whole channels to zero.   `(N, C, D, H, W)` */
export class Dropout3d extends _DropoutNd {
  static readonly __module__: string = "torch.nn.modules.dropout";

  static {
    def_methods(Dropout3d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.dropout3d(input, this.p, this.training, this.inplace);
  }
}

/** Dropout for the output of `selu`: it keeps mean 0 and variance 1. */
export class AlphaDropout extends _DropoutNd {
  static readonly __module__: string = "torch.nn.modules.dropout";

  static {
    def_methods(AlphaDropout, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.alpha_dropout(input, this.p, this.training);
  }
}

/** `AlphaDropout` applied to whole channels. */
export class FeatureAlphaDropout extends _DropoutNd {
  static readonly __module__: string = "torch.nn.modules.dropout";

  static {
    def_methods(FeatureAlphaDropout, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.feature_alpha_dropout(input, this.p, this.training);
  }
}
