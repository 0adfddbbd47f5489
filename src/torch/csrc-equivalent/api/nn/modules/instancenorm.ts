/**
 * @file Instance normalization of 1, 2 and 3 dimensions.
 * @mirrors torch/csrc/api/include/torch/nn/modules/instancenorm.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { instance_norm } from "../functional/instancenorm.ts";
import { InstanceNormFuncOptions, InstanceNormOptions } from "../options/instancenorm.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { NormImplBase } from "./batchnorm.ts";

/** Instance normalization, with or without a batch dimension. */
export type InstanceNormImpl = NormImplBase<InstanceNormOptions> & { forward(input: Tensor): Tensor };
type InstanceNormClass = ModuleHolder<new (...args: OptionsArgs<typeof InstanceNormOptions>) => InstanceNormImpl>;

function instance_norm_module(D: number): InstanceNormClass {
  class Impl extends NormImplBase<InstanceNormOptions> {
    constructor(...args: OptionsArgs<typeof InstanceNormOptions>) {
      super(as_options(InstanceNormOptions, args));
    }
    protected override _check_input_dim(input: Tensor): void {
      const dim = input.dim();
      TORCH_CHECK(dim === D + 1 || dim === D + 2, `expected ${D + 1}D or ${D + 2}D input (got ${dim}D input)`);
    }
    forward(input: Tensor): Tensor {
      this._check_input_dim(input);
      if (input.dim() === D + 1) return this.apply_instance_norm(input.unsqueeze(0)).squeeze_dim(0);
      return this.apply_instance_norm(input);
    }
    private apply_instance_norm(input: Tensor): Tensor {
      const { options } = this;
      const call = InstanceNormFuncOptions()
        .running_mean(this.running_mean)
        .running_var(this.running_var)
        .weight(this.weight)
        .bias(this.bias)
        .use_input_stats(this.is_training() || !options.track_running_stats())
        .momentum(options.momentum())
        .eps(options.eps());
      return instance_norm(input, call);
    }
    override pretty_print(): string {
      return this.printed_as(`InstanceNorm${D}d`);
    }
  }
  return TORCH_MODULE(Impl, `InstanceNorm${D}d`) as unknown as InstanceNormClass;
}
export const InstanceNorm1d: InstanceNormClass = instance_norm_module(1);
export const InstanceNorm2d: InstanceNormClass = instance_norm_module(2);
export const InstanceNorm3d: InstanceNormClass = instance_norm_module(3);
