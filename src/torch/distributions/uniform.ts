/**
 * @file The uniform distribution.
 * @mirrors torch/distributions/uniform.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { type Constraint, dependent_property, greater_than, interval, less_than } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { batch_shape_of, broadcast_all, type Number_, type Size } from "./utils.ts";

const Uniform_init = new Init(
  "Uniform.__init__(self, low, high, validate_args=None)",
  types<[low: Tensor | Number_, high: Tensor | Number_, validate_args: boolean | null]>,
);

/** Uniform distribution from `low` up to but not including `high`. */
export class Uniform extends Distribution {
  static override readonly __module__: string = "torch.distributions.uniform";
  declare low: Tensor;
  declare high: Tensor;

  static {
    class_attributes(Uniform, { has_rsample: true });
    const statics = { is_discrete: false, event_dim: 0 };
    dependent_property(Uniform, "support", (self) => interval(self.low, self.high), statics);
    def_distribution(Uniform, Uniform_init);
  }

  constructor(...args: InitArgs<typeof Uniform_init>) {
    const [low, high, validate_args] = Uniform_init.bind(args);
    super();
    [this.low, this.high] = broadcast_all(low, high);
    super.__init__(batch_shape_of(this.low, low, high), [], validate_args);
  }

  override get arg_constraints(): Record<string, Constraint> {
    return { low: less_than(this.high), high: greater_than(this.low) };
  }

  override get mean(): Tensor {
    return this.high.add(this.low).div(2);
  }

  /** NaN, since the mode is not unique. */
  override get mode(): Tensor {
    return this.high.mul(Number.NaN);
  }

  override get stddev(): Tensor {
    return this.high.sub(this.low).div(12 ** 0.5);
  }

  override get variance(): Tensor {
    return this.high.sub(this.low).pow(2).div(12);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Uniform, _instance);
    const shape = torch.Size(batch_shape);
    new_.low = this.low.expand(shape);
    new_.high = this.high.expand(shape);
    return this._expanded(new_, shape);
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const { dtype, device } = this.low;
    const rand = torch.rand(this._extended_shape(sample_shape), { dtype, device });
    return this.low.add(rand.mul(this.high.sub(this.low)));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const lb = this.low.le(value).type_as(this.low);
    const ub = this.high.gt(value).type_as(this.low);
    return torch.log(lb.mul(ub)).sub(torch.log(this.high.sub(this.low)));
  }

  override cdf(...args: ValueArgs): Tensor;
  override cdf(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    return value.sub(this.low).div(this.high.sub(this.low)).clamp({ min: 0, max: 1 });
  }

  override icdf(...args: ValueArgs): Tensor;
  override icdf(value: Tensor): Tensor {
    return value.mul(this.high.sub(this.low)).add(this.low);
  }

  override entropy(): Tensor {
    return torch.log(this.high.sub(this.low));
  }
}
