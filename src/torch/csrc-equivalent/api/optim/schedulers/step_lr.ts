/**
 * @file Multiplies the learning rate by `gamma` every `step_size` steps.
 * @mirrors torch/csrc/api/include/torch/optim/schedulers/step_lr.h
 */
import { LRScheduler, type Scheduled } from "./lr_scheduler.ts";

export class StepLR extends LRScheduler {
  private readonly step_size_: number;
  private readonly gamma_: number;

  constructor(optimizer: Scheduled, step_size: number, gamma = 0.1) {
    super(optimizer);
    this.step_size_ = step_size;
    this.gamma_ = gamma;
  }
  protected override get_lrs(): number[] {
    const unchanged = this.step_count_ === 0 || this.step_count_ % this.step_size_ !== 0;
    return this.get_current_lrs().map((lr) => (unchanged ? lr : lr * this.gamma_));
  }
}
