/**
 * @file Dropout modules: they drop in training and do nothing otherwise.
 * @mirrors torch/csrc/api/include/torch/nn/modules/dropout.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { Cloneable } from "../cloneable.ts";
import { alpha_dropout, dropout, dropout2d, dropout3d, feature_alpha_dropout } from "../functional/dropout.ts";
import { DropoutFuncOptions, DropoutOptions } from "../options/dropout.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { g, printed } from "./printed.ts";

/** A dropout of elements or channels. */
export type DropoutImpl = Cloneable & { readonly options: DropoutOptions; forward(input: Tensor): Tensor };
type DropoutClass = ModuleHolder<new (...args: OptionsArgs<typeof DropoutOptions>) => DropoutImpl>;

function _DropoutNd(name: string, drop: typeof dropout): DropoutClass {
  class Impl extends Cloneable {
    readonly options: DropoutOptions;

    constructor(...args: OptionsArgs<typeof DropoutOptions>) {
      super();
      this.options = as_options(DropoutOptions, args);
      this.reset();
    }
    override reset(): void {
      const p = this.options.p();
      TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", g(p));
    }
    forward(input: Tensor): Tensor {
      const { options } = this;
      return drop(input, DropoutFuncOptions().p(options.p()).training(this.is_training()).inplace(options.inplace()));
    }
    override pretty_print(): string {
      return printed(name, [], { p: g(this.options.p()), inplace: this.options.inplace() });
    }
  }
  return TORCH_MODULE(Impl, name) as unknown as DropoutClass;
}
export const Dropout: DropoutClass = _DropoutNd("Dropout", dropout);
export const Dropout2d: DropoutClass = _DropoutNd("Dropout2d", dropout2d);
export const Dropout3d: DropoutClass = _DropoutNd("Dropout3d", dropout3d);
export const AlphaDropout: DropoutClass = _DropoutNd("AlphaDropout", alpha_dropout);
export const FeatureAlphaDropout: DropoutClass = _DropoutNd("FeatureAlphaDropout", feature_alpha_dropout);
