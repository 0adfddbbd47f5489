/**
 * @file The gamma distribution: the time until `concentration` events, which occur at `rate` per unit of time.
 * @mirrors torch/distributions/gamma.py
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

const Gamma_init = new Init(
  "Gamma.__init__(self, concentration, rate, validate_args=None)",
  types<[concentration: Tensor | Number_, rate: Tensor | Number_, validate_args: boolean | null]>,
);

/** Gamma distribution with shape `concentration` and mean `concentration / rate`. */
export class Gamma extends ExponentialFamily {
  static override readonly __module__: string = "torch.distributions.gamma";
  declare concentration: Tensor;
  declare rate: Tensor;

  static {
    class_attributes(Gamma, {
      arg_constraints: { concentration: positive, rate: positive },
      support: nonnegative,
      has_rsample: true,
      _mean_carrier_measure: 0,
    });
    def_distribution(Gamma, Gamma_init);
  }

  constructor(...args: [] | InitArgs<typeof Gamma_init>) {
    super();
    // A subclass calls `_of` itself; see Note [A distribution checks when it is made].
    if (args.length > 0 || new.target === Gamma) this._of(...Gamma_init.bind(args));
  }

  /** The code of PyTorch's constructor. */
  _of(concentration: Tensor | Number_, rate: Tensor | Number_, validate_args: boolean | null): void {
    [this.concentration, this.rate] = broadcast_all(concentration, rate);
    super.__init__(batch_shape_of(this.concentration, concentration, rate), [], validate_args);
  }

  override get mean(): Tensor {
    return this.concentration.div(this.rate);
  }

  override get mode(): Tensor {
    return this.concentration.sub(1).div(this.rate).clamp({ min: 0 });
  }

  override get variance(): Tensor {
    return this.concentration.div(this.rate.pow(2));
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Gamma, _instance);
    const shape = torch.Size(batch_shape);
    new_.concentration = this.concentration.expand(shape);
    new_.rate = this.rate.expand(shape);
    return this._expanded(new_, shape);
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    const value = torch._standard_gamma(this.concentration.expand(shape)).div(this.rate.expand(shape));
    value.detach().clamp_({ min: torch.finfo(value.dtype).tiny }); // outside the graph
    return value;
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(given: Tensor): Tensor {
    const { dtype, device } = this.rate;
    const value = torch.as_tensor(given, { dtype, device });
    if (this._validate_args) this._validate_sample(value);
    return torch
      .xlogy(this.concentration, this.rate)
      .add(torch.xlogy(this.concentration.sub(1), value))
      .sub(this.rate.mul(value))
      .sub(torch.lgamma(this.concentration));
  }

  override entropy(): Tensor {
    const { concentration, rate } = this;
    return concentration
      .sub(torch.log(rate))
      .add(torch.lgamma(concentration))
      .add(concentration.__rsub__(1).mul(torch.digamma(concentration)));
  }

  override cdf(...args: ValueArgs): Tensor;
  override cdf(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    return torch.special.gammainc(this.concentration, this.rate.mul(value));
  }

  override get _natural_params(): Tensor[] {
    return [this.concentration.sub(1), this.rate.neg()];
  }

  override _log_normalizer(x: Tensor, y: Tensor): Tensor {
    return torch.lgamma(x.add(1)).add(x.add(1).mul(torch.log(y.reciprocal().neg())));
  }
}
