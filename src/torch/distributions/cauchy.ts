/**
 * @file The Cauchy distribution: the ratio of two normal variables.
 * @mirrors torch/distributions/cauchy.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { positive, real } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { batch_shape_of, broadcast_all, type Number_, type Size } from "./utils.ts";

const Cauchy_init = new Init(
  "Cauchy.__init__(self, loc, scale, validate_args=None)",
  types<[loc: Tensor | Number_, scale: Tensor | Number_, validate_args: boolean | null]>,
);

/** Cauchy distribution with median `loc`; `scale` is half of its width at half of its height. */
export class Cauchy extends Distribution {
  static override readonly __module__: string = "torch.distributions.cauchy";
  declare loc: Tensor;
  declare scale: Tensor;

  static {
    class_attributes(Cauchy, { arg_constraints: { loc: real, scale: positive }, support: real, has_rsample: true });
    def_distribution(Cauchy, Cauchy_init);
  }

  constructor(...args: InitArgs<typeof Cauchy_init>) {
    const [loc, scale, validate_args] = Cauchy_init.bind(args);
    super();
    [this.loc, this.scale] = broadcast_all(loc, scale);
    super.__init__(batch_shape_of(this.loc, loc, scale), [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Cauchy, _instance);
    const shape = torch.Size(batch_shape);
    new_.loc = this.loc.expand(shape);
    new_.scale = this.scale.expand(shape);
    return this._expanded(new_, shape);
  }

  private _full(value: number): Tensor {
    const { dtype, device } = this.loc;
    return torch.full(this._extended_shape(), value, { dtype, device });
  }

  /** NaN, since the mean does not exist. */
  override get mean(): Tensor {
    return this._full(Number.NaN);
  }

  override get mode(): Tensor {
    return this.loc;
  }

  override get variance(): Tensor {
    return this._full(Number.POSITIVE_INFINITY);
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const eps = this.loc.new_empty(this._extended_shape(sample_shape)).cauchy_();
    return this.loc.add(eps.mul(this.scale));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const z = value.sub(this.loc).div(this.scale);
    return this.scale.log().__rsub__(-Math.log(Math.PI)).sub(z.pow(2).log1p());
  }

  override cdf(...args: ValueArgs): Tensor;
  override cdf(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    return torch.atan(value.sub(this.loc).div(this.scale)).div(Math.PI).add(0.5);
  }

  override icdf(...args: ValueArgs): Tensor;
  override icdf(value: Tensor): Tensor {
    return torch.tan(value.sub(0.5).mul(Math.PI)).mul(this.scale).add(this.loc);
  }

  override entropy(): Tensor {
    return this.scale.log().add(Math.log(4 * Math.PI));
  }
}
