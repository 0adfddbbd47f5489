/**
 * @file Schedulers that multiply the rate: at certain epochs, by a constant, linearly, or by a power.
 * @mirrors torch/optim/lr_scheduler.py#StepLR
 */

import { ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, PySequence_Tuple } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Optimizer } from "#torch/optim/optimizer/index";
import { div, mod, mul, type NumberOrTensor } from "#torch/optim/python_operators";
import { _warn_get_lr_called_within_step, LRScheduler } from "./base.ts";

/** The number of sorted `milestones` at or before `epoch`. */
export function bisect_right(milestones: readonly number[], epoch: number): number {
  const i = milestones.findIndex((milestone) => milestone > epoch);
  return i === -1 ? milestones.length : i;
}

/** The rate of each group, times `factor`. */
function times(lrs: readonly NumberOrTensor[], factor: number): NumberOrTensor[] {
  return lrs.map((lr) => mul(lr, factor));
}

const StepLR_init = new Init(
  "StepLR.__init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1)",
  types<[optimizer: Optimizer, step_size: number, gamma: number, last_epoch: number]>,
);

/** Multiplies the rate by `gamma` every `step_size` epochs. */
export class StepLR extends LRScheduler {
  declare step_size: number;
  declare gamma: number;

  static {
    def_methods(StepLR, { __init__: StepLR_init, get_lr: "(self)" });
  }

  constructor(...args: InitArgs<typeof StepLR_init>) {
    const [optimizer, step_size, gamma, last_epoch] = StepLR_init.bind(args);
    super();
    this.step_size = step_size;
    this.gamma = gamma;
    super.__init__(optimizer, last_epoch);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    const lrs = this._group_lrs();
    if (this.last_epoch === 0 || mod(this.last_epoch, this.step_size) !== 0) return lrs;
    return times(lrs, this.gamma);
  }

  override _get_closed_form_lr(): NumberOrTensor[] {
    return times(this.base_lrs, this.gamma ** Math.floor(this.last_epoch / this.step_size));
  }
}

const MultiStepLR_init = new Init(
  "MultiStepLR.__init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1)",
  types<[optimizer: Optimizer, milestones: Iterable<number>, gamma: number, last_epoch: number]>,
);

/** Multiplies the rate by `gamma` at each of `milestones`. */
export class MultiStepLR extends LRScheduler {
  /** Epoch -> how many times it occurs among the milestones. */
  declare milestones: Map<number, number>;
  declare gamma: number;

  static {
    def_methods(MultiStepLR, { __init__: MultiStepLR_init, get_lr: "(self)" });
  }

  constructor(...args: InitArgs<typeof MultiStepLR_init>) {
    const [optimizer, milestones, gamma, last_epoch] = MultiStepLR_init.bind(args);
    super();
    this.milestones = new Map();
    for (const epoch of PySequence_Tuple(milestones)) this.milestones.set(epoch, (this.milestones.get(epoch) ?? 0) + 1);
    this.gamma = gamma;
    super.__init__(optimizer, last_epoch);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    const lrs = this._group_lrs();
    const count = this.milestones.get(this.last_epoch);
    return count === undefined ? lrs : times(lrs, this.gamma ** count);
  }

  override _get_closed_form_lr(): NumberOrTensor[] {
    const milestones = [...this.milestones].flatMap(([epoch, count]) => new Array<number>(count).fill(epoch));
    milestones.sort((a, b) => a - b);
    return times(this.base_lrs, this.gamma ** bisect_right(milestones, this.last_epoch));
  }
}

const ConstantLR_init = new Init(
  "ConstantLR.__init__(self, optimizer, factor=0.3333333333333333, total_iters=5, last_epoch=-1)",
  types<[optimizer: Optimizer, factor: number, total_iters: number, last_epoch: number]>,
);

/** Multiplies the rate by `factor` until epoch `total_iters`, then restores it. */
export class ConstantLR extends LRScheduler {
  declare factor: number;
  declare total_iters: number;

  static {
    def_methods(ConstantLR, { __init__: ConstantLR_init, get_lr: "(self)" });
  }

  constructor(...args: InitArgs<typeof ConstantLR_init>) {
    const [optimizer, factor, total_iters, last_epoch] = ConstantLR_init.bind(args);
    if (PyObject_RichCompareBool(factor, ">", 1, "float") || PyObject_RichCompareBool(factor, "<", 0, "int"))
      throw new ValueError("Constant multiplicative factor expected to be between 0 and 1.");
    super();
    this.factor = factor;
    this.total_iters = total_iters;
    super.__init__(optimizer, last_epoch);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    const lrs = this._group_lrs();
    if (this.last_epoch === 0) return times(lrs, this.factor);
    return this.last_epoch === this.total_iters ? times(lrs, div(1, this.factor)) : lrs;
  }

  override _get_closed_form_lr(): NumberOrTensor[] {
    const over = this.last_epoch >= this.total_iters ? 1 : 0;
    return times(this.base_lrs, this.factor + over * (1 - this.factor));
  }
}

const LinearLR_init = new Init(
  "LinearLR.__init__(self, optimizer, start_factor=0.3333333333333333, end_factor=1.0, total_iters=5, last_epoch=-1)",
  types<[optimizer: Optimizer, start_factor: number, end_factor: number, total_iters: number, last_epoch: number]>,
);

/** Changes the factor of the rate linearly from `start_factor` to `end_factor` within `total_iters` epochs. */
export class LinearLR extends LRScheduler {
  declare start_factor: number;
  declare end_factor: number;
  declare total_iters: number;

  static {
    def_methods(LinearLR, { __init__: LinearLR_init, get_lr: "(self)" });
  }

  constructor(...args: InitArgs<typeof LinearLR_init>) {
    const [optimizer, start_factor, end_factor, total_iters, last_epoch] = LinearLR_init.bind(args);
    if (
      PyObject_RichCompareBool(start_factor, ">", 1, "float") ||
      PyObject_RichCompareBool(start_factor, "<=", 0, "int")
    )
      throw new ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.");
    if (PyObject_RichCompareBool(end_factor, ">", 1, "float") || PyObject_RichCompareBool(end_factor, "<", 0, "int"))
      throw new ValueError("Ending multiplicative factor expected to be between 0 and 1.");
    super();
    this.start_factor = start_factor;
    this.end_factor = end_factor;
    this.total_iters = total_iters;
    super.__init__(optimizer, last_epoch);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    const lrs = this._group_lrs();
    if (this.last_epoch === 0) return times(lrs, this.start_factor);
    if (this._is_initial || this.last_epoch > this.total_iters) return lrs;
    const rise = this.end_factor - this.start_factor;
    return times(lrs, 1 + div(rise, this.total_iters * this.start_factor + (this.last_epoch - 1) * rise));
  }

  override _get_closed_form_lr(): NumberOrTensor[] {
    const { start_factor, end_factor, total_iters, last_epoch } = this;
    const risen = ((end_factor - start_factor) * Math.min(total_iters, last_epoch)) / total_iters;
    return times(this.base_lrs, start_factor + risen);
  }
}

const ExponentialLR_init = new Init(
  "ExponentialLR.__init__(self, optimizer, gamma, last_epoch=-1)",
  types<[optimizer: Optimizer, gamma: number, last_epoch: number]>,
);

/** Multiplies the rate by `gamma` every epoch. */
export class ExponentialLR extends LRScheduler {
  declare gamma: number;

  static {
    def_methods(ExponentialLR, { __init__: ExponentialLR_init, get_lr: "(self)" });
  }

  constructor(...args: InitArgs<typeof ExponentialLR_init>) {
    const [optimizer, gamma, last_epoch] = ExponentialLR_init.bind(args);
    super();
    this.gamma = gamma;
    super.__init__(optimizer, last_epoch);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    return this._is_initial ? this._group_lrs() : times(this._group_lrs(), this.gamma);
  }

  override _get_closed_form_lr(): NumberOrTensor[] {
    return times(this.base_lrs, this.gamma ** this.last_epoch);
  }
}

const PolynomialLR_init = new Init(
  "PolynomialLR.__init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1)",
  types<[optimizer: Optimizer, total_iters: number, power: number, last_epoch: number]>,
);

/** Decreases the rate to 0 by a power of the remaining part of `total_iters`. */
export class PolynomialLR extends LRScheduler {
  declare total_iters: number;
  declare power: number;

  static {
    def_methods(PolynomialLR, { __init__: PolynomialLR_init, get_lr: "(self)" });
  }

  constructor(...args: InitArgs<typeof PolynomialLR_init>) {
    const [optimizer, total_iters, power, last_epoch] = PolynomialLR_init.bind(args);
    super();
    this.total_iters = total_iters;
    this.power = power;
    super.__init__(optimizer, last_epoch);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    const { total_iters, last_epoch, power } = this;
    if (this._is_initial || last_epoch > total_iters) return this._group_lrs();
    const decay_factor = ((1 - last_epoch / total_iters) / (1 - (last_epoch - 1) / total_iters)) ** power;
    return times(this._group_lrs(), decay_factor);
  }

  override _get_closed_form_lr(): NumberOrTensor[] {
    const { total_iters, last_epoch, power } = this;
    return times(this.base_lrs, (1 - Math.min(total_iters, last_epoch) / total_iters) ** power);
  }
}
