/**
 * @file Normalizations over features, channels and neighbours.
 * @mirrors torch/csrc/api/include/torch/nn/modules/normalization.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { Cloneable } from "../cloneable.ts";
import { group_norm, layer_norm, local_response_norm } from "../functional/normalization.ts";
import * as init from "../init.ts";
import {
  CrossMapLRN2dOptions,
  GroupNormFuncOptions,
  GroupNormOptions,
  LayerNormFuncOptions,
  LayerNormOptions,
  LocalResponseNormOptions,
} from "../options/normalization.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { cross_map_lrn2d } from "./_functions.ts";
import { g, printed } from "./printed.ts";
import { type Stateless, stateless } from "./stateless.ts";

/** Mean 0 and variance 1 over the last dimensions. */
export class LayerNormImpl extends Cloneable {
  readonly options: LayerNormOptions;
  declare weight: Tensor;
  declare bias: Tensor;

  constructor(...args: OptionsArgs<typeof LayerNormOptions>) {
    super();
    this.options = as_options(LayerNormOptions, args);
    this.reset();
  }
  override reset(): void {
    const affine = this.options.elementwise_affine();
    const parameter = () => (affine ? at.empty_memory_format([...this.options.normalized_shape()]) : new Tensor());
    this.weight = this.register_parameter("weight", parameter(), affine);
    this.bias = this.register_parameter("bias", parameter(), affine);
    this.reset_parameters();
  }
  reset_parameters(): void {
    if (!this.options.elementwise_affine()) return;
    init.ones_(this.weight);
    init.zeros_(this.bias);
  }
  forward(input: Tensor): Tensor {
    const call = LayerNormFuncOptions(this.options.normalized_shape());
    return layer_norm(input, call.weight(this.weight).bias(this.bias).eps(this.options.eps()));
  }
  override pretty_print(): string {
    const { options } = this;
    const named = { eps: g(options.eps()), elementwise_affine: options.elementwise_affine() };
    return printed("LayerNorm", [options.normalized_shape()], named);
  }
}
export const LayerNorm: ModuleHolder<typeof LayerNormImpl> = TORCH_MODULE(LayerNormImpl, "LayerNorm");

const neighbours = (options: LocalResponseNormOptions | CrossMapLRN2dOptions) => ({
  alpha: g(options.alpha()),
  beta: g(options.beta()),
  k: g(options.k()),
});

export const LocalResponseNorm: Stateless<typeof LocalResponseNormOptions, [input: Tensor], Tensor> = stateless(
  "LocalResponseNorm",
  LocalResponseNormOptions,
  local_response_norm,
  (options) => printed("LocalResponseNorm", [options.size()], neighbours(options)),
);

export const CrossMapLRN2d: Stateless<typeof CrossMapLRN2dOptions, [input: Tensor], Tensor> = stateless(
  "CrossMapLRN2d",
  CrossMapLRN2dOptions,
  cross_map_lrn2d,
  (options) => printed("CrossMapLRN2d", [options.size()], neighbours(options)),
);

/** Mean 0 and variance 1 over groups of channels. */
export class GroupNormImpl extends Cloneable {
  readonly options: GroupNormOptions;
  declare weight: Tensor;
  declare bias: Tensor;

  constructor(...args: OptionsArgs<typeof GroupNormOptions>) {
    super();
    this.options = as_options(GroupNormOptions, args);
    this.reset();
  }
  override reset(): void {
    const affine = this.options.affine();
    const parameter = () => (affine ? at.empty_memory_format([this.options.num_channels()]) : new Tensor());
    this.weight = this.register_parameter("weight", parameter(), affine);
    this.bias = this.register_parameter("bias", parameter(), affine);
    this.reset_parameters();
  }
  reset_parameters(): void {
    if (!this.options.affine()) return;
    init.ones_(this.weight);
    init.zeros_(this.bias);
  }
  forward(input: Tensor): Tensor {
    const call = GroupNormFuncOptions(this.options.num_groups());
    return group_norm(input, call.weight(this.weight).bias(this.bias).eps(this.options.eps()));
  }
  override pretty_print(): string {
    const { options } = this;
    const named = { eps: g(options.eps()), affine: options.affine() };
    return printed("GroupNorm", [options.num_groups(), options.num_channels()], named);
  }
}
export const GroupNorm: ModuleHolder<typeof GroupNormImpl> = TORCH_MODULE(GroupNormImpl, "GroupNorm");
