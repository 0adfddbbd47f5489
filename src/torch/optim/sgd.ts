/**
 * @file Stochastic gradient descent with momentum.
 * @mirrors torch/optim/sgd.py
 */
import { ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, py_format } from "#torch/_C";
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _group_tensors_by_device_and_dtype } from "#torch/utils/_foreach_utils";
import { _effective_grads } from "./foreach_utils.ts";
import {
  _default_to_foreach,
  _device_dtype_check_for_fused,
  _to_scalar,
  type AmpScaling,
  check_fused,
  scaling_on,
} from "./optimizer/helpers.ts";
import { type Closure, Optimizer, type ParamsT, type StepArgs, set_defaults, step_groups } from "./optimizer/index.ts";
import type { GroupOf, SavedState } from "./optimizer/types.ts";
import { type NumberOrTensor, neg } from "./python_operators.ts";

/**
 * Gradient descent. `b` is the state's `momentum_buffer`; in the first step it is `g` itself.
 *
 *     g = grad + weight_decay * p
 *     b = momentum * b + (1 - dampening) * g           without momentum:  b = g
 *     p = p - lr * b                                   nesterov:          p = p - lr * (g + momentum * b)
 */
function _single_tensor_sgd(lists: SGDLists, group: SGDGroup): void {
  const { weight_decay, momentum, dampening, nesterov, maximize } = group;
  const lr = _to_scalar(group.lr);
  lists.params.forEach((param, i) => {
    let grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    if (weight_decay instanceof Tensor && weight_decay.requires_grad) grad = grad.addcmul_(param.clone(), weight_decay);
    else if (weight_decay !== 0) grad = grad.add(param, { alpha: weight_decay as number }); // a tensor is converted to a number
    if (momentum !== 0) {
      let buf = lists.momentum_buffer_list[i];
      if (buf === null) {
        buf = grad.detach().clone();
        lists.momentum_buffer_list[i] = buf;
      } else {
        buf.mul_(momentum).add_(grad, { alpha: 1 - dampening });
      }
      grad = nesterov ? grad.add(buf, { alpha: momentum }) : buf;
    }
    if (lr instanceof Tensor && lr.requires_grad) param.addcmul_(grad, lr, { value: -1 });
    else param.add_(grad, { alpha: neg(lr) as number });
  });
}

const SGD_init = new Init(
  "SGD.__init__(self, params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None, differentiable=False, fused=None)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      momentum: number,
      dampening: number,
      weight_decay: NumberOrTensor,
      nesterov: boolean,
      maximize: boolean,
      foreach: boolean | null,
      differentiable: boolean,
      fused: boolean | null,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type SGDOptions = Omit<InitKeywords<typeof SGD_init>, "params">;

type SGDGroup = GroupOf<typeof SGD_init>;

/** Lists over the parameters that have a gradient; entry i of each list belongs to parameter i. */
class SGDLists {
  readonly params: Tensor[] = [];
  readonly grads: Tensor[] = [];
  /** Empty without momentum; the entries are null until the first step. */
  readonly momentum_buffer_list: (Tensor | null)[] = [];
}

function check(value: unknown, text: string): void {
  if (PyObject_RichCompareBool(value, "<", 0, "float")) throw new ValueError(`${text}: ${py_format(value)}`);
}

/** Stochastic gradient descent: `p -= lr * grad`, optionally with momentum and weight decay. */
export class SGD extends Optimizer {
  private _need_device_dtype_check_for_fused = true;

  static {
    def_methods(SGD, { __init__: SGD_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof SGD_init>) {
    const [params, lr, momentum, dampening, weight_decay, nesterov, maximize, foreach, differentiable, fused] =
      SGD_init.bind(args);
    if (lr instanceof Tensor && lr.numel() !== 1) throw new ValueError("Tensor lr must be 1-element");
    check(lr, "Invalid learning rate");
    check(momentum, "Invalid momentum value");
    check(weight_decay, "Invalid weight_decay value");
    if (nesterov && (momentum <= 0 || Number(dampening) !== 0))
      throw new ValueError("Nesterov momentum requires a momentum and zero dampening");
    super(params, {
      lr,
      momentum,
      dampening,
      weight_decay,
      nesterov,
      maximize,
      foreach,
      differentiable,
      fused,
    });
    check_fused(this);
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups)
      set_defaults(group, { nesterov: false, maximize: false, foreach: null, differentiable: false, fused: false });
  }

  private _init_group(group: SGDGroup): SGDLists {
    const lists = new SGDLists();
    for (const p of group.params) {
      if (p.grad === null) continue;
      if (group.fused && this._need_device_dtype_check_for_fused) {
        _device_dtype_check_for_fused(p);
        this._need_device_dtype_check_for_fused = false;
      }
      lists.params.push(p);
      lists.grads.push(p.grad);
      if (group.momentum !== 0) lists.momentum_buffer_list.push(this._state_of(p)["momentum_buffer"] ?? null);
    }
    return lists;
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return step_groups<SGDGroup>(this, closure, (group) => {
      const lists = this._init_group(group);
      sgd(lists, group, this);
      if (group.momentum !== 0)
        for (const [i, p] of lists.params.entries())
          this._state_of(p)["momentum_buffer"] = lists.momentum_buffer_list[i];
    });
  }
}

function sgd(lists: SGDLists, group: SGDGroup, scaling: AmpScaling): void {
  let { foreach, fused } = group;
  if (foreach === null && fused === null) foreach = _default_to_foreach(lists.params, false);
  fused ??= false;
  if (foreach) _multi_tensor_sgd(lists, group);
  else if (fused) _fused_sgd(lists, group, scaling);
  else _single_tensor_sgd(lists, group);
}

function _multi_tensor_sgd(all: SGDLists, group: SGDGroup): void {
  const { momentum, dampening, nesterov, maximize } = group;
  if (all.params.length === 0) return;
  const lr = _to_scalar(group.lr);
  for (const { lists, indices } of _group_tensors_by_device_and_dtype({ ...all })) {
    const { params } = lists;
    let grads = _effective_grads(params, lists.grads, maximize, group.weight_decay as number);
    if (momentum !== 0) {
      const held: (Tensor | null)[] = lists.momentum_buffer_list;
      let bufs = held.filter((buf) => buf !== null);
      if (bufs.length === held.length) {
        torch._foreach_mul_(bufs, momentum);
        torch._foreach_add_(bufs, grads, { alpha: 1 - dampening });
      } else {
        bufs = held.map((buf, i) => {
          if (buf !== null) return buf.mul_(momentum).add_(grads[i], { alpha: 1 - dampening });
          return (all.momentum_buffer_list[indices[i]] = grads[i].detach().clone());
        });
      }
      if (nesterov) torch._foreach_add_(grads, bufs, { alpha: momentum });
      else grads = bufs;
    }
    torch._foreach_add_(params, grads, { alpha: neg(lr) as number }); // a tensor is converted to a number
  }
}

function _fused_sgd(all: SGDLists, group: SGDGroup, scaling: AmpScaling): void {
  if (all.params.length === 0) return;
  const { momentum, dampening, nesterov, maximize } = group;
  const weight_decay = group.weight_decay as number; // a tensor is converted to a number
  const lr = group.lr as number; // another overload takes a tensor
  const { momentum_buffer_list } = all;
  const is_first_step = momentum !== 0 && !momentum_buffer_list.some((buf) => buf !== null);
  if (is_first_step) for (const [i, g] of all.grads.entries()) momentum_buffer_list[i] = torch.empty_like(g);
  for (const { lists } of _group_tensors_by_device_and_dtype({ ...all })) {
    const { params, grads } = lists;
    const bufs = momentum === 0 ? [] : (lists.momentum_buffer_list as Tensor[]); // a null in the list is refused
    const scale = scaling_on(params[0].device, scaling);
    const options = { weight_decay, momentum, lr, dampening, nesterov, maximize, is_first_step, ...scale };
    torch._fused_sgd_(params, grads, bufs, options);
  }
}
