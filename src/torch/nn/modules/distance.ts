/**
 * @file Modules that compute distances between rows.
 * @mirrors torch/nn/modules/distance.py
 */
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module } from "./module/index.ts";

type Two = Args<"(self, x1, x2)", [x1: Tensor, x2: Tensor]>;

const PairwiseDistance_init = new Init(
  "PairwiseDistance.__init__(self, p=2.0, eps=1e-06, keepdim=False)",
  types<[p: number, eps: number, keepdim: boolean]>,
);

/** The `p`-norm of `x1 - x2 + eps` along the last dim. */
export class PairwiseDistance extends Module<Two, Tensor> {
  static readonly __module__: string = "torch.nn.modules.distance";

  norm: number;
  eps: number;
  keepdim: boolean;

  static {
    def_methods(PairwiseDistance, { __init__: PairwiseDistance_init, forward: "(self, x1, x2)" });
  }

  constructor(...args: InitArgs<typeof PairwiseDistance_init>) {
    const [p, eps, keepdim] = PairwiseDistance_init.bind(args);
    super();
    this.norm = p;
    this.eps = eps;
    this.keepdim = keepdim;
  }

  override forward(x1: Tensor, x2: Tensor): Tensor {
    return F.pairwise_distance(x1, x2, this.norm, this.eps, this.keepdim);
  }
}

const CosineSimilarity_init = new Init(
  "CosineSimilarity.__init__(self, dim=1, eps=1e-08)",
  types<[dim: number, eps: number]>,
);

/** The cosine of the angle between `x1` and `x2` along `dim`. */
export class CosineSimilarity extends Module<Two, Tensor> {
  static readonly __module__: string = "torch.nn.modules.distance";

  dim: number;
  eps: number;

  static {
    def_methods(CosineSimilarity, { __init__: CosineSimilarity_init, forward: "(self, x1, x2)" });
  }

  constructor(...args: InitArgs<typeof CosineSimilarity_init>) {
    const [dim, eps] = CosineSimilarity_init.bind(args);
    super();
    this.dim = dim;
    this.eps = eps;
  }

  override forward(x1: Tensor, x2: Tensor): Tensor {
    return F.cosine_similarity(x1, x2, this.dim, this.eps);
  }
}
