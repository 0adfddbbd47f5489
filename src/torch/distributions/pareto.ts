/**
 * @file The Pareto distribution: numbers above `scale` whose tail decreases with the power `alpha`.
 * @mirrors torch/distributions/pareto.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { class_attributes } from "./class_attributes.ts";
import { dependent_property, greater_than_eq, positive } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs } from "./distribution.ts";
import { Exponential } from "./exponential.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { AffineTransform, ExpTransform } from "./transforms/index.ts";
import { broadcast_all, type Number_, type Size } from "./utils.ts";

const Pareto_init = new Init(
  "Pareto.__init__(self, scale, alpha, validate_args=None)",
  types<[scale: Tensor | Number_, alpha: Tensor | Number_, validate_args: boolean | null]>,
);

/** Pareto distribution of type 1. */
export class Pareto extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.pareto";
  declare scale: Tensor;
  declare alpha: Tensor;

  static {
    class_attributes(Pareto, { arg_constraints: { alpha: positive, scale: positive } });
    dependent_property(Pareto, "support", (self) => greater_than_eq(self.scale), { is_discrete: false, event_dim: 0 });
    def_distribution(Pareto, Pareto_init);
  }

  constructor(...args: InitArgs<typeof Pareto_init>) {
    const [scale, alpha, validate_args] = Pareto_init.bind(args);
    super();
    [this.scale, this.alpha] = broadcast_all(scale, alpha);
    const base_dist = new Exponential(this.alpha, validate_args);
    this._transform(base_dist, [new ExpTransform(), new AffineTransform(0, this.scale)], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Pareto, _instance);
    new_.scale = this.scale.expand(batch_shape);
    new_.alpha = this.alpha.expand(batch_shape);
    return super.expand(batch_shape, new_);
  }

  // Infinite if `alpha` is at most 1.
  override get mean(): Tensor {
    const a = this.alpha.clamp({ min: 1 });
    return a.mul(this.scale).div(a.sub(1));
  }

  override get mode(): Tensor {
    return this.scale;
  }

  // Infinite if `alpha` is at most 2.
  override get variance(): Tensor {
    const a = this.alpha.clamp({ min: 2 });
    return this.scale
      .pow(2)
      .mul(a)
      .div(a.sub(1).pow(2).mul(a.sub(2)));
  }

  override entropy(): Tensor {
    return this.scale.div(this.alpha).log().add(this.alpha.reciprocal().add(1));
  }
}
