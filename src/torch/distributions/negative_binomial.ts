/**
 * @file The negative binomial distribution: the number of successes before `total_count` failures.
 * @mirrors torch/distributions/negative_binomial.py
 */
import { Float } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import { class_attributes } from "./class_attributes.ts";
import { greater_than_eq, half_open_interval, nonnegative_integer, real } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { Gamma } from "./gamma.ts";
import {
  broadcast_all,
  check_one_of,
  expand_given,
  lazy_property,
  logits_to_probs,
  type Number_,
  probs_to_logits,
  type Size,
} from "./utils.ts";

const NegativeBinomial_init = new Init(
  "NegativeBinomial.__init__(self, total_count, probs=None, logits=None, validate_args=None)",
  types<
    [
      total_count: Tensor | Number_,
      probs: Tensor | Number_ | null,
      logits: Tensor | Number_ | null,
      validate_args: boolean | null,
    ]
  >,
);

/**
 * Negative binomial distribution: the number of successes, each with probability `probs`, before `total_count` failures; `logits` are the
 * log odds of success.
 */
export class NegativeBinomial extends Distribution {
  static override readonly __module__: string = "torch.distributions.negative_binomial";
  declare total_count: Tensor;
  declare probs: Tensor;
  declare logits: Tensor;
  declare _param: Tensor;
  declare _gamma: Gamma;

  static {
    class_attributes(NegativeBinomial, {
      arg_constraints: {
        total_count: greater_than_eq(0),
        probs: half_open_interval(Float(0), Float(1)),
        logits: real,
      },
      support: nonnegative_integer,
    });
    lazy_property(NegativeBinomial, "logits", (self) => probs_to_logits(self.probs, true));
    lazy_property(NegativeBinomial, "probs", (self) => logits_to_probs(self.logits, true));
    // Without checks, since `total_count` may be 0.
    lazy_property(
      NegativeBinomial,
      "_gamma",
      (self) => new Gamma(self.total_count, torch.exp(self.logits.neg()), false),
    );
    def_distribution(NegativeBinomial, NegativeBinomial_init);
  }

  constructor(...args: InitArgs<typeof NegativeBinomial_init>) {
    const [total_count, probs, logits, validate_args] = NegativeBinomial_init.bind(args);
    check_one_of(probs, logits);
    super();
    const [count, param] = broadcast_all(total_count, (probs ?? logits) as Tensor | Number_);
    this[probs !== null ? "probs" : "logits"] = this._param = param;
    this.total_count = count.type_as(param);
    super.__init__(param.size(), [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(NegativeBinomial, _instance);
    const shape = torch.Size(batch_shape);
    new_.total_count = this.total_count.expand(shape);
    expand_given(this, new_, shape);
    return this._expanded(new_, shape);
  }

  override get mean(): Tensor {
    return this.total_count.mul(torch.exp(this.logits));
  }

  override get mode(): Tensor {
    return this.total_count.sub(1).mul(this.logits.exp()).floor().clamp({ min: 0 });
  }

  override get variance(): Tensor {
    return this.mean.div(torch.sigmoid(this.logits.neg()));
  }

  /** The shape of `probs` and `logits`. */
  get param_shape(): number[] {
    return this._param.size();
  }

  // A Poisson variable whose rate is a gamma variable.
  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    return torch.no_grad(() => torch.poisson(this._gamma.sample(sample_shape)));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const { total_count, logits } = this;
    const log_unnormalized_prob = total_count.mul(F.logsigmoid(logits.neg())).add(value.mul(F.logsigmoid(logits)));
    const log_normalization = torch
      .lgamma(total_count.add(value))
      .neg()
      .add(torch.lgamma(value.add(1)))
      .add(torch.lgamma(total_count))
      .masked_fill(total_count.add(value).eq(0), 0); // lgamma(0) is infinite here, but the probability is 1
    return log_unnormalized_prob.sub(log_normalization);
  }
}
