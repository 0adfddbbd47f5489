/**
 * @file The half-normal distribution: the absolute value of a normal variable around 0.
 * @mirrors torch/distributions/half_normal.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { nonnegative, positive } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs, type ValueArgs } from "./distribution.ts";
import { Normal } from "./normal.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { AbsTransform } from "./transforms/index.ts";
import type { Number_, Size } from "./utils.ts";

const HalfNormal_init = new Init(
  "HalfNormal.__init__(self, scale, validate_args=None)",
  types<[scale: Tensor | Number_, validate_args: boolean | null]>,
);

/** Half-normal distribution: `|x|` of a normal variable `x` around 0 with standard deviation `scale`. */
export class HalfNormal extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.half_normal";
  declare base_dist: Normal;

  static {
    class_attributes(HalfNormal, { arg_constraints: { scale: positive }, support: nonnegative, has_rsample: true });
    def_distribution(HalfNormal, HalfNormal_init, { icdf: "(self, prob)" });
  }

  constructor(...args: InitArgs<typeof HalfNormal_init>) {
    const [scale, validate_args] = HalfNormal_init.bind(args);
    super();
    this._transform(new Normal(0, scale, false), new AbsTransform(), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    return super.expand(batch_shape, this._get_checked_instance(HalfNormal, _instance));
  }

  get scale(): Tensor {
    return this.base_dist.scale;
  }

  override get mean(): Tensor {
    return this.scale.mul(Math.sqrt(2 / Math.PI));
  }

  override get mode(): Tensor {
    return torch.zeros_like(this.scale);
  }

  override get variance(): Tensor {
    return this.scale.pow(2).mul(1 - 2 / Math.PI);
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const log_prob = this.base_dist.log_prob(value).add(Math.log(2));
    return torch.where(value.ge(0), log_prob, Number.NEGATIVE_INFINITY);
  }

  override cdf(...args: ValueArgs): Tensor;
  override cdf(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    return this.base_dist.cdf(value).mul(2).sub(1);
  }

  override icdf(prob: Tensor): Tensor {
    return this.base_dist.icdf(prob.add(1).div(2));
  }

  override entropy(): Tensor {
    return this.base_dist.entropy().sub(Math.log(2));
  }
}
