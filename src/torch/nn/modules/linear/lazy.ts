/**
 * @file `nn.LazyLinear`.
 * @mirrors torch/nn/modules/linear.py#LazyLinear
 */
import { AssertionError, IndexError } from "#c10/util/Exception";
import { having } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { LazyModuleMixin } from "#torch/nn/modules/lazy";
import { is_lazy, UninitializedParameter } from "#torch/nn/parameter/lazy";
import { type Factory, Linear } from "./index.ts";

const LazyLinear_init = new Init(
  "LazyLinear.__init__(self, out_features, bias=True, device=None, dtype=None)",
  types<[out_features: number, bias: boolean, ...Factory]>,
);

/** A `Linear` that infers `in_features` from its first input. */
export class LazyLinear extends LazyModuleMixin(Linear) {
  static override readonly __module__: string = "torch.nn.modules.linear";
  static override readonly cls_to_become = Linear;

  static {
    def_methods(LazyLinear, {
      __init__: LazyLinear_init,
      reset_parameters: "(self)",
      initialize_parameters: "(self, input)",
    });
  }

  constructor(...args: InitArgs<typeof LazyLinear_init>) {
    const [out_features, bias, device, dtype] = LazyLinear_init.bind(args);
    super(0, 0, false);
    this.weight = new UninitializedParameter({ device, dtype });
    this.out_features = out_features;
    if (bias) this.bias = new UninitializedParameter({ device, dtype });
  }

  override reset_parameters(): void {
    if (!this.has_uninitialized_params() && this.in_features !== 0) super.reset_parameters();
  }

  override initialize_parameters(input: Tensor): void {
    const { shape } = having(input, "shape");
    if (shape.length === 0) throw new IndexError("tuple index out of range");
    const last = shape[shape.length - 1];
    if (this.has_uninitialized_params())
      torch.no_grad(() => {
        this.in_features = last;
        if (is_lazy(this.weight)) this.weight.materialize([this.out_features, last]);
        if (is_lazy(this.bias)) this.bias.materialize([this.out_features]);
        this.reset_parameters();
      });
    if (this.in_features !== 0) return;
    // The parameters were loaded; only `in_features` is missing.
    const expected = this.weight.size(-1);
    if (last !== expected)
      throw new AssertionError(
        `The in_features inferred from input: ${last} is not equal to in_features from self.weight: ${expected}`,
      );
    this.in_features = last;
  }
}
