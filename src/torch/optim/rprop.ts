/**
 * @file Rprop: uses only the sign of the gradient; each element has its own step size, which grows while the sign stays equal.
 * @mirrors torch/optim/rprop.py
 */
import { ValueError } from "#c10/util/Exception";
import { py_format } from "#torch/_C";
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _group_tensors_by_device_and_dtype } from "#torch/utils/_foreach_utils";
import { _increment_steps, check_foreach } from "./foreach_utils.ts";
import {
  _default_to_foreach,
  _get_value,
  check_capturable,
  check_lr,
  check_state_steps,
  new_step,
  new_zeros,
  subscript,
} from "./optimizer/helpers.ts";
import { type Closure, Optimizer, type ParamsT, type StepArgs, set_defaults, step_groups } from "./optimizer/index.ts";
import type { GroupOf, Lists, SavedState } from "./optimizer/types.ts";
import type { NumberOrTensor } from "./python_operators.ts";

/**
 * Rprop, for each element. `d` and `g0` are the state's `step_size` and `prev`, the last gradient.
 *
 *     d = clamp(d * etaplus, step_sizes)               if g * g0 > 0
 *     d = clamp(d * etaminus, step_sizes);  g = 0      if g * g0 < 0
 *     p = p - sign(g) * d
 *     g0 = g
 */
function _single_tensor_rprop(lists: RpropLists, group: RpropGroup): void {
  const { maximize, capturable, differentiable } = group;
  const [etaminus] = group.etas;
  const [step_size_min, step_size_max] = group.step_sizes;
  lists.params.forEach((param, i) => {
    let grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    const prev = lists.prevs[i];
    const step_size = lists.step_sizes[i];
    const step = lists.state_steps[i];
    if (capturable) check_capturable([[param, step]]);
    step.add_(1);
    const sign = grad.mul(differentiable ? prev.clone() : prev).sign();
    sign_to_factor(sign, group);
    step_size.mul_(sign).clamp_(step_size_min, step_size_max);
    // If the sign changed, the gradient is set to 0: the element makes no step, and the next step does not count as a change.
    grad = grad.clone({ memory_format: torch.preserve_format });
    if (capturable) grad.copy_(torch.where(sign.eq(etaminus), 0, grad));
    else grad.__setitem__([sign.eq(etaminus)], 0);
    param.addcmul_(grad.sign(), step_size, { value: -1 });
    prev.copy_(grad);
  });
}

/** Replaces the sign of the product of the last two gradients by the factor for the step size. */
function sign_to_factor(sign: Tensor, { capturable, etas: [etaminus, etaplus] }: RpropGroup): void {
  if (capturable) {
    sign.copy_(torch.where(sign.gt(0), etaplus, sign));
    sign.copy_(torch.where(sign.lt(0), etaminus, sign));
    sign.copy_(torch.where(sign.eq(0), 1, sign));
  } else {
    sign.__setitem__([sign.gt(0)], etaplus);
    sign.__setitem__([sign.lt(0)], etaminus);
    sign.__setitem__([sign.eq(0)], 1);
  }
}

const Rprop_init = new Init(
  "Rprop.__init__(self, params, lr=0.01, etas=(0.5, 1.2), step_sizes=(1e-06, 50), *, capturable=False, foreach=None, maximize=False, differentiable=False)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      etas: readonly [number, number],
      step_sizes: readonly [number, number],
      capturable: boolean,
      foreach: boolean | null,
      maximize: boolean,
      differentiable: boolean,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type RpropOptions = Omit<InitKeywords<typeof Rprop_init>, "params">;

type RpropGroup = GroupOf<typeof Rprop_init>;
type RpropLists = Lists<"prevs" | "step_sizes" | "state_steps">;

/** Rprop: uses only the sign of the gradient; each element has its own step size, which grows while the sign stays equal. */
export class Rprop extends Optimizer {
  static {
    def_methods(Rprop, { __init__: Rprop_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof Rprop_init>) {
    const [params, lr, etas, step_sizes, capturable, foreach, maximize, differentiable] = Rprop_init.bind(args);
    check_lr(lr);
    const [etaminus, etaplus] = [subscript(etas, 0), subscript(etas, 1)] as typeof etas;
    if (!(0 < etaminus && etaminus < 1 && 1 < etaplus))
      throw new ValueError(`Invalid eta values: ${py_format(etaminus)}, ${py_format(etaplus)}`);
    super(params, { lr, etas, step_sizes, foreach, maximize, differentiable, capturable });
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups) {
      set_defaults(group, { foreach: null, maximize: false, differentiable: false, capturable: false });
      this._steps_to_tensors(group, group["capturable"]);
    }
  }

  private _init_group(group: RpropGroup): RpropLists {
    return this._init_lists(group, { prevs: "prev", step_sizes: "step_size", state_steps: "step" }, (p, grad) => ({
      step: new_step(p, group.capturable),
      prev: new_zeros(p),
      step_size: torch.full_like(grad, _get_value(group.lr)), // all elements begin with the same step size
    }));
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return step_groups<RpropGroup>(this, closure, (group) => rprop(this._init_group(group), group));
  }
}

function rprop(lists: RpropLists, group: RpropGroup): void {
  check_state_steps(lists.state_steps);
  const foreach = group.foreach ?? _default_to_foreach(lists.params, group.differentiable);
  (foreach ? _multi_tensor_rprop : _single_tensor_rprop)(lists, group);
}

function _multi_tensor_rprop(all: RpropLists, group: RpropGroup): void {
  const { maximize } = group;
  const [etaminus] = group.etas;
  const [step_size_min, step_size_max] = group.step_sizes;
  if (all.params.length === 0) return;
  check_foreach(group, [all.params, all.state_steps], undefined, true);
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, grads, prevs, step_sizes } = lists;
    _increment_steps(lists.state_steps);
    const signs = torch._foreach_mul(grads, prevs);
    if (maximize) torch._foreach_neg_(signs);
    // The current gradients replace the previous ones: the list is used as scratch memory, and as the previous gradients of the next step.
    torch._foreach_copy_(prevs, grads);
    if (maximize) torch._foreach_neg_(prevs);
    torch._foreach_sign_(signs);
    for (const sign of signs) sign_to_factor(sign, group);
    torch._foreach_mul_(step_sizes, signs);
    for (const step_size of step_sizes) step_size.clamp_(step_size_min, step_size_max);
    for (const [i, prev] of prevs.entries()) prev.copy_(torch.where(signs[i].eq(etaminus), 0, prev));
    torch._foreach_addcmul_(
      params,
      prevs.map((prev) => prev.sign()),
      step_sizes,
      { value: -1 },
    );
  }
}
