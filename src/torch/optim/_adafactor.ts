/**
 * @file Adafactor: for a matrix it stores only the mean squares of rows and of columns, and its steps are relative to the parameter.
 * @mirrors torch/optim/_adafactor.py
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, py_format } from "#torch/_C";
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { dtype } from "#torch/types";
import { _group_tensors_by_device_and_dtype } from "#torch/utils/_foreach_utils";
import { _increment_steps } from "./foreach_utils.ts";
import { norm } from "./norm.ts";
import { _to_scalar, check_lr, check_nonnegative, new_step, new_zeros, subscript } from "./optimizer/helpers.ts";
import {
  type Closure,
  call_closure,
  check_options,
  Optimizer,
  type ParamsT,
  type StepArgs,
  set_defaults,
  with_numbers,
} from "./optimizer/index.ts";
import type { GroupOf, SavedState } from "./optimizer/types.ts";
import { at_least, float, max, min, mul, type NumberOrTensor, sub } from "./python_operators.ts";

/**
 * Adafactor, for a matrix. `r` and `c` are the state's `row_var` and `col_var`; of a vector each element has its own `variance`.
 *
 *     w = t ** beta2_decay
 *     r = (1 - w) * r + w * mean(g ** 2) of each row
 *     c = (1 - w) * c + w * mean(g ** 2) of each column
 *     v = r @ c / max(mean(r), eps1)
 *     u = g / sqrt(max(v, eps1 ** 2))
 *     a = max(eps2, rms(p)) * min(lr, 1 / sqrt(t))
 *     p = p - lr * weight_decay * p - a * u / max(1, rms(u) / d)
 */
function _single_tensor_adafactor(lists: AdafactorLists, group: AdafactorGroup): void {
  const { beta2_decay, d, weight_decay, maximize } = group;
  const [, eps2] = group.eps;
  let [eps1] = group.eps;
  const lr = _to_scalar(group.lr);
  lists.params.forEach((param, i) => {
    const grad = maximize ? lists.grads[i].neg() : lists.grads[i];
    const step_t = lists.state_steps[i];
    eps1 ??= epsilon_of(param.dtype); // taken from the first parameter, and used for all later ones
    step_t.add_(1);
    const step_float = float(step_t);
    const one_minus_beta2_t = step_float ** beta2_decay;
    const rho_t = min(lr, 1 / step_float ** 0.5);
    const alpha = mul(max(eps2, float(norm(param)) / param.numel() ** 0.5), rho_t);
    if (weight_decay !== 0) param.mul_(sub(1, mul(lr, weight_decay)));

    const var_estimate = estimate(lists, i, grad, one_minus_beta2_t, eps1);
    const update = var_estimate.clamp_({ min: eps1 * eps1 }).rsqrt_();
    update.mul_(grad);
    const denom = max(1, float(norm(update)) / (update.numel() ** 0.5 * d));
    param.add_(update, { alpha: float(mul(alpha, -1)) / denom });
  });
}

/** The mean square of each element: from the row and column means, or from the stored variance. */
function estimate(lists: AdafactorLists, i: number, grad: Tensor, weight: number, eps1: number): Tensor {
  const [row_var, col_var, variance] = [lists.row_vars[i], lists.col_vars[i], lists.variances[i]];
  if (row_var === null || col_var === null) {
    (variance as Tensor).lerp_(grad.mul(grad), weight);
    return (variance as Tensor).clone();
  }
  row_var.lerp_(norm(grad, -1).square_().div_(grad.size(-1)), weight);
  col_var.lerp_(norm(grad, -2).square_().div_(grad.size(-2)), weight);
  const var_estimate = row_var.matmul(col_var);
  return var_estimate.div_(row_var.mean([-2], true).clamp_({ min: eps1 }));
}

const Adafactor_init = new Init(
  "Adafactor.__init__(self, params, lr=0.01, beta2_decay=-0.8, eps=(None, 0.001), d=1.0, weight_decay=0.0, *, foreach=None, maximize=False)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      beta2_decay: number,
      eps: readonly [number | null, number],
      d: number,
      weight_decay: number,
      foreach: boolean | null,
      maximize: boolean,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type AdafactorOptions = Omit<InitKeywords<typeof Adafactor_init>, "params">;

type AdafactorGroup = GroupOf<typeof Adafactor_init>;

/** Lists over the parameters that have a gradient: matrices have row_vars and col_vars, vectors and numbers have variances. */
class AdafactorLists {
  readonly params: Tensor[] = [];
  readonly grads: Tensor[] = [];
  readonly row_vars: (Tensor | null)[] = [];
  readonly col_vars: (Tensor | null)[] = [];
  readonly variances: (Tensor | null)[] = [];
  readonly state_steps: Tensor[] = [];
}

/** Adafactor stores a row and a column for each matrix instead of a value per element; its steps are relative to the parameter. */
export class Adafactor extends Optimizer {
  static {
    def_methods(Adafactor, { __init__: Adafactor_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof Adafactor_init>) {
    const [params, lr, beta2_decay, eps, d, weight_decay, foreach, maximize] = Adafactor_init.bind(args);
    check_lr(lr, "Learning rate should be >= 0 but is");
    if (!PyObject_RichCompareBool(beta2_decay, "<=", 0, "float"))
      throw new ValueError(`beta2_decay should be <= 0 but is: ${py_format(beta2_decay)}`);
    if (subscript(eps, 0) !== null) check_nonnegative(eps[0], "epsilon1 should be >= 0 but is");
    check_nonnegative(subscript(eps, 1), "epsilon2 should be >= 0 but is");
    if (!at_least(1, d)) throw new ValueError(`Clipping threshold d should be >= 1 but is: ${py_format(d)}`);
    check_nonnegative(weight_decay, "weight_decay should be >= 0 but is");
    super(params, { lr, beta2_decay, eps, d, weight_decay, foreach, maximize });
  }

  override __setstate__(state: SavedState): void {
    super.__setstate__(state);
    for (const group of this.param_groups) {
      set_defaults(group, { foreach: null });
      this._steps_to_tensors(group, false);
    }
  }

  private _init_group(group: AdafactorGroup): AdafactorLists {
    const lists = new AdafactorLists();
    for (const p of group.params) {
      if (p.grad === null) continue;
      lists.params.push(p);
      lists.grads.push(p.grad);
      const state = this._state_of(p);
      if (Object.keys(state).length === 0) {
        state["step"] = new_step(p, false);
        if (p.grad.dim() > 1) {
          const shape = [...p.grad.shape];
          state["row_var"] = p.grad.new_zeros(shape.with(-1, 1));
          state["col_var"] = p.grad.new_zeros(shape.with(-2, 1));
        } else {
          state["variance"] = new_zeros(p.grad);
        }
      }
      lists.row_vars.push(state["row_var"] ?? null);
      lists.col_vars.push(state["col_var"] ?? null);
      lists.variances.push(state["variance"] ?? null);
      lists.state_steps.push(state["step"]);
    }
    return lists;
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return torch.no_grad(() => {
      const loss = call_closure(closure);
      for (const param_group of this.param_groups) {
        check_options(this, param_group);
        const group = with_numbers(param_group) as AdafactorGroup;
        adafactor(this._init_group(group), group);
      }
      return loss;
    });
  }
}

/** The machine epsilon of a dtype: the distance from 1 to the next number. */
function epsilon_of(t: dtype): number {
  if (t === torch.float64) return 2 ** -52;
  if (t === torch.float32) return 2 ** -23;
  return t === torch.float16 ? 2 ** -10 : 2 ** -7;
}

function adafactor(lists: AdafactorLists, group: AdafactorGroup): void {
  if (!lists.state_steps.every((step) => step instanceof Tensor))
    throw new RuntimeError("`state_steps` argument must contain a list of singleton tensors");
  (group.foreach ? _multi_tensor_adafactor : _single_tensor_adafactor)(lists, group);
}

/** Groups parameters also by whether they are matrices, because matrices have other state. */
function _group_tensors_by_device_dtype_and_is_multidim(
  all: AdafactorLists,
): { readonly is_multidim: boolean; readonly lists: Record<keyof AdafactorLists, Tensor[]> }[] {
  return _group_tensors_by_device_and_dtype({ ...all }).flatMap(({ lists }) =>
    [true, false].flatMap((is_multidim) => {
      const rows = lists.grads.flatMap((grad, i) => (grad.dim() > 1 === is_multidim ? [i] : []));
      if (rows.length === 0) return [];
      const part = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, rows.map((i) => list[i])]));
      return [{ is_multidim, lists: part as typeof lists }];
    }),
  );
}

function _multi_tensor_adafactor(all: AdafactorLists, group: AdafactorGroup): void {
  const { beta2_decay, d, weight_decay, maximize } = group;
  const [, eps2] = group.eps;
  let [eps1] = group.eps;
  if (all.params.length === 0) return;
  const lr = _to_scalar(group.lr);
  for (const { is_multidim, lists } of _group_tensors_by_device_dtype_and_is_multidim(all)) {
    const { params, state_steps } = lists;
    eps1 ??= epsilon_of(params[0].dtype);
    const grads = maximize ? torch._foreach_neg(lists.grads) : lists.grads;
    _increment_steps(state_steps);
    const steps = state_steps.map((step) => float(step));
    const one_minus_beta2_ts = steps.map((step) => step ** beta2_decay);
    const alphas = params.map(
      (p, i) => max(eps2, float(norm(p)) / p.numel() ** 0.5) * float(min(lr, 1 / steps[i] ** 0.5)),
    );
    if (weight_decay !== 0) torch._foreach_mul_(params, sub(1, mul(lr, weight_decay)) as number);

    const updates = is_multidim
      ? _factored_estimates(lists, grads, one_minus_beta2_ts, eps1)
      : _plain_estimates(lists, grads, one_minus_beta2_ts);
    torch._foreach_clamp_min_(updates, eps1 * eps1);
    torch._foreach_rsqrt_(updates);
    torch._foreach_mul_(updates, grads);
    const factors = updates.map((update, i) => -alphas[i] / max(1, float(norm(update)) / (update.numel() ** 0.5 * d)));
    torch._foreach_mul_(updates, factors);
    torch._foreach_add_(params, updates);
  }
}

function _factored_estimates(
  { row_vars, col_vars }: Record<keyof AdafactorLists, Tensor[]>,
  grads: Tensor[],
  weights: number[],
  eps1: number,
): Tensor[] {
  for (const [dim, vars] of [
    [-1, row_vars],
    [-2, col_vars],
  ] as const) {
    const means = grads.map((grad) => norm(grad, dim));
    torch._foreach_mul_(means, means);
    torch._foreach_div_(
      means,
      grads.map((grad) => grad.size(dim)),
    );
    torch._foreach_lerp_(vars, means, weights);
  }
  const var_estimates = row_vars.map((row_var, i) => row_var.matmul(col_vars[i]));
  const row_var_means = row_vars.map((row_var) => row_var.mean([-2], true));
  torch._foreach_clamp_min_(row_var_means, eps1);
  torch._foreach_div_(var_estimates, row_var_means);
  return var_estimates;
}

function _plain_estimates(
  { variances }: Record<keyof AdafactorLists, Tensor[]>,
  grads: Tensor[],
  weights: number[],
): Tensor[] {
  torch._foreach_lerp_(variances, torch._foreach_mul(grads, grads), weights);
  return variances.map((variance) => variance.clone());
}
