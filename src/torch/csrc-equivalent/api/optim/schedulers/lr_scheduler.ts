/**
 * @file Base class of schedulers, which change the learning rates of an optimizer's groups.
 * @mirrors torch/csrc/api/include/torch/optim/schedulers/lr_scheduler.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import type { OptimizerOptions, OptimizerParamGroup } from "../optimizer.ts";

/** An optimizer, as far as a scheduler needs it. */
export interface Scheduled {
  param_groups(): readonly OptimizerParamGroup<OptimizerOptions>[];
}

export abstract class LRScheduler {
  private readonly optimizer_: Scheduled;
  protected step_count_ = 0;

  constructor(optimizer: Scheduled) {
    this.optimizer_ = optimizer;
  }
  /** The rates for the next step, one for each group. */
  protected abstract get_lrs(): number[];

  step(): void {
    const learning_rates = this.get_lrs();
    const groups = this.optimizer_.param_groups();
    TORCH_CHECK(
      learning_rates.length === groups.length,
      "Number of learning rates not equal to the number of param groups\n",
      `Number of learning rates given: ${learning_rates.length}\nNumber of param groups: ${groups.length}`,
    );
    for (const [i, group] of groups.entries()) group.options().lr(learning_rates[i]);
    this.step_count_++;
  }
  protected get_current_lrs(): number[] {
    return this.optimizer_.param_groups().map((group) => group.options().lr());
  }
}
