/**
 * @file Multiplies the learning rate by a factor when a number no longer gets better.
 * @mirrors torch/csrc/api/include/torch/optim/schedulers/reduce_on_plateau_scheduler.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { format_general } from "#c10/util/format_float";
import type { Scheduled } from "./lr_scheduler.ts";

/** Whether smaller numbers are better, or larger ones. */
export const SchedulerMode = { min: "min", max: "max" } as const;
export type SchedulerMode = (typeof SchedulerMode)[keyof typeof SchedulerMode];
/** Whether the threshold is a share of the best number, or a difference from it. */
export const ThresholdMode = { rel: "rel", abs: "abs" } as const;
export type ThresholdMode = (typeof ThresholdMode)[keyof typeof ThresholdMode];

const FLT_MAX = 3.4028234663852886e38;
const FLT_MIN = 1.1754943508222875e-38;

export class ReduceLROnPlateauScheduler {
  static readonly SchedulerMode = SchedulerMode;
  static readonly ThresholdMode = ThresholdMode;

  private readonly optimizer: Scheduled;
  private readonly mode: SchedulerMode;
  private readonly factor: number;
  private readonly patience: number;
  private readonly threshold: number;
  private readonly threshold_mode: ThresholdMode;
  private readonly cooldown: number;
  private readonly min_lrs: readonly number[];
  private readonly eps: number;
  private readonly verbose: boolean;
  private best = 0;
  private num_bad_epochs = 0;
  private cooldown_counter = 0;
  private last_epoch = 0;

  /**
   * @param patience how many steps without a better number are allowed
   * @param cooldown how many steps after a reduction do not count
   * @param min_lr the smallest rates, one for each group; none for 0
   * @param eps a smaller reduction is not made
   */
  constructor(
    optimizer: Scheduled,
    mode: SchedulerMode = SchedulerMode.min,
    factor = 0.1,
    patience = 10,
    threshold = 1e-4,
    threshold_mode: ThresholdMode = ThresholdMode.rel,
    cooldown = 0,
    min_lr: readonly number[] = [],
    eps = 1e-8,
    verbose = false,
  ) {
    const groups = optimizer.param_groups().length;
    TORCH_CHECK(
      min_lr.length === 0 || min_lr.length === groups,
      "Number of learning rates not equal to the number of param groups\n",
      `Number of learning rates given: ${min_lr.length}\nNumber of param groups: ${groups}`,
    );
    TORCH_CHECK(factor < 1, "Factor should be < 1.0.");
    this.optimizer = optimizer;
    this.mode = mode;
    this.factor = Math.fround(factor);
    this.patience = patience;
    this.threshold = threshold;
    this.threshold_mode = threshold_mode;
    this.cooldown = cooldown;
    this.min_lrs = min_lr.length === 0 ? Array(groups).fill(0) : min_lr.map(Math.fround);
    this.eps = eps;
    this.verbose = verbose;
    this.reset();
  }

  /** @param metrics the number that is watched; it is a float */
  step(metrics: number): void {
    this.last_epoch++;
    if (this.is_better(Math.fround(metrics))) {
      this.best = Math.fround(metrics);
      this.num_bad_epochs = 0;
    } else {
      this.num_bad_epochs++;
    }
    if (this.cooldown_counter > 0) {
      this.cooldown_counter--;
      this.num_bad_epochs = 0;
    }
    if (this.num_bad_epochs > this.patience) {
      this.reduce_lr(this.last_epoch);
      this.cooldown_counter = this.cooldown;
      this.num_bad_epochs = 0;
    }
  }

  private reset(): void {
    this.cooldown_counter = 0;
    this.num_bad_epochs = 0;
    this.last_epoch = 0;
    // As in C++, the first number of `max` must be larger than the smallest positive float.
    this.best = this.mode === "min" ? FLT_MAX : FLT_MIN;
  }
  private reduce_lr(epoch: number): void {
    for (const [i, group] of this.optimizer.param_groups().entries()) {
      const old_lr = group.options().lr();
      const new_lr = Math.max(old_lr * this.factor, this.min_lrs[i]);
      if (old_lr - new_lr <= this.eps) continue;
      group.options().lr(new_lr);
      if (this.verbose)
        console.log(`Epoch ${epoch}: reducing learning rate of group ${i} to ${format_general(new_lr, 4)}`);
    }
  }
  private is_better(a: number): boolean {
    const { best, threshold } = this;
    if (this.mode === "min") return this.threshold_mode === "rel" ? a < best * (1 - threshold) : a < best - threshold;
    // The second product is C++'s; a sum is meant.
    return this.threshold_mode === "rel" ? a > best * (1 + threshold) : a > best * threshold;
  }
}
