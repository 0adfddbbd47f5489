/**
 * @file Adam:
 *
 *   m = beta1 * m + (1 - beta1) * g          v = beta2 * v + (1 - beta2) * g * g
 *   p -= lr * m' / (sqrt(v') + eps)          m' and v' are divided by 1 - beta^step; amsgrad takes the largest v so far
 * @mirrors torch/csrc/api/include/torch/optim/adam.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { format_general as g } from "#c10/util/format_float";
import { any, bool, double, type Made, TORCH_OPTIONS } from "../arg.ts";
import { type LossClosure, Optimizer, type Params } from "./optimizer.ts";

type Betas = readonly [beta1: number, beta2: number];

const options = (name: string, weight_decay: number) =>
  TORCH_OPTIONS(name, ["lr"], {
    lr: double(1e-3),
    betas: any<Betas>([0.9, 0.999]),
    eps: double(1e-8),
    weight_decay: double(weight_decay),
    amsgrad: bool(false),
  });
export const AdamOptions: ReturnType<typeof options> = options("AdamOptions", 0);
export const AdamWOptions: ReturnType<typeof options> = options("AdamWOptions", 1e-2);
export type AdamOptions = Made<typeof AdamOptions>;

export interface AdamParamState {
  step: number;
  exp_avg: Tensor;
  exp_avg_sq: Tensor;
  max_exp_avg_sq: Tensor;
}

function check_options(defaults: AdamOptions): void {
  const [beta1, beta2] = defaults.betas();
  TORCH_CHECK(defaults.lr() >= 0, "Invalid learning rate: ", g(defaults.lr()));
  TORCH_CHECK(defaults.eps() >= 0, "Invalid epsilon value: ", g(defaults.eps()));
  TORCH_CHECK(0 <= beta1 && beta1 < 1, "Invalid beta parameter at index 0: ", g(beta1));
  TORCH_CHECK(0 <= beta2 && beta2 < 1, "Invalid beta parameter at index 1: ", g(beta2));
  TORCH_CHECK(defaults.weight_decay() >= 0, "Invalid weight_decay value: ", g(defaults.weight_decay()));
}

/** Base class of Adam and AdamW, which differ in what weight decay changes. */
abstract class AdamBase extends Optimizer<AdamOptions, AdamParamState> {
  protected get state_kind() {
    return { step: "int", exp_avg: "tensor", exp_avg_sq: "tensor", max_exp_avg_sq: "tensor" } as const;
  }
  protected abstract readonly name: string;
  /** Applies weight decay and returns the gradient to use. */
  protected abstract decay(p: Tensor, grad: Tensor, options: AdamOptions): Tensor;

  constructor(params: Params<AdamOptions>, defaults: AdamOptions) {
    super(params, defaults);
    check_options(defaults);
  }

  override step(closure: LossClosure | null = null): Tensor | null {
    return this.step_each(closure, (p, options) => this.update(p, options));
  }

  private update(p: Tensor, options: AdamOptions): void {
    const double = Scalar.fromDouble;
    TORCH_CHECK(!p.grad().is_sparse(), `${this.name} does not support sparse gradients`);
    const [beta1, beta2] = options.betas();
    const zeros = () => at.zeros_like(p, TensorOptions.EMPTY, MemoryFormat.Preserve);
    const state = this.state_of(p, () => ({
      step: 0,
      exp_avg: zeros(),
      exp_avg_sq: zeros(),
      max_exp_avg_sq: options.amsgrad() ? zeros() : new Tensor(),
    }));
    const { exp_avg, exp_avg_sq } = state;
    state.step += 1;
    const bias_correction1 = 1 - beta1 ** state.step;
    const bias_correction2 = 1 - beta2 ** state.step;
    const grad = this.decay(p, p.grad(), options);
    exp_avg.mul__Scalar(double(beta1)).add__Tensor(grad, double(1 - beta1));
    exp_avg_sq.mul__Scalar(double(beta2)).addcmul_(grad, grad, double(1 - beta2));
    let second = exp_avg_sq;
    if (options.amsgrad()) {
      at.maximum_out(state.max_exp_avg_sq, exp_avg_sq, state.max_exp_avg_sq);
      second = state.max_exp_avg_sq;
    }
    const denom = second
      .sqrt()
      .div_Scalar(double(Math.sqrt(bias_correction2)))
      .add__Scalar(double(options.eps()));
    p.addcdiv_(exp_avg, denom, double(-(options.lr() / bias_correction1)));
  }
}

export class Adam extends AdamBase {
  protected get name(): string {
    return "Adam";
  }
  constructor(params: Params<AdamOptions>, defaults: AdamOptions = AdamOptions()) {
    super(params, defaults);
  }
  protected decay(p: Tensor, grad: Tensor, options: AdamOptions): Tensor {
    const weight_decay = options.weight_decay();
    return weight_decay === 0 ? grad : grad.add_Tensor(p, Scalar.fromDouble(weight_decay));
  }
}

/** Weight decay shrinks the parameter itself and does not pass through the averages. */
export class AdamW extends AdamBase {
  protected get name(): string {
    return "AdamW";
  }
  constructor(params: Params<AdamOptions>, defaults: AdamOptions = AdamWOptions()) {
    super(params, defaults);
  }
  protected decay(p: Tensor, grad: Tensor, options: AdamOptions): Tensor {
    const weight_decay = options.weight_decay();
    if (weight_decay !== 0) p.mul__Scalar(Scalar.fromDouble(1 - options.lr() * weight_decay));
    return grad;
  }
}
