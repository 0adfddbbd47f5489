/**
 * @file The relaxed Bernoulli distribution: differentiable samples between 0 and 1, concentrated near 0 and 1.
 * @mirrors torch/distributions/relaxed_bernoulli.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { real, unit_interval } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { SigmoidTransform } from "./transforms/index.ts";
import {
  batch_shape_of,
  broadcast_all,
  check_one_of,
  clamp_probs,
  expand_given,
  lazy_property,
  logits_to_probs,
  type Number_,
  probs_to_logits,
  type Size,
} from "./utils.ts";

const LogitRelaxedBernoulli_init = new Init(
  "LogitRelaxedBernoulli.__init__(self, temperature, probs=None, logits=None, validate_args=None)",
  types<
    [
      temperature: Tensor,
      probs: Tensor | Number_ | null,
      logits: Tensor | Number_ | null,
      validate_args: boolean | null,
    ]
  >,
);

/** The distribution of the logits of `RelaxedBernoulli` samples. */
export class LogitRelaxedBernoulli extends Distribution {
  static override readonly __module__: string = "torch.distributions.relaxed_bernoulli";
  declare temperature: Tensor;
  declare probs: Tensor;
  declare logits: Tensor;
  declare _param: Tensor;

  static {
    class_attributes(LogitRelaxedBernoulli, {
      arg_constraints: { probs: unit_interval, logits: real },
      support: real,
    });
    lazy_property(LogitRelaxedBernoulli, "logits", (self) => probs_to_logits(self.probs, true));
    lazy_property(LogitRelaxedBernoulli, "probs", (self) => logits_to_probs(self.logits, true));
    def_distribution(LogitRelaxedBernoulli, LogitRelaxedBernoulli_init);
  }

  constructor(...args: InitArgs<typeof LogitRelaxedBernoulli_init>) {
    const [temperature, probs, logits, validate_args] = LogitRelaxedBernoulli_init.bind(args);
    check_one_of(probs, logits);
    super();
    this.temperature = temperature;
    const given = (probs ?? logits) as Tensor | Number_;
    [this._param] = broadcast_all(given);
    this[probs !== null ? "probs" : "logits"] = this._param;
    super.__init__(batch_shape_of(this._param, given), [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(LogitRelaxedBernoulli, _instance);
    const shape = torch.Size(batch_shape);
    new_.temperature = this.temperature;
    expand_given(this, new_, shape);
    return this._expanded(new_, shape);
  }

  /** The shape of `probs` and `logits`. */
  get param_shape(): number[] {
    return this._param.size();
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    const probs = clamp_probs(this.probs.expand(shape));
    const uniforms = clamp_probs(torch.rand(shape, { dtype: probs.dtype, device: probs.device }));
    return uniforms.log().sub(uniforms.neg().log1p()).add(probs.log()).sub(probs.neg().log1p()).div(this.temperature);
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(given: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(given);
    const [logits, value] = broadcast_all(this.logits, given);
    const diff = logits.sub(value.mul(this.temperature));
    return this.temperature.log().add(diff).sub(diff.exp().log1p().mul(2));
  }
}

const RelaxedBernoulli_init = new Init(
  "RelaxedBernoulli.__init__(self, temperature, probs=None, logits=None, validate_args=None)",
  types<
    [
      temperature: Tensor,
      probs: Tensor | Number_ | null,
      logits: Tensor | Number_ | null,
      validate_args: boolean | null,
    ]
  >,
);

/** Relaxed Bernoulli distribution: numbers between 0 and 1; the lower the `temperature`, the closer to 0 or 1. */
export class RelaxedBernoulli extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.relaxed_bernoulli";
  declare base_dist: LogitRelaxedBernoulli;

  static {
    class_attributes(RelaxedBernoulli, {
      arg_constraints: { probs: unit_interval, logits: real },
      support: unit_interval,
      has_rsample: true,
    });
    def_distribution(RelaxedBernoulli, RelaxedBernoulli_init);
  }

  constructor(...args: InitArgs<typeof RelaxedBernoulli_init>) {
    const [temperature, probs, logits, validate_args] = RelaxedBernoulli_init.bind(args);
    super();
    this._transform(new LogitRelaxedBernoulli(temperature, probs, logits), new SigmoidTransform(), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    return super.expand(batch_shape, this._get_checked_instance(RelaxedBernoulli, _instance));
  }

  get temperature(): Tensor {
    return this.base_dist.temperature;
  }

  get logits(): Tensor {
    return this.base_dist.logits;
  }

  get probs(): Tensor {
    return this.base_dist.probs;
  }
}
