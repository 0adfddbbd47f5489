/**
 * @file The Weibull distribution: a lifetime whose failure rate depends on the age by a power.
 * @mirrors torch/distributions/weibull.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { positive } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs } from "./distribution.ts";
import { Exponential } from "./exponential.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { AffineTransform, PowerTransform } from "./transforms/index.ts";
import { broadcast_all, euler_constant, type Number_, type Size } from "./utils.ts";

const Weibull_init = new Init(
  "Weibull.__init__(self, scale, concentration, validate_args=None)",
  types<[scale: Tensor | Number_, concentration: Tensor | Number_, validate_args: boolean | null]>,
);

/** Weibull distribution: `scale * x ** (1 / concentration)` of an exponential variable `x`. */
export class Weibull extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.weibull";
  declare scale: Tensor;
  declare concentration: Tensor;
  declare concentration_reciprocal: Tensor;

  static {
    class_attributes(Weibull, { arg_constraints: { scale: positive, concentration: positive }, support: positive });
    def_distribution(Weibull, Weibull_init);
  }

  constructor(...args: InitArgs<typeof Weibull_init>) {
    const [scale, concentration, validate_args] = Weibull_init.bind(args);
    super();
    [this.scale, this.concentration] = broadcast_all(scale, concentration);
    this.concentration_reciprocal = this.concentration.reciprocal();
    const base_dist = new Exponential(torch.ones_like(this.scale), validate_args);
    this._transform(base_dist, this._own_transforms(), validate_args);
  }

  private _own_transforms(): [PowerTransform, AffineTransform] {
    return [new PowerTransform(this.concentration_reciprocal), new AffineTransform(0, this.scale)];
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Weibull, _instance);
    new_.scale = this.scale.expand(batch_shape);
    new_.concentration = this.concentration.expand(batch_shape);
    new_.concentration_reciprocal = new_.concentration.reciprocal();
    new_._transform(this.base_dist.expand(batch_shape), new_._own_transforms(), false);
    new_._validate_args = this._validate_args;
    return new_;
  }

  override get mean(): Tensor {
    return this.scale.mul(torch.exp(torch.lgamma(this.concentration_reciprocal.add(1))));
  }

  override get mode(): Tensor {
    const ratio = this.concentration.sub(1).div(this.concentration);
    return this.scale.mul(ratio.pow(this.concentration.reciprocal()));
  }

  override get variance(): Tensor {
    const second = torch.exp(torch.lgamma(this.concentration_reciprocal.mul(2).add(1)));
    const first = torch.exp(torch.lgamma(this.concentration_reciprocal.add(1)).mul(2));
    return this.scale.pow(2).mul(second.sub(first));
  }

  override entropy(): Tensor {
    return this.concentration_reciprocal
      .__rsub__(1)
      .mul(euler_constant)
      .add(torch.log(this.scale.mul(this.concentration_reciprocal)))
      .add(1);
  }
}
