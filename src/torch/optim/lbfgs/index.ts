/**
 * @file L-BFGS: a search direction from recent gradients and steps, which approximates Newton's method.
 * @mirrors torch/optim/lbfgs.py
 */
import { AssertionError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { PyNumber_Multiply, python_type } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _to_scalar, check_lr } from "#torch/optim/optimizer/helpers";
import { type Closure, check_options, Optimizer, type ParamsT, with_numbers } from "#torch/optim/optimizer/index";
import type { State } from "#torch/optim/optimizer/types";
import { div, float, le, lt, min, mul, type NumberOrTensor, neg, sub } from "#torch/optim/python_operators";
import { _strong_wolfe } from "./line_search.ts";

const LBFGS_init = new Init(
  "LBFGS.__init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-07, tolerance_change=1e-09, history_size=100, line_search_fn=None)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      max_iter: number,
      max_eval: number | null,
      tolerance_grad: number,
      tolerance_change: number,
      history_size: number,
      line_search_fn: string | null,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type LBFGSOptions = Omit<InitKeywords<typeof LBFGS_init>, "params">;

interface LBFGSGroup {
  readonly lr: NumberOrTensor;
  readonly max_iter: number;
  readonly max_eval: number;
  readonly tolerance_grad: number;
  readonly tolerance_change: number;
  readonly history_size: number;
  readonly line_search_fn: string | null;
}

/** State that one step passes to the next; it is stored with the first parameter, on behalf of all. */
interface History {
  d: Tensor;
  t: NumberOrTensor;
  /** Differences of gradients, differences of positions, and 1 over their products. */
  old_dirs: Tensor[];
  old_stps: Tensor[];
  ro: Tensor[];
  H_diag: NumberOrTensor;
  prev_flat_grad: Tensor;
  prev_loss: number;
}

/** The current position of the search: the loss, and the gradient of all parameters as one vector. */
interface Here {
  loss: number;
  flat_grad: Tensor;
}

/** L-BFGS. It treats all parameters as one vector, allows one group, and calls the closure many times per step. */
export class LBFGS extends Optimizer {
  private readonly _params: Tensor[];

  static {
    def_methods(LBFGS, { __init__: LBFGS_init, step: "(self, closure)" });
  }

  constructor(...args: InitArgs<typeof LBFGS_init>) {
    const [params, lr, max_iter, max_eval, tolerance_grad, tolerance_change, history_size, line_search_fn] =
      LBFGS_init.bind(args);
    check_lr(lr);
    super(params, {
      lr,
      max_iter,
      max_eval: max_eval ?? Math.floor(PyNumber_Multiply(max_iter, 5) / 4),
      tolerance_grad,
      tolerance_change,
      history_size,
      line_search_fn,
    });
    if (this.param_groups.length !== 1)
      throw new ValueError("LBFGS doesn't support per-parameter options (parameter groups)");
    this._params = this.param_groups[0].params;
  }

  private _gather_flat_grad(): Tensor {
    const views = this._params.map((p) =>
      p.grad === null ? torch.zeros([p.numel()], { dtype: p.dtype, device: p.device }) : p.grad.view(-1),
    );
    return torch.cat(views, 0);
  }

  private _add_grad(step_size: NumberOrTensor, update: Tensor): void {
    let offset = 0;
    for (const p of this._params) {
      const numel = p.numel();
      const part = update.narrow(0, offset, numel).view_as(p);
      p.add_(part, { alpha: step_size as number }); // a tensor is converted to a number
      offset += numel;
    }
  }

  private _directional_evaluate(
    closure: Closure,
    x: readonly Tensor[],
    t: NumberOrTensor,
    d: Tensor,
  ): [number, Tensor] {
    this._add_grad(t, d);
    const loss = float(closure());
    const flat_grad = this._gather_flat_grad();
    this._params.forEach((p, i) => {
      p.copy_(x[i]);
    });
    return [loss, flat_grad];
  }

  override step(...args: Args<"(self, closure)", [closure: Closure]>): Tensor;
  override step(given: Closure): Tensor {
    if (this.param_groups.length !== 1)
      throw new AssertionError(`Expected exactly one param_group, but got ${this.param_groups.length}`);
    const closure: Closure = () => {
      if (typeof given !== "function") throw new TypeError_(`'${python_type(given)}' object is not callable`);
      return torch.enable_grad(() => given());
    };
    return torch.no_grad(() => this._search(closure));
  }

  private _search(closure: Closure): Tensor {
    const group = with_numbers(this.param_groups[0]) as LBFGSGroup;
    check_options(this, this.param_groups[0]);
    const { max_iter, max_eval, tolerance_grad, tolerance_change } = group;
    const lr = _to_scalar(group.lr);
    const state = this._state_of(this._params[0]);
    state["func_evals"] ??= 0;
    state["n_iter"] ??= 0;

    const orig_loss = closure();
    const here: Here = { loss: float(orig_loss), flat_grad: this._gather_flat_grad() };
    let current_evals = 1;
    state["func_evals"] += 1;
    const at_rest = (): boolean => le(here.flat_grad.abs().max(), tolerance_grad);
    if (at_rest()) return orig_loss;

    const h = { ...state } as unknown as History;
    for (let n_iter = 1; n_iter <= max_iter; n_iter++) {
      state["n_iter"] += 1;
      if (state["n_iter"] === 1) {
        h.d = here.flat_grad.neg();
        Object.assign(h, { old_dirs: [], old_stps: [], ro: [], H_diag: 1 });
      } else {
        remember(h, here.flat_grad, group.history_size);
        state["al"] ??= new Array(group.history_size).fill(null);
        h.d = direction(h, here.flat_grad, state["al"]);
      }
      if (h.prev_flat_grad === undefined)
        h.prev_flat_grad = here.flat_grad.clone({ memory_format: torch.contiguous_format });
      else h.prev_flat_grad.copy_(here.flat_grad);
      h.prev_loss = here.loss;

      // The first step is short, because nothing is known yet about the curvature.
      h.t = state["n_iter"] === 1 ? mul(min(1, div(1, here.flat_grad.abs().sum())), lr) : lr;
      const gtd = here.flat_grad.dot(h.d);
      if (lt(neg(tolerance_change), gtd)) break;

      const [ls_func_evals, opt_cond] = this._move(closure, here, h, { ...group, gtd, current_evals, n_iter }, at_rest);
      current_evals += ls_func_evals;
      state["func_evals"] += ls_func_evals;
      if (n_iter === max_iter || current_evals >= max_eval || opt_cond) break;
      if (le(h.d.mul(h.t).abs().max(), tolerance_change)) break;
      if (Math.abs(here.loss - h.prev_loss) < tolerance_change) break;
    }
    this._keep(state, h);
    return orig_loss;
  }

  /** Makes a step along the direction, with or without a line search; afterwards `here` is the new position. */
  private _move(
    closure: Closure,
    here: Here,
    h: History,
    at: LBFGSGroup & { readonly gtd: Tensor; readonly current_evals: number; readonly n_iter: number },
    at_rest: () => boolean,
  ): [ls_func_evals: number, opt_cond: boolean] {
    if (at.line_search_fn === null) {
      this._add_grad(h.t, h.d);
      // After the last step the gradient is not needed.
      if (at.n_iter === at.max_iter) return [0, false];
      here.loss = float(closure());
      here.flat_grad = this._gather_flat_grad();
      return [1, at_rest()];
    }
    if (at.line_search_fn !== "strong_wolfe") throw new RuntimeError("only 'strong_wolfe' is supported");
    const x_init = this._params.map((p) => p.clone({ memory_format: torch.contiguous_format }));
    const start = { t: h.t, f: here.loss, g: here.flat_grad, gtd: at.gtd };
    const max_ls = at.max_eval - at.current_evals;
    const [loss, flat_grad, t, ls_func_evals] = _strong_wolfe(
      (t) => this._directional_evaluate(closure, x_init, t, h.d),
      h.d,
      start,
      { max_ls },
    );
    h.t = t;
    Object.assign(here, { loss, flat_grad });
    this._add_grad(t, h.d);
    return [ls_func_evals, at_rest()];
  }

  private _keep(state: State, h: History): void {
    const { d, t, old_dirs, old_stps, ro, H_diag, prev_flat_grad, prev_loss } = h;
    Object.assign(state, { d, t, old_dirs, old_stps, ro, H_diag, prev_flat_grad, prev_loss });
  }
}

/** Stores the last step and the change of the gradient, unless they tell nothing about the curvature. */
function remember(h: History, flat_grad: Tensor, history_size: number): void {
  const y = flat_grad.sub(h.prev_flat_grad ?? null);
  const s = h.d.mul(h.t);
  const ys = y.dot(s);
  if (!lt(1e-10, ys)) return;
  const { old_dirs, old_stps, ro } = h;
  if (old_dirs.length === history_size) for (const list of [old_dirs, old_stps, ro]) list.shift();
  old_dirs.push(y);
  old_stps.push(s);
  ro.push(div(1, ys) as Tensor);
  h.H_diag = ys.div(y.dot(y));
}

/** The approximate inverse Hessian times the negative gradient, by the two loops over the history. */
function direction(h: History, flat_grad: Tensor, al: Tensor[]): Tensor {
  const { old_dirs, old_stps, ro } = h;
  const q = flat_grad.neg();
  for (let i = old_dirs.length - 1; i >= 0; i--) {
    al[i] = old_stps[i].dot(q).mul(ro[i]);
    q.add_(old_dirs[i], { alpha: neg(al[i]) as number }); // a tensor is converted to a number
  }
  const r = torch.mul(q, h.H_diag);
  for (const [i, dir] of old_dirs.entries()) {
    const be_i = dir.dot(r).mul(ro[i]);
    r.add_(old_stps[i], { alpha: sub(al[i], be_i) as number });
  }
  return r;
}
