/**
 * @file Student's t distribution: a normal variable divided by an estimate of its standard deviation.
 * @mirrors torch/distributions/studentT.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Chi2 } from "./chi2.ts";
import { class_attributes } from "./class_attributes.ts";
import { positive, real } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { _standard_normal, broadcast_all, type Number_, type Size } from "./utils.ts";

const StudentT_init = new Init(
  "StudentT.__init__(self, df, loc=0.0, scale=1.0, validate_args=None)",
  types<[df: Tensor | Number_, loc: Tensor | Number_, scale: Tensor | Number_, validate_args: boolean | null]>,
);

/** Student's t distribution with `df` degrees of freedom, location `loc` and scale `scale`. */
export class StudentT extends Distribution {
  static override readonly __module__: string = "torch.distributions.studentT";
  declare df: Tensor;
  declare loc: Tensor;
  declare scale: Tensor;
  declare _chi2: Chi2;

  static {
    class_attributes(StudentT, {
      arg_constraints: { df: positive, loc: real, scale: positive },
      support: real,
      has_rsample: true,
    });
    def_distribution(StudentT, StudentT_init);
  }

  constructor(...args: InitArgs<typeof StudentT_init>) {
    const [df, loc, scale, validate_args] = StudentT_init.bind(args);
    super();
    [this.df, this.loc, this.scale] = broadcast_all(df, loc, scale);
    this._chi2 = new Chi2(this.df);
    super.__init__(this.df.size(), [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(StudentT, _instance);
    const shape = torch.Size(batch_shape);
    new_.df = this.df.expand(shape);
    new_.loc = this.loc.expand(shape);
    new_.scale = this.scale.expand(shape);
    new_._chi2 = this._chi2.expand(shape);
    return this._expanded(new_, shape);
  }

  /** NaN if `df` is at most 1. */
  override get mean(): Tensor {
    const m = this.loc.clone({ memory_format: torch.contiguous_format });
    return m.set_at(Number.NaN, this.df.le(1));
  }

  override get mode(): Tensor {
    return this.loc;
  }

  /** Infinite if `df` is at most 2, NaN if it is at most 1. */
  override get variance(): Tensor {
    const { df, scale } = this;
    const m = df.clone({ memory_format: torch.contiguous_format });
    const finite = df.gt(2);
    m.set_at(scale.at(finite).pow(2).mul(df.at(finite)).div(df.at(finite).sub(2)), finite);
    m.set_at(Number.POSITIVE_INFINITY, df.le(2).bitwise_and(df.gt(1)));
    return m.set_at(Number.NaN, df.le(1));
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const X = _standard_normal(this._extended_shape(sample_shape), this.df);
    const Z = this._chi2.rsample(sample_shape);
    return this.loc.add(this.scale.mul(X.mul(torch.rsqrt(Z.div(this.df)))));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const { df, scale } = this;
    const y = value.sub(this.loc).div(scale);
    const Z = scale
      .log()
      .add(df.log().mul(0.5))
      .add(0.5 * Math.log(Math.PI))
      .add(torch.lgamma(df.mul(0.5)))
      .sub(torch.lgamma(df.add(1).mul(0.5)));
    return df
      .add(1)
      .mul(-0.5)
      .mul(torch.log1p(y.pow(2).div(df)))
      .sub(Z);
  }

  override entropy(): Tensor {
    const { df } = this;
    const half = df.mul(0.5);
    const half_more = df.add(1).mul(0.5);
    const lbeta = torch
      .lgamma(half)
      .add(0.5 * Math.log(Math.PI)) // lgamma(1/2)
      .sub(torch.lgamma(half_more));
    const digammas = torch.digamma(half_more).sub(torch.digamma(half));
    return this.scale.log().add(df.add(1).mul(0.5).mul(digammas)).add(df.log().mul(0.5)).add(lbeta);
  }
}
