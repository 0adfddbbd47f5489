/**
 * @file The base classes of loss modules, and the losses for classes.
 * @mirrors torch/nn/modules/loss.py
 */
import { warn } from "#c10/util/Exception";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { legacy_get_string, type Reduction } from "#torch/nn/_reduction";
import * as F from "#torch/nn/functional/index";
import { Module } from "#torch/nn/modules/module/index";

export type Targeted = Args<"(self, input, target)", [input: Tensor, target: Tensor]>;
/** The old arguments `size_average` and `reduce`, which `reduction` replaces. */
export type Legacy = boolean | null;

export const _Loss_init = new Init(
  "_Loss.__init__(self, size_average=None, reduce=None, reduction='mean')",
  types<[size_average: Legacy, reduce: Legacy, reduction: Reduction]>,
);
export const _WeightedLoss_init = new Init(
  "_WeightedLoss.__init__(self, weight=None, size_average=None, reduce=None, reduction='mean')",
  types<[weight: Tensor | null, size_average: Legacy, reduce: Legacy, reduction: Reduction]>,
);

export abstract class _Loss<Call extends unknown[] = Targeted> extends Module<Call, Tensor> {
  reduction: Reduction;

  constructor(size_average: Legacy, reduce: Legacy, reduction: Reduction) {
    super();
    const legacy = size_average !== null || reduce !== null;
    this.reduction = legacy ? legacy_get_string(size_average, reduce) : reduction;
  }
}

export abstract class _WeightedLoss extends _Loss {
  declare weight: Tensor | null;

  constructor(weight: Tensor | null, size_average: Legacy, reduce: Legacy, reduction: Reduction) {
    super(size_average, reduce, reduction);
    this.register_buffer("weight", weight);
  }
}

const CrossEntropyLoss_init = new Init(
  "CrossEntropyLoss.__init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0)",
  types<
    [
      weight: Tensor | null,
      size_average: Legacy,
      ignore_index: number,
      reduce: Legacy,
      reduction: Reduction,
      label_smoothing: number,
    ]
  >,
);

/** Cross entropy between unnormalized scores `(N, C, ...)` and classes `(N, ...)` or probabilities. */
export class CrossEntropyLoss extends _WeightedLoss {
  static readonly __module__: string = "torch.nn.modules.loss";

  ignore_index: number;
  label_smoothing: number;

  static {
    def_methods(CrossEntropyLoss, { __init__: CrossEntropyLoss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof CrossEntropyLoss_init>) {
    const [weight, size_average, ignore_index, reduce, reduction, label_smoothing] = CrossEntropyLoss_init.bind(args);
    super(weight, size_average, reduce, reduction);
    this.ignore_index = ignore_index;
    this.label_smoothing = label_smoothing;
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    const { weight, ignore_index, reduction, label_smoothing } = this;
    return F.cross_entropy(input, target, { weight, ignore_index, reduction, label_smoothing });
  }
}

const NLLLoss_init = new Init(
  "NLLLoss.__init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean')",
  types<[weight: Tensor | null, size_average: Legacy, ignore_index: number, reduce: Legacy, reduction: Reduction]>,
);

/** Negative log likelihood loss for log-probabilities `(N, C, ...)`. */
export class NLLLoss extends _WeightedLoss {
  static readonly __module__: string = "torch.nn.modules.loss";

  ignore_index: number;

  static {
    def_methods(NLLLoss, { __init__: NLLLoss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof NLLLoss_init>) {
    const [weight, size_average, ignore_index, reduce, reduction] = NLLLoss_init.bind(args);
    super(weight, size_average, reduce, reduction);
    this.ignore_index = ignore_index;
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    const { weight, ignore_index, reduction } = this;
    return F.nll_loss(input, target, { weight, ignore_index, reduction });
  }
}

const NLLLoss2d_init = new Init(
  "NLLLoss2d.__init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean')",
  types<[weight: Tensor | null, size_average: Legacy, ignore_index: number, reduce: Legacy, reduction: Reduction]>,
);

/** Deprecated name of `NLLLoss`. */
export class NLLLoss2d extends NLLLoss {
  static {
    def_methods(NLLLoss2d, { __init__: NLLLoss2d_init });
  }

  constructor(...args: InitArgs<typeof NLLLoss2d_init>) {
    if (new.target === NLLLoss2d) {
      warn(
        "FutureWarning",
        "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in replacement and see " +
          "https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more details.",
      );
    }
    super(...NLLLoss2d_init.bind(args));
  }
}
