/**
 * @file The inverse gamma distribution: `1 / x` of a gamma variable.
 * @mirrors torch/distributions/inverse_gamma.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { positive } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs } from "./distribution.ts";
import { Gamma } from "./gamma.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { PowerTransform } from "./transforms/index.ts";
import type { Number_, Size } from "./utils.ts";

const InverseGamma_init = new Init(
  "InverseGamma.__init__(self, concentration, rate, validate_args=None)",
  types<[concentration: Tensor | Number_, rate: Tensor | Number_, validate_args: boolean | null]>,
);

/** Inverse gamma distribution: `1 / x` of a gamma variable `x` with this `concentration` and `rate`. */
export class InverseGamma extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.inverse_gamma";
  declare base_dist: Gamma;

  static {
    class_attributes(InverseGamma, {
      arg_constraints: { concentration: positive, rate: positive },
      support: positive,
      has_rsample: true,
    });
    def_distribution(InverseGamma, InverseGamma_init);
  }

  constructor(...args: InitArgs<typeof InverseGamma_init>) {
    const [concentration, rate, validate_args] = InverseGamma_init.bind(args);
    super();
    const base_dist = new Gamma(concentration, rate, validate_args);
    this._transform(base_dist, new PowerTransform(base_dist.rate.new_ones([]).neg()), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    return super.expand(batch_shape, this._get_checked_instance(InverseGamma, _instance));
  }

  get concentration(): Tensor {
    return this.base_dist.concentration;
  }

  get rate(): Tensor {
    return this.base_dist.rate;
  }

  override get mean(): Tensor {
    const result = this.rate.div(this.concentration.sub(1));
    return torch.where(this.concentration.gt(1), result, Number.POSITIVE_INFINITY);
  }

  override get mode(): Tensor {
    return this.rate.div(this.concentration.add(1));
  }

  override get variance(): Tensor {
    const below = this.concentration.sub(1).square().mul(this.concentration.sub(2));
    return torch.where(this.concentration.gt(2), this.rate.square().div(below), Number.POSITIVE_INFINITY);
  }

  override entropy(): Tensor {
    const { concentration, rate } = this;
    return concentration
      .add(rate.log())
      .add(concentration.lgamma())
      .sub(concentration.add(1).mul(concentration.digamma()));
  }
}
