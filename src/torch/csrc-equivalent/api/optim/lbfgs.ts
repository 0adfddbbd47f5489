/**
 * @file L-BFGS: the last steps and changes of the gradient give an estimate of the curvature, without a matrix. The closure is called
 * several times in a step.
 * @mirrors torch/csrc/api/include/torch/optim/lbfgs.h
 * @see line_search.ts
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { NoGradGuard } from "#c10/core/GradMode";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { double, int64, type Made, optional, optional_int, TORCH_OPTIONS } from "../arg.ts";
import { _strong_wolfe } from "./line_search.ts";
import { type LossClosure, Optimizer, type Params } from "./optimizer.ts";

/** `max_eval` is `max_iter * 5 / 4` without a setter; `line_search_fn` is null or "strong_wolfe". */
export const LBFGSOptions = TORCH_OPTIONS("LBFGSOptions", ["lr"], {
  lr: double(1),
  max_iter: int64(20),
  max_eval: optional_int,
  tolerance_grad: double(1e-7),
  tolerance_change: double(1e-9),
  history_size: int64(100),
  line_search_fn: optional<string>(),
});
export type LBFGSOptions = Made<typeof LBFGSOptions>;

export interface LBFGSParamState {
  func_evals: number;
  n_iter: number;
  /** Length of the last step. */
  t: number;
  prev_loss: number;
  /** Direction of the last step. */
  d: Tensor;
  H_diag: Tensor;
  prev_flat_grad: Tensor;
  old_dirs: Tensor[];
  old_stps: Tensor[];
  ro: Tensor[];
  al: Tensor[] | null;
}

const number = (tensor: Tensor): number => tensor.item().toDouble();
const largest = (tensor: Tensor): number => number(tensor.abs().max());

/** Loss and gradient at the present position. */
interface Here {
  loss: number;
  flat_grad: Tensor;
}

export class LBFGS extends Optimizer<LBFGSOptions, LBFGSParamState> {
  protected get state_kind() {
    return {
      func_evals: "int",
      n_iter: "int",
      t: "double",
      prev_loss: "double",
      d: "tensor",
      H_diag: "tensor",
      prev_flat_grad: "tensor",
      old_dirs: "tensors",
      old_stps: "tensors",
      ro: "tensors",
      al: "tensors",
    } as const;
  }

  constructor(params: Params<LBFGSOptions>, defaults: LBFGSOptions = LBFGSOptions()) {
    super(params, defaults);
    TORCH_CHECK(this.param_groups_.length === 1, "LBFGS doesn't support per-parameter options (parameter groups)");
    if (defaults.max_eval() !== null) return;
    const max_eval = Math.trunc((defaults.max_iter() * 5) / 4);
    this.param_groups_[0].options().max_eval(max_eval);
    this.defaults_.max_eval(max_eval);
  }

  private params(): Tensor[] {
    return this.param_groups_[0].params();
  }
  private _gather_flat_grad(): Tensor {
    const views = this.params().map((p) => {
      const grad = p.grad();
      if (!grad.defined()) return p.new_empty([p.numel()]).zero_();
      return (grad.is_sparse() ? grad.to_dense() : grad).view([-1]);
    });
    return at.cat(views, 0);
  }
  private _add_grad(step_size: number, update: Tensor): void {
    let offset = 0;
    for (const p of this.params()) {
      const part = update.slice_Tensor(0, offset, offset + p.numel(), 1).view_as(p);
      p.add__Tensor(part, Scalar.fromDouble(step_size));
      offset += p.numel();
    }
  }
  private _clone_param(): Tensor[] {
    return this.params().map((p) => p.clone(MemoryFormat.Contiguous));
  }
  private _directional_evaluate(closure: LossClosure, x: readonly Tensor[], t: number, d: Tensor): [number, Tensor] {
    this._add_grad(t, d);
    const loss = number(this.evaluate(closure) as Tensor);
    const flat_grad = this._gather_flat_grad();
    for (const [i, p] of this.params().entries()) p.copy_(x[i]);
    return [loss, flat_grad];
  }

  override step(closure: LossClosure | null = null): Tensor {
    const no_grad = new NoGradGuard();
    try {
      TORCH_CHECK(closure !== null, "LBFGS requires a closure function");
      TORCH_CHECK(this.param_groups_.length === 1);
      return this.search(closure);
    } finally {
      no_grad.restore();
    }
  }

  private search(closure: LossClosure): Tensor {
    const options = this.param_groups_[0].options();
    const state = this.state_of(this.params()[0], new_state);
    const orig_loss = this.evaluate(closure) as Tensor;
    const here: Here = { loss: number(orig_loss), flat_grad: this._gather_flat_grad() };
    let current_evals = 1;
    state.func_evals += 1;
    let at_rest = largest(here.flat_grad) <= options.tolerance_grad();
    if (at_rest) return orig_loss;
    const max_eval = options.max_eval() as number;

    for (let n_iter = 1; n_iter <= options.max_iter(); n_iter++) {
      state.n_iter += 1;
      if (state.n_iter === 1) {
        state.d = here.flat_grad.neg();
        state.H_diag = at.ones([], new TensorOptions(here.flat_grad.scalar_type()));
        Object.assign(state, { old_dirs: [], old_stps: [], ro: [] });
      } else {
        remember(state, here.flat_grad, options.history_size());
        state.al ??= Array.from({ length: options.history_size() }, () => new Tensor());
        state.d = direction(state, here.flat_grad, state.al);
      }
      if (state.prev_flat_grad.defined()) state.prev_flat_grad.copy_(here.flat_grad);
      else state.prev_flat_grad = here.flat_grad.clone(MemoryFormat.Contiguous);
      state.prev_loss = here.loss;

      // The first step is short, because nothing is known yet about the curvature.
      const lr = options.lr();
      state.t = state.n_iter === 1 ? Math.min(1, 1 / number(here.flat_grad.abs().sum())) * lr : lr;
      const gtd = here.flat_grad.dot(state.d);
      if (number(gtd) > -options.tolerance_change()) break;

      let ls_func_evals = 0;
      if (options.line_search_fn() !== null) {
        ls_func_evals = this.line_search(closure, here, state, gtd, options.line_search_fn() as string);
        at_rest = largest(here.flat_grad) <= options.tolerance_grad();
      } else {
        this._add_grad(state.t, state.d);
        // After the last step the gradient is not needed.
        if (n_iter !== options.max_iter()) {
          here.loss = number(this.evaluate(closure) as Tensor);
          here.flat_grad = this._gather_flat_grad();
          at_rest = largest(here.flat_grad) <= options.tolerance_grad();
          ls_func_evals = 1;
        }
      }
      current_evals += ls_func_evals;
      state.func_evals += ls_func_evals;
      if (n_iter === options.max_iter() || current_evals >= max_eval || at_rest) break;
      if (largest(state.d.mul_Scalar(Scalar.fromDouble(state.t))) <= options.tolerance_change()) break;
      if (Math.abs(here.loss - state.prev_loss) < options.tolerance_change()) break;
    }
    return orig_loss;
  }

  /** Finds a good length and makes the step; afterwards `here` is the new position. */
  private line_search(closure: LossClosure, here: Here, state: LBFGSParamState, gtd: Tensor, name: string): number {
    TORCH_CHECK(name === "strong_wolfe", "only 'strong_wolfe' is supported");
    const x_init = this._clone_param();
    const start = { t: state.t, f: here.loss, g: here.flat_grad, gtd };
    const found = _strong_wolfe((t) => this._directional_evaluate(closure, x_init, t, state.d), state.d, start);
    this._add_grad(found.t, state.d);
    state.t = found.t;
    Object.assign(here, { loss: found.f, flat_grad: found.g });
    return found.ls_func_evals;
  }
}

function new_state(): LBFGSParamState {
  return {
    func_evals: 0,
    n_iter: 0,
    t: 0,
    prev_loss: 0,
    d: new Tensor(),
    H_diag: new Tensor(),
    prev_flat_grad: new Tensor(),
    old_dirs: [],
    old_stps: [],
    ro: [],
    al: null,
  };
}

/** Stores the last step and the change of the gradient, unless they tell nothing about the curvature. */
function remember(state: LBFGSParamState, flat_grad: Tensor, history_size: number): void {
  const y = flat_grad.sub_Tensor(state.prev_flat_grad);
  const s = state.d.mul_Scalar(Scalar.fromDouble(state.t));
  const ys = y.dot(s);
  if (number(ys) <= 1e-10) return;
  const { old_dirs, old_stps, ro } = state;
  if (old_dirs.length === history_size) for (const list of [old_dirs, old_stps, ro]) list.shift();
  old_dirs.push(y);
  old_stps.push(s);
  ro.push(ys.reciprocal());
  state.H_diag = ys.div_Tensor(y.dot(y));
}

/** The approximate inverse Hessian times the negative gradient, by the two loops over the history. */
function direction(state: LBFGSParamState, flat_grad: Tensor, al: Tensor[]): Tensor {
  const { old_dirs, old_stps, ro } = state;
  const q = flat_grad.neg();
  for (let i = old_dirs.length - 1; i >= 0; i--) {
    al[i] = old_stps[i].dot(q).mul_Tensor(ro[i]);
    q.add__Tensor(old_dirs[i], Scalar.fromDouble(-number(al[i])));
  }
  const r = q.mul_Tensor(state.H_diag);
  for (const [i, dir] of old_dirs.entries()) {
    const be_i = dir.dot(r).mul_Tensor(ro[i]);
    r.add__Tensor(old_stps[i], Scalar.fromDouble(number(al[i].sub_Tensor(be_i))));
  }
  return r;
}
