/**
 * @file The binomial distribution: the number of successes in `total_count` trials.
 * @mirrors torch/distributions/binomial.py
 */
import { NotImplementedError } from "#c10/util/Exception";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { dependent_property, integer_interval, nonnegative_integer, real, unit_interval } from "./constraints.ts";
import {
  Distribution,
  def_distribution,
  type EnumerateArgs,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
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

/** `max(x, 0)` with gradient 1/2 at 0. */
function _clamp_by_zero(x: Tensor): Tensor {
  return x
    .clamp({ min: 0 })
    .add(x)
    .sub(x.clamp({ max: 0 }))
    .div(2);
}

const Binomial_init = new Init(
  "Binomial.__init__(self, total_count=1, probs=None, logits=None, validate_args=None)",
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
 * Binomial distribution: the number of successes in `total_count` trials that each succeed with probability `probs`; `logits` are the log
 * odds.
 */
export class Binomial extends Distribution {
  static override readonly __module__: string = "torch.distributions.binomial";
  declare total_count: Tensor;
  declare probs: Tensor;
  declare logits: Tensor;
  declare _param: Tensor;

  static {
    class_attributes(Binomial, {
      arg_constraints: { total_count: nonnegative_integer, probs: unit_interval, logits: real },
      has_enumerate_support: true,
    });
    const statics = { is_discrete: true, event_dim: 0 };
    dependent_property(Binomial, "support", (self) => integer_interval(0, self.total_count), statics);
    lazy_property(Binomial, "logits", (self) => probs_to_logits(self.probs, true));
    lazy_property(Binomial, "probs", (self) => logits_to_probs(self.logits, true));
    def_distribution(Binomial, Binomial_init);
  }

  constructor(...args: InitArgs<typeof Binomial_init>) {
    const [total_count, probs, logits, validate_args] = Binomial_init.bind(args);
    check_one_of(probs, logits);
    super();
    const [count, param] = broadcast_all(total_count, (probs ?? logits) as Tensor | Number_);
    this[probs !== null ? "probs" : "logits"] = this._param = param;
    this.total_count = count.type_as(param);
    super.__init__(param.size(), [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Binomial, _instance);
    const shape = torch.Size(batch_shape);
    new_.total_count = this.total_count.expand(shape);
    expand_given(this, new_, shape);
    return this._expanded(new_, shape);
  }

  override get mean(): Tensor {
    return this.total_count.mul(this.probs);
  }

  override get mode(): Tensor {
    return this.total_count.add(1).mul(this.probs).floor().clamp({ max: this.total_count });
  }

  override get variance(): Tensor {
    return this.total_count.mul(this.probs).mul(this.probs.__rsub__(1));
  }

  /** The shape of `probs` and `logits`. */
  get param_shape(): number[] {
    return this._param.size();
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    return torch.no_grad(() => torch.binomial(this.total_count.expand(shape), this.probs.expand(shape)));
  }

  // log(n! / (k! (n - k)!)) + k log(p) + (n - k) log(1 - p), where log(p) - log(1 - p) is the logit l and log(1 - p) = -max(l, 0) -
  // log1p(exp(-|l|)), which is finite for every finite l.
  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const { total_count, logits } = this;
    const log_factorial_n = torch.lgamma(total_count.add(1));
    const log_factorial_k = torch.lgamma(value.add(1));
    const log_factorial_nmk = torch.lgamma(total_count.sub(value).add(1));
    const normalize_term = total_count
      .mul(_clamp_by_zero(logits))
      .add(total_count.mul(torch.log1p(torch.exp(torch.abs(logits).neg()))))
      .sub(log_factorial_n);
    return value.mul(logits).sub(log_factorial_k).sub(log_factorial_nmk).sub(normalize_term);
  }

  private _common_count(method: string): number {
    const total_count = Math.trunc(this.total_count.max().item());
    if (this.total_count.min().item() !== total_count)
      throw new NotImplementedError(`Inhomogeneous total count not supported by \`${method}\`.`);
    return total_count;
  }

  override entropy(): Tensor {
    this._common_count("entropy");
    const log_prob = this.log_prob(this.enumerate_support(false));
    return torch.exp(log_prob).mul(log_prob).sum(0).neg();
  }

  override enumerate_support(...args: EnumerateArgs): Tensor;
  override enumerate_support(expand: boolean): Tensor {
    const total_count = this._common_count("enumerate_support");
    const { dtype, device } = this._param;
    const values = torch.arange(1 + total_count, { dtype, device }).view([-1, ...this._batch_shape.map(() => 1)]);
    return expand ? values.expand([-1, ...this._batch_shape]) : values;
  }
}
