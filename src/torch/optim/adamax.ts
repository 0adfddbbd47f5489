/**
 * @file Adamax: Adam that divides by the largest recent gradient instead of the root mean square.
 * @mirrors torch/optim/adamax.py
 */
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _group_tensors_by_device_and_dtype } from "#torch/utils/_foreach_utils";
import { _effective_grads, _increment_steps, check_foreach } from "./foreach_utils.ts";
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
import { div, type NumberOrTensor, neg } from "./python_operators.ts";

/**
 * Adamax. `m` and `u` are the state's `exp_avg` and `exp_inf`: a mean of gradients, and the largest of the recent ones.
 *
 *     g = grad + weight_decay * p
 *     m = beta1 * m + (1 - beta1) * g
 *     u = max(beta2 * u, |g| + eps)
 *     p = p - lr / (1 - beta1 ** t) * m / u
 */
function _single_tensor_adamax(lists: AdamaxLists, group: AdamaxGroup): void {
  const { eps, weight_decay, maximize, differentiable, capturable } = group;
  const [beta1, beta2] = group.betas;
  const lr = _to_scalar(group.lr);
  lists.params.forEach((param, i) => {
    let grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    const exp_avg = lists.exp_avgs[i];
    const exp_inf = lists.exp_infs[i];
    const step_t = lists.state_steps[i];
    if (capturable) check_capturable([[param, step_t]]);
    step_t.add_(1);
    if (weight_decay !== 0) grad = grad.add(param, { alpha: weight_decay });
    exp_avg.lerp_(grad, 1 - beta1);
    if (!differentiable) {
      torch.maximum(exp_inf.mul_(beta2), grad.abs().add_(eps), { out: exp_inf });
    } else {
      const norm_buf = torch.cat([exp_inf.mul_(beta2).unsqueeze(0), grad.abs().add_(eps).unsqueeze_(0)], 0);
      exp_inf.copy_(torch.amax(norm_buf, 0, false));
    }
    if (capturable) {
      const neg_bias_correction = torch.pow(beta1, step_t).sub(1);
      neg_bias_correction.div_(lr);
      param.addcdiv_(exp_avg, exp_inf.mul(neg_bias_correction));
    } else {
      const bias_correction = 1 - beta1 ** _get_value(step_t);
      const clr = div(lr, bias_correction);
      param.addcdiv_(exp_avg, exp_inf, { value: neg(clr) as number }); // a tensor is converted to a number
    }
  });
}

const Adamax_init = new Init(
  "Adamax.__init__(self, params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, foreach=None, *, maximize=False, differentiable=False, capturable=False)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      betas: readonly [number, number],
      eps: number,
      weight_decay: number,
      foreach: boolean | null,
      maximize: boolean,
      differentiable: boolean,
      capturable: boolean,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type AdamaxOptions = Omit<InitKeywords<typeof Adamax_init>, "params">;

type AdamaxGroup = GroupOf<typeof Adamax_init>;
type AdamaxLists = Lists<"exp_avgs" | "exp_infs" | "state_steps">;

/** Adamax: Adam that divides by the largest recent gradient. */
export class Adamax extends Optimizer {
  static {
    def_methods(Adamax, { __init__: Adamax_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof Adamax_init>) {
    const [params, lr, betas, eps, weight_decay, foreach, maximize, differentiable, capturable] =
      Adamax_init.bind(args);
    check_lr(lr);
    check_nonnegative(eps, "Invalid epsilon value");
    check_betas(betas);
    check_nonnegative(weight_decay, "Invalid weight_decay value");
    super(params, { lr, betas, eps, weight_decay, foreach, maximize, differentiable, capturable });
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups) {
      set_defaults(group, { foreach: null, maximize: false, differentiable: false, capturable: false });
      this._steps_to_tensors(group, group["capturable"]);
    }
  }

  private _init_group(group: AdamaxGroup): AdamaxLists {
    return this._init_lists(group, { exp_avgs: "exp_avg", exp_infs: "exp_inf", state_steps: "step" }, (p) => ({
      step: new_step(p, group.capturable),
      exp_avg: new_zeros(p),
      exp_inf: new_zeros(p),
    }));
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return step_groups<AdamaxGroup>(this, closure, (group) => adamax(this._init_group(group), group));
  }
}

function adamax(lists: AdamaxLists, group: AdamaxGroup): void {
  check_state_steps(lists.state_steps);
  const foreach = group.foreach ?? _default_to_foreach(lists.params, group.differentiable);
  (foreach ? _multi_tensor_adamax : _single_tensor_adamax)(lists, group);
}

function _multi_tensor_adamax(all: AdamaxLists, group: AdamaxGroup): void {
  const { eps, weight_decay, maximize, capturable } = group;
  const [beta1, beta2] = group.betas;
  if (all.params.length === 0) return;
  check_foreach(group, [all.params, all.state_steps]);
  const lr = _to_scalar(group.lr);
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, exp_avgs, exp_infs, state_steps } = lists;
    _increment_steps(state_steps);
    let grads = _effective_grads(params, lists.grads, maximize, weight_decay);
    torch._foreach_lerp_(exp_avgs, grads, 1 - beta1);
    torch._foreach_mul_(exp_infs, beta2);
    // The gradients must not be overwritten here.
    if (!maximize && weight_decay === 0) grads = torch._foreach_abs(grads);
    else torch._foreach_abs_(grads);
    torch._foreach_add_(grads, eps);
    torch._foreach_maximum_(exp_infs, grads);
    if (capturable) {
      const bias_corrections = torch._foreach_pow(beta1, state_steps);
      torch._foreach_sub_(bias_corrections, 1);
      torch._foreach_div_(bias_corrections, lr as Tensor);
      torch._foreach_addcdiv_(params, exp_avgs, torch._foreach_mul(exp_infs, bias_corrections));
    } else {
      const step_size = state_steps.map((step) => (_get_value(lr) / (1 - beta1 ** _get_value(step))) * -1);
      torch._foreach_addcdiv_(params, exp_avgs, exp_infs, step_size);
    }
  }
}
