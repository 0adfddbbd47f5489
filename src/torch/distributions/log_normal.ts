/**
 * @file The log-normal distribution: `exp(x)` of a normal variable.
 * @mirrors torch/distributions/log_normal.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { class_attributes } from "./class_attributes.ts";
import { positive, real } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs } from "./distribution.ts";
import { Normal } from "./normal.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { ExpTransform } from "./transforms/index.ts";
import type { Number_, Size } from "./utils.ts";

const LogNormal_init = new Init(
  "LogNormal.__init__(self, loc, scale, validate_args=None)",
  types<[loc: Tensor | Number_, scale: Tensor | Number_, validate_args: boolean | null]>,
);

/** Log-normal distribution: `exp(x)` of a normal variable `x` around `loc` with standard deviation `scale`. */
export class LogNormal extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.log_normal";
  declare base_dist: Normal;

  static {
    class_attributes(LogNormal, {
      arg_constraints: { loc: real, scale: positive },
      support: positive,
      has_rsample: true,
    });
    def_distribution(LogNormal, LogNormal_init);
  }

  constructor(...args: InitArgs<typeof LogNormal_init>) {
    const [loc, scale, validate_args] = LogNormal_init.bind(args);
    super();
    this._transform(new Normal(loc, scale, validate_args), new ExpTransform(), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    return super.expand(batch_shape, this._get_checked_instance(LogNormal, _instance));
  }

  get loc(): Tensor {
    return this.base_dist.loc;
  }

  get scale(): Tensor {
    return this.base_dist.scale;
  }

  override get mean(): Tensor {
    return this.loc.add(this.scale.pow(2).div(2)).exp();
  }

  override get mode(): Tensor {
    return this.loc.sub(this.scale.square()).exp();
  }

  override get variance(): Tensor {
    const scale_sq = this.scale.pow(2);
    return scale_sq.expm1().mul(this.loc.mul(2).add(scale_sq).exp());
  }

  override entropy(): Tensor {
    return this.base_dist.entropy().add(this.loc);
  }
}
