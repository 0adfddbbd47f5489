/**
 * @file Modules of the element-wise losses, for numbers or probabilities.
 * @mirrors torch/nn/modules/loss.py
 */
import { TypeError_ } from "#c10/util/Exception";
import { python_type } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import type { Reduction } from "#torch/nn/_reduction";
import * as F from "#torch/nn/functional/index";
import { _Loss, _Loss_init, _WeightedLoss, _WeightedLoss_init, type Legacy } from "./index.ts";

type Spread = Args<"(self, input, target, var)", [input: Tensor, target: Tensor, variance: Tensor | number]>;
type Counted = Args<"(self, log_input, target)", [log_input: Tensor, target: Tensor]>;

/** Mean absolute error. */
export class L1Loss extends _Loss {
  static readonly __module__: string = "torch.nn.modules.loss";

  static {
    def_methods(L1Loss, { __init__: _Loss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof _Loss_init>) {
    const [size_average, reduce, reduction] = _Loss_init.bind(args);
    super(size_average, reduce, reduction);
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.l1_loss(input, target, { reduction: this.reduction });
  }
}

/** Mean squared error. */
export class MSELoss extends _Loss {
  static readonly __module__: string = "torch.nn.modules.loss";

  static {
    def_methods(MSELoss, { __init__: _Loss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof _Loss_init>) {
    const [size_average, reduce, reduction] = _Loss_init.bind(args);
    super(size_average, reduce, reduction);
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.mse_loss(input, target, { reduction: this.reduction });
  }
}

const SmoothL1Loss_init = new Init(
  "SmoothL1Loss.__init__(self, size_average=None, reduce=None, reduction='mean', beta=1.0)",
  types<[size_average: Legacy, reduce: Legacy, reduction: Reduction, beta: number]>,
);

/** Mean absolute error that is quadratic where the error is smaller than `beta`. */
export class SmoothL1Loss extends _Loss {
  static readonly __module__: string = "torch.nn.modules.loss";

  beta: number;

  static {
    def_methods(SmoothL1Loss, { __init__: SmoothL1Loss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof SmoothL1Loss_init>) {
    const [size_average, reduce, reduction, beta] = SmoothL1Loss_init.bind(args);
    super(size_average, reduce, reduction);
    this.beta = beta;
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.smooth_l1_loss(input, target, { reduction: this.reduction, beta: this.beta });
  }
}

const HuberLoss_init = new Init(
  "HuberLoss.__init__(self, reduction='mean', delta=1.0)",
  types<[reduction: Reduction, delta: number]>,
);

/** Huber loss: `SmoothL1Loss` times `delta`. */
export class HuberLoss extends _Loss {
  static readonly __module__: string = "torch.nn.modules.loss";

  delta: number;

  static {
    def_methods(HuberLoss, { __init__: HuberLoss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof HuberLoss_init>) {
    const [reduction, delta] = HuberLoss_init.bind(args);
    const given = python_type(delta);
    if (given !== "float" && given !== "int" && given !== "bool")
      throw new TypeError_(`delta must be a float or int, got: <class '${given}'>`);
    super(null, null, reduction);
    this.delta = delta;
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.huber_loss(input, target, { reduction: this.reduction, delta: this.delta });
  }
}

/** Binary cross entropy between probabilities. */
export class BCELoss extends _WeightedLoss {
  static readonly __module__: string = "torch.nn.modules.loss";

  static {
    def_methods(BCELoss, { __init__: _WeightedLoss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof _WeightedLoss_init>) {
    const [weight, size_average, reduce, reduction] = _WeightedLoss_init.bind(args);
    super(weight, size_average, reduce, reduction);
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.binary_cross_entropy(input, target, { weight: this.weight, reduction: this.reduction });
  }
}

const BCEWithLogitsLoss_init = new Init(
  "BCEWithLogitsLoss.__init__(self, weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None)",
  types<[weight: Tensor | null, size_average: Legacy, reduce: Legacy, reduction: Reduction, pos_weight: Tensor | null]>,
);

/** `BCELoss` of the sigmoid of the input, computed in one step. */
export class BCEWithLogitsLoss extends _Loss {
  static readonly __module__: string = "torch.nn.modules.loss";

  declare weight: Tensor | null;
  declare pos_weight: Tensor | null;

  static {
    def_methods(BCEWithLogitsLoss, { __init__: BCEWithLogitsLoss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof BCEWithLogitsLoss_init>) {
    const [weight, size_average, reduce, reduction, pos_weight] = BCEWithLogitsLoss_init.bind(args);
    super(size_average, reduce, reduction);
    this.register_buffer("weight", weight);
    this.register_buffer("pos_weight", pos_weight);
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.binary_cross_entropy_with_logits(input, target, this.weight, {
      pos_weight: this.pos_weight,
      reduction: this.reduction,
    });
  }
}

const KLDivLoss_init = new Init(
  "KLDivLoss.__init__(self, size_average=None, reduce=None, reduction='mean', log_target=False)",
  types<[size_average: Legacy, reduce: Legacy, reduction: Reduction, log_target: boolean]>,
);

/** Kullback-Leibler divergence between the target and log-probabilities. */
export class KLDivLoss extends _Loss {
  static readonly __module__: string = "torch.nn.modules.loss";

  log_target: boolean;

  static {
    def_methods(KLDivLoss, { __init__: KLDivLoss_init, forward: "(self, input, target)" });
  }

  constructor(...args: InitArgs<typeof KLDivLoss_init>) {
    const [size_average, reduce, reduction, log_target] = KLDivLoss_init.bind(args);
    super(size_average, reduce, reduction);
    this.log_target = log_target;
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    return F.kl_div(input, target, { reduction: this.reduction, log_target: this.log_target });
  }
}

const PoissonNLLLoss_init = new Init(
  "PoissonNLLLoss.__init__(self, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction='mean')",
  types<[log_input: boolean, full: boolean, size_average: Legacy, eps: number, reduce: Legacy, reduction: Reduction]>,
);

/** Negative log likelihood of counts under Poisson distributions. */
export class PoissonNLLLoss extends _Loss<Counted> {
  static readonly __module__: string = "torch.nn.modules.loss";

  log_input: boolean;
  full: boolean;
  eps: number;

  static {
    def_methods(PoissonNLLLoss, { __init__: PoissonNLLLoss_init, forward: "(self, log_input, target)" });
  }

  constructor(...args: InitArgs<typeof PoissonNLLLoss_init>) {
    const [log_input, full, size_average, eps, reduce, reduction] = PoissonNLLLoss_init.bind(args);
    super(size_average, reduce, reduction);
    this.log_input = log_input;
    this.full = full;
    this.eps = eps;
  }

  override forward(log_input: Tensor, target: Tensor): Tensor {
    const { full, eps, reduction } = this;
    return F.poisson_nll_loss(log_input, target, { log_input: this.log_input, full, eps, reduction });
  }
}

const GaussianNLLLoss_init = new Init(
  "GaussianNLLLoss.__init__(self, *, full=False, eps=1e-06, reduction='mean')",
  types<[full: boolean, eps: number, reduction: Reduction]>,
);

/** Negative log likelihood under normal distributions with given mean and variance. */
export class GaussianNLLLoss extends _Loss<Spread> {
  static readonly __module__: string = "torch.nn.modules.loss";

  full: boolean;
  eps: number;

  static {
    def_methods(GaussianNLLLoss, { __init__: GaussianNLLLoss_init, forward: "(self, input, target, var)" });
  }

  constructor(...args: InitArgs<typeof GaussianNLLLoss_init>) {
    const [full, eps, reduction] = GaussianNLLLoss_init.bind(args);
    super(null, null, reduction);
    this.full = full;
    this.eps = eps;
  }

  override forward(input: Tensor, target: Tensor, variance: Tensor | number): Tensor {
    return F.gaussian_nll_loss(input, target, variance, { full: this.full, eps: this.eps, reduction: this.reduction });
  }
}
