/**
 * @file RAdam: Adam that divides by the mean square only when enough steps make it reliable.
 * @mirrors torch/optim/radam.py
 */
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
  new_step,
  new_zeros,
} from "./optimizer/helpers.ts";
import { type Closure, Optimizer, type ParamsT, type StepArgs, set_defaults, step_groups } from "./optimizer/index.ts";
import type { GroupOf, Lists, SavedState } from "./optimizer/types.ts";
import { div, mul, type NumberOrTensor, pow, sqrt, sub } from "./python_operators.ts";

/**
 * RAdam. `m` and `v` are the state's `exp_avg` and `exp_avg_sq`. `rho(t)` is the number of steps that the mean of squares has seen; the
 * step is divided by its root only if they are more than 5.
 *
 *     g = grad + weight_decay * p                      decoupled instead:  p = p - lr * weight_decay * p
 *     m = beta1 * m + (1 - beta1) * g
 *     v = beta2 * v + (1 - beta2) * g ** 2
 *     rho_inf = 2 / (1 - beta2) - 1
 *     rho(t)  = rho_inf - 2 * t * beta2 ** t / (1 - beta2 ** t)
 *     rect    = sqrt((rho(t) - 4) * (rho(t) - 2) * rho_inf / ((rho_inf - 4) * (rho_inf - 2) * rho(t)))
 *     p = p - lr * m / (1 - beta1 ** t) * rect * sqrt(1 - beta2 ** t) / (sqrt(v) + eps)         if rho(t) > 5
 *     p = p - lr * m / (1 - beta1 ** t)                                                         otherwise
 */
function _single_tensor_radam(lists: RAdamLists, group: RAdamGroup): void {
  const { eps, weight_decay, maximize, differentiable, capturable } = group;
  const [beta1, beta2] = group.betas;
  const lr = _to_scalar(group.lr);
  lists.params.forEach((param, i) => {
    let grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    const exp_avg = lists.exp_avgs[i];
    const exp_avg_sq = lists.exp_avg_sqs[i];
    const step_t = lists.state_steps[i];
    if (capturable) check_capturable([[param, step_t]]);
    step_t.add_(1);
    const step = capturable ? step_t : _get_value(step_t);
    if (weight_decay !== 0) {
      if (group.decoupled_weight_decay) param.mul_(sub(1, mul(lr, weight_decay)));
      else grad = grad.add(param, { alpha: weight_decay });
    }
    exp_avg.lerp_(grad, 1 - beta1);
    exp_avg_sq.mul_(beta2).addcmul_(grad, grad, { value: 1 - beta2 });
    const bias_correction1 = sub(1, pow(beta1, step));
    const bias_correction2 = sub(1, pow(beta2, step));
    const bias_corrected_exp_avg = exp_avg.div(bias_correction1);

    // The length of the moving average of squares: its maximum, and its current value.
    const rho_inf = 2 / (1 - beta2) - 1;
    const rho_t = sub(rho_inf, div(mul(mul(2, step), pow(beta2, step)), bias_correction2));
    const rect = (): NumberOrTensor =>
      sqrt(div(mul(mul(sub(rho_t, 4), sub(rho_t, 2)), rho_inf), mul((rho_inf - 4) * (rho_inf - 2), rho_t)));
    const adaptive_lr = (): NumberOrTensor => {
      const root = exp_avg_sq.sqrt();
      return div(sqrt(bias_correction2), differentiable ? root.add(eps) : root.add_(eps));
    };
    if (rho_t instanceof Tensor) {
      const update = torch.where(rho_t.gt(5), mul(rect(), adaptive_lr()) as Tensor, 1);
      param.add_(bias_corrected_exp_avg.mul(lr).mul(update), { alpha: -1 });
    } else if (rho_t > 5) {
      param.add_(bias_corrected_exp_avg.mul(lr).mul(adaptive_lr()).mul(rect()), { alpha: -1 });
    } else {
      param.add_(bias_corrected_exp_avg.mul(lr), { alpha: -1 });
    }
  });
}

const RAdam_init = new Init(
  "RAdam.__init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      betas: readonly [number, number],
      eps: number,
      weight_decay: number,
      decoupled_weight_decay: boolean,
      foreach: boolean | null,
      maximize: boolean,
      capturable: boolean,
      differentiable: boolean,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type RAdamOptions = Omit<InitKeywords<typeof RAdam_init>, "params">;

type RAdamGroup = GroupOf<typeof RAdam_init>;
type RAdamLists = Lists<"exp_avgs" | "exp_avg_sqs" | "state_steps">;

/** RAdam: Adam that divides by the mean square only once it is reliable. */
export class RAdam extends Optimizer {
  static {
    def_methods(RAdam, { __init__: RAdam_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof RAdam_init>) {
    const [
      params,
      lr,
      betas,
      eps,
      weight_decay,
      decoupled_weight_decay,
      foreach,
      maximize,
      capturable,
      differentiable,
    ] = RAdam_init.bind(args);
    check_lr(lr);
    check_nonnegative(eps, "Invalid epsilon value");
    check_betas(betas);
    check_nonnegative(weight_decay, "Invalid weight_decay value");
    super(params, {
      lr,
      betas,
      eps,
      weight_decay,
      maximize,
      foreach,
      capturable,
      decoupled_weight_decay,
      differentiable,
    });
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups) {
      set_defaults(group, {
        foreach: null,
        maximize: false,
        differentiable: false,
        decoupled_weight_decay: false,
        capturable: false,
      });
      this._steps_to_tensors(group, group["capturable"]);
    }
  }

  private _init_group(group: RAdamGroup): RAdamLists {
    return this._init_lists(group, { exp_avgs: "exp_avg", exp_avg_sqs: "exp_avg_sq", state_steps: "step" }, (p) => ({
      step: new_step(p, group.capturable),
      exp_avg: new_zeros(p),
      exp_avg_sq: new_zeros(p),
    }));
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return step_groups<RAdamGroup>(this, closure, (group) => radam(this._init_group(group), group));
  }
}

function radam(lists: RAdamLists, group: RAdamGroup): void {
  check_state_steps(lists.state_steps);
  const foreach = group.foreach ?? _default_to_foreach(lists.params, group.differentiable);
  (foreach ? _multi_tensor_radam : _single_tensor_radam)(lists, group);
}

function _multi_tensor_radam(all: RAdamLists, group: RAdamGroup): void {
  const { eps, capturable } = group;
  const [beta1, beta2] = group.betas;
  if (all.params.length === 0) return;
  check_foreach(group, [all.params, all.state_steps]);
  const lr = _to_scalar(group.lr);
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, exp_avgs, exp_avg_sqs, state_steps } = lists;
    _increment_steps(state_steps);
    const grads = _decoupled_grads(params, lists.grads, lr, group);
    torch._foreach_lerp_(exp_avgs, grads, 1 - beta1);
    torch._foreach_mul_(exp_avg_sqs, beta2);
    torch._foreach_addcmul_(exp_avg_sqs, grads, grads, 1 - beta2);

    const buffer = torch._foreach_sqrt(exp_avg_sqs);
    torch._foreach_add_(buffer, eps);
    // Each row has 0 in one of the two lists: the rectified step size or the unrectified one.
    if (capturable) {
      const [unrect_step_size, rect_step_size] = steps_on_device(state_steps, lr, group);
      torch._foreach_div_(buffer, rect_step_size);
      torch._foreach_reciprocal_(buffer);
      torch._foreach_add_(buffer, unrect_step_size);
    } else {
      const [unrect_step_size, rect_step_size] = steps_of(state_steps.map(_get_value), _get_value(lr), group);
      torch._foreach_div_(buffer, rect_step_size);
      torch._foreach_reciprocal_(buffer);
      torch._foreach_add_(buffer, unrect_step_size);
    }
    torch._foreach_addcmul_(params, exp_avgs, buffer);
  }
}

type StepSizes<T> = [unrectified: T[], rectified: T[]];

function steps_of(steps: readonly number[], lr: number, { betas: [beta1, beta2] }: RAdamGroup): StepSizes<number> {
  const rho_inf = 2 / (1 - beta2) - 1;
  const rects = steps.map((step) => {
    const rho_t = rho_inf - (2 * step * beta2 ** step) / (1 - beta2 ** step);
    return rho_t > 5 ? (((rho_t - 4) * (rho_t - 2) * rho_inf) / ((rho_inf - 4) * (rho_inf - 2) * rho_t)) ** 0.5 : 0;
  });
  const corrections = steps.map((step) => 1 - beta1 ** step);
  return [
    rects.map((rect, i) => ((lr * (rect > 0 ? 0 : 1)) / corrections[i]) * -1),
    steps.map((step, i) => (1 - beta2 ** step) ** 0.5 * ((lr * rects[i]) / corrections[i]) * -1),
  ];
}

/** The step sizes, computed on the device without reading the step counts. */
function steps_on_device(
  state_steps: Tensor[],
  lr: NumberOrTensor,
  { betas: [beta1, beta2] }: RAdamGroup,
): StepSizes<Tensor> {
  const one_minus_power = (beta: number): Tensor[] => {
    const corrections = torch._foreach_pow(beta, state_steps);
    torch._foreach_neg_(corrections);
    torch._foreach_add_(corrections, 1);
    return corrections;
  };
  const rho_inf = 2 / (1 - beta2) - 1;
  const rho_t_list = torch._foreach_pow(beta2, state_steps);
  torch._foreach_mul_(rho_t_list, state_steps);
  torch._foreach_mul_(rho_t_list, 2);
  torch._foreach_div_(rho_t_list, one_minus_power(beta2));
  torch._foreach_neg_(rho_t_list);
  torch._foreach_add_(rho_t_list, rho_inf);

  const num = torch._foreach_sub(rho_t_list, 4);
  torch._foreach_mul_(num, torch._foreach_sub(rho_t_list, 2));
  torch._foreach_mul_(num, rho_inf);
  torch._foreach_div_(num, torch._foreach_mul(rho_t_list, (rho_inf - 4) * (rho_inf - 2)));
  torch._foreach_sqrt_(num);
  const rect = num.map((n, i) => torch.where(rho_t_list[i].gt(5), n, 0));

  const unrect_step_size = rect.map((r) => torch.where(r.gt(0), torch.zeros_like(r), torch.ones_like(r)));
  torch._foreach_mul_(unrect_step_size, lr as number);
  const bias_correction1 = one_minus_power(beta1);
  torch._foreach_div_(unrect_step_size, bias_correction1);
  torch._foreach_neg_(unrect_step_size);

  const rect_step_size = one_minus_power(beta2);
  torch._foreach_sqrt_(rect_step_size);
  torch._foreach_mul_(rect_step_size, lr as number);
  torch._foreach_mul_(rect_step_size, rect);
  torch._foreach_neg_(rect_step_size);
  torch._foreach_div_(rect_step_size, bias_correction1);
  return [unrect_step_size, rect_step_size];
}
