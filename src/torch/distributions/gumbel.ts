/**
 * @file The Gumbel distribution: the limit of the maximum of many variables.
 * @mirrors torch/distributions/gumbel.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { positive, real } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs, type ValueArgs } from "./distribution.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { AffineTransform, ExpTransform } from "./transforms/index.ts";
import { Uniform } from "./uniform.ts";
import { broadcast_all, euler_constant, is_number, type Number_, type Size } from "./utils.ts";

const Gumbel_init = new Init(
  "Gumbel.__init__(self, loc, scale, validate_args=None)",
  types<[loc: Tensor | Number_, scale: Tensor | Number_, validate_args: boolean | null]>,
);

/** Gumbel distribution with mode `loc`. */
export class Gumbel extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.gumbel";
  declare loc: Tensor;
  declare scale: Tensor;

  static {
    class_attributes(Gumbel, { arg_constraints: { loc: real, scale: positive }, support: real });
    def_distribution(Gumbel, Gumbel_init);
  }

  constructor(...args: InitArgs<typeof Gumbel_init>) {
    const [loc, scale, validate_args] = Gumbel_init.bind(args);
    super();
    [this.loc, this.scale] = broadcast_all(loc, scale);
    const { tiny, eps } = torch.finfo(this.loc.dtype);
    const base_dist =
      is_number(loc) && is_number(scale)
        ? new Uniform(tiny, 1 - eps, validate_args)
        : new Uniform(torch.full_like(this.loc, tiny), torch.full_like(this.loc, 1 - eps), validate_args);
    const transforms = [
      new ExpTransform().inv,
      new AffineTransform(0, torch.ones_like(this.scale).neg()),
      new ExpTransform().inv,
      new AffineTransform(loc, this.scale.neg()),
    ];
    this._transform(base_dist, transforms, validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Gumbel, _instance);
    new_.loc = this.loc.expand(batch_shape);
    new_.scale = this.scale.expand(batch_shape);
    return super.expand(batch_shape, new_);
  }

  // By the direct formula, since the transforms lose digits.
  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const y = this.loc.sub(value).div(this.scale);
    return y.sub(y.exp()).sub(this.scale.log());
  }

  override get mean(): Tensor {
    return this.loc.add(this.scale.mul(euler_constant));
  }

  override get mode(): Tensor {
    return this.loc;
  }

  override get stddev(): Tensor {
    return this.scale.mul(Math.PI / Math.sqrt(6));
  }

  override get variance(): Tensor {
    return this.stddev.pow(2);
  }

  override entropy(): Tensor {
    return this.scale.log().add(1 + euler_constant);
  }
}
