/**
 * @file RMSprop: the gradient divided by the root of a running mean of its squares, minus its mean if `centered`.
 * @mirrors torch/optim/rmsprop.py
 */
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
import { type NumberOrTensor, neg } from "./python_operators.ts";

/**
 * RMSprop. `v` and `b` are the state's `square_avg` and `momentum_buffer`.
 *
 *     g = grad + weight_decay * p
 *     v = alpha * v + (1 - alpha) * g ** 2
 *     s = sqrt(v) + eps                                centered:  s = sqrt(v - a ** 2) + eps, a = `grad_avg`, the mean of g
 *     p = p - lr * g / s                               with momentum:  b = momentum * b + g / s;  p = p - lr * b
 */
function _single_tensor_rmsprop(lists: RMSpropLists, group: RMSpropGroup): void {
  const { alpha, eps, weight_decay, momentum, centered, maximize, differentiable, capturable } = group;
  const minus_lr = neg(_to_scalar(group.lr)) as number; // a tensor is converted to a number
  lists.params.forEach((param, i) => {
    const step = lists.state_steps[i];
    const square_avg = lists.square_avgs[i];
    if (capturable) check_capturable([[param, step]]);
    let grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    step.add_(1);
    if (weight_decay !== 0) grad = grad.add(param, { alpha: weight_decay });
    square_avg.mul_(alpha).addcmul_(grad, grad, { value: 1 - alpha });
    let avg: Tensor;
    if (centered) {
      const grad_avg = lists.grad_avgs[i];
      grad_avg.lerp_(grad, 1 - alpha);
      avg = square_avg.addcmul(grad_avg, grad_avg, { value: -1 }).sqrt_();
    } else {
      avg = square_avg.sqrt();
    }
    avg = differentiable ? avg.add(eps) : avg.add_(eps);
    if (momentum > 0) {
      const buf = lists.momentum_buffer_list[i];
      buf.mul_(momentum).addcdiv_(grad, avg);
      param.add_(buf, { alpha: minus_lr });
    } else {
      param.addcdiv_(grad, avg, { value: minus_lr });
    }
  });
}

const RMSprop_init = new Init(
  "RMSprop.__init__(self, params, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None, maximize=False, differentiable=False)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      alpha: number,
      eps: number,
      weight_decay: number,
      momentum: number,
      centered: boolean,
      capturable: boolean,
      foreach: boolean | null,
      maximize: boolean,
      differentiable: boolean,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type RMSpropOptions = Omit<InitKeywords<typeof RMSprop_init>, "params">;

type RMSpropGroup = GroupOf<typeof RMSprop_init>;
type RMSpropLists = Lists<"square_avgs" | "grad_avgs" | "momentum_buffer_list" | "state_steps">;

/** RMSprop: `p -= lr * grad / sqrt(mean(grad ** 2))`, optionally with momentum and centered at the mean. */
export class RMSprop extends Optimizer {
  static {
    def_methods(RMSprop, { __init__: RMSprop_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof RMSprop_init>) {
    const [params, lr, alpha, eps, weight_decay, momentum, centered, capturable, foreach, maximize, differentiable] =
      RMSprop_init.bind(args);
    check_lr(lr);
    check_nonnegative(eps, "Invalid epsilon value");
    check_nonnegative(momentum, "Invalid momentum value");
    check_nonnegative(weight_decay, "Invalid weight_decay value");
    check_nonnegative(alpha, "Invalid alpha value");
    super(params, {
      lr,
      momentum,
      alpha,
      eps,
      centered,
      weight_decay,
      capturable,
      foreach,
      maximize,
      differentiable,
    });
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups) {
      set_defaults(group, {
        momentum: 0,
        centered: false,
        foreach: null,
        maximize: false,
        differentiable: false,
        capturable: false,
      });
      this._steps_to_tensors(group, group["capturable"]);
    }
  }

  private _init_group(group: RMSpropGroup): RMSpropLists {
    return this._init_lists(
      group,
      {
        square_avgs: "square_avg",
        state_steps: "step",
        momentum_buffer_list: group.momentum > 0 && "momentum_buffer",
        grad_avgs: group.centered && "grad_avg",
      },
      (p) => ({
        step: new_step(p, group.capturable),
        square_avg: new_zeros(p),
        ...(group.momentum > 0 && { momentum_buffer: new_zeros(p) }),
        ...(group.centered && { grad_avg: new_zeros(p) }),
      }),
    );
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return step_groups<RMSpropGroup>(this, closure, (group) => rmsprop(this._init_group(group), group));
  }
}

function rmsprop(lists: RMSpropLists, group: RMSpropGroup): void {
  check_state_steps(lists.state_steps);
  const foreach = group.foreach ?? _default_to_foreach(lists.params, group.differentiable);
  (foreach ? _multi_tensor_rmsprop : _single_tensor_rmsprop)(lists, group);
}

function _multi_tensor_rmsprop(all: RMSpropLists, group: RMSpropGroup): void {
  const { alpha, eps, weight_decay, momentum, centered, maximize, capturable } = group;
  if (all.params.length === 0) return;
  check_foreach(group, [all.params, all.state_steps], undefined, true);
  const minus_lr = neg(_to_scalar(group.lr));
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, square_avgs, grad_avgs, momentum_buffer_list: bufs } = lists;
    _increment_steps(lists.state_steps);
    const grads = _effective_grads(params, lists.grads, maximize, weight_decay);
    torch._foreach_mul_(square_avgs, alpha);
    torch._foreach_addcmul_(square_avgs, grads, grads, { value: 1 - alpha });
    let avg: Tensor[];
    if (centered) {
      torch._foreach_lerp_(grad_avgs, grads, 1 - alpha);
      avg = torch._foreach_addcmul(square_avgs, grad_avgs, grad_avgs, { value: -1 });
      torch._foreach_sqrt_(avg);
    } else {
      avg = torch._foreach_sqrt(square_avgs);
    }
    torch._foreach_add_(avg, eps);
    const on_device = capturable && minus_lr instanceof Tensor;
    if (momentum > 0) {
      torch._foreach_mul_(bufs, momentum);
      torch._foreach_addcdiv_(bufs, grads, avg);
      if (on_device) torch._foreach_add_(params, torch._foreach_mul(bufs, minus_lr));
      else torch._foreach_add_(params, bufs, { alpha: minus_lr as number }); // a tensor is converted to a number
    } else if (on_device) {
      torch._foreach_div_(avg, minus_lr);
      torch._foreach_addcdiv_(params, grads, avg);
    } else {
      torch._foreach_addcdiv_(params, grads, avg, { value: minus_lr as number });
    }
  }
}
