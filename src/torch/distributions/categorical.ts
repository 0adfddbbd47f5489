/**
 * @file The categorical distribution over the integers `0 ... K - 1`.
 * @mirrors torch/distributions/categorical.py
 */

import { ValueError } from "#c10/util/Exception";
import { with_method } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { dependent_property, integer_interval, real_vector, simplex } from "./constraints.ts";
import {
  Distribution,
  def_distribution,
  type EnumerateArgs,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
import { check_one_of, expand_given, lazy_property, logits_to_probs, probs_to_logits, type Size } from "./utils.ts";

const Categorical_init = new Init(
  "Categorical.__init__(self, probs=None, logits=None, validate_args=None)",
  types<[probs: Tensor | null, logits: Tensor | null, validate_args: boolean | null]>,
);

/**
 * Categorical distribution. The probabilities are the last dim of `probs`, which need not sum to 1; `logits` are their logarithms, up to a
 * constant. Both attributes are normalized.
 */
export class Categorical extends Distribution {
  static override readonly __module__: string = "torch.distributions.categorical";
  declare probs: Tensor;
  declare logits: Tensor;
  declare _param: Tensor;
  declare _num_events: number;

  static {
    class_attributes(Categorical, {
      arg_constraints: { probs: simplex, logits: real_vector },
      has_enumerate_support: true,
    });
    const statics = { is_discrete: true, event_dim: 0 };
    dependent_property(Categorical, "support", (self) => integer_interval(0, self._num_events - 1), statics);
    lazy_property(Categorical, "logits", (self) => probs_to_logits(self.probs));
    lazy_property(Categorical, "probs", (self) => logits_to_probs(self.logits));
    def_distribution(Categorical, Categorical_init);
  }

  constructor(...args: InitArgs<typeof Categorical_init>) {
    const [probs, logits, validate_args] = Categorical_init.bind(args);
    check_one_of(probs, logits);
    super();
    if (probs !== null) {
      if (with_method(probs, "dim").dim() < 1)
        throw new ValueError("`probs` parameter must be at least one-dimensional.");
      this._param = this.probs = probs.div(probs.sum(-1, { keepdim: true }));
    } else if (logits !== null) {
      if (with_method(logits, "dim").dim() < 1)
        throw new ValueError("`logits` parameter must be at least one-dimensional.");
      this._param = this.logits = logits.sub(logits.logsumexp(-1, { keepdim: true }));
    }
    this._num_events = this._param.size(-1);
    super.__init__(this._param.size().slice(0, -1), [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Categorical, _instance);
    const shape = torch.Size(batch_shape);
    expand_given(this, new_, [...shape, this._num_events]);
    new_._num_events = this._num_events;
    return this._expanded(new_, shape);
  }

  /** The shape of `probs` and `logits`. */
  get param_shape(): number[] {
    return this._param.size();
  }

  /** NaN, since categories have no mean. */
  override get mean(): Tensor {
    const { dtype, device } = this.probs;
    return torch.full(this._extended_shape(), Number.NaN, { dtype, device });
  }

  override get mode(): Tensor {
    return this.probs.argmax(-1);
  }

  /** NaN, since categories have no variance. */
  override get variance(): Tensor {
    return this.mean;
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const probs_2d = this.probs.reshape(-1, this._num_events);
    const n = torch.Size(sample_shape).reduce((a, b) => a * b, 1);
    return torch.multinomial(probs_2d, n, true).T.reshape(this._extended_shape(sample_shape));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const [index, log_pmf] = torch.broadcast_tensors(value.long().unsqueeze(-1), this.logits);
    return log_pmf.gather(-1, index.at("...", torch.slice(null, 1))).squeeze(-1);
  }

  override entropy(): Tensor {
    // So that a logit of -inf times a probability of 0 gives 0.
    const logits = torch.clamp(this.logits, { min: torch.finfo(this.logits.dtype).min });
    return logits.mul(this.probs).sum(-1).neg();
  }

  override enumerate_support(...args: EnumerateArgs): Tensor;
  override enumerate_support(expand: boolean): Tensor {
    const range = torch.arange(this._num_events, { dtype: torch.long, device: this._param.device });
    const values = range.view([-1, ...this._batch_shape.map(() => 1)]);
    return expand ? values.expand([-1, ...this._batch_shape]) : values;
  }
}
