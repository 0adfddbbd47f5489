/**
 * @file The Bernoulli distribution: 1 or 0.
 * @mirrors torch/distributions/bernoulli.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import { class_attributes } from "./class_attributes.ts";
import { boolean, real, unit_interval } from "./constraints.ts";
import {
  type Distribution,
  def_distribution,
  type EnumerateArgs,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
import { ExponentialFamily } from "./exp_family.ts";
import {
  batch_shape_of,
  broadcast_all,
  check_one_of,
  expand_given,
  lazy_property,
  logits_to_probs,
  type Number_,
  probs_to_logits,
  type Size,
} from "./utils.ts";

const Bernoulli_init = new Init(
  "Bernoulli.__init__(self, probs=None, logits=None, validate_args=None)",
  types<[probs: Tensor | Number_ | null, logits: Tensor | Number_ | null, validate_args: boolean | null]>,
);

/** Bernoulli distribution: 1 with probability `probs`, else 0; `logits` are the log odds. */
export class Bernoulli extends ExponentialFamily {
  static override readonly __module__: string = "torch.distributions.bernoulli";
  declare probs: Tensor;
  declare logits: Tensor;
  declare _param: Tensor;

  static {
    class_attributes(Bernoulli, {
      arg_constraints: { probs: unit_interval, logits: real },
      support: boolean,
      has_enumerate_support: true,
      _mean_carrier_measure: 0,
    });
    lazy_property(Bernoulli, "logits", (self) => probs_to_logits(self.probs, true));
    lazy_property(Bernoulli, "probs", (self) => logits_to_probs(self.logits, true));
    def_distribution(Bernoulli, Bernoulli_init);
  }

  constructor(...args: InitArgs<typeof Bernoulli_init>) {
    const [probs, logits, validate_args] = Bernoulli_init.bind(args);
    check_one_of(probs, logits);
    super();
    const given = (probs ?? logits) as Tensor | Number_;
    [this._param] = broadcast_all(given);
    this[probs !== null ? "probs" : "logits"] = this._param;
    super.__init__(batch_shape_of(this._param, given), [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Bernoulli, _instance);
    const shape = torch.Size(batch_shape);
    expand_given(this, new_, shape);
    return this._expanded(new_, shape);
  }

  override get mean(): Tensor {
    return this.probs;
  }

  override get mode(): Tensor {
    const mode = this.probs.ge(0.5).to(this.probs);
    return mode.set_at(Number.NaN, this.probs.eq(0.5));
  }

  override get variance(): Tensor {
    return this.probs.mul(this.probs.__rsub__(1));
  }

  /** The shape of `probs` and `logits`. */
  get param_shape(): number[] {
    return this._param.size();
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    return torch.no_grad(() => torch.bernoulli(this.probs.expand(shape)));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const [logits, target] = broadcast_all(this.logits, value);
    return F.binary_cross_entropy_with_logits(logits, target, { reduction: "none" }).neg();
  }

  override entropy(): Tensor {
    return F.binary_cross_entropy_with_logits(this.logits, this.probs, { reduction: "none" });
  }

  override enumerate_support(...args: EnumerateArgs): Tensor;
  override enumerate_support(expand: boolean): Tensor {
    const { dtype, device } = this._param;
    const values = torch.arange(2, { dtype, device }).view([-1, ...this._batch_shape.map(() => 1)]);
    return expand ? values.expand([-1, ...this._batch_shape]) : values;
  }

  override get _natural_params(): Tensor[] {
    return [torch.logit(this.probs)];
  }

  override _log_normalizer(x: Tensor): Tensor {
    return torch.log1p(torch.exp(x));
  }
}
