/**
 * @file A scheduler that watches a metric and lowers the rate when the metric stops improving.
 * @mirrors torch/optim/lr_scheduler.py#ReduceLROnPlateau
 */

import { RuntimeError, ValueError, warn } from "#c10/util/Exception";
import { PyObject_RichCompareBool, py_str } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Optimizer } from "#torch/optim/optimizer/index";
import { float } from "#torch/optim/python_operators";
import {
  _param_groups_val_list,
  _update_param_group_val,
  check_optimizer,
  EPOCH_DEPRECATION_WARNING,
  LRScheduler,
  type SchedulerState,
} from "./base.ts";

type Mode = "min" | "max";
type ThresholdMode = "rel" | "abs";

const ReduceLROnPlateau_init = new Init(
  "ReduceLROnPlateau.__init__(self, optimizer, mode='min', factor=0.1, patience=10, threshold=0.0001, threshold_mode='rel', cooldown=0, min_lr=0, eps=1e-08)",
  types<
    [
      optimizer: Optimizer,
      mode: Mode,
      factor: number,
      patience: number,
      threshold: number,
      threshold_mode: ThresholdMode,
      cooldown: number,
      min_lr: number | readonly number[],
      eps: number,
    ]
  >,
);

/** Multiplies the rate by `factor` when the metric given to `step` has not improved for more than `patience` epochs. */
export class ReduceLROnPlateau extends LRScheduler {
  declare factor: number;
  declare default_min_lr: number | null;
  declare min_lrs: number[];
  declare patience: number;
  declare cooldown: number;
  declare eps: number;
  declare mode_worse: number;
  declare mode: Mode;
  declare threshold: number;
  declare threshold_mode: ThresholdMode;
  declare best: number;
  declare cooldown_counter: number;
  declare num_bad_epochs: number;

  static {
    def_methods(ReduceLROnPlateau, {
      __init__: ReduceLROnPlateau_init,
      step: "(self, metrics, epoch=None)",
      load_state_dict: "(self, state_dict: dict)",
    });
  }

  constructor(...args: InitArgs<typeof ReduceLROnPlateau_init>) {
    const [optimizer, mode, factor, patience, threshold, threshold_mode, cooldown, min_lr, eps] =
      ReduceLROnPlateau_init.bind(args);
    if (PyObject_RichCompareBool(factor, ">=", 1, "float")) throw new ValueError("Factor should be < 1.0.");
    super();
    this.factor = factor;
    check_optimizer(optimizer);
    this.optimizer = optimizer;
    const n = optimizer.param_groups.length;
    if (typeof min_lr === "object" && min_lr !== null && Symbol.iterator in min_lr) {
      if (min_lr.length !== n) throw new ValueError(`expected ${n} min_lrs, got ${min_lr.length}`);
      this.default_min_lr = null;
      this.min_lrs = [...min_lr];
    } else {
      this.default_min_lr = min_lr;
      this.min_lrs = new Array<number>(n).fill(min_lr);
    }
    this.patience = patience;
    this.cooldown = cooldown;
    this.eps = eps;
    this.last_epoch = 0;
    this._last_lr = _param_groups_val_list(optimizer, "lr");
    this._init_is_better(mode, threshold, threshold_mode);
    this._reset();
  }

  _reset(): void {
    this.best = this.mode_worse;
    this.cooldown_counter = 0;
    this.num_bad_epochs = 0;
  }

  override step(...args: Args<"(self, metrics, epoch=None)", [metrics: unknown, epoch: number | null]>): void;
  override step(metrics: unknown, epoch?: number | null): void {
    const current = float(metrics);
    if (epoch !== null && epoch !== undefined) warn("UserWarning", EPOCH_DEPRECATION_WARNING);
    this.last_epoch = epoch ?? this.last_epoch + 1;
    if (this._is_better(current, this.best)) {
      this.best = current;
      this.num_bad_epochs = 0;
    } else {
      this.num_bad_epochs += 1;
    }
    if (this.in_cooldown) {
      this.cooldown_counter -= 1;
      this.num_bad_epochs = 0; // bad epochs during the cooldown do not count
    }
    if (this.num_bad_epochs > this.patience) {
      this._reduce_lr();
      this.cooldown_counter = this.cooldown;
      this.num_bad_epochs = 0;
    }
    this._last_lr = _param_groups_val_list(this.optimizer, "lr");
  }

  _reduce_lr(): void {
    const { param_groups } = this.optimizer;
    if (param_groups.length !== this.min_lrs.length) {
      if (this.default_min_lr === null)
        throw new RuntimeError(
          "The number of param groups in the `optimizer` " +
            `(${param_groups.length}) differs ` +
            "from when `ReduceLROnPlateau` was initialized " +
            `(${this.min_lrs.length}), usually due to a new ` +
            "param group being added to the optimizer. Please " +
            "modify the `min_lrs` field to match the length " +
            "of the `optimizer` param groups.",
        );
      this.min_lrs = new Array<number>(param_groups.length).fill(this.default_min_lr);
    }
    param_groups.forEach((group, i) => {
      const old_lr = float(group["lr"]);
      const new_lr = Math.max(old_lr * this.factor, this.min_lrs[i]);
      if (old_lr - new_lr > this.eps) _update_param_group_val(group, "lr", new_lr);
    });
  }

  get in_cooldown(): boolean {
    return this.cooldown_counter > 0;
  }

  _is_better(a: number, best: number): boolean {
    const { mode, threshold, threshold_mode } = this;
    if (mode === "min") return threshold_mode === "rel" ? a < best * (1 - threshold) : a < best - threshold;
    return threshold_mode === "rel" ? a > best * (threshold + 1) : a > best + threshold;
  }

  _init_is_better(mode: Mode, threshold: number, threshold_mode: ThresholdMode): void {
    if (mode !== "min" && mode !== "max") throw new ValueError(`mode ${py_str(mode)} is unknown!`);
    if (threshold_mode !== "rel" && threshold_mode !== "abs")
      throw new ValueError(`threshold mode ${py_str(threshold_mode)} is unknown!`);
    this.mode_worse = mode === "min" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    this.mode = mode;
    this.threshold = threshold;
    this.threshold_mode = threshold_mode;
  }

  override load_state_dict(state_dict: SchedulerState): void {
    this._update_attributes(state_dict);
    this._init_is_better(this.mode, this.threshold, this.threshold_mode);
  }
}
