/**
 * @file The half-Cauchy distribution: the absolute value of a Cauchy variable around 0.
 * @mirrors torch/distributions/half_cauchy.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Cauchy } from "./cauchy.ts";
import { class_attributes } from "./class_attributes.ts";
import { nonnegative, positive } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs, type ValueArgs } from "./distribution.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { AbsTransform } from "./transforms/index.ts";
import type { Number_, Size } from "./utils.ts";

const HalfCauchy_init = new Init(
  "HalfCauchy.__init__(self, scale, validate_args=None)",
  types<[scale: Tensor | Number_, validate_args: boolean | null]>,
);

/** Half-Cauchy distribution: `|x|` of a Cauchy variable `x` around 0. */
export class HalfCauchy extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.half_cauchy";
  declare base_dist: Cauchy;

  static {
    class_attributes(HalfCauchy, { arg_constraints: { scale: positive }, support: nonnegative, has_rsample: true });
    def_distribution(HalfCauchy, HalfCauchy_init, { icdf: "(self, prob)" });
  }

  constructor(...args: InitArgs<typeof HalfCauchy_init>) {
    const [scale, validate_args] = HalfCauchy_init.bind(args);
    super();
    this._transform(new Cauchy(0, scale, false), new AbsTransform(), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    return super.expand(batch_shape, this._get_checked_instance(HalfCauchy, _instance));
  }

  get scale(): Tensor {
    return this.base_dist.scale;
  }

  override get mean(): Tensor {
    const { dtype, device } = this.scale;
    return torch.full(this._extended_shape(), Number.POSITIVE_INFINITY, { dtype, device });
  }

  override get mode(): Tensor {
    return torch.zeros_like(this.scale);
  }

  override get variance(): Tensor {
    return this.base_dist.variance;
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(given: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(given);
    const { dtype, device } = this.scale;
    const value = torch.as_tensor(given, { dtype, device });
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
