/**
 * @file The normal distribution.
 * @mirrors torch/distributions/normal.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { positive, real } from "./constraints.ts";
import {
  type Distribution,
  def_distribution,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
import { ExponentialFamily } from "./exp_family.ts";
import { _standard_normal, batch_shape_of, broadcast_all, type Number_, type Size } from "./utils.ts";

const Normal_init = new Init(
  "Normal.__init__(self, loc, scale, validate_args=None)",
  types<[loc: Tensor | Number_, scale: Tensor | Number_, validate_args: boolean | null]>,
);

/** Normal distribution with mean `loc` and standard deviation `scale`. */
export class Normal extends ExponentialFamily {
  static override readonly __module__: string = "torch.distributions.normal";
  declare loc: Tensor;
  declare scale: Tensor;

  static {
    class_attributes(Normal, {
      arg_constraints: { loc: real, scale: positive },
      support: real,
      has_rsample: true,
      _mean_carrier_measure: 0,
    });
    def_distribution(Normal, Normal_init);
  }

  constructor(...args: InitArgs<typeof Normal_init>) {
    const [loc, scale, validate_args] = Normal_init.bind(args);
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

  override get stddev(): Tensor {
    return this.scale;
  }

  override get variance(): Tensor {
    return this.stddev.pow(2);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Normal, _instance);
    const shape = torch.Size(batch_shape);
    new_.loc = this.loc.expand(shape);
    new_.scale = this.scale.expand(shape);
    return this._expanded(new_, shape);
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    return torch.no_grad(() => torch.normal(this.loc.expand(shape), this.scale.expand(shape)));
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const eps = _standard_normal(this._extended_shape(sample_shape), this.loc);
    return this.loc.add(eps.mul(this.scale));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const var_ = this.scale.pow(2);
    const squares = value.sub(this.loc).pow(2).neg().div(var_.mul(2));
    return squares.sub(this.scale.log()).sub(Math.log(Math.sqrt(2 * Math.PI)));
  }

  override cdf(...args: ValueArgs): Tensor;
  override cdf(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const z = value.sub(this.loc).mul(this.scale.reciprocal()).div(Math.sqrt(2));
    return torch.erf(z).add(1).mul(0.5);
  }

  override icdf(...args: ValueArgs): Tensor;
  override icdf(value: Tensor): Tensor {
    const z = torch.erfinv(value.mul(2).sub(1));
    return this.loc.add(this.scale.mul(z).mul(Math.sqrt(2)));
  }

  override entropy(): Tensor {
    return torch.log(this.scale).add(0.5 + 0.5 * Math.log(2 * Math.PI));
  }

  override get _natural_params(): Tensor[] {
    return [this.loc.div(this.scale.pow(2)), this.scale.pow(2).reciprocal().mul(-0.5)];
  }

  override _log_normalizer(x: Tensor, y: Tensor): Tensor {
    const log = torch.log(y.__rdiv__(-Math.PI));
    return x.pow(2).mul(-0.25).div(y).add(log.mul(0.5));
  }
}
