/**
 * @file Adadelta: the step is the gradient times the ratio of the root mean squares of recent steps and recent gradients.
 * @mirrors torch/optim/adadelta.py
 */
import { ValueError } from "#c10/util/Exception";
import { py_format } from "#torch/_C";
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _group_tensors_by_device_and_dtype } from "#torch/utils/_foreach_utils";
import { _effective_grads, _increment_steps, check_foreach } from "./foreach_utils.ts";
import {
  _default_to_foreach,
  _to_scalar,
  check_capturable,
  check_lr,
  check_nonnegative,
  check_state_steps,
  new_step,
  new_zeros,
} from "./optimizer/helpers.ts";
import { type Closure, Optimizer, type ParamsT, type StepArgs, set_defaults, step_groups } from "./optimizer/index.ts";
import type { GroupOf, Lists, SavedState } from "./optimizer/types.ts";
import { at_least, type NumberOrTensor, neg } from "./python_operators.ts";

/**
 * Adadelta. `v` and `u` are the state's `square_avg` and `acc_delta`: means of the squares of gradients and of steps.
 *
 *     g = grad + weight_decay * p
 *     v = rho * v + (1 - rho) * g ** 2
 *     d = sqrt(u + eps) / sqrt(v + eps) * g
 *     u = rho * u + (1 - rho) * d ** 2
 *     p = p - lr * d
 */
function _single_tensor_adadelta(lists: AdadeltaLists, group: AdadeltaGroup): void {
  const { rho, eps, weight_decay, maximize, differentiable, capturable } = group;
  const { params, state_steps } = lists;
  if (capturable)
    check_capturable(
      params.map((p, i) => [p, state_steps[i]]),
      undefined,
      false,
    );
  const lr = _to_scalar(group.lr);
  params.forEach((param, i) => {
    const square_avg = lists.square_avgs[i];
    const acc_delta = lists.acc_deltas[i];
    state_steps[i].add_(1);
    let grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    if (weight_decay !== 0) grad = grad.add(param, { alpha: weight_decay });
    square_avg.mul_(rho).addcmul_(grad, grad, { value: 1 - rho });
    const std = square_avg.add(eps).sqrt_();
    let delta = acc_delta.add(eps).sqrt_();
    if (differentiable) delta = delta.clone();
    delta.div_(std).mul_(grad);
    acc_delta.mul_(rho).addcmul_(delta, delta, { value: 1 - rho });
    param.add_(delta, { alpha: neg(lr) as number }); // a tensor is converted to a number
  });
}

const Adadelta_init = new Init(
  "Adadelta.__init__(self, params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=0, foreach=None, *, capturable=False, maximize=False, differentiable=False)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      rho: number,
      eps: number,
      weight_decay: number,
      foreach: boolean | null,
      capturable: boolean,
      maximize: boolean,
      differentiable: boolean,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type AdadeltaOptions = Omit<InitKeywords<typeof Adadelta_init>, "params">;

type AdadeltaGroup = GroupOf<typeof Adadelta_init>;
type AdadeltaLists = Lists<"square_avgs" | "acc_deltas" | "state_steps">;

/** Adadelta: the size of a step follows from recent steps and recent gradients; it needs no learning rate. */
export class Adadelta extends Optimizer {
  static {
    def_methods(Adadelta, { __init__: Adadelta_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof Adadelta_init>) {
    const [params, lr, rho, eps, weight_decay, foreach, capturable, maximize, differentiable] =
      Adadelta_init.bind(args);
    check_lr(lr);
    if (!at_least(0, rho) || !at_least(-1, -rho)) throw new ValueError(`Invalid rho value: ${py_format(rho)}`);
    check_nonnegative(eps, "Invalid epsilon value");
    check_nonnegative(weight_decay, "Invalid weight_decay value");
    super(params, { lr, rho, eps, weight_decay, maximize, capturable, foreach, differentiable });
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups) {
      set_defaults(group, { foreach: null, maximize: false, differentiable: false, capturable: false });
      this._steps_to_tensors(group, group["capturable"]);
    }
  }

  private _init_group(group: AdadeltaGroup): AdadeltaLists {
    return this._init_lists(
      group,
      { square_avgs: "square_avg", acc_deltas: "acc_delta", state_steps: "step" },
      (p) => ({ step: new_step(p, group.capturable), square_avg: new_zeros(p), acc_delta: new_zeros(p) }),
    );
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return step_groups<AdadeltaGroup>(this, closure, (group) => adadelta(this._init_group(group), group));
  }
}

function adadelta(lists: AdadeltaLists, group: AdadeltaGroup): void {
  check_state_steps(lists.state_steps);
  const foreach = group.foreach ?? _default_to_foreach(lists.params, group.differentiable);
  (foreach ? _multi_tensor_adadelta : _single_tensor_adadelta)(lists, group);
}

function _multi_tensor_adadelta(all: AdadeltaLists, group: AdadeltaGroup): void {
  const { rho, eps, weight_decay, maximize, capturable } = group;
  check_foreach(group, [all.params, all.state_steps]);
  if (all.params.length === 0) return;
  const lr = _to_scalar(group.lr);
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, square_avgs, acc_deltas } = lists;
    _increment_steps(lists.state_steps);
    const grads = _effective_grads(params, lists.grads, maximize, weight_decay);
    torch._foreach_mul_(square_avgs, rho);
    torch._foreach_addcmul_(square_avgs, grads, grads, { value: 1 - rho });
    const std = torch._foreach_add(square_avgs, eps);
    torch._foreach_sqrt_(std);
    const deltas = torch._foreach_add(acc_deltas, eps);
    torch._foreach_sqrt_(deltas);
    torch._foreach_div_(deltas, std);
    torch._foreach_mul_(deltas, grads);
    torch._foreach_mul_(acc_deltas, rho);
    torch._foreach_addcmul_(acc_deltas, deltas, deltas, { value: 1 - rho });
    const minus_lr = neg(lr);
    if (capturable && minus_lr instanceof Tensor) {
      torch._foreach_mul_(deltas, minus_lr);
      torch._foreach_add_(params, deltas);
    } else {
      torch._foreach_add_(params, deltas, { alpha: minus_lr as number }); // a tensor is converted to a number
    }
  }
}
