/**
 * @file The chi-squared distribution: the sum of the squares of `df` normal variables.
 * @mirrors torch/distributions/chi2.py
 */
import { PyNumber_Multiply } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { class_attributes } from "./class_attributes.ts";
import { positive } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs } from "./distribution.ts";
import { Gamma } from "./gamma.ts";
import type { Number_, Size } from "./utils.ts";

const Chi2_init = new Init(
  "Chi2.__init__(self, df, validate_args=None)",
  types<[df: Tensor | Number_, validate_args: boolean | null]>,
);

/** Chi-squared distribution with `df` degrees of freedom: a gamma distribution with shape `df / 2` and rate 1/2. */
export class Chi2 extends Gamma {
  static override readonly __module__: string = "torch.distributions.chi2";

  static {
    class_attributes(Chi2, { arg_constraints: { df: positive } });
    def_distribution(Chi2, Chi2_init);
  }

  constructor(...args: InitArgs<typeof Chi2_init>) {
    const [df, validate_args] = Chi2_init.bind(args);
    super();
    this._of(df instanceof Tensor ? df.mul(0.5) : PyNumber_Multiply(0.5, df), 0.5, validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    return super.expand(batch_shape, this._get_checked_instance(Chi2, _instance));
  }

  /** Degrees of freedom. */
  get df(): Tensor {
    return this.concentration.mul(2);
  }
}
