/**
 * @file Modules of the pointwise nonlinearities.
 * @mirrors torch/nn/modules/activation.py
 */

import { repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional";
import * as init from "#torch/nn/init";
import { Parameter } from "#torch/nn/parameter";
import type { Factory } from "./linear.ts";
import { Module, type Unary } from "./module.ts";

const ReLU_init = new Init("ReLU.__init__(self, inplace=False)", types<[inplace: boolean]>);

/** `max(0, x)`. */
export class ReLU extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  inplace: boolean;

  static {
    def_methods(ReLU, { __init__: ReLU_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof ReLU_init>) {
    const [inplace] = ReLU_init.bind(args);
    super();
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.relu(input, this.inplace);
  }

  override extra_repr(): string {
    return this.inplace ? "inplace=True" : "";
  }
}

const PReLU_init = new Init(
  "PReLU.__init__(self, num_parameters=1, init=0.25, device=None, dtype=None)",
  types<[num_parameters: number, init: number, ...Factory]>,
);

/** `max(0, x) + weight * min(0, x)`, with a learned weight, one or one per channel. */
export class PReLU extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  num_parameters: number;
  init: number;
  weight: Parameter;

  static {
    def_methods(PReLU, {
      __init__: PReLU_init,
      reset_parameters: "(self)",
      forward: "(self, input)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof PReLU_init>) {
    const [num_parameters, init, device, dtype] = PReLU_init.bind(args);
    super();
    this.num_parameters = num_parameters;
    this.init = init;
    this.weight = new Parameter(torch.empty(num_parameters, { device, dtype }));
    this.reset_parameters();
  }

  reset_parameters(): void {
    init.constant_(this.weight, this.init);
  }

  override forward(input: Tensor): Tensor {
    return F.prelu(input, this.weight);
  }

  override extra_repr(): string {
    return `num_parameters=${this.num_parameters}`;
  }
}

/** `1 / (1 + exp(-x))`, element by element. */
export class Sigmoid extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  static {
    def_methods(Sigmoid, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return torch.sigmoid(input);
  }
}

/** The hyperbolic tangent, element by element. */
export class Tanh extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  static {
    def_methods(Tanh, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return torch.tanh(input);
  }
}

const Threshold_init = new Init(
  "Threshold.__init__(self, threshold, value, inplace=False)",
  types<[threshold: number, value: number, inplace: boolean]>,
);

/** `value` where `x <= threshold`, else `x`. */
export class Threshold extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  threshold: number;
  value: number;
  inplace: boolean;

  static {
    def_methods(Threshold, { __init__: Threshold_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Threshold_init>) {
    const [threshold, value, inplace] = Threshold_init.bind(args);
    super();
    this.threshold = threshold;
    this.value = value;
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.threshold(input, this.threshold, this.value, this.inplace);
  }

  override extra_repr(): string {
    return `threshold=${repr(this.threshold)}, value=${repr(this.value)}${this.inplace ? ", inplace=True" : ""}`;
  }
}

const Softmax_init = new Init("Softmax.__init__(self, dim=None)", types<[dim: number | null]>);

/** Exponentials along `dim`, divided by their sum. */
export class Softmax extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  dim: number | null;

  static {
    def_methods(Softmax, { __init__: Softmax_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Softmax_init>) {
    const [dim] = Softmax_init.bind(args);
    super();
    this.dim = dim;
  }

  override forward(input: Tensor): Tensor {
    return F.softmax(input, this.dim);
  }

  override extra_repr(): string {
    return `dim=${repr(this.dim)}`;
  }
}

const LogSoftmax_init = new Init("LogSoftmax.__init__(self, dim=None)", types<[dim: number | null]>);

/** The logarithm of `Softmax`, computed in one. */
export class LogSoftmax extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  dim: number | null;

  static {
    def_methods(LogSoftmax, { __init__: LogSoftmax_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof LogSoftmax_init>) {
    const [dim] = LogSoftmax_init.bind(args);
    super();
    this.dim = dim;
  }

  override forward(input: Tensor): Tensor {
    return F.log_softmax(input, this.dim);
  }

  override extra_repr(): string {
    return `dim=${repr(this.dim)}`;
  }
}
