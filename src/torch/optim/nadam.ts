/**
 * @file NAdam: Adam with Nesterov momentum.
 * @mirrors torch/optim/nadam.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _group_tensors_by_device_and_dtype } from "#torch/utils/_foreach_utils";
import { _decoupled_grads, _increment_steps, check_foreach } from "./foreach_utils.ts";
import {
  _default_to_foreach,
  _get_value,
  _to_scalar,
  check_betas,
  check_capturable,
  check_lr,
  check_nonnegative,
  check_state_steps,
  new_scalar,
  new_step,
  new_zeros,
} from "./optimizer/helpers.ts";
import { type Closure, Optimizer, type ParamsT, type StepArgs, set_defaults, step_groups } from "./optimizer/index.ts";
import type { GroupOf, Lists, SavedState } from "./optimizer/types.ts";
import { add, div, float, mul, type NumberOrTensor, neg, pow, sub } from "./python_operators.ts";

/**
 * NAdam. `m` and `v` are the state's `exp_avg` and `exp_avg_sq`, `M` is its `mu_product`: the product of all momenta up to `mu(t)`.
 *
 *     g = grad + weight_decay * p                      decoupled instead:  p = p - lr * weight_decay * p
 *     mu(t) = beta1 * (1 - 0.96 ** (t * momentum_decay) / 2)
 *     M = M * mu(t)
 *     m = beta1 * m + (1 - beta1) * g
 *     v = beta2 * v + (1 - beta2) * g ** 2
 *     s = sqrt(v / (1 - beta2 ** t)) + eps
 *     p = p - lr * (1 - mu(t)) / (1 - M) * g / s - lr * mu(t + 1) / (1 - M * mu(t + 1)) * m / s
 */
function _single_tensor_nadam(lists: NAdamLists, group: NAdamGroup): void {
  const { eps, weight_decay, momentum_decay, maximize, differentiable, capturable } = group;
  const [beta1, beta2] = group.betas;
  const lr = _to_scalar(group.lr);
  lists.params.forEach((param, i) => {
    let grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    const exp_avg = lists.exp_avgs[i];
    const exp_avg_sq = lists.exp_avg_sqs[i];
    const mu_product = lists.mu_products[i];
    const step_t = lists.state_steps[i];
    if (capturable) check_capturable([[param, mu_product, step_t]], "params, mu_products and state_steps");
    step_t.add_(1);
    const step = capturable ? step_t : _get_value(step_t);
    const bias_correction2 = sub(1, pow(beta2, step));
    if (weight_decay !== 0) {
      if (group.decoupled_weight_decay) param.mul_(sub(1, mul(lr, weight_decay)));
      else grad = grad.add(param, { alpha: weight_decay });
    }
    // The momentum of this step and of the next one; it grows towards beta1.
    const mu_at = (t: NumberOrTensor): NumberOrTensor =>
      mul(beta1, sub(1, mul(0.5, pow(0.96, mul(t, momentum_decay)))));
    const mu = mu_at(step);
    const mu_next = mu_at(add(step, 1));
    mu_product.mul_(mu);
    exp_avg.lerp_(grad, 1 - beta1);
    exp_avg_sq.mul_(beta2).addcmul_(grad, grad, { value: 1 - beta2 });
    let denom = exp_avg_sq.div(bias_correction2).sqrt();
    const minus_lr = neg(lr);
    if (differentiable || capturable) {
      denom = denom.add(eps);
      const mu_product_next = mul(mu_product, mu_next);
      const of_grad = div(mul(minus_lr, sub(1, mu)), sub(1, mu_product));
      const of_exp_avg = div(mul(minus_lr, mu_next), sub(1, mu_product_next));
      param.addcdiv_(grad.mul(of_grad), denom);
      param.addcdiv_(exp_avg.mul(of_exp_avg), denom);
    } else {
      const product = _get_value(mu_product);
      denom.add_(eps);
      const of_grad = div(mul(minus_lr, sub(1, mu)), 1 - product);
      const of_exp_avg = div(mul(minus_lr, mu_next), sub(1, mul(product, mu_next)));
      param.addcdiv_(grad, denom, { value: of_grad as number }); // a tensor is converted to a number
      param.addcdiv_(exp_avg, denom, { value: of_exp_avg as number });
    }
  });
}

const NAdam_init = new Init(
  "NAdam.__init__(self, params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, momentum_decay=0.004, decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      betas: readonly [number, number],
      eps: number,
      weight_decay: number,
      momentum_decay: number,
      decoupled_weight_decay: boolean,
      foreach: boolean | null,
      maximize: boolean,
      capturable: boolean,
      differentiable: boolean,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type NAdamOptions = Omit<InitKeywords<typeof NAdam_init>, "params">;

type NAdamGroup = GroupOf<typeof NAdam_init>;
type NAdamLists = Lists<"exp_avgs" | "exp_avg_sqs" | "mu_products" | "state_steps">;

/** NAdam: Adam with Nesterov momentum. */
export class NAdam extends Optimizer {
  static {
    def_methods(NAdam, { __init__: NAdam_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof NAdam_init>) {
    const [
      params,
      lr,
      betas,
      eps,
      weight_decay,
      momentum_decay,
      decoupled_weight_decay,
      foreach,
      maximize,
      capturable,
      differentiable,
    ] = NAdam_init.bind(args);
    check_lr(lr);
    check_nonnegative(eps, "Invalid epsilon value");
    check_betas(betas);
    check_nonnegative(weight_decay, "Invalid weight_decay value");
    check_nonnegative(momentum_decay, "Invalid momentum_decay value");
    super(params, {
      lr,
      betas,
      eps,
      weight_decay,
      momentum_decay,
      decoupled_weight_decay,
      maximize,
      foreach,
      capturable,
      differentiable,
    });
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups) {
      set_defaults(group, {
        maximize: false,
        foreach: null,
        capturable: false,
        differentiable: false,
        decoupled_weight_decay: false,
      });
      this._steps_to_tensors(group, group["capturable"]);
      for (const p of group.params) {
        const p_state = this.state.get(p) ?? {};
        if (!("mu_product" in p_state) || p_state["mu_product"] instanceof Tensor) continue;
        p_state["mu_product"] = new_scalar(p, group["capturable"], float(p_state["mu_product"]));
      }
    }
  }

  private _init_group(group: NAdamGroup): NAdamLists {
    return this._init_lists(
      group,
      { exp_avgs: "exp_avg", exp_avg_sqs: "exp_avg_sq", mu_products: "mu_product", state_steps: "step" },
      (p) => ({
        step: new_step(p, group.capturable),
        mu_product: new_scalar(p, group.capturable, 1),
        exp_avg: new_zeros(p),
        exp_avg_sq: new_zeros(p),
      }),
    );
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return step_groups<NAdamGroup>(this, closure, (group) => nadam(this._init_group(group), group));
  }
}

function nadam(lists: NAdamLists, group: NAdamGroup): void {
  check_state_steps(lists.state_steps);
  if (!lists.mu_products.every((product) => product instanceof Tensor))
    throw new RuntimeError("API has changed, `mu_products` argument must contain a list of singleton tensors");
  const foreach = group.foreach ?? _default_to_foreach(lists.params, group.differentiable);
  (foreach ? _multi_tensor_nadam : _single_tensor_nadam)(lists, group);
}

function _multi_tensor_nadam(all: NAdamLists, group: NAdamGroup): void {
  const { eps, momentum_decay, capturable } = group;
  const [beta1, beta2] = group.betas;
  if (all.params.length === 0) return;
  check_foreach(group, [all.params, all.mu_products, all.state_steps], "params, mu_products, and state_steps");
  const lr = _to_scalar(group.lr);
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, exp_avgs, exp_avg_sqs, mu_products, state_steps } = lists;
    _increment_steps(state_steps);
    const grads = _decoupled_grads(params, lists.grads, lr, group);
    torch._foreach_lerp_(exp_avgs, grads, 1 - beta1);
    torch._foreach_mul_(exp_avg_sqs, beta2);
    torch._foreach_addcmul_(exp_avg_sqs, grads, grads, 1 - beta2);
    const exp_avg_sq_sqrt = torch._foreach_sqrt(exp_avg_sqs);
    if (capturable) {
      const { mus, mu_nexts, bias_correction_sqrt } = on_device(state_steps, group);
      torch._foreach_mul_(mu_products, mus);
      torch._foreach_div_(exp_avg_sq_sqrt, bias_correction_sqrt);
      torch._foreach_add_(exp_avg_sq_sqrt, eps);
      torch._foreach_sub_(mus, 1);
      torch._foreach_mul_(mus, lr as number);
      const denom = torch._foreach_sub(mu_products, 1);
      torch._foreach_neg_(denom);
      torch._foreach_div_(mus, denom);
      const denom_next = torch._foreach_mul(mu_products, mu_nexts);
      torch._foreach_mul_(mu_nexts, lr as number);
      torch._foreach_sub_(denom_next, 1);
      torch._foreach_div_(mu_nexts, denom_next);
      const numerator = torch._foreach_mul(mus, grads);
      torch._foreach_addcmul_(numerator, mu_nexts, exp_avgs);
      torch._foreach_addcdiv_(params, numerator, exp_avg_sq_sqrt);
      continue;
    }
    const steps = state_steps.map(_get_value);
    const mu_at = (t: number): number => beta1 * (1 - 0.5 * 0.96 ** (t * momentum_decay));
    torch._foreach_mul_(mu_products, steps.map(mu_at));
    torch._foreach_div_(
      exp_avg_sq_sqrt,
      steps.map((step) => (1 - beta2 ** step) ** 0.5),
    );
    torch._foreach_add_(exp_avg_sq_sqrt, eps);
    const products = mu_products.map(_get_value);
    const rate = _get_value(lr);
    const of_grads = steps.map((step, i) => ((rate * (1 - mu_at(step))) / (1 - products[i])) * -1);
    const of_exp_avgs = steps.map((step, i) => {
      const mu_next = mu_at(step + 1);
      return ((rate * mu_next) / (1 - products[i] * mu_next)) * -1;
    });
    torch._foreach_addcdiv_(params, grads, exp_avg_sq_sqrt, of_grads);
    torch._foreach_addcdiv_(params, exp_avgs, exp_avg_sq_sqrt, of_exp_avgs);
  }
}

/**
 * The momentum of this step and of the next one, and the correction of the mean square, computed on the device without reading the step
 * counts.
 */
function on_device(
  state_steps: Tensor[],
  { betas: [beta1, beta2], momentum_decay }: NAdamGroup,
): { mus: Tensor[]; mu_nexts: Tensor[]; bias_correction_sqrt: Tensor[] } {
  const mu_at = (exponent: Tensor[]): Tensor[] => {
    const mus = torch._foreach_pow(0.96, exponent);
    torch._foreach_mul_(mus, -0.5);
    torch._foreach_add_(mus, 1);
    torch._foreach_mul_(mus, beta1);
    return mus;
  };
  const exponent = torch._foreach_mul(state_steps, momentum_decay);
  const mus = mu_at(exponent);
  torch._foreach_add_(exponent, momentum_decay);
  const mu_nexts = mu_at(exponent);
  const bias_correction_sqrt = torch._foreach_pow(beta2, state_steps);
  torch._foreach_sub_(bias_correction_sqrt, 1);
  torch._foreach_neg_(bias_correction_sqrt);
  torch._foreach_sqrt_(bias_correction_sqrt);
  return { mus, mu_nexts, bias_correction_sqrt };
}
