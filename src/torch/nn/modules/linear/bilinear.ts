/**
 * @file `nn.Bilinear`.
 * @mirrors torch/nn/modules/linear.py#Bilinear
 */
import { ValueError } from "#c10/util/Exception";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import * as init from "#torch/nn/init";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import type { Factory } from "./index.ts";

const Bilinear_init = new Init(
  "Bilinear.__init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None)",
  types<[in1_features: number, in2_features: number, out_features: number, bias: boolean, ...Factory]>,
);

type Two = Args<"(self, input1, input2)", [input1: Tensor, input2: Tensor]>;

/** `input1 @ weight[k] @ input2 + bias[k]` for each output `k`.   `(*, in1), (*, in2) -> (*, out)` */
export class Bilinear extends Module<Two, Tensor> {
  static readonly __module__: string = "torch.nn.modules.linear";

  in1_features: number;
  in2_features: number;
  out_features: number;
  weight: Parameter;
  declare bias: Parameter | null;

  static {
    def_methods(Bilinear, {
      __init__: Bilinear_init,
      reset_parameters: "(self)",
      forward: "(self, input1, input2)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof Bilinear_init>) {
    const [in1_features, in2_features, out_features, bias, device, dtype] = Bilinear_init.bind(args);
    super();
    this.in1_features = in1_features;
    this.in2_features = in2_features;
    this.out_features = out_features;
    this.weight = new Parameter(torch.empty([out_features, in1_features, in2_features], { device, dtype }));
    if (bias) this.bias = new Parameter(torch.empty([out_features], { device, dtype }));
    else this.register_parameter("bias", null);
    this.reset_parameters();
  }

  /** Initializes with uniform random numbers in ±1/sqrt(in1_features), the weight before the bias. */
  reset_parameters(): void {
    if (this.in1_features <= 0)
      throw new ValueError(`in1_features must be > 0, but got (in1_features=${this.in1_features})`);
    const bound = 1 / Math.sqrt(this.weight.size(1));
    init.uniform_(this.weight, -bound, bound);
    if (this.bias !== null) init.uniform_(this.bias, -bound, bound);
  }

  override forward(input1: Tensor, input2: Tensor): Tensor {
    return F.bilinear(input1, input2, this.weight, this.bias);
  }

  override extra_repr(): string {
    const { in1_features, in2_features, out_features } = this;
    const bias = this.bias !== null ? "True" : "False";
    return `in1_features=${in1_features}, in2_features=${in2_features}, out_features=${out_features}, bias=${bias}`;
  }
}
