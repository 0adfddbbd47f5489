/**
 * @file Adagrad:
 *
 *   sum += g * g                         g += weight_decay * p before
 *   p   -= lr / (1 + (step - 1) * lr_decay) * g / (sqrt(sum) + eps)
 * @mirrors torch/csrc/api/include/torch/optim/adagrad.h
 * @differs Sparse gradients are refused.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { format_general as g } from "#c10/util/format_float";
import { double, type Made, TORCH_OPTIONS } from "../arg.ts";
import { type LossClosure, Optimizer, type Params } from "./optimizer.ts";

export const AdagradOptions = TORCH_OPTIONS("AdagradOptions", ["lr"], {
  lr: double(1e-2),
  lr_decay: double(0),
  weight_decay: double(0),
  initial_accumulator_value: double(0),
  eps: double(1e-10),
});
export type AdagradOptions = Made<typeof AdagradOptions>;

export interface AdagradParamState {
  step: number;
  sum: Tensor;
}

export class Adagrad extends Optimizer<AdagradOptions, AdagradParamState> {
  protected get state_kind() {
    return { step: "int", sum: "tensor" } as const;
  }

  constructor(params: Params<AdagradOptions>, defaults: AdagradOptions = AdagradOptions()) {
    super(params, defaults);
    TORCH_CHECK(defaults.lr() >= 0, "Invalid learning rate: ", g(defaults.lr()));
    TORCH_CHECK(defaults.lr_decay() >= 0, "Invalid lr_decay value: ", g(defaults.lr_decay()));
    TORCH_CHECK(defaults.weight_decay() >= 0, "Invalid weight_decay value: ", g(defaults.weight_decay()));
    const initial = defaults.initial_accumulator_value();
    TORCH_CHECK(initial >= 0, "Invalid initial_accumulator_value value: ", g(initial));
    TORCH_CHECK(defaults.eps() >= 0, "Invalid epsilon value: ", g(defaults.eps()));
    for (const p of this.param_groups_.flatMap((group) => group.params())) {
      const sum = at.full_like(p.data(), Scalar.fromDouble(initial), TensorOptions.EMPTY, MemoryFormat.Preserve);
      this.state_.set(p.unsafeGetTensorImpl(), { step: 0, sum });
    }
  }

  override step(closure: LossClosure | null = null): Tensor | null {
    return this.step_each(closure, (p, options) => this.update(p, options));
  }

  private update(p: Tensor, options: AdagradOptions): void {
    const state = this.state_.get(p.unsafeGetTensorImpl());
    TORCH_CHECK(state !== undefined, "state found NULL for the Tensor");
    TORCH_CHECK(!p.grad().is_sparse(), "Adagrad does not support sparse gradients");
    state.step += 1;
    let grad = p.grad();
    if (options.weight_decay() !== 0) grad = grad.add_Tensor(p, Scalar.fromDouble(options.weight_decay()));
    const clr = options.lr() / (1 + (state.step - 1) * options.lr_decay());
    state.sum.addcmul_(grad, grad, Scalar.fromDouble(1));
    const std = state.sum.sqrt().add__Scalar(Scalar.fromDouble(options.eps()));
    p.addcdiv_(grad, std, Scalar.fromDouble(-clr));
  }
}
