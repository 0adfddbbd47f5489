/**
 * @file The logistic-normal distribution: points of a simplex, computed from normal variables by stick-breaking.
 * @mirrors torch/distributions/logistic_normal.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { class_attributes } from "./class_attributes.ts";
import { positive, real, simplex } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs } from "./distribution.ts";
import type { Independent } from "./independent.ts";
import { Normal } from "./normal.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { StickBreakingTransform } from "./transforms/index.ts";
import type { Number_, Size } from "./utils.ts";

const LogisticNormal_init = new Init(
  "LogisticNormal.__init__(self, loc, scale, validate_args=None)",
  types<[loc: Tensor | Number_, scale: Tensor | Number_, validate_args: boolean | null]>,
);

/** Logistic-normal distribution. The points have one coordinate more than `loc` and `scale` have along the last dim. */
export class LogisticNormal extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.logistic_normal";
  declare base_dist: Independent;

  static {
    class_attributes(LogisticNormal, {
      arg_constraints: { loc: real, scale: positive },
      support: simplex,
      has_rsample: true,
    });
    def_distribution(LogisticNormal, LogisticNormal_init);
  }

  constructor(...args: InitArgs<typeof LogisticNormal_init>) {
    const [loc, scale, validate_args] = LogisticNormal_init.bind(args);
    super();
    const normal = new Normal(loc, scale, validate_args);
    const base_dist = normal.batch_shape.length === 0 ? normal.expand([1]) : normal;
    this._transform(base_dist, new StickBreakingTransform(), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    return super.expand(batch_shape, this._get_checked_instance(LogisticNormal, _instance));
  }

  get loc(): Tensor {
    return (this.base_dist.base_dist as Normal).loc;
  }

  get scale(): Tensor {
    return (this.base_dist.base_dist as Normal).scale;
  }
}
