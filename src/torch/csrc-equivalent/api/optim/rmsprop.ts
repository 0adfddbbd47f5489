/**
 * @file RMSprop:
 *
 *   v = alpha * v + (1 - alpha) * g * g          g += weight_decay * p before
 *   a = sqrt(v) + eps                            centered: sqrt(v - m * m) + eps with the mean m of the gradients
 *   p -= lr * g / a                              with momentum: b = momentum * b + g / a;  p -= lr * b
 * @mirrors torch/csrc/api/include/torch/optim/rmsprop.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { format_general as g } from "#c10/util/format_float";
import { bool, double, type Made, TORCH_OPTIONS } from "../arg.ts";
import { type LossClosure, Optimizer, type Params } from "./optimizer.ts";

export const RMSpropOptions = TORCH_OPTIONS("RMSpropOptions", ["lr"], {
  lr: double(1e-2),
  alpha: double(0.99),
  eps: double(1e-8),
  weight_decay: double(0),
  momentum: double(0),
  centered: bool(false),
});
export type RMSpropOptions = Made<typeof RMSpropOptions>;

export interface RMSpropParamState {
  step: number;
  square_avg: Tensor;
  momentum_buffer: Tensor;
  grad_avg: Tensor;
}

export class RMSprop extends Optimizer<RMSpropOptions, RMSpropParamState> {
  protected get state_kind() {
    return { step: "int", square_avg: "tensor", momentum_buffer: "tensor", grad_avg: "tensor" } as const;
  }

  constructor(params: Params<RMSpropOptions>, defaults: RMSpropOptions = RMSpropOptions()) {
    super(params, defaults);
    TORCH_CHECK(defaults.lr() >= 0, "Invalid learning rate: ", g(defaults.lr()));
    TORCH_CHECK(defaults.eps() >= 0, "Invalid epsilon value: ", g(defaults.eps()));
    TORCH_CHECK(defaults.momentum() >= 0, "Invalid momentum value: ", g(defaults.momentum()));
    TORCH_CHECK(defaults.weight_decay() >= 0, "Invalid weight_decay value: ", g(defaults.weight_decay()));
    TORCH_CHECK(defaults.alpha() >= 0, "Invalid alpha value: ", g(defaults.alpha()));
  }

  override step(closure: LossClosure | null = null): Tensor | null {
    return this.step_each(closure, (p, options) => this.update(p, options));
  }

  private update(p: Tensor, options: RMSpropOptions): void {
    const double = Scalar.fromDouble;
    TORCH_CHECK(!p.grad().is_sparse(), "RMSprop does not support sparse gradients");
    const zeros = () => at.zeros_like(p, TensorOptions.EMPTY, MemoryFormat.Preserve);
    const state = this.state_of(p, () => ({
      step: 0,
      square_avg: zeros(),
      momentum_buffer: options.momentum() > 0 ? zeros() : new Tensor(),
      grad_avg: options.centered() ? zeros() : new Tensor(),
    }));
    const [alpha, { square_avg, momentum_buffer, grad_avg }] = [options.alpha(), state];
    state.step += 1;
    let grad = p.grad();
    if (options.weight_decay() !== 0) grad = grad.add_Tensor(p, double(options.weight_decay()));
    square_avg.mul__Scalar(double(alpha)).addcmul_(grad, grad, double(1 - alpha));
    let avg: Tensor;
    if (options.centered()) {
      grad_avg.mul__Scalar(double(alpha)).add__Tensor(grad, double(1 - alpha));
      avg = square_avg.addcmul(grad_avg, grad_avg, double(-1)).sqrt_().add__Scalar(double(options.eps()));
    } else {
      avg = square_avg.sqrt().add__Scalar(double(options.eps()));
    }
    if (options.momentum() > 0) {
      momentum_buffer.mul__Scalar(double(options.momentum())).addcdiv_(grad, avg);
      p.add__Tensor(momentum_buffer, double(-options.lr()));
    } else {
      p.addcdiv_(grad, avg, double(-options.lr()));
    }
  }
}
