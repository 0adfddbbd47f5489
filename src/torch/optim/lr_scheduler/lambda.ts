/**
 * @file Schedulers that call a function given by the user.
 * @mirrors torch/optim/lr_scheduler.py#LambdaLR
 */
import { TypeError_, ValueError } from "#c10/util/Exception";
import { having, python_type } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Optimizer } from "#torch/optim/optimizer/index";
import type { Options } from "#torch/optim/optimizer/types";
import { mul, type NumberOrTensor } from "#torch/optim/python_operators";
import { _warn_get_lr_called_within_step, LRScheduler, type SchedulerState, zip } from "./base.ts";

/** A function, or an object with `__call__`, whose attributes are saved. */
export type Callable<X = number, Y = number> = ((x: X) => Y) | { __call__(x: X): Y };

export function call<X, Y>(fn: Callable<X, Y>, x: X): Y {
  if (!is_callable(fn)) throw new TypeError_(`'${python_type(fn)}' object is not callable`);
  return typeof fn === "function" ? fn(x) : fn.__call__(x);
}

function is_callable(fn: unknown): boolean {
  return typeof fn === "function" || typeof (fn as { __call__?: unknown } | null)?.__call__ === "function";
}

/** The saved form of a function: null, or the attributes of a callable object. */
export function saved_attributes(fn: Callable): Options | null {
  return typeof fn === "function" ? null : { ...fn };
}

/** Base class of schedulers with one function for each group. */
abstract class FunctionLR extends LRScheduler {
  declare lr_lambdas: Callable[];

  static {
    def_methods(FunctionLR, { state_dict: "(self)", load_state_dict: "(self, state_dict: dict)" });
  }

  protected _set_lambdas(optimizer: Optimizer, lr_lambda: Callable | readonly Callable[]): void {
    this.optimizer = optimizer;
    const n = having(optimizer, "param_groups").param_groups.length;
    if (Array.isArray(lr_lambda) && lr_lambda.length !== n)
      throw new ValueError(`Expected ${n} lr_lambdas, but got ${lr_lambda.length}`);
    this.lr_lambdas = Array.isArray(lr_lambda) ? [...lr_lambda] : new Array<Callable>(n).fill(lr_lambda as Callable);
  }

  override state_dict(): SchedulerState {
    return {
      ...this._attributes("optimizer", "lr_lambdas"),
      lr_lambdas: this.lr_lambdas.map(saved_attributes),
    };
  }

  override load_state_dict(state_dict: SchedulerState): void {
    const { lr_lambdas, ...others } = state_dict;
    this._update_attributes(others);
    (lr_lambdas as (Options | null)[]).forEach((saved, i) => {
      if (saved !== null) Object.assign(this.lr_lambdas[i], saved);
    });
  }
}

type FunctionArgs = [optimizer: Optimizer, lr_lambda: Callable | readonly Callable[], last_epoch: number];

const LambdaLR_init = new Init("LambdaLR.__init__(self, optimizer, lr_lambda, last_epoch=-1)", types<FunctionArgs>);

/** Sets the rate to the initial rate times `lr_lambda(epoch)`. */
export class LambdaLR extends FunctionLR {
  static {
    def_methods(LambdaLR, { __init__: LambdaLR_init, get_lr: "(self)" });
  }

  constructor(...args: InitArgs<typeof LambdaLR_init>) {
    const [optimizer, lr_lambda, last_epoch] = LambdaLR_init.bind(args);
    super();
    this._set_lambdas(optimizer, lr_lambda);
    super.__init__(optimizer, last_epoch);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    return Array.from(zip(this.lr_lambdas, this.base_lrs), ([lr_lambda, base_lr]) =>
      mul(base_lr, call(lr_lambda, this.last_epoch)),
    );
  }
}

const MultiplicativeLR_init = new Init(
  "MultiplicativeLR.__init__(self, optimizer, lr_lambda, last_epoch=-1)",
  types<FunctionArgs>,
);

/** Multiplies the rate by `lr_lambda(epoch)`. */
export class MultiplicativeLR extends FunctionLR {
  static {
    def_methods(MultiplicativeLR, { __init__: MultiplicativeLR_init, get_lr: "(self)" });
  }

  constructor(...args: InitArgs<typeof MultiplicativeLR_init>) {
    const [optimizer, lr_lambda, last_epoch] = MultiplicativeLR_init.bind(args);
    super();
    this._set_lambdas(optimizer, lr_lambda);
    for (const fn of this.lr_lambdas)
      if (!is_callable(fn)) throw new TypeError_(`lr_lambda should be a function, but got ${python_type(fn)}`);
    super.__init__(optimizer, last_epoch);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    if (this._is_initial) return this._group_lrs();
    return Array.from(zip(this.lr_lambdas, this._group_lrs()), ([lr_lambda, lr]) =>
      mul(lr, call(lr_lambda, this.last_epoch)),
    );
  }
}
