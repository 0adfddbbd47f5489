/**
 * @file Modules of the common pointwise activations.
 * @mirrors torch/nn/modules/activation.py
 */

import { ValueError } from "#c10/util/Exception";
import { repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import * as init from "#torch/nn/init";
import type { Factory } from "#torch/nn/modules/linear/index";
import { Module, type Unary } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";

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

const SiLU_init = new Init("SiLU.__init__(self, inplace=False)", types<[inplace: boolean]>);

/** `x * sigmoid(x)`. */
export class SiLU extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  inplace: boolean;

  static {
    def_methods(SiLU, { __init__: SiLU_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof SiLU_init>) {
    const [inplace] = SiLU_init.bind(args);
    super();
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.silu(input, { inplace: this.inplace });
  }

  override extra_repr(): string {
    return this.inplace ? "inplace=True" : "";
  }
}

const GELU_init = new Init("GELU.__init__(self, approximate='none')", types<[approximate: string]>);

/** `x` times the probability that a standard normal variable is below `x`, or an approximation of it. */
export class GELU extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  approximate: string;

  static {
    def_methods(GELU, { __init__: GELU_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof GELU_init>) {
    const [approximate] = GELU_init.bind(args);
    super();
    this.approximate = approximate;
  }

  override forward(input: Tensor): Tensor {
    return F.gelu(input, { approximate: this.approximate });
  }

  override extra_repr(): string {
    return `approximate=${repr(this.approximate)}`;
  }
}

const LeakyReLU_init = new Init(
  "LeakyReLU.__init__(self, negative_slope=0.01, inplace=False)",
  types<[negative_slope: number, inplace: boolean]>,
);

/** `x` if it is positive, else `x * negative_slope`. */
export class LeakyReLU extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  negative_slope: number;
  inplace: boolean;

  static {
    def_methods(LeakyReLU, { __init__: LeakyReLU_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof LeakyReLU_init>) {
    const [negative_slope, inplace] = LeakyReLU_init.bind(args);
    super();
    this.negative_slope = negative_slope;
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.leaky_relu(input, this.negative_slope, this.inplace);
  }

  override extra_repr(): string {
    return `negative_slope=${repr(this.negative_slope)}${this.inplace ? ", inplace=True" : ""}`;
  }
}

const PReLU_init = new Init(
  "PReLU.__init__(self, num_parameters=1, init=0.25, device=None, dtype=None)",
  types<[num_parameters: number, init: number, ...Factory]>,
);

/** `max(0, x) + weight * min(0, x)` with a learned weight: one for all channels or one per channel. */
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

/** `x` if `x > threshold`, else `value`. */
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

/** The logarithm of `Softmax`, computed in one step. */
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

const Softmin_init = new Init("Softmin.__init__(self, dim=None)", types<[dim: number | null]>);

/** `Softmax` of `-x`. */
export class Softmin extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  dim: number | null;

  static {
    def_methods(Softmin, { __init__: Softmin_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Softmin_init>) {
    const [dim] = Softmin_init.bind(args);
    super();
    this.dim = dim;
  }

  override forward(input: Tensor): Tensor {
    return F.softmin(input, this.dim);
  }

  override extra_repr(): string {
    return `dim=${repr(this.dim)}`;
  }
}

/** `Softmax` over the channels at each position of an image.   `(N, C, H, W)` or `(C, H, W)` */
export class Softmax2d extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  static {
    def_methods(Softmax2d, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    const ndim = input.dim();
    if (ndim !== 3 && ndim !== 4)
      throw new ValueError(`Softmax2d: expected input to be 3D or 4D, got ${ndim}D instead`);
    return F.softmax(input, -3);
  }
}
