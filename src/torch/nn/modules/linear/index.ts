/**
 * @file `nn.Linear` and `nn.Identity`.
 * @mirrors torch/nn/modules/linear.py
 */
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import * as init from "#torch/nn/init";
import { Module, type Unary } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import type { DeviceLike, dtype } from "#torch/types";

const Identity_init = new Init(
  "Identity.__init__(self, *args, **kwargs)",
  types<[args: unknown[], kwargs: Record<string, unknown>]>,
);

/** A module that returns its input; arguments of the constructor are ignored. */
export class Identity extends Module<[input: unknown], unknown> {
  static readonly __module__: string = "torch.nn.modules.linear";

  static {
    def_methods(Identity, { __init__: Identity_init, forward: "(self, input)" });
  }

  constructor(..._args: InitArgs<typeof Identity_init>) {
    super();
  }

  override forward(input: unknown): unknown {
    return input;
  }
}

/** The last two constructor arguments of every module that creates parameters. */
export type Factory = [device: DeviceLike | null, dtype: dtype | null];

const Linear_init = new Init(
  "Linear.__init__(self, in_features, out_features, bias=True, device=None, dtype=None)",
  types<[in_features: number, out_features: number, bias: boolean, ...Factory]>,
);

/** `x @ weight.T + bias`.   `(*, in_features) -> (*, out_features)` */
export class Linear extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.linear";

  in_features: number;
  out_features: number;
  weight: Parameter;
  declare bias: Parameter | null;

  static {
    def_methods(Linear, {
      __init__: Linear_init,
      reset_parameters: "(self)",
      forward: "(self, input)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof Linear_init>) {
    const [in_features, out_features, bias, device, dtype] = Linear_init.bind(args);
    super();
    this.in_features = in_features;
    this.out_features = out_features;
    this.weight = new Parameter(torch.empty([out_features, in_features], { device, dtype }));
    if (bias) this.bias = new Parameter(torch.empty([out_features], { device, dtype }));
    else this.register_parameter("bias", null);
    this.reset_parameters();
  }

  /** Initializes with uniform random numbers in ±1/sqrt(in_features), the weight before the bias. */
  reset_parameters(): void {
    init.kaiming_uniform_(this.weight, { a: Math.sqrt(5) });
    if (this.bias !== null) {
      const [fan_in] = init._calculate_fan_in_and_fan_out(this.weight);
      const bound = fan_in > 0 ? 1 / Math.sqrt(fan_in) : 0;
      init.uniform_(this.bias, -bound, bound);
    }
  }

  override forward(input: Tensor): Tensor {
    return F.linear(input, this.weight, this.bias);
  }

  override extra_repr(): string {
    return `in_features=${this.in_features}, out_features=${this.out_features}, bias=${this.bias !== null ? "True" : "False"}`;
  }
}

/** The output projection of attention: a `Linear` with a type of its own, so that dynamic quantization skips it. */
export class NonDynamicallyQuantizableLinear extends Linear {
  static override readonly __module__: string = "torch.nn.modules.linear";

  static {
    def_methods(NonDynamicallyQuantizableLinear, {
      __init__: new Init(
        "NonDynamicallyQuantizableLinear.__init__(self, in_features, out_features, bias=True, device=None, dtype=None)",
        types<[in_features: number, out_features: number, bias: boolean, ...Factory]>,
      ),
    });
  }
}
