/**
 * @file Modules of the losses that compare two distances from an anchor.
 * @mirrors torch/nn/modules/loss.py
 */
import { ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, py_format } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import type { Reduction } from "#torch/nn/_reduction";
import * as F from "#torch/nn/functional/index";
import { PairwiseDistance } from "#torch/nn/modules/distance";
import { _Loss, type Legacy } from "./index.ts";

type Triplet = Args<"(self, anchor, positive, negative)", [anchor: Tensor, positive: Tensor, negative: Tensor]>;
type Distance = (a: Tensor, b: Tensor) => Tensor;

function check_margin(name: string, margin: number): void {
  if (!PyObject_RichCompareBool(margin, "<=", 0, "int")) return;
  throw new ValueError(`${name}: expected margin to be greater than 0, got ${py_format(margin)} instead`);
}

const TripletMarginLoss_init = new Init(
  "TripletMarginLoss.__init__(self, margin=1.0, p=2.0, eps=1e-06, swap=False, size_average=None, reduce=None, reduction='mean')",
  types<
    [margin: number, p: number, eps: number, swap: boolean, size_average: Legacy, reduce: Legacy, reduction: Reduction]
  >,
);

/** Triplet margin loss: `max(0, d(anchor, positive) - d(anchor, negative) + margin)` for the distance `d`. */
export class TripletMarginLoss extends _Loss<Triplet> {
  static readonly __module__: string = "torch.nn.modules.loss";

  margin: number;
  p: number;
  eps: number;
  swap: boolean;

  static {
    def_methods(TripletMarginLoss, { __init__: TripletMarginLoss_init, forward: "(self, anchor, positive, negative)" });
  }

  constructor(...args: InitArgs<typeof TripletMarginLoss_init>) {
    const [margin, p, eps, swap, size_average, reduce, reduction] = TripletMarginLoss_init.bind(args);
    super(size_average, reduce, reduction);
    check_margin("TripletMarginLoss", margin);
    this.margin = margin;
    this.p = p;
    this.eps = eps;
    this.swap = swap;
  }

  override forward(anchor: Tensor, positive: Tensor, negative: Tensor): Tensor {
    const { margin, p, eps, swap, reduction } = this;
    return F.triplet_margin_loss(anchor, positive, negative, { margin, p, eps, swap, reduction });
  }
}

const TripletMarginWithDistanceLoss_init = new Init(
  "TripletMarginWithDistanceLoss.__init__(self, *, distance_function=None, margin=1.0, swap=False, reduction='mean')",
  types<[distance_function: Distance | null, margin: number, swap: boolean, reduction: Reduction]>,
);

/** `TripletMarginLoss` with a distance function given by the user. */
export class TripletMarginWithDistanceLoss extends _Loss<Triplet> {
  static readonly __module__: string = "torch.nn.modules.loss";

  distance_function: Distance;
  margin: number;
  swap: boolean;

  static {
    def_methods(TripletMarginWithDistanceLoss, {
      __init__: TripletMarginWithDistanceLoss_init,
      forward: "(self, anchor, positive, negative)",
    });
  }

  constructor(...args: InitArgs<typeof TripletMarginWithDistanceLoss_init>) {
    const [distance_function, margin, swap, reduction] = TripletMarginWithDistanceLoss_init.bind(args);
    super(null, null, reduction);
    check_margin("TripletMarginWithDistanceLoss", margin);
    this.distance_function = distance_function ?? new PairwiseDistance();
    this.margin = margin;
    this.swap = swap;
  }

  override forward(anchor: Tensor, positive: Tensor, negative: Tensor): Tensor {
    const { distance_function, margin, swap, reduction } = this;
    return F.triplet_margin_with_distance_loss(anchor, positive, negative, {
      distance_function,
      margin,
      swap,
      reduction,
    });
  }
}
