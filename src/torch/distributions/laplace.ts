/**
 * @file The Laplace distribution: an exponential distribution on each side of `loc`.
 * @mirrors torch/distributions/laplace.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { positive, real } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { batch_shape_of, broadcast_all, type Number_, type Size } from "./utils.ts";

const Laplace_init = new Init(
  "Laplace.__init__(self, loc, scale, validate_args=None)",
  types<[loc: Tensor | Number_, scale: Tensor | Number_, validate_args: boolean | null]>,
);

/** Laplace distribution around `loc`; `scale` is the mean distance from `loc`. */
export class Laplace extends Distribution {
  static override readonly __module__: string = "torch.distributions.laplace";
  declare loc: Tensor;
  declare scale: Tensor;

  static {
    class_attributes(Laplace, { arg_constraints: { loc: real, scale: positive }, support: real, has_rsample: true });
    def_distribution(Laplace, Laplace_init);
  }

  constructor(...args: InitArgs<typeof Laplace_init>) {
    const [loc, scale, validate_args] = Laplace_init.bind(args);
    super();
    [this.loc, this.scale] = broadcast_all(loc, scale);
    super.__init__(batch_shape_of(this.loc, loc, scale), [], validate_args);
  }

  override get mean(): Tensor {
    return this.loc;
  }

  override get mode(): Tensor {
    return this.loc;
  }

  override get variance(): Tensor {
    return this.scale.pow(2).mul(2);
  }

  override get stddev(): Tensor {
    return this.scale.mul(2 ** 0.5);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Laplace, _instance);
    const shape = torch.Size(batch_shape);
    new_.loc = this.loc.expand(shape);
    new_.scale = this.scale.expand(shape);
    return this._expanded(new_, shape);
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    const u = this.loc.new_empty(shape).uniform_(torch.finfo(this.loc.dtype).eps - 1, 1);
    return this.loc.sub(this.scale.mul(u.sign()).mul(torch.log1p(u.abs().neg())));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const distance = torch.abs(value.sub(this.loc)).div(this.scale);
    return torch.log(this.scale.mul(2)).neg().sub(distance);
  }

  override cdf(...args: ValueArgs): Tensor;
  override cdf(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const diff = value.sub(this.loc);
    return diff
      .sign()
      .mul(0.5)
      .mul(torch.expm1(diff.abs().neg().div(this.scale)))
      .__rsub__(0.5);
  }

  override icdf(...args: ValueArgs): Tensor;
  override icdf(value: Tensor): Tensor {
    const term = value.sub(0.5);
    return this.loc.sub(this.scale.mul(term.sign()).mul(torch.log1p(term.abs().mul(-2))));
  }

  override entropy(): Tensor {
    return torch.log(this.scale.mul(2)).add(1);
  }
}
