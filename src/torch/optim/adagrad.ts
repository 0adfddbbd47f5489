/**
 * @file Adagrad: the gradient divided by the root of the sum of all its squares, so steps become smaller over time.
 * @mirrors torch/optim/adagrad.py
 */
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _group_tensors_by_device_and_dtype } from "#torch/utils/_foreach_utils";
import { _effective_grads, _increment_steps, check_foreach } from "./foreach_utils.ts";
import {
  _default_to_foreach,
  _device_dtype_check_for_fused,
  _get_value,
  _to_scalar,
  type AmpScaling,
  check_fused,
  check_lr,
  check_nonnegative,
  check_state_steps,
  new_step,
  scaling_on,
  take_back,
} from "./optimizer/helpers.ts";
import { type Closure, Optimizer, type ParamsT, type StepArgs, set_defaults, step_groups } from "./optimizer/index.ts";
import type { GroupOf, Lists, SavedState, State } from "./optimizer/types.ts";
import { div, type NumberOrTensor, neg } from "./python_operators.ts";

/**
 * Adagrad. `s` is the state's `sum`, which only grows.
 *
 *     g = grad + weight_decay * p
 *     s = s + g ** 2
 *     p = p - lr / (1 + (t - 1) * lr_decay) * g / (sqrt(s) + eps)
 */
function _single_tensor_adagrad(lists: AdagradLists, group: AdagradGroup): void {
  const { lr_decay, weight_decay, eps, maximize, differentiable } = group;
  const lr = _to_scalar(group.lr);
  lists.params.forEach((param, i) => {
    const state_sum = lists.state_sums[i];
    const step_t = lists.state_steps[i];
    step_t.add_(1);
    const step = _get_value(step_t);
    let grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    if (weight_decay !== 0) grad = grad.add(param, { alpha: weight_decay });
    const clr = div(lr, 1 + (step - 1) * lr_decay);
    state_sum.addcmul_(grad, grad, { value: 1 });
    const std = differentiable ? state_sum.sqrt().add(eps) : state_sum.sqrt().add_(eps);
    param.addcdiv_(grad, std, { value: neg(clr) as number }); // a tensor is converted to a number
  });
}

const Adagrad_init = new Init(
  "Adagrad.__init__(self, params, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *, maximize=False, differentiable=False, fused=None)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      lr_decay: number,
      weight_decay: number,
      initial_accumulator_value: number,
      eps: number,
      foreach: boolean | null,
      maximize: boolean,
      differentiable: boolean,
      fused: boolean | null,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type AdagradOptions = Omit<InitKeywords<typeof Adagrad_init>, "params">;

type AdagradGroup = GroupOf<typeof Adagrad_init>;
type AdagradLists = Lists<"state_sums" | "state_steps">;

/** Adagrad. Its state is created in the constructor, so that other threads can share it. */
export class Adagrad extends Optimizer {
  private _need_device_dtype_check_for_fused = true;

  static {
    def_methods(Adagrad, { __init__: Adagrad_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof Adagrad_init>) {
    const [
      params,
      lr,
      lr_decay,
      weight_decay,
      initial_accumulator_value,
      eps,
      foreach,
      maximize,
      differentiable,
      fused,
    ] = Adagrad_init.bind(args);
    check_lr(lr);
    check_nonnegative(lr_decay, "Invalid lr_decay value");
    check_nonnegative(weight_decay, "Invalid weight_decay value");
    check_nonnegative(initial_accumulator_value, "Invalid initial_accumulator_value value");
    check_nonnegative(eps, "Invalid epsilon value");
    super(params, {
      lr,
      lr_decay,
      eps,
      weight_decay,
      initial_accumulator_value,
      foreach,
      maximize,
      differentiable,
      fused,
    });
    check_fused(this);
    for (const group of this.param_groups)
      for (const p of group.params)
        Object.assign(this._state_of(p), new_state(p, group["fused"], initial_accumulator_value));
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups) {
      set_defaults(group, { foreach: null, maximize: false, differentiable: false, fused: null });
      this._steps_to_tensors(group, group["fused"], group["fused"]);
    }
  }

  private _init_group(group: AdagradGroup): AdagradLists {
    const first = group.params.find((p) => p.grad !== null);
    if (group.fused && first !== undefined && this._need_device_dtype_check_for_fused) {
      _device_dtype_check_for_fused(first);
      this._need_device_dtype_check_for_fused = false;
    }
    return this._init_lists(group, { state_sums: "sum", state_steps: "step" }, (p) =>
      new_state(p, group.fused, this.defaults["initial_accumulator_value"]),
    );
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return step_groups<AdagradGroup>(this, closure, (group) => adagrad(this._init_group(group), group, this));
  }
}

/** State of a parameter before its first step. */
function new_state(p: Tensor, fused: boolean | null, value: number): State {
  const sum = torch.full_like(p, value, { memory_format: torch.preserve_format });
  return { step: new_step(p, fused === true, fused), sum };
}

function adagrad(lists: AdagradLists, group: AdagradGroup, scaling: AmpScaling): void {
  check_state_steps(lists.state_steps);
  let { foreach } = group;
  if (group.fused === null && foreach === null) foreach = _default_to_foreach(lists.params, group.differentiable);
  if (group.fused) _fused_adagrad(lists, group, scaling);
  else (foreach ? _multi_tensor_adagrad : _single_tensor_adagrad)(lists, group);
}

function _multi_tensor_adagrad(all: AdagradLists, group: AdagradGroup): void {
  const { lr_decay, weight_decay, eps, maximize } = group;
  check_foreach(group, []);
  if (all.params.length === 0) return;
  const lr = _to_scalar(group.lr);
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, state_sums, state_steps } = lists;
    _increment_steps(state_steps);
    const grads = _effective_grads(params, lists.grads, maximize, weight_decay);
    const minus_clr = state_steps.map((step) => div(neg(lr), 1 + (_get_value(step) - 1) * lr_decay) as number);
    torch._foreach_addcmul_(state_sums, grads, grads, { value: 1 });
    const std = torch._foreach_sqrt(state_sums);
    torch._foreach_add_(std, eps);
    let numerator = grads;
    if (weight_decay !== 0 || maximize) torch._foreach_mul_(grads, minus_clr);
    else numerator = torch._foreach_mul(grads, minus_clr);
    torch._foreach_addcdiv_(params, numerator, std);
  }
}

function _fused_adagrad(all: AdagradLists, group: AdagradGroup, scaling: AmpScaling): void {
  if (all.params.length === 0) return;
  const { lr_decay, weight_decay, eps, maximize } = group;
  const lr = group.lr as number; // another overload takes a tensor
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, grads, state_sums, state_steps } = lists;
    const { grad_scale, found_inf } = scaling_on(params[0].device, scaling);
    torch._foreach_add_(state_steps, 1);
    const options = { lr, lr_decay, weight_decay, eps, maximize, grad_scale, found_inf };
    torch._fused_adagrad_(params, grads, state_sums, state_steps, options);
    take_back(state_steps, found_inf);
  }
}
