/**
 * @file Averaged stochastic gradient descent: it also keeps the mean of all values that the parameters had.
 * @mirrors torch/optim/asgd.py
 */
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _group_tensors_by_device_and_dtype } from "#torch/utils/_foreach_utils";
import { _effective_grads, _increment_steps, check_foreach } from "./foreach_utils.ts";
import {
  _default_to_foreach,
  _get_value,
  _to_scalar,
  check_capturable,
  check_lr,
  check_nonnegative,
  new_scalar,
  new_step,
  new_zeros,
} from "./optimizer/helpers.ts";
import { type Closure, Optimizer, type ParamsT, type StepArgs, set_defaults, step_groups } from "./optimizer/index.ts";
import type { GroupOf, Lists, SavedState } from "./optimizer/types.ts";
import { add, div, float, max, mul, type NumberOrTensor, pow, sub } from "./python_operators.ts";

/**
 * ASGD. `eta` is the rate of the step, and `ax` the mean of the parameters since step `t0`, with the weight `mu` for the newest.
 *
 *     g = grad + weight_decay * p
 *     p = (1 - lambd * eta) * p - eta * g
 *     ax = ax + mu * (p - ax)
 *     eta = lr / (1 + lambd * lr * t) ** alpha
 *     mu = 1 / max(1, t - t0)
 */
function _single_tensor_asgd(lists: ASGDLists, group: ASGDGroup): void {
  const { lambd, t0, alpha, weight_decay, maximize, capturable } = group;
  const lr = _to_scalar(group.lr);
  lists.params.forEach((param, i) => {
    let grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    const mu = lists.mus[i];
    const ax = lists.axs[i];
    const eta = lists.etas[i];
    const step_t = lists.state_steps[i];
    if (capturable) check_capturable([[param, mu, eta, step_t]], "params, mus, etas, and state_steps");
    step_t.add_(1);
    if (weight_decay !== 0) grad = grad.add(param, { alpha: weight_decay });
    if (capturable) {
      param.mul_(sub(1, mul(lambd, eta)));
      param.addcmul_(grad, eta, { value: -1 });
    } else {
      const eta_value = _get_value(eta);
      param.mul_(1 - lambd * eta_value); // the decay term
      param.add_(grad, { alpha: -eta_value });
    }
    if (capturable || mu.item() !== 1) ax.add_(param.sub(ax).mul_(mu));
    else ax.copy_(param);
    if (capturable) {
      eta.copy_(div(lr, pow(add(1, mul(mul(lambd, lr), step_t)), alpha)) as Tensor);
      mu.copy_(torch.maximum(step_t.sub(t0), torch.ones_like(step_t)).reciprocal());
    } else {
      const step = _get_value(step_t);
      eta.copy_(torch.as_tensor(div(lr, pow(add(1, mul(mul(lambd, lr), step)), alpha))));
      mu.copy_(torch.as_tensor(1 / max(1, step - t0)));
    }
  });
}

const ASGD_init = new Init(
  "ASGD.__init__(self, params, lr=0.01, lambd=0.0001, alpha=0.75, t0=1000000.0, weight_decay=0, foreach=None, maximize=False, differentiable=False, capturable=False)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      lambd: number,
      alpha: number,
      t0: number,
      weight_decay: number,
      foreach: boolean | null,
      maximize: boolean,
      differentiable: boolean,
      capturable: boolean,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type ASGDOptions = Omit<InitKeywords<typeof ASGD_init>, "params">;

type ASGDGroup = GroupOf<typeof ASGD_init>;
type ASGDLists = Lists<"axs" | "mus" | "etas" | "state_steps">;

/** Gradient descent that also keeps the mean of all values that the parameters had. */
export class ASGD extends Optimizer {
  static {
    def_methods(ASGD, { __init__: ASGD_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof ASGD_init>) {
    const [params, lr, lambd, alpha, t0, weight_decay, foreach, maximize, differentiable, capturable] =
      ASGD_init.bind(args);
    check_lr(lr);
    check_nonnegative(weight_decay, "Invalid weight_decay value");
    super(params, { lr, lambd, alpha, t0, weight_decay, foreach, maximize, differentiable, capturable });
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups) {
      set_defaults(group, { foreach: null, maximize: false, differentiable: false, capturable: false });
      this._steps_to_tensors(group, true);
      for (const p of group.params) {
        const p_state = this.state.get(p) ?? {};
        for (const key of ["eta", "mu"])
          if (key in p_state && !(p_state[key] instanceof Tensor))
            p_state[key] = new_scalar(p, true, float(p_state[key]));
      }
    }
  }

  private _init_group(group: ASGDGroup): ASGDLists {
    return this._init_lists(group, { mus: "mu", axs: "ax", etas: "eta", state_steps: "step" }, (p) => ({
      step: new_step(p, true),
      eta: new_scalar(p, true, float(group.lr)),
      mu: new_scalar(p, true, 1),
      ax: new_zeros(p),
    }));
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return step_groups<ASGDGroup>(this, closure, (group) => asgd(this._init_group(group), group));
  }
}

function asgd(lists: ASGDLists, group: ASGDGroup): void {
  const foreach = group.foreach ?? _default_to_foreach(lists.params, group.differentiable);
  (foreach ? _multi_tensor_asgd : _single_tensor_asgd)(lists, group);
}

function _multi_tensor_asgd(all: ASGDLists, group: ASGDGroup): void {
  const { lambd, t0, alpha, weight_decay, maximize, capturable } = group;
  if (all.params.length === 0) return;
  check_foreach(group, [all.params, all.mus, all.etas, all.state_steps], "params, mus, etas, and state_steps");
  const lr = _to_scalar(group.lr);
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, axs, mus, etas, state_steps } = lists;
    _increment_steps(state_steps);
    const grads = _effective_grads(params, lists.grads, maximize, weight_decay);
    let intermediate = grads;
    if (weight_decay !== 0) torch._foreach_add_(intermediate, params, { alpha: lambd });
    else intermediate = torch._foreach_add(grads, params, { alpha: lambd });
    torch._foreach_addcmul_(params, intermediate, etas, { value: -1 });
    torch._foreach_addcmul_(axs, torch._foreach_sub(params, axs), mus);

    if (capturable) {
      const new_mus = torch._foreach_sub(state_steps, t0);
      torch._foreach_maximum_(new_mus, 1);
      torch._foreach_reciprocal_(new_mus);
      torch._foreach_copy_(mus, new_mus);
      const new_etas = torch._foreach_mul(state_steps, lambd);
      torch._foreach_mul_(new_etas, lr as number);
      torch._foreach_add_(new_etas, 1);
      torch._foreach_pow_(new_etas, alpha);
      torch._foreach_reciprocal_(new_etas);
      torch._foreach_mul_(new_etas, lr as number);
      torch._foreach_copy_(etas, new_etas);
    } else {
      const { device } = params[0];
      const tensor = (value: NumberOrTensor): Tensor => torch.as_tensor(value, { device });
      const new_etas = state_steps.map((step) => tensor(div(lr, pow(add(1, mul(mul(lambd, lr), step)), alpha))));
      const new_mus = state_steps.map((step) => tensor(1 / max(1, _get_value(step) - t0)));
      torch._foreach_copy_(etas, new_etas);
      torch._foreach_copy_(mus, new_mus);
    }
  }
}
