/**
 * @file Schedulers that raise and lower the rate, and the momentum in the opposite direction: in cycles, or once.
 * @mirrors torch/optim/lr_scheduler.py#CyclicLR
 */
import { ValueError } from "#c10/util/Exception";
import { PyNumber_Float, PyObject_RichCompareBool, py_format } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { getitem } from "#torch/optim/optimizer/helpers";
import type { Optimizer } from "#torch/optim/optimizer/index";
import type { ParamGroup } from "#torch/optim/optimizer/types";
import { add, div, mul, type NumberOrTensor, sub } from "#torch/optim/python_operators";
import {
  _format_param,
  _update_param_group_val,
  _warn_get_lr_called_within_step,
  check_optimizer,
  LRScheduler,
  type SchedulerState,
  zip,
} from "./base.ts";
import { type Callable, call, saved_attributes } from "./lambda.ts";

type PerGroup = number | readonly number[];

/** Base class of schedulers that also change the momentum: the option `momentum`, or the first of `betas`. */
abstract class MomentumLR extends LRScheduler {
  declare cycle_momentum: boolean;
  declare use_beta1: boolean;

  /** Sets the bounds of the momentum, one pair for each group; a new scheduler starts at the upper bound. */
  protected _set_momentums(
    base_momentum: NumberOrTensor | readonly NumberOrTensor[],
    max_momentum: NumberOrTensor | readonly NumberOrTensor[],
    last_epoch: number,
    keep: (base: NumberOrTensor[], max: NumberOrTensor[]) => void,
  ): void {
    const { optimizer } = this;
    if (!("momentum" in optimizer.defaults) && !("betas" in optimizer.defaults))
      throw new ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled");
    this.use_beta1 = "betas" in optimizer.defaults;
    const base = _format_param("base_momentum", optimizer, base_momentum);
    const max = _format_param("max_momentum", optimizer, max_momentum);
    keep(base, max);
    if (last_epoch !== -1) return;
    optimizer.param_groups.forEach((group, i) => {
      this._set_momentum(group, max[i]);
      group["max_momentum"] = max[i];
      group["base_momentum"] = base[i];
    });
  }

  protected _set_momentum(group: ParamGroup, momentum: NumberOrTensor): void {
    if (this.use_beta1) group["betas"] = [momentum, ...group["betas"].slice(1)];
    else group["momentum"] = momentum;
  }
}

const CyclicLR_init = new Init(
  "CyclicLR.__init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode='triangular', gamma=1.0, scale_fn=None, scale_mode='cycle', cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1)",
  types<
    [
      optimizer: Optimizer,
      base_lr: PerGroup,
      max_lr: PerGroup,
      step_size_up: number,
      step_size_down: number | null,
      mode: "triangular" | "triangular2" | "exp_range",
      gamma: number,
      scale_fn: Callable | null,
      scale_mode: "cycle" | "iterations",
      cycle_momentum: boolean,
      base_momentum: PerGroup,
      max_momentum: PerGroup,
      last_epoch: number,
    ]
  >,
);

/** Cyclic rate: from `base_lr` up to `max_lr` and down again, repeatedly; the cycles may become lower. */
export class CyclicLR extends MomentumLR {
  declare max_lrs: NumberOrTensor[];
  declare total_size: number;
  declare step_ratio: number;
  declare mode: string;
  declare gamma: number;
  declare _scale_fn_custom: Callable | null;
  declare scale_mode: string;
  declare _scale_fn_ref: (x: number) => number;
  declare base_momentums: NumberOrTensor[];
  declare max_momentums: NumberOrTensor[];

  static {
    def_methods(CyclicLR, {
      __init__: CyclicLR_init,
      scale_fn: "(self, x)",
      get_lr: "(self)",
      state_dict: "(self)",
      load_state_dict: "(self, state_dict: dict)",
    });
  }

  constructor(...args: InitArgs<typeof CyclicLR_init>) {
    const [optimizer, base_lr, max_lr, up, down, mode, gamma, scale_fn, scale_mode, cycle_momentum, ...momentums] =
      CyclicLR_init.bind(args);
    super();
    check_optimizer(optimizer);
    this.optimizer = optimizer;
    const base_lrs = _format_param("base_lr", optimizer, base_lr);
    const [base_momentum, max_momentum, last_epoch] = momentums;
    if (last_epoch === -1)
      for (const [lr, group] of zip(base_lrs, optimizer.param_groups)) _update_param_group_val(group, "lr", lr);
    this.max_lrs = _format_param("max_lr", optimizer, max_lr);
    const float_up = PyNumber_Float(up);
    this.total_size = float_up + (down === null ? float_up : PyNumber_Float(down));
    this.step_ratio = div(float_up, this.total_size);
    if (!["triangular", "triangular2", "exp_range"].includes(mode) && scale_fn === null)
      throw new ValueError("mode is invalid and scale_fn is None");
    this.mode = mode;
    this.gamma = gamma;
    this._scale_fn_custom = scale_fn;
    this.scale_mode = scale_mode;
    this._init_scale_fn();
    this.cycle_momentum = cycle_momentum;
    if (cycle_momentum)
      this._set_momentums(base_momentum, max_momentum, last_epoch, (base, max) => {
        this.base_momentums = base;
        this.max_momentums = max;
      });
    super.__init__(optimizer, last_epoch);
    this.base_lrs = base_lrs;
  }

  private _init_scale_fn(): void {
    if (this._scale_fn_custom !== null) return;
    if (this.mode === "triangular") this._scale_fn_ref = () => 1;
    else if (this.mode === "triangular2") this._scale_fn_ref = (x) => 1 / 2 ** (x - 1);
    else if (this.mode === "exp_range") this._scale_fn_ref = (x) => this.gamma ** x;
    this.scale_mode = this.mode === "exp_range" ? "iterations" : "cycle";
  }

  /** The height of the cycle, or of the step, `x`. */
  scale_fn(x: number): number {
    return this._scale_fn_custom === null ? this._scale_fn_ref(x) : call(this._scale_fn_custom, x);
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    const { last_epoch, total_size, step_ratio } = this;
    const cycle = Math.floor(1 + last_epoch / total_size);
    const x = 1 + last_epoch / total_size - cycle;
    const scale_factor = x <= step_ratio ? div(x, step_ratio) : div(x - 1, step_ratio - 1);
    const height = (low: NumberOrTensor, high: NumberOrTensor): NumberOrTensor =>
      mul(mul(sub(high, low), scale_factor), this.scale_fn(this.scale_mode === "cycle" ? cycle : last_epoch));
    const lrs = Array.from(zip(this.base_lrs, this.max_lrs), ([base, max]) => add(base, height(base, max)));
    if (this.cycle_momentum) {
      const momentums = Array.from(zip(this.base_momentums, this.max_momentums), ([base, max]) =>
        sub(max, height(base, max)),
      );
      for (const [group, momentum] of zip(this.optimizer.param_groups, momentums)) this._set_momentum(group, momentum);
    }
    return lrs;
  }

  override state_dict(): SchedulerState {
    const fn = this._scale_fn_custom;
    return {
      ...this._attributes("optimizer", "_scale_fn_ref", "_scale_fn_custom"),
      _scale_fn_custom: fn === null ? null : saved_attributes(fn),
    };
  }

  override load_state_dict(state_dict: SchedulerState): void {
    const { _scale_fn_custom: fn, ...others } = state_dict;
    this._update_attributes(others);
    if (fn !== null) Object.assign(this._scale_fn_custom as object, fn);
    this._init_scale_fn();
  }
}

/** The attributes of a group that hold the ends of a phase. */
interface _SchedulePhase {
  readonly end_step: number;
  readonly start_lr: string;
  readonly end_lr: string;
  readonly start_momentum: string;
  readonly end_momentum: string;
}

function phase(
  end_step: number,
  [start_lr, end_lr]: readonly [string, string],
  [start_momentum, end_momentum]: readonly [string, string],
): _SchedulePhase {
  return { end_step, start_lr, end_lr, start_momentum, end_momentum };
}

const OneCycleLR_init = new Init(
  "OneCycleLR.__init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy='cos', cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=10000.0, three_phase=False, last_epoch=-1)",
  types<
    [
      optimizer: Optimizer,
      max_lr: PerGroup,
      total_steps: number | null,
      epochs: number | null,
      steps_per_epoch: number | null,
      pct_start: number,
      anneal_strategy: "cos" | "linear",
      cycle_momentum: boolean,
      base_momentum: PerGroup,
      max_momentum: PerGroup,
      div_factor: number,
      final_div_factor: number,
      three_phase: boolean,
      last_epoch: number,
    ]
  >,
);

function steps_in_all(total_steps: number | null, epochs: number | null, steps_per_epoch: number | null): number {
  const check = (name: string, value: number): number => {
    if (PyObject_RichCompareBool(value, "<=", 0, "int") || !Number.isInteger(value))
      throw new ValueError(`Expected positive integer ${name}, but got ${py_format(value)}`);
    return value;
  };
  if (total_steps !== null) return check("total_steps", total_steps);
  if (epochs === null || steps_per_epoch === null)
    throw new ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)");
  return check("epochs", epochs) * check("steps_per_epoch", steps_per_epoch);
}

/** One cycle: up to `max_lr`, then down to almost 0. */
export class OneCycleLR extends MomentumLR {
  declare total_steps: number;
  declare _schedule_phases: _SchedulePhase[];
  declare _anneal_func_type: "cos" | "linear";

  static {
    def_methods(OneCycleLR, { __init__: OneCycleLR_init, get_lr: "(self)" });
  }

  constructor(...args: InitArgs<typeof OneCycleLR_init>) {
    const [optimizer, max_lr, total_steps, epochs, steps_per_epoch, pct_start, anneal_strategy, ...others] =
      OneCycleLR_init.bind(args);
    const [cycle_momentum, base_momentum, max_momentum, div_factor, final_div_factor, three_phase, last_epoch] = others;
    super();
    check_optimizer(optimizer);
    this.optimizer = optimizer;
    this.total_steps = steps_in_all(total_steps, epochs, steps_per_epoch);
    this._schedule_phases = this._phases(pct_start, three_phase);
    if (!(pct_start >= 0 && pct_start <= 1))
      throw new ValueError(`Expected float between 0 and 1 pct_start, but got ${py_format(pct_start)}`);
    if (anneal_strategy !== "cos" && anneal_strategy !== "linear")
      throw new ValueError(`anneal_strategy must be one of 'cos' or 'linear', instead got ${anneal_strategy}`);
    this._anneal_func_type = anneal_strategy;
    const max_lrs = _format_param("max_lr", optimizer, max_lr);
    if (last_epoch === -1)
      optimizer.param_groups.forEach((group, i) => {
        group["initial_lr"] = div(max_lrs[i], div_factor);
        group["max_lr"] = max_lrs[i];
        group["min_lr"] = div(group["initial_lr"], final_div_factor);
      });
    this.cycle_momentum = cycle_momentum;
    if (cycle_momentum) this._set_momentums(base_momentum, max_momentum, last_epoch, () => {});
    super.__init__(optimizer, last_epoch);
  }

  private _phases(pct_start: number, three_phase: boolean): _SchedulePhase[] {
    const n = this.total_steps;
    const up = phase(pct_start * n - 1, ["initial_lr", "max_lr"], ["max_momentum", "base_momentum"]);
    if (!three_phase) return [up, phase(n - 1, ["max_lr", "min_lr"], ["base_momentum", "max_momentum"])];
    return [
      up,
      phase(2 * pct_start * n - 2, ["max_lr", "initial_lr"], ["base_momentum", "max_momentum"]),
      phase(n - 1, ["initial_lr", "min_lr"], ["max_momentum", "max_momentum"]),
    ];
  }

  _anneal_func(start: NumberOrTensor, end: NumberOrTensor, pct: number): NumberOrTensor {
    if (this._anneal_func_type === "linear") return add(mul(sub(end, start), pct), start);
    return add(end, mul(div(sub(start, end), 2), Math.cos(Math.PI * pct) + 1));
  }

  override get_lr(): NumberOrTensor[] {
    _warn_get_lr_called_within_step(this);
    const step_num = this.last_epoch;
    if (step_num > this.total_steps)
      throw new ValueError(
        `Tried to step ${step_num} times. The specified number of total steps is ${this.total_steps}`,
      );
    const phases = this._schedule_phases;
    const found = phases.findIndex(({ end_step }) => step_num <= end_step);
    const at = found === -1 ? phases.length - 1 : found;
    const now = phases[at];
    const start_step = at === 0 ? 0 : phases[at - 1].end_step;
    const pct = div(step_num - start_step, now.end_step - start_step);
    return this.optimizer.param_groups.map((group) => {
      const between = (start: string, end: string) =>
        this._anneal_func(getitem(group, start), getitem(group, end), pct);
      const lr = between(now.start_lr, now.end_lr);
      if (this.cycle_momentum) this._set_momentum(group, between(now.start_momentum, now.end_momentum));
      return lr;
    });
  }
}
