/**
 * @file Modules of the losses.
 * @mirrors torch/nn/modules/loss.py
 */
import type { Tensor } from "#torch/_tensor";
import type { Reduction } from "#torch/nn/_reduction";
import * as F from "#torch/nn/functional";
import { Module } from "./module.ts";

abstract class _Loss extends Module<[input: Tensor, target: Tensor], Tensor> {
  reduction: Reduction;

  constructor(reduction: Reduction = "mean") {
    super();
    this.reduction = reduction;
  }
}

abstract class _WeightedLoss extends _Loss {
  declare weight: Tensor | null;

  constructor(weight: Tensor | null = null, reduction: Reduction = "mean") {
    super(reduction);
    this.register_buffer("weight", weight);
  }
}

export interface CrossEntropyKwargs {
  weight?: Tensor | null;
  ignore_index?: number;
  reduction?: Reduction;
  label_smoothing?: number;
}

/** Cross entropy of unnormalized scores `(N, C, ...)` against classes `(N, ...)` or probabilities. */
export class CrossEntropyLoss extends _WeightedLoss {
  ignore_index: number;
  label_smoothing: number;

  constructor({
    weight = null,
    ignore_index = -100,
    reduction = "mean",
    label_smoothing = 0,
  }: CrossEntropyKwargs = {}) {
    super(weight, reduction);
    this.ignore_index = ignore_index;
    this.label_smoothing = label_smoothing;
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    const { weight, ignore_index, reduction, label_smoothing } = this;
    return F.cross_entropy(input, target, { weight, ignore_index, reduction, label_smoothing });
  }
}

/** Negative log likelihood of log-probabilities `(N, C, ...)`. */
export class NLLLoss extends _WeightedLoss {
  ignore_index: number;

  constructor({
    weight = null,
    ignore_index = -100,
    reduction = "mean",
  }: Omit<CrossEntropyKwargs, "label_smoothing"> = {}) {
    super(weight, reduction);
    this.ignore_index = ignore_index;
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    const { weight, ignore_index, reduction } = this;
    return F.nll_loss(input, target, { weight, ignore_index, reduction });
  }
}
