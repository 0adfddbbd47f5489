/**
 * @file `nn.Linear` and `nn.Identity`.
 * @mirrors torch/nn/modules/linear.py
 */
import type { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional";
import * as init from "#torch/nn/init";
import { Parameter } from "#torch/nn/parameter";
import type { DeviceLike, dtype } from "#torch/types";
import { Module } from "./module.ts";

/** Gives back its input; arguments of the constructor are ignored. */
export class Identity extends Module<[input: unknown], unknown> {
  constructor(..._args: unknown[]) {
    super();
  }

  override forward(input: unknown): unknown {
    return input;
  }
}

export interface FactoryKwargs {
  device?: DeviceLike | null;
  dtype?: dtype | null;
}

/** `x @ weight.T + bias`.   `(*, in_features) -> (*, out_features)` */
export class Linear extends Module<[input: Tensor], Tensor> {
  in_features: number;
  out_features: number;
  weight: Parameter;
  declare bias: Parameter | null;

  constructor(
    in_features: number,
    out_features: number,
    bias: boolean | (FactoryKwargs & { bias?: boolean }) = true,
    kwargs: FactoryKwargs = {},
  ) {
    super();
    const { bias: has_bias = true, ...factory_kwargs } = typeof bias === "boolean" ? { bias, ...kwargs } : bias;
    this.in_features = in_features;
    this.out_features = out_features;
    this.weight = new Parameter(torch.empty([out_features, in_features], factory_kwargs));
    if (has_bias) this.bias = new Parameter(torch.empty([out_features], factory_kwargs));
    else this.register_parameter("bias", null);
    this.reset_parameters();
  }

  /** Uniform in ±1/sqrt(in_features), the weight first. */
  reset_parameters(): void {
    init.kaiming_uniform_(this.weight, Math.sqrt(5));
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
