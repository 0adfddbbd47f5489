/**
 * @file The F distribution of Fisher and Snedecor: the ratio of two mean squares, as in an analysis of variance.
 * @mirrors torch/distributions/fishersnedecor.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { positive } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { Gamma } from "./gamma.ts";
import { batch_shape_of, broadcast_all, type Number_, type Size } from "./utils.ts";

const FisherSnedecor_init = new Init(
  "FisherSnedecor.__init__(self, df1, df2, validate_args=None)",
  types<[df1: Tensor | Number_, df2: Tensor | Number_, validate_args: boolean | null]>,
);

/** F distribution with `df1` and `df2` degrees of freedom. */
export class FisherSnedecor extends Distribution {
  static override readonly __module__: string = "torch.distributions.fishersnedecor";
  declare df1: Tensor;
  declare df2: Tensor;
  declare _gamma1: Gamma;
  declare _gamma2: Gamma;

  static {
    class_attributes(FisherSnedecor, {
      arg_constraints: { df1: positive, df2: positive },
      support: positive,
      has_rsample: true,
    });
    def_distribution(FisherSnedecor, FisherSnedecor_init);
  }

  constructor(...args: InitArgs<typeof FisherSnedecor_init>) {
    const [df1, df2, validate_args] = FisherSnedecor_init.bind(args);
    super();
    [this.df1, this.df2] = broadcast_all(df1, df2);
    this._gamma1 = new Gamma(this.df1.mul(0.5), this.df1);
    this._gamma2 = new Gamma(this.df2.mul(0.5), this.df2);
    super.__init__(batch_shape_of(this.df1, df1, df2), [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(FisherSnedecor, _instance);
    const shape = torch.Size(batch_shape);
    new_.df1 = this.df1.expand(shape);
    new_.df2 = this.df2.expand(shape);
    new_._gamma1 = this._gamma1.expand(shape);
    new_._gamma2 = this._gamma2.expand(shape);
    return this._expanded(new_, shape);
  }

  /** `df2`, or NaN where it is at most `bound`. */
  private _df2_above(bound: number): Tensor {
    const df2 = this.df2.clone({ memory_format: torch.contiguous_format });
    return df2.set_at(Number.NaN, df2.le(bound));
  }

  override get mean(): Tensor {
    const df2 = this._df2_above(2);
    return df2.div(df2.sub(2));
  }

  override get mode(): Tensor {
    const mode = this.df1.sub(2).div(this.df1).mul(this.df2).div(this.df2.add(2));
    return mode.set_at(Number.NaN, this.df1.le(2));
  }

  override get variance(): Tensor {
    const df2 = this._df2_above(4);
    const above = df2.pow(2).mul(2).mul(this.df1.add(df2).sub(2));
    return above.div(this.df1.mul(df2.sub(2).pow(2)).mul(df2.sub(4)));
  }

  // X1 / X2 of gamma variables with shapes df / 2 and rates df
  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    const X1 = this._gamma1.rsample(sample_shape).view(shape);
    const X2 = this._gamma2.rsample(sample_shape).view(shape);
    const { tiny } = torch.finfo(X2.dtype);
    X2.clamp_({ min: tiny });
    return X1.div(X2).clamp_({ min: tiny });
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const ct1 = this.df1.mul(0.5);
    const ct2 = this.df2.mul(0.5);
    const ct3 = this.df1.div(this.df2);
    const t1 = ct1.add(ct2).lgamma().sub(ct1.lgamma()).sub(ct2.lgamma());
    const t2 = ct1.mul(ct3.log()).add(ct1.sub(1).mul(torch.log(value)));
    const t3 = ct1.add(ct2).mul(torch.log1p(ct3.mul(value)));
    return t1.add(t2).sub(t3);
  }
}
