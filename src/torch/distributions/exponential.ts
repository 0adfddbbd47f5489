/**
 * @file The exponential distribution: the time until an event that occurs at a constant rate.
 * @mirrors torch/distributions/exponential.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { nonnegative, positive } from "./constraints.ts";
import {
  type Distribution,
  def_distribution,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
import { ExponentialFamily } from "./exp_family.ts";
import { batch_shape_of, broadcast_all, type Number_, type Size } from "./utils.ts";

const Exponential_init = new Init(
  "Exponential.__init__(self, rate, validate_args=None)",
  types<[rate: Tensor | Number_, validate_args: boolean | null]>,
);

/** Exponential distribution with mean `1 / rate`. */
export class Exponential extends ExponentialFamily {
  static override readonly __module__: string = "torch.distributions.exponential";
  declare rate: Tensor;

  static {
    class_attributes(Exponential, {
      arg_constraints: { rate: positive },
      support: nonnegative,
      has_rsample: true,
      _mean_carrier_measure: 0,
    });
    def_distribution(Exponential, Exponential_init);
  }

  constructor(...args: InitArgs<typeof Exponential_init>) {
    const [rate, validate_args] = Exponential_init.bind(args);
    super();
    [this.rate] = broadcast_all(rate);
    super.__init__(batch_shape_of(this.rate, rate), [], validate_args);
  }

  override get mean(): Tensor {
    return this.rate.reciprocal();
  }

  override get mode(): Tensor {
    return torch.zeros_like(this.rate);
  }

  override get stddev(): Tensor {
    return this.rate.reciprocal();
  }

  override get variance(): Tensor {
    return this.rate.pow(-2);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Exponential, _instance);
    const shape = torch.Size(batch_shape);
    new_.rate = this.rate.expand(shape);
    return this._expanded(new_, shape);
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    return this.rate.new_empty(shape).exponential_().div(this.rate);
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    return this.rate.log().sub(this.rate.mul(value));
  }

  override cdf(...args: ValueArgs): Tensor;
  override cdf(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    return torch.exp(this.rate.neg().mul(value)).__rsub__(1);
  }

  override icdf(...args: ValueArgs): Tensor;
  override icdf(value: Tensor): Tensor {
    return torch.log1p(value.neg()).neg().div(this.rate);
  }

  override entropy(): Tensor {
    return torch.log(this.rate).__rsub__(1);
  }

  override get _natural_params(): Tensor[] {
    return [this.rate.neg()];
  }

  override _log_normalizer(x: Tensor): Tensor {
    return torch.log(x.neg()).neg();
  }
}
