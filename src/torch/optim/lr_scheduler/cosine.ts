/**
 * @file Schedulers along a half cosine: down and up again, or down with restarts.
 * @mirrors torch/optim/lr_scheduler.py#CosineAnnealingLR
 */
import { ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, py_format, THPUtils_checkDouble } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { type_repr } from "#torch/_utils/index";
import type { Optimizer } from "#torch/optim/optimizer/index";
import { add, div, mod, mul, type NumberOrTensor, sub } from "#torch/optim/python_operators";
import { _warn_get_lr_called_within_step, LRScheduler, zip } from "./base.ts";

const { PI, cos, floor } = Math;

/** A rate between `base_lr` (at angle 0) and `eta_min` (at pi). */
function cosine(base_lr: NumberOrTensor, eta_min: number, angle: number): NumberOrTensor {
  return add(eta_min, div(mul(sub(base_lr, eta_min), 1 + cos(angle)), 2));
}

const CosineAnnealingLR_init = new Init(
  "CosineAnnealingLR.__init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1)",
  types<[optimizer: Optimizer, T_max: number, eta_min: number, last_epoch: number]>,
);

/**
 * Cosine annealing: the rate falls to `eta_min` in `T_max` epochs, then rises again.
 *
 * Note [Chainable and closed form]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * `get_lr` computes the next rate from the current rate of the group, so changes by other schedulers are kept. `_get_closed_form_lr` uses
 * only the initial rate and the epoch. At the rate `eta_min` the quotient of two cosines would be 0/0, so their difference is used.
 */
export class CosineAnnealingLR extends LRScheduler {
  declare T_max: number;
  declare eta_min: number;

  static {
    def_methods(CosineAnnealingLR, { __init__: CosineAnnealingLR_init, get_lr: "(self)" });
  }

  constructor(...args: InitArgs<typeof CosineAnnealingLR_init>) {
    const [optimizer, T_max, eta_min, last_epoch] = CosineAnnealingLR_init.bind(args);
    super();
    this.T_max = T_max;
    this.eta_min = eta_min;
    super.__init__(optimizer, last_epoch);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    const { last_epoch, T_max, eta_min } = this;
    if (this._is_initial) return this._group_lrs();
    const lrs = this._group_lrs();
    if (this._step_count === 1 && last_epoch > 0)
      return Array.from(zip(this.base_lrs, lrs), ([base_lr]) => cosine(base_lr, eta_min, (last_epoch * PI) / T_max));
    if (mod(last_epoch - 1 - T_max, 2 * T_max) === 0) {
      const difference = 1 - cos(PI / T_max);
      return Array.from(zip(this.base_lrs, lrs), ([base_lr, lr]) =>
        add(lr, div(mul(sub(base_lr, eta_min), difference), 2)),
      );
    }
    const quotient = (1 + cos((PI * last_epoch) / T_max)) / (1 + cos((PI * (last_epoch - 1)) / T_max));
    return lrs.map((lr) => add(mul(quotient, sub(lr, eta_min)), eta_min));
  }

  override _get_closed_form_lr(): NumberOrTensor[] {
    return this.base_lrs.map((base_lr) => cosine(base_lr, this.eta_min, (PI * this.last_epoch) / this.T_max));
  }
}

const CosineAnnealingWarmRestarts_init = new Init(
  "CosineAnnealingWarmRestarts.__init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1)",
  types<[optimizer: Optimizer, T_0: number, T_mult: number, eta_min: number, last_epoch: number]>,
);

/**
 * Cosine annealing with restarts: the rate falls to `eta_min` in `T_i` epochs and jumps back; each run is `T_mult` times as long as the one
 * before.
 */
export class CosineAnnealingWarmRestarts extends LRScheduler {
  declare T_0: number;
  declare T_i: number;
  declare T_mult: number;
  declare eta_min: number;
  declare T_cur: number;

  static {
    def_methods(CosineAnnealingWarmRestarts, {
      __init__: CosineAnnealingWarmRestarts_init,
      step: "(self, epoch=None)",
      get_lr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof CosineAnnealingWarmRestarts_init>) {
    const [optimizer, T_0, T_mult, eta_min, last_epoch] = CosineAnnealingWarmRestarts_init.bind(args);
    if (PyObject_RichCompareBool(T_0, "<=", 0, "int") || !Number.isInteger(T_0))
      throw new ValueError(`Expected positive integer T_0, but got ${py_format(T_0)}`);
    if (PyObject_RichCompareBool(T_mult, "<", 1, "int") || !Number.isInteger(T_mult))
      throw new ValueError(`Expected integer T_mult >= 1, but got ${py_format(T_mult)}`);
    if (!THPUtils_checkDouble(eta_min))
      throw new ValueError(
        `Expected float or int eta_min, but got ${py_format(eta_min)} of type ${type_repr(eta_min, "class")}`,
      );
    super();
    this.T_0 = T_0;
    this.T_i = T_0;
    this.T_mult = T_mult;
    this.eta_min = eta_min;
    this.T_cur = last_epoch;
    super.__init__(optimizer, last_epoch);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    return this.base_lrs.map((base_lr) => cosine(base_lr, this.eta_min, (PI * this.T_cur) / this.T_i));
  }

  /** Makes a step; the epoch may be given, and may be a fraction: `step(epoch + i / n)` within an epoch. */
  override step(given?: number | null): void {
    let epoch = given ?? null;
    if (epoch === null && this.last_epoch < 0) epoch = 0;
    if (epoch === null) {
      epoch = this.last_epoch + 1;
      this.T_cur += 1;
      if (this.T_cur >= this.T_i) {
        this.T_cur %= this.T_i;
        this.T_i *= this.T_mult;
      }
    } else {
      if (epoch < 0) throw new ValueError(`Expected non-negative epoch, but got ${py_format(epoch)}`);
      this._go_to(epoch);
    }
    this.last_epoch = floor(epoch);
    this._within_step(() => this._set_lr(this.get_lr()));
  }

  private _go_to(epoch: number): void {
    const { T_0, T_mult } = this;
    if (epoch < T_0) {
      this.T_i = T_0;
      this.T_cur = epoch;
    } else if (T_mult === 1) {
      this.T_cur = epoch % T_0;
    } else {
      const n = Math.trunc(Math.log((epoch / T_0) * (T_mult - 1) + 1) / Math.log(T_mult));
      this.T_cur = epoch - (T_0 * (T_mult ** n - 1)) / (T_mult - 1);
      this.T_i = T_0 * T_mult ** n;
    }
  }
}
