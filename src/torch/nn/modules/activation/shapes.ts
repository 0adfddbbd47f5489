/**
 * @file Modules of the pointwise activations with parameters of their own, and of gated and shrinking activations.
 * @mirrors torch/nn/modules/activation.py
 * @differs Ours prints a whole number as a float, as PyTorch prints its defaults: `ELU(alpha=2.0)`; PyTorch prints 2 and 2.0 differently.
 */
import { AssertionError, warn } from "#c10/util/Exception";
import { float_repr, PyNumber_Float, PyObject_RichCompareBool, py_str, written_as_ints } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module, type Unary } from "#torch/nn/modules/module/index";

/**
 * A parameter as Python prints it: the default is a float, and a given int stays an int.
 * @differs A given int that equals the default is printed as a float, unless a Python program wrote it: JavaScript has one kind of number; PyTorch
 * prints `Hardtanh(-1, 1)` with ints.
 */
function printed(self: object, name: string, default_: number): string {
  const value = (self as Record<string, number>)[name];
  const is_float = value === default_ && written_as_ints.get(self)?.get(name) !== value;
  return is_float ? float_repr(default_) : py_str(value);
}
const inplace_str = (inplace: boolean): string => (inplace ? ", inplace=True" : "");

const RReLU_init = new Init(
  "RReLU.__init__(self, lower=0.125, upper=0.3333333333333333, inplace=False)",
  types<[lower: number, upper: number, inplace: boolean]>,
);

/** `leaky_relu` with a new random slope for each element in training, and the middle of the range in evaluation. */
export class RReLU extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  lower: number;
  upper: number;
  inplace: boolean;

  static {
    def_methods(RReLU, { __init__: RReLU_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof RReLU_init>) {
    const [lower, upper, inplace] = RReLU_init.bind(args);
    super();
    this.lower = lower;
    this.upper = upper;
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.rrelu(input, this.lower, this.upper, this.training, this.inplace);
  }

  override extra_repr(): string {
    return `lower=${printed(this, "lower", 0.125)}, upper=${printed(this, "upper", 1 / 3)}${inplace_str(this.inplace)}`;
  }
}

const Hardtanh_init = new Init(
  "Hardtanh.__init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None)",
  types<[min_val: number, max_val: number, inplace: boolean, min_value: number | null, max_value: number | null]>,
);

function renamed(was: string, is: string): void {
  warn("FutureWarning", `keyword argument \`${was}\` is deprecated and renamed to \`${is}\``);
}

/** `x` limited to the range from `min_val` to `max_val`. */
export class Hardtanh extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  min_val: number;
  max_val: number;
  inplace: boolean;

  static {
    def_methods(Hardtanh, { __init__: Hardtanh_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Hardtanh_init>) {
    const [min_val, max_val, inplace, min_value, max_value] = Hardtanh_init.bind(args);
    super();
    if (min_value !== null) renamed("min_value", "min_val");
    if (max_value !== null) renamed("max_value", "max_val");
    this.min_val = min_value ?? min_val;
    this.max_val = max_value ?? max_val;
    this.inplace = inplace;
    if (PyObject_RichCompareBool(this.max_val, "<=", PyNumber_Float(this.min_val), "float")) {
      const [min, max] = [printed(this, "min_val", -1), printed(this, "max_val", 1)];
      throw new AssertionError(`max_val (${max}) must be greater than min_val (${min})`);
    }
  }

  override forward(input: Tensor): Tensor {
    return F.hardtanh(input, this.min_val, this.max_val, this.inplace);
  }

  override extra_repr(): string {
    return `min_val=${printed(this, "min_val", -1)}, max_val=${printed(this, "max_val", 1)}${inplace_str(this.inplace)}`;
  }
}

const ReLU6_init = new Init("ReLU6.__init__(self, inplace=False)", types<[inplace: boolean]>);

/** `Hardtanh` with the range from 0 to 6. */
export class ReLU6 extends Hardtanh {
  static override readonly __module__: string = "torch.nn.modules.activation";

  static {
    def_methods(ReLU6, { __init__: ReLU6_init, extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof ReLU6_init>) {
    const [inplace] = ReLU6_init.bind(args);
    super(0, 6, inplace);
  }

  override extra_repr(): string {
    return this.inplace ? "inplace=True" : "";
  }
}

const Hardsigmoid_init = new Init("Hardsigmoid.__init__(self, inplace=False)", types<[inplace: boolean]>);

/** `relu6(x + 3) / 6`. */
export class Hardsigmoid extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  inplace: boolean;

  static {
    def_methods(Hardsigmoid, { __init__: Hardsigmoid_init, forward: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof Hardsigmoid_init>) {
    const [inplace] = Hardsigmoid_init.bind(args);
    super();
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.hardsigmoid(input, this.inplace);
  }
}

const Mish_init = new Init("Mish.__init__(self, inplace=False)", types<[inplace: boolean]>);

/** `x * tanh(softplus(x))`. */
export class Mish extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  inplace: boolean;

  static {
    def_methods(Mish, { __init__: Mish_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Mish_init>) {
    const [inplace] = Mish_init.bind(args);
    super();
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.mish(input, { inplace: this.inplace });
  }

  override extra_repr(): string {
    return this.inplace ? "inplace=True" : "";
  }
}

const Hardswish_init = new Init("Hardswish.__init__(self, inplace=False)", types<[inplace: boolean]>);

/** `x * relu6(x + 3) / 6`. */
export class Hardswish extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  inplace: boolean;

  static {
    def_methods(Hardswish, { __init__: Hardswish_init, forward: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof Hardswish_init>) {
    const [inplace] = Hardswish_init.bind(args);
    super();
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.hardswish(input, this.inplace);
  }
}

const ELU_init = new Init("ELU.__init__(self, alpha=1.0, inplace=False)", types<[alpha: number, inplace: boolean]>);

/** `x` if it is positive, else `alpha * (exp(x) - 1)`. */
export class ELU extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  alpha: number;
  inplace: boolean;

  static {
    def_methods(ELU, { __init__: ELU_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof ELU_init>) {
    const [alpha, inplace] = ELU_init.bind(args);
    super();
    this.alpha = alpha;
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.elu(input, this.alpha, this.inplace);
  }

  override extra_repr(): string {
    return `alpha=${printed(this, "alpha", 1)}${inplace_str(this.inplace)}`;
  }
}

const CELU_init = new Init("CELU.__init__(self, alpha=1.0, inplace=False)", types<[alpha: number, inplace: boolean]>);

/** `x` if it is positive, else `alpha * (exp(x / alpha) - 1)`. */
export class CELU extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  alpha: number;
  inplace: boolean;

  static {
    def_methods(CELU, { __init__: CELU_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof CELU_init>) {
    const [alpha, inplace] = CELU_init.bind(args);
    super();
    this.alpha = alpha;
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.celu(input, this.alpha, this.inplace);
  }

  override extra_repr(): string {
    return `alpha=${printed(this, "alpha", 1)}${inplace_str(this.inplace)}`;
  }
}

const SELU_init = new Init("SELU.__init__(self, inplace=False)", types<[inplace: boolean]>);

/** `ELU` scaled by two constants that keep mean and variance stable from layer to layer. */
export class SELU extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  inplace: boolean;

  static {
    def_methods(SELU, { __init__: SELU_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof SELU_init>) {
    const [inplace] = SELU_init.bind(args);
    super();
    this.inplace = inplace;
  }

  override forward(input: Tensor): Tensor {
    return F.selu(input, this.inplace);
  }

  override extra_repr(): string {
    return this.inplace ? "inplace=True" : "";
  }
}

const GLU_init = new Init("GLU.__init__(self, dim=-1)", types<[dim: number]>);

/** The first half of `x` along `dim`, times the sigmoid of the second half. */
export class GLU extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  dim: number;

  static {
    def_methods(GLU, { __init__: GLU_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof GLU_init>) {
    const [dim] = GLU_init.bind(args);
    super();
    this.dim = dim;
  }

  override forward(input: Tensor): Tensor {
    return F.glu(input, this.dim);
  }

  override extra_repr(): string {
    return `dim=${py_str(this.dim)}`;
  }
}

const Hardshrink_init = new Init("Hardshrink.__init__(self, lambd=0.5)", types<[lambd: number]>);

/** `x` if `|x| > lambd`, else 0. */
export class Hardshrink extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  lambd: number;

  static {
    def_methods(Hardshrink, { __init__: Hardshrink_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Hardshrink_init>) {
    const [lambd] = Hardshrink_init.bind(args);
    super();
    this.lambd = lambd;
  }

  override forward(input: Tensor): Tensor {
    return F.hardshrink(input, this.lambd);
  }

  override extra_repr(): string {
    return printed(this, "lambd", 0.5);
  }
}

/** `log(1 / (1 + exp(-x)))`. */
export class LogSigmoid extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  static {
    def_methods(LogSigmoid, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.logsigmoid(input);
  }
}

const Softplus_init = new Init(
  "Softplus.__init__(self, beta=1.0, threshold=20.0)",
  types<[beta: number, threshold: number]>,
);

/** `log(1 + exp(beta * x)) / beta`; `x` itself if `beta * x` is above `threshold`. */
export class Softplus extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  beta: number;
  threshold: number;

  static {
    def_methods(Softplus, { __init__: Softplus_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Softplus_init>) {
    const [beta, threshold] = Softplus_init.bind(args);
    super();
    this.beta = beta;
    this.threshold = threshold;
  }

  override forward(input: Tensor): Tensor {
    return F.softplus(input, this.beta, this.threshold);
  }

  override extra_repr(): string {
    return `beta=${printed(this, "beta", 1)}, threshold=${printed(this, "threshold", 20)}`;
  }
}

const Softshrink_init = new Init("Softshrink.__init__(self, lambd=0.5)", types<[lambd: number]>);

/** `x` moved towards 0 by `lambd`; 0 if `|x| <= lambd`. */
export class Softshrink extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  lambd: number;

  static {
    def_methods(Softshrink, { __init__: Softshrink_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Softshrink_init>) {
    const [lambd] = Softshrink_init.bind(args);
    super();
    this.lambd = lambd;
  }

  override forward(input: Tensor): Tensor {
    return F.softshrink(input, this.lambd);
  }

  override extra_repr(): string {
    return printed(this, "lambd", 0.5);
  }
}

/** `x / (1 + |x|)`. */
export class Softsign extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  static {
    def_methods(Softsign, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.softsign(input);
  }
}

/** `x - tanh(x)`. */
export class Tanhshrink extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.activation";

  static {
    def_methods(Tanhshrink, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.tanhshrink(input);
  }
}
