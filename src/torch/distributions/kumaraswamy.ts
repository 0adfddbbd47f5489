/**
 * @file The Kumaraswamy distribution over numbers from 0 to 1; it resembles the beta distribution but has a simple cdf.
 * @mirrors torch/distributions/kumaraswamy.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { positive, unit_interval } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs } from "./distribution.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { AffineTransform, PowerTransform } from "./transforms/index.ts";
import { Uniform } from "./uniform.ts";
import { broadcast_all, euler_constant, type Number_, type Size } from "./utils.ts";

/** The n-th moment: the mean of `x ** n`. */
function _moments(a: Tensor, b: Tensor, n: number): Tensor {
  const arg1 = a.__rdiv__(n).add(1);
  const log_value = torch
    .lgamma(arg1)
    .add(torch.lgamma(b))
    .sub(torch.lgamma(arg1.add(b)));
  return b.mul(torch.exp(log_value));
}

const Kumaraswamy_init = new Init(
  "Kumaraswamy.__init__(self, concentration1, concentration0, validate_args=None)",
  types<[concentration1: Tensor | Number_, concentration0: Tensor | Number_, validate_args: boolean | null]>,
);

/** Kumaraswamy distribution: `(1 - u ** (1 / concentration0)) ** (1 / concentration1)` of a uniform variable `u`. */
export class Kumaraswamy extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.kumaraswamy";
  declare concentration1: Tensor;
  declare concentration0: Tensor;

  static {
    class_attributes(Kumaraswamy, {
      arg_constraints: { concentration1: positive, concentration0: positive },
      support: unit_interval,
      has_rsample: true,
    });
    def_distribution(Kumaraswamy, Kumaraswamy_init);
  }

  constructor(...args: InitArgs<typeof Kumaraswamy_init>) {
    const [concentration1, concentration0, validate_args] = Kumaraswamy_init.bind(args);
    super();
    [this.concentration1, this.concentration0] = broadcast_all(concentration1, concentration0);
    const base_dist = new Uniform(
      torch.full_like(this.concentration0, 0),
      torch.full_like(this.concentration0, 1),
      validate_args,
    );
    const transforms = [
      new PowerTransform(this.concentration0.reciprocal()),
      new AffineTransform(1, -1),
      new PowerTransform(this.concentration1.reciprocal()),
    ];
    this._transform(base_dist, transforms, validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Kumaraswamy, _instance);
    new_.concentration1 = this.concentration1.expand(batch_shape);
    new_.concentration0 = this.concentration0.expand(batch_shape);
    return super.expand(batch_shape, new_);
  }

  override get mean(): Tensor {
    return _moments(this.concentration1, this.concentration0, 1);
  }

  override get mode(): Tensor {
    const negative = this.concentration0.neg();
    const log_mode = this.concentration0
      .reciprocal()
      .mul(negative.log1p())
      .sub(negative.mul(this.concentration1).log1p());
    log_mode.set_at(Number.NaN, this.concentration0.lt(1).bitwise_or(this.concentration1.lt(1)));
    return log_mode.exp();
  }

  override get variance(): Tensor {
    return _moments(this.concentration1, this.concentration0, 2).sub(torch.pow(this.mean, 2));
  }

  override entropy(): Tensor {
    const t1 = this.concentration1.reciprocal().__rsub__(1);
    const t0 = this.concentration0.reciprocal().__rsub__(1);
    const H0 = torch.digamma(this.concentration0.add(1)).add(euler_constant);
    return t0.add(t1.mul(H0)).sub(torch.log(this.concentration1)).sub(torch.log(this.concentration0));
  }
}
