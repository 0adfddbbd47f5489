/**
 * @file The Poisson distribution: the number of events if `rate` are expected.
 * @mirrors torch/distributions/poisson.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { nonnegative, nonnegative_integer } from "./constraints.ts";
import {
  type Distribution,
  def_distribution,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
import { ExponentialFamily } from "./exp_family.ts";
import { batch_shape_of, broadcast_all, type Number_, type Size } from "./utils.ts";

const Poisson_init = new Init(
  "Poisson.__init__(self, rate, validate_args=None)",
  types<[rate: Tensor | Number_, validate_args: boolean | null]>,
);

/** Poisson distribution with mean `rate`. */
export class Poisson extends ExponentialFamily {
  static override readonly __module__: string = "torch.distributions.poisson";
  declare rate: Tensor;

  static {
    class_attributes(Poisson, { arg_constraints: { rate: nonnegative }, support: nonnegative_integer });
    def_distribution(Poisson, Poisson_init);
  }

  constructor(...args: InitArgs<typeof Poisson_init>) {
    const [rate, validate_args] = Poisson_init.bind(args);
    super();
    [this.rate] = broadcast_all(rate);
    super.__init__(batch_shape_of(this.rate, rate), [], validate_args);
  }

  override get mean(): Tensor {
    return this.rate;
  }

  override get mode(): Tensor {
    return this.rate.floor();
  }

  override get variance(): Tensor {
    return this.rate;
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Poisson, _instance);
    const shape = torch.Size(batch_shape);
    new_.rate = this.rate.expand(shape);
    return this._expanded(new_, shape);
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    return torch.no_grad(() => torch.poisson(this.rate.expand(shape)));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(given: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(given);
    const [rate, value] = broadcast_all(this.rate, given);
    return value.xlogy(rate).sub(rate).sub(value.add(1).lgamma());
  }

  override get _natural_params(): Tensor[] {
    return [torch.log(this.rate)];
  }

  override _log_normalizer(x: Tensor): Tensor {
    return torch.exp(x);
  }
}
