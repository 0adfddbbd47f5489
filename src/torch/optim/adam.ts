/**
 * @file Adam: a running mean of the gradients, divided by the root of a running mean of their squares.
 * @mirrors torch/optim/adam.py
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { tuple_map } from "#python/Objects/tupleobject";
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _group_tensors_by_device_and_dtype } from "#torch/utils/_foreach_utils";
import { _decoupled_grads, _increment_steps, check_foreach } from "./foreach_utils.ts";
import {
  _default_to_foreach,
  _device_dtype_check_for_fused,
  _get_value,
  _to_scalar,
  type AmpScaling,
  check_betas,
  check_capturable,
  check_fused,
  check_lr,
  check_nonnegative,
  check_state_steps,
  new_step,
  new_zeros,
  scaling_on,
  take_back,
} from "./optimizer/helpers.ts";
import { type Closure, Optimizer, type ParamsT, type StepArgs, set_defaults, step_groups } from "./optimizer/index.ts";
import type { GroupOf, Lists, SavedState } from "./optimizer/types.ts";
import { div, mul, type NumberOrTensor, neg, pow, sqrt, sub } from "./python_operators.ts";

/**
 * Adam. `m` and `v` are the state's `exp_avg` and `exp_avg_sq`; both begin at 0, which the division by `1 - beta ** t` corrects.
 *
 *     g = grad + weight_decay * p                      decoupled instead:  p = p - lr * weight_decay * p
 *     m = beta1 * m + (1 - beta1) * g
 *     v = beta2 * v + (1 - beta2) * g ** 2             amsgrad divides by the largest v so far
 *     p = p - lr * m / (1 - beta1 ** t) / (sqrt(v / (1 - beta2 ** t)) + eps)
 */
function _single_tensor_adam(lists: AdamLists, group: AdamGroup): void {
  const { amsgrad, weight_decay, eps, maximize, capturable, differentiable } = group;
  const lr = _to_scalar(group.lr);
  const beta1 = _to_scalar(group.betas[0]);
  const beta2 = _to_scalar(group.betas[1]);
  lists.params.forEach((param, i) => {
    let grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    const exp_avg = lists.exp_avgs[i];
    const exp_avg_sq = lists.exp_avg_sqs[i];
    const step_t = lists.state_steps[i];
    if (capturable) check_capturable([[param, step_t]]);
    step_t.add_(1);

    if (weight_decay !== 0) {
      if (group.decoupled_weight_decay) param.mul_(sub(1, mul(lr, weight_decay)));
      else if (differentiable && weight_decay instanceof Tensor && weight_decay.requires_grad)
        grad = grad.addcmul_(param.clone(), weight_decay);
      else grad = grad.add(param, { alpha: weight_decay as number }); // a tensor is converted to a number
    }

    const device_beta1 = beta1 instanceof Tensor ? beta1.to(param.device, param.dtype) : beta1;
    exp_avg.lerp_(grad, sub(1, device_beta1));
    if (differentiable && beta2 instanceof Tensor && beta2.requires_grad)
      exp_avg_sq.lerp_(torch.square(grad), sub(1, beta2));
    else exp_avg_sq.mul_(beta2).addcmul_(grad, grad, { value: sub(1, beta2) as number });

    if (capturable || differentiable) {
      const bias_correction1 = sub(1, pow(beta1, step_for(beta1, step_t, differentiable)));
      const bias_correction2 = sub(1, pow(beta2, step_for(beta2, step_t, differentiable))) as Tensor;
      const step_size_neg = neg(div(lr, bias_correction1)) as Tensor;
      const bias_correction2_sqrt = bias_correction2.sqrt();
      let second = exp_avg_sq;
      if (amsgrad) {
        second = lists.max_exp_avg_sqs[i];
        second.copy_(torch.maximum(differentiable ? second.clone() : second, exp_avg_sq));
      }
      // The step size is folded into the denominator, because the factor of addcdiv_ cannot be a tensor.
      const denom = second.sqrt().div(bias_correction2_sqrt.mul(step_size_neg)).add_(div(eps, step_size_neg));
      param.addcdiv_(differentiable ? exp_avg.clone() : exp_avg, denom);
    } else {
      const step = _get_value(step_t);
      const bias_correction1 = sub(1, pow(beta1, step));
      const bias_correction2 = sub(1, pow(beta2, step));
      const step_size = div(lr, bias_correction1);
      let second = exp_avg_sq;
      if (amsgrad) {
        second = lists.max_exp_avg_sqs[i];
        torch.maximum(second, exp_avg_sq, { out: second });
      }
      const denom = second.sqrt().div(sqrt(bias_correction2)).add_(eps);
      param.addcdiv_(exp_avg, denom, { value: neg(step_size) as number });
    }
  });
}

/** The step count to compute with: a copy if autograd saves it for the gradient of `beta`. */
function step_for(beta: NumberOrTensor, step: Tensor, differentiable: boolean): Tensor {
  return differentiable && beta instanceof Tensor && beta.requires_grad ? step.clone() : step;
}

const Adam_init = new Init(
  "Adam.__init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      betas: readonly [NumberOrTensor, NumberOrTensor],
      eps: number,
      weight_decay: NumberOrTensor,
      amsgrad: boolean,
      foreach: boolean | null,
      maximize: boolean,
      capturable: boolean,
      differentiable: boolean,
      fused: boolean | null,
      decoupled_weight_decay: boolean,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type AdamOptions = Omit<InitKeywords<typeof Adam_init>, "params">;

type AdamGroup = GroupOf<typeof Adam_init>;
type AdamLists = Lists<"exp_avgs" | "exp_avg_sqs" | "max_exp_avg_sqs" | "state_steps">;

/** Adam: `p -= lr * mean(grad) / sqrt(mean(grad ** 2))` with running means, corrected for their start at 0. */
export class Adam extends Optimizer {
  static {
    def_methods(Adam, { __init__: Adam_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof Adam_init>) {
    const [
      params,
      lr,
      betas,
      eps,
      weight_decay,
      amsgrad,
      foreach,
      maximize,
      capturable,
      differentiable,
      fused,
      decoupled,
    ] = Adam_init.bind(args);
    const by_lists = foreach === true && !capturable;
    if (lr instanceof Tensor && by_lists)
      throw new ValueError("lr as a Tensor is not supported for capturable=False and foreach=True");
    check_lr(lr);
    check_nonnegative(eps, "Invalid epsilon value");
    check_betas(betas);
    check_nonnegative(weight_decay, "Invalid weight_decay value");
    check_tensor_betas(betas, by_lists);
    super(params, {
      lr,
      betas: tuple_map(betas, _to_scalar),
      eps,
      weight_decay,
      amsgrad,
      maximize,
      foreach,
      capturable,
      differentiable,
      fused,
      decoupled_weight_decay: decoupled,
    });
    check_fused(this);
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups) {
      set_defaults(group, {
        amsgrad: false,
        maximize: false,
        foreach: null,
        capturable: false,
        differentiable: false,
        decoupled_weight_decay: false,
        fused: null,
      });
      this._steps_to_tensors(group, group["capturable"] || group["fused"], group["fused"]);
    }
  }

  private _init_group(group: AdamGroup): AdamLists {
    return this._init_lists(
      group,
      {
        exp_avgs: "exp_avg",
        exp_avg_sqs: "exp_avg_sq",
        max_exp_avg_sqs: group.amsgrad && "max_exp_avg_sq",
        state_steps: "step",
      },
      (p) => {
        if (group.fused) _device_dtype_check_for_fused(p);
        return {
          step: new_step(p, group.capturable || group.fused === true, group.fused),
          exp_avg: new_zeros(p),
          exp_avg_sq: new_zeros(p),
          ...(group.amsgrad && { max_exp_avg_sq: new_zeros(p) }),
        };
      },
      (state) => {
        if (group.differentiable && state["step"].requires_grad)
          throw new RuntimeError("`requires_grad` is not supported for `step` in differentiable mode");
        if (group.foreach && group.lr instanceof Tensor && !group.capturable)
          throw new RuntimeError("lr as a Tensor is not supported for capturable=False and foreach=True");
      },
    );
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return step_groups<AdamGroup>(this, closure, (group) => adam(this._init_group(group), group, this));
  }
}

/** @differs Ours treats a whole number as a float; PyTorch refuses the int 0. */
function check_tensor_betas(betas: readonly NumberOrTensor[], by_lists: boolean): void {
  if (betas[0] instanceof Tensor !== betas[1] instanceof Tensor)
    throw new ValueError("betas must be either both floats or both Tensors");
  for (const [i, beta] of betas.entries()) {
    if (!(beta instanceof Tensor)) continue;
    if (by_lists)
      throw new ValueError(`betas[${i}] as a Tensor is not supported for capturable=False and foreach=True`);
    if (beta.numel() !== 1) throw new ValueError(`Tensor betas[${i}] must be 1-element`);
  }
}

function adam(lists: AdamLists, group: AdamGroup, scaling: AmpScaling): void {
  let { foreach } = group;
  if (group.fused === null && foreach === null) {
    foreach = _default_to_foreach(lists.params, group.differentiable);
    if (foreach && group.lr instanceof Tensor && !group.capturable) foreach = false;
  }
  check_state_steps(lists.state_steps);
  if (group.fused) _fused_adam(lists, group, scaling);
  else (foreach ? _multi_tensor_adam : _single_tensor_adam)(lists, group);
}

function _multi_tensor_adam(all: AdamLists, group: AdamGroup): void {
  const { amsgrad, eps, capturable } = group;
  if (all.params.length === 0) return;
  check_numbers(group);
  if (capturable)
    check_capturable(
      all.params.map((p, i) => [p, all.state_steps[i]]),
      undefined,
      false,
    );
  check_foreach({ differentiable: group.differentiable }, []);
  const lr = _to_scalar(group.lr);
  const beta1 = _to_scalar(group.betas[0]);
  const beta2 = _to_scalar(group.betas[1]);
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps } = lists;
    _increment_steps(state_steps);
    const grads = _decoupled_grads(params, lists.grads, lr, group);
    torch._foreach_lerp_(exp_avgs, grads, sub(1, beta1) as number);
    torch._foreach_mul_(exp_avg_sqs, beta2 as number);
    if (beta2 instanceof Tensor) {
      const scaled = torch._foreach_mul(grads, sub(1, beta2) as Tensor);
      torch._foreach_addcmul_(exp_avg_sqs, scaled, grads, 1);
    } else {
      torch._foreach_addcmul_(exp_avg_sqs, grads, grads, 1 - beta2);
    }
    let second = exp_avg_sqs;
    if (amsgrad) {
      second = max_exp_avg_sqs;
      torch._foreach_maximum_(second, exp_avg_sqs);
    }
    const exp_avg_sq_sqrt = torch._foreach_sqrt(second);
    if (capturable) {
      const bias_correction1 = torch._foreach_pow(beta1 as number, state_steps);
      const bias_correction2 = torch._foreach_pow(beta2 as number, state_steps);
      torch._foreach_sub_(bias_correction1, 1);
      torch._foreach_sub_(bias_correction2, 1);
      torch._foreach_neg_(bias_correction2);
      // -lr / (1 - beta1 ** step): the correction carries the sign.
      torch._foreach_div_(bias_correction1, lr as number);
      torch._foreach_reciprocal_(bias_correction1);
      torch._foreach_sqrt_(bias_correction2);
      torch._foreach_div_(exp_avg_sq_sqrt, bias_correction2);
      torch._foreach_add_(exp_avg_sq_sqrt, eps);
      torch._foreach_div_(exp_avg_sq_sqrt, bias_correction1);
      torch._foreach_addcdiv_(params, exp_avgs, exp_avg_sq_sqrt);
    } else {
      const steps = state_steps.map(_get_value);
      const [rate, b1, b2] = [_get_value(lr), _get_value(beta1), _get_value(beta2)];
      torch._foreach_div_(
        exp_avg_sq_sqrt,
        steps.map((step) => (1 - b2 ** step) ** 0.5),
      );
      torch._foreach_add_(exp_avg_sq_sqrt, eps);
      torch._foreach_addcdiv_(
        params,
        exp_avgs,
        exp_avg_sq_sqrt,
        steps.map((step) => (rate / (1 - b1 ** step)) * -1),
      );
    }
  }
}

/** Refuses tensors as hyperparameters of list steps, unless everything stays on the device (capturable). */
function check_numbers({ lr, betas, capturable }: AdamGroup): void {
  if (lr instanceof Tensor && !capturable)
    throw new RuntimeError("lr as a Tensor is not supported for capturable=False and foreach=True");
  for (const [i, beta] of betas.entries())
    if (beta instanceof Tensor && !capturable)
      throw new ValueError(`beta${i + 1} as a Tensor is not supported for capturable=False and foreach=True`);
}

function _fused_adam(all: AdamLists, group: AdamGroup, scaling: AmpScaling): void {
  if (all.params.length === 0) return;
  const { amsgrad, eps, maximize } = group;
  const [beta1, beta2] = group.betas.map((beta) => _to_scalar(beta) as number); // a tensor is converted to a number
  const weight_decay = group.weight_decay as number;
  const lr = group.lr as number; // another overload takes a tensor
  const step = group.decoupled_weight_decay ? torch._fused_adamw_ : torch._fused_adam_;
  for (const { lists } of _group_tensors_by_device_and_dtype(all)) {
    const { params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps } = lists;
    const { grad_scale, found_inf } = scaling_on(params[0].device, scaling);
    torch._foreach_add_(state_steps, 1);
    const options = { lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, grad_scale, found_inf };
    step(params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, options);
    take_back(state_steps, found_inf);
  }
}
