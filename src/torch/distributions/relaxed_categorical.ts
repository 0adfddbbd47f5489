/**
 * @file The relaxed categorical distribution (Gumbel-softmax): differentiable points of a simplex, concentrated near its corners.
 * @mirrors torch/distributions/relaxed_categorical.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Categorical } from "./categorical.ts";
import { class_attributes } from "./class_attributes.ts";
import { real_vector, simplex } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { TransformedDistribution } from "./transformed_distribution.ts";
import { ExpTransform } from "./transforms/index.ts";
import { broadcast_all, clamp_probs, type Size } from "./utils.ts";

const ExpRelaxedCategorical_init = new Init(
  "ExpRelaxedCategorical.__init__(self, temperature, probs=None, logits=None, validate_args=None)",
  types<[temperature: Tensor, probs: Tensor | null, logits: Tensor | null, validate_args: boolean | null]>,
);

/** The distribution of the logarithms of `RelaxedOneHotCategorical` samples. */
export class ExpRelaxedCategorical extends Distribution {
  static override readonly __module__: string = "torch.distributions.relaxed_categorical";
  declare temperature: Tensor;
  declare _categorical: Categorical;

  static {
    class_attributes(ExpRelaxedCategorical, {
      arg_constraints: { probs: simplex, logits: real_vector },
      support: real_vector,
      has_rsample: true,
    });
    def_distribution(ExpRelaxedCategorical, ExpRelaxedCategorical_init);
  }

  constructor(...args: InitArgs<typeof ExpRelaxedCategorical_init>) {
    const [temperature, probs, logits, validate_args] = ExpRelaxedCategorical_init.bind(args);
    super();
    this._categorical = new Categorical(probs, logits);
    this.temperature = temperature;
    const { batch_shape, param_shape } = this._categorical;
    super.__init__(batch_shape, param_shape.slice(-1), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(ExpRelaxedCategorical, _instance);
    const shape = torch.Size(batch_shape);
    new_.temperature = this.temperature;
    new_._categorical = this._categorical.expand(shape);
    return this._expanded(new_, shape);
  }

  /** The shape of `probs` and `logits`. */
  get param_shape(): number[] {
    return this._categorical.param_shape;
  }

  /** Normalized logits. */
  get logits(): Tensor {
    return this._categorical.logits;
  }

  /** Normalized probabilities. */
  get probs(): Tensor {
    return this._categorical.probs;
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const { dtype, device } = this.logits;
    const uniforms = clamp_probs(torch.rand(this._extended_shape(sample_shape), { dtype, device }));
    const gumbels = uniforms.log().neg().log().neg();
    const scores = this.logits.add(gumbels).div(this.temperature);
    return scores.sub(scores.logsumexp(-1, { keepdim: true }));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(given: Tensor): Tensor {
    const K = this._categorical._num_events;
    if (this._validate_args) this._validate_sample(given);
    const [logits, value] = broadcast_all(this.logits, given);
    const log_scale = torch
      .full_like(this.temperature, K)
      .lgamma()
      .sub(this.temperature.log().mul(-(K - 1)));
    const score = logits.sub(value.mul(this.temperature));
    return score
      .sub(score.logsumexp(-1, { keepdim: true }))
      .sum(-1)
      .add(log_scale);
  }
}

const RelaxedOneHotCategorical_init = new Init(
  "RelaxedOneHotCategorical.__init__(self, temperature, probs=None, logits=None, validate_args=None)",
  types<[temperature: Tensor, probs: Tensor | null, logits: Tensor | null, validate_args: boolean | null]>,
);

/** Relaxed one-hot categorical distribution: points of a simplex; the lower the `temperature`, the closer to one-hot vectors. */
export class RelaxedOneHotCategorical extends TransformedDistribution {
  static override readonly __module__: string = "torch.distributions.relaxed_categorical";
  declare base_dist: ExpRelaxedCategorical;

  static {
    class_attributes(RelaxedOneHotCategorical, {
      arg_constraints: { probs: simplex, logits: real_vector },
      support: simplex,
      has_rsample: true,
    });
    def_distribution(RelaxedOneHotCategorical, RelaxedOneHotCategorical_init);
  }

  constructor(...args: InitArgs<typeof RelaxedOneHotCategorical_init>) {
    const [temperature, probs, logits, validate_args] = RelaxedOneHotCategorical_init.bind(args);
    super();
    const base_dist = new ExpRelaxedCategorical(temperature, probs, logits, validate_args);
    this._transform(base_dist, new ExpTransform(), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    return super.expand(batch_shape, this._get_checked_instance(RelaxedOneHotCategorical, _instance));
  }

  get temperature(): Tensor {
    return this.base_dist.temperature;
  }

  /** Normalized logits. */
  get logits(): Tensor {
    return this.base_dist.logits;
  }

  /** Normalized probabilities. */
  get probs(): Tensor {
    return this.base_dist.probs;
  }
}
