/**
 * @file Linear layers, and modules that change the shape alone.
 * @mirrors torch/csrc/api/include/torch/nn/modules/linear.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { Cloneable } from "../cloneable.ts";
import { bilinear, linear } from "../functional/linear.ts";
import * as init from "../init.ts";
import { BilinearOptions, FlattenOptions, LinearOptions, UnflattenOptions } from "../options/linear.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { printed } from "./printed.ts";
import { type Plain, plain, type Stateless, stateless } from "./stateless.ts";

export const Identity: Plain<[input: Tensor], Tensor> = plain("Identity", (input) => input);

/** `input @ weight^T + bias`, `(*, in_features)` -> `(*, out_features)`. */
export class LinearImpl extends Cloneable {
  readonly options: LinearOptions;
  /** `(out_features, in_features)` */
  declare weight: Tensor;
  /** `(out_features)`; undefined if the options say so */
  declare bias: Tensor;

  constructor(...args: OptionsArgs<typeof LinearOptions>) {
    super();
    this.options = as_options(LinearOptions, args);
    this.reset();
  }
  override reset(): void {
    const [inputs, outputs] = [this.options.in_features(), this.options.out_features()];
    this.weight = this.register_parameter("weight", at.empty_memory_format([outputs, inputs]));
    if (this.options.bias()) this.bias = this.register_parameter("bias", at.empty_memory_format([outputs]));
    else this.bias = this.register_parameter("bias", new Tensor(), false);
    this.reset_parameters();
  }
  reset_parameters(): void {
    init.kaiming_uniform_(this.weight, Math.sqrt(5));
    if (!this.bias.defined()) return;
    const bound = 1 / Math.sqrt(init._calculate_fan_in_and_fan_out(this.weight)[0]);
    init.uniform_(this.bias, -bound, bound);
  }
  forward(input: Tensor): Tensor {
    return linear(input, this.weight, this.bias);
  }
  override pretty_print(): string {
    const { options } = this;
    const sizes = { in_features: options.in_features(), out_features: options.out_features() };
    return printed("Linear", [], { ...sizes, bias: options.bias() });
  }
}
export const Linear: ModuleHolder<typeof LinearImpl> = TORCH_MODULE(LinearImpl, "Linear");

export const Flatten: Stateless<typeof FlattenOptions, [input: Tensor], Tensor> = stateless(
  "Flatten",
  FlattenOptions,
  (input: Tensor, options) => input.flatten_using_ints(options.start_dim(), options.end_dim()),
  (options) => printed("Flatten", [], { start_dim: options.start_dim(), end_dim: options.end_dim() }),
);

export const Unflatten: Stateless<typeof UnflattenOptions, [input: Tensor], Tensor> = stateless(
  "Unflatten",
  UnflattenOptions,
  (input: Tensor, options) => input.unflatten_int(options.dim(), [...options.sizes()]),
  (options) => printed("Unflatten", [], { dim: options.dim(), unflattened_size: `{${options.sizes().join(", ")}}` }),
);

/** `x1^T W x2 + bias` for each output feature. */
export class BilinearImpl extends Cloneable {
  readonly options: BilinearOptions;
  /** `(out_features, in1_features, in2_features)` */
  declare weight: Tensor;
  declare bias: Tensor;

  constructor(...args: OptionsArgs<typeof BilinearOptions>) {
    super();
    this.options = as_options(BilinearOptions, args);
    this.reset();
  }
  override reset(): void {
    const { options } = this;
    const sizes = [options.out_features(), options.in1_features(), options.in2_features()];
    this.weight = this.register_parameter("weight", at.empty_memory_format(sizes));
    if (options.bias()) this.bias = this.register_parameter("bias", at.empty_memory_format([sizes[0]]));
    else this.bias = this.register_parameter("bias", new Tensor(), false);
    this.reset_parameters();
  }
  reset_parameters(): void {
    const bound = 1 / Math.sqrt(this.weight.size(1));
    init.uniform_(this.weight, -bound, bound);
    if (this.bias.defined()) init.uniform_(this.bias, -bound, bound);
  }
  forward(input1: Tensor, input2: Tensor): Tensor {
    return bilinear(input1, input2, this.weight, this.bias);
  }
  override pretty_print(): string {
    const { options } = this;
    const inputs = { in1_features: options.in1_features(), in2_features: options.in2_features() };
    return printed("Bilinear", [], { ...inputs, out_features: options.out_features(), bias: options.bias() });
  }
}
export const Bilinear: ModuleHolder<typeof BilinearImpl> = TORCH_MODULE(BilinearImpl, "Bilinear");
