/**
 * @file Modules of the losses with a margin or an angle.
 * @mirrors torch/nn/modules/loss.py
 */
import { ValueError } from "#c10/util/Exception";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import type { Reduction } from "#torch/nn/_reduction";
import * as F from "#torch/nn/functional/index";
import { _Loss, _Loss_init, _WeightedLoss, _WeightedLoss_init, type Legacy } from "./index.ts";

type Paired = Args<"(self, input1, input2, target)", [input1: Tensor, input2: Tensor, target: Tensor]>;

/** `log(1 + exp(-target * x))`. */
export class SoftMarginLoss extends _Loss {
  static readonly __module__: string = "torch.nn.modules.loss";

  static {
    def_methods(SoftMarginLoss, { __init__: _Loss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof _Loss_init>) {
    const [size_average, reduce, reduction] = _Loss_init.bind(args);
    super(size_average, reduce, reduction);
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.soft_margin_loss(input, target, { reduction: this.reduction });
  }
}

const HingeEmbeddingLoss_init = new Init(
  "HingeEmbeddingLoss.__init__(self, margin=1.0, size_average=None, reduce=None, reduction='mean')",
  types<[margin: number, size_average: Legacy, reduce: Legacy, reduction: Reduction]>,
);

/** Hinge embedding loss: `x` where the target is 1, and `max(0, margin - x)` where it is -1. */
export class HingeEmbeddingLoss extends _Loss {
  static readonly __module__: string = "torch.nn.modules.loss";

  margin: number;

  static {
    def_methods(HingeEmbeddingLoss, { __init__: HingeEmbeddingLoss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof HingeEmbeddingLoss_init>) {
    const [margin, size_average, reduce, reduction] = HingeEmbeddingLoss_init.bind(args);
    super(size_average, reduce, reduction);
    this.margin = margin;
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.hinge_embedding_loss(input, target, { margin: this.margin, reduction: this.reduction });
  }
}

const MarginRankingLoss_init = new Init(
  "MarginRankingLoss.__init__(self, margin=0.0, size_average=None, reduce=None, reduction='mean')",
  types<[margin: number, size_average: Legacy, reduce: Legacy, reduction: Reduction]>,
);

/** Margin ranking loss: `max(0, margin - target * (x1 - x2))`. */
export class MarginRankingLoss extends _Loss<Paired> {
  static readonly __module__: string = "torch.nn.modules.loss";

  margin: number;

  static {
    def_methods(MarginRankingLoss, { __init__: MarginRankingLoss_init, forward: "(self, input1, input2, target)" });
  }

  constructor(...args: InitArgs<typeof MarginRankingLoss_init>) {
    const [margin, size_average, reduce, reduction] = MarginRankingLoss_init.bind(args);
    super(size_average, reduce, reduction);
    this.margin = margin;
  }

  override forward(input1: Tensor, input2: Tensor, target: Tensor): Tensor {
    return F.margin_ranking_loss(input1, input2, target, { margin: this.margin, reduction: this.reduction });
  }
}

const CosineEmbeddingLoss_init = new Init(
  "CosineEmbeddingLoss.__init__(self, margin=0.0, size_average=None, reduce=None, reduction='mean')",
  types<[margin: number, size_average: Legacy, reduce: Legacy, reduction: Reduction]>,
);

/** `1 - cos` of the angle between two rows where the target is 1; `max(0, cos - margin)` where it is -1. */
export class CosineEmbeddingLoss extends _Loss<Paired> {
  static readonly __module__: string = "torch.nn.modules.loss";

  margin: number;

  static {
    def_methods(CosineEmbeddingLoss, { __init__: CosineEmbeddingLoss_init, forward: "(self, input1, input2, target)" });
  }

  constructor(...args: InitArgs<typeof CosineEmbeddingLoss_init>) {
    const [margin, size_average, reduce, reduction] = CosineEmbeddingLoss_init.bind(args);
    super(size_average, reduce, reduction);
    this.margin = margin;
  }

  override forward(input1: Tensor, input2: Tensor, target: Tensor): Tensor {
    return F.cosine_embedding_loss(input1, input2, target, { margin: this.margin, reduction: this.reduction });
  }
}

const MultiMarginLoss_init = new Init(
  "MultiMarginLoss.__init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction='mean')",
  types<[p: number, margin: number, weight: Tensor | null, size_average: Legacy, reduce: Legacy, reduction: Reduction]>,
);

/** Multi-class margin loss: the sum over the wrong classes of `max(0, margin - score[right] + score[wrong]) ** p`, divided by the number of classes. */
export class MultiMarginLoss extends _WeightedLoss {
  static readonly __module__: string = "torch.nn.modules.loss";

  p: number;
  margin: number;

  static {
    def_methods(MultiMarginLoss, { __init__: MultiMarginLoss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof MultiMarginLoss_init>) {
    const [p, margin, weight, size_average, reduce, reduction] = MultiMarginLoss_init.bind(args);
    super(weight, size_average, reduce, reduction);
    if (p !== 1 && p !== 2) throw new ValueError("only p == 1 and p == 2 supported");
    if (weight !== null && weight.dim() !== 1)
      throw new ValueError(`MultiMarginLoss: expected weight to be None or 1D tensor, got ${weight.dim()}D instead`);
    this.p = p;
    this.margin = margin;
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.multi_margin_loss(input, target, {
      p: this.p,
      margin: this.margin,
      weight: this.weight,
      reduction: this.reduction,
    });
  }
}

/** `MultiMarginLoss` with several right classes in each row; -1 ends the list of classes. */
export class MultiLabelMarginLoss extends _Loss {
  static readonly __module__: string = "torch.nn.modules.loss";

  static {
    def_methods(MultiLabelMarginLoss, { __init__: _Loss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof _Loss_init>) {
    const [size_average, reduce, reduction] = _Loss_init.bind(args);
    super(size_average, reduce, reduction);
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.multilabel_margin_loss(input, target, { reduction: this.reduction });
  }
}

/** Mean over the classes of `BCEWithLogitsLoss`. */
export class MultiLabelSoftMarginLoss extends _WeightedLoss {
  static readonly __module__: string = "torch.nn.modules.loss";

  static {
    def_methods(MultiLabelSoftMarginLoss, { __init__: _WeightedLoss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof _WeightedLoss_init>) {
    const [weight, size_average, reduce, reduction] = _WeightedLoss_init.bind(args);
    super(weight, size_average, reduce, reduction);
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.multilabel_soft_margin_loss(input, target, { weight: this.weight, reduction: this.reduction });
  }
}
