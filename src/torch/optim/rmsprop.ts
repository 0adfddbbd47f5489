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
  getitem,
  new_step,
} from "./optimizer/helpers.ts";
import { type Closure, Optimizer, type ParamsT, type StepArgs, set_defaults, step_groups } from "./optimizer/index.ts";
import type { Options, ParamGroup } from "./optimizer/types.ts";
import { type NumberOrTensor, neg } from "./python_operators.ts";

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

/** The options of a parameter group. */
interface RMSpropGroup {
  readonly params: Tensor[];
  readonly lr: NumberOrTensor;
  readonly momentum: number;
  readonly alpha: number;
  readonly eps: number;
  readonly centered: boolean;
  readonly weight_decay: number;
  readonly capturable: boolean;
  readonly foreach: boolean | null;
  readonly maximize: boolean;
  readonly differentiable: boolean;
}

/** Lists over the parameters that have a gradient; entry i of each list belongs to parameter i. */
class RMSpropLists {
  readonly params: Tensor[] = [];
  readonly grads: Tensor[] = [];
  readonly square_avgs: Tensor[] = [];
  readonly grad_avgs: Tensor[] = [];
  readonly momentum_buffer_list: Tensor[] = [];
  readonly state_steps: Tensor[] = [];
}

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

  override __setstate__(state: { state: Map<Tensor, Options>; param_groups: ParamGroup[] }): void {
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
    const lists = new RMSpropLists();
    for (const p of group.params) {
      if (p.grad === null) continue;
      lists.params.push(p);
      lists.grads.push(p.grad);
      const state = this._state_of(p);
      if (Object.keys(state).length === 0) {
        state["step"] = new_step(p, group.capturable);
        state["square_avg"] = torch.zeros_like(p, { memory_format: torch.preserve_format });
        if (group.momentum > 0)
          state["momentum_buffer"] = torch.zeros_like(p, { memory_format: torch.preserve_format });
        if (group.centered) state["grad_avg"] = torch.zeros_like(p, { memory_format: torch.preserve_format });
      }
      lists.square_avgs.push(state["square_avg"]);
      lists.state_steps.push(state["step"]);
      if (group.momentum > 0) lists.momentum_buffer_list.push(getitem(state, "momentum_buffer"));
      if (group.centered) lists.grad_avgs.push(getitem(state, "grad_avg"));
    }
    return lists;
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

function _multi_tensor_rmsprop(all: RMSpropLists, group: RMSpropGroup): void {
  const { alpha, eps, weight_decay, momentum, centered, maximize, capturable } = group;
  if (all.params.length === 0) return;
  const rows = all.params.map((p, i) => [p, all.state_steps[i]]);
  check_foreach(group, rows, undefined, true);
  const minus_lr = neg(_to_scalar(group.lr));
  for (const { lists } of _group_tensors_by_device_and_dtype({ ...all })) {
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
