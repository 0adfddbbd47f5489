/**
 * @file Stochastic gradient descent:
 *
 *   g += weight_decay * p
 *   b  = g                    at the first step;    b = momentum * b + (1 - dampening) * g   afterwards
 *   p -= lr * b               with nesterov:        p -= lr * (g + momentum * b)
 * @mirrors torch/csrc/api/include/torch/optim/sgd.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { format_general as g } from "#c10/util/format_float";
import { bool, double, type Made, TORCH_OPTIONS } from "../arg.ts";
import { type LossClosure, Optimizer, type Params } from "./optimizer.ts";

export const SGDOptions = TORCH_OPTIONS("SGDOptions", ["lr"], {
  lr: double(),
  momentum: double(0),
  dampening: double(0),
  weight_decay: double(0),
  nesterov: bool(false),
});
export type SGDOptions = Made<typeof SGDOptions>;

export interface SGDParamState {
  momentum_buffer: Tensor;
}

export class SGD extends Optimizer<SGDOptions, SGDParamState> {
  protected get state_kind() {
    return { momentum_buffer: "tensor" } as const;
  }

  constructor(params: Params<SGDOptions>, defaults: SGDOptions) {
    super(params, defaults);
    TORCH_CHECK(defaults.lr() >= 0, "Invalid learning rate: ", g(defaults.lr()));
    TORCH_CHECK(defaults.momentum() >= 0, "Invalid momentum value: ", g(defaults.momentum()));
    TORCH_CHECK(defaults.weight_decay() >= 0, "Invalid weight_decay value: ", g(defaults.weight_decay()));
    TORCH_CHECK(
      !defaults.nesterov() || (defaults.momentum() > 0 && defaults.dampening() === 0),
      "Nesterov momentum requires a momentum and zero dampening",
    );
  }

  override step(closure: LossClosure | null = null): Tensor | null {
    return this.step_each(closure, (p, options) => this.update(p, options));
  }

  private update(p: Tensor, options: SGDOptions): void {
    const [momentum, weight_decay] = [options.momentum(), options.weight_decay()];
    let d_p = p.grad().data();
    if (weight_decay !== 0) d_p = d_p.add_Tensor(p.data(), Scalar.fromDouble(weight_decay));
    if (momentum !== 0) {
      const state = this.state_of(p, () => ({ momentum_buffer: new Tensor() }));
      if (!state.momentum_buffer.defined()) state.momentum_buffer = d_p.clone().detach();
      else {
        const share = Scalar.fromDouble(1 - options.dampening());
        state.momentum_buffer.mul__Scalar(Scalar.fromDouble(momentum)).add__Tensor(d_p, share);
      }
      const buffer = state.momentum_buffer;
      d_p = options.nesterov() ? d_p.add_Tensor(buffer, Scalar.fromDouble(momentum)) : buffer;
    }
    p.data().add__Tensor(d_p, Scalar.fromDouble(-options.lr()));
  }
}
