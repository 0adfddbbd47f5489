/**
 * @file The categorical distribution over one-hot vectors.
 * @mirrors torch/distributions/one_hot_categorical.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import { Categorical } from "./categorical.ts";
import { class_attributes } from "./class_attributes.ts";
import { one_hot, real_vector, simplex } from "./constraints.ts";
import {
  Distribution,
  def_distribution,
  type EnumerateArgs,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
import type { Size } from "./utils.ts";

const OneHotCategorical_init = new Init(
  "OneHotCategorical.__init__(self, probs=None, logits=None, validate_args=None)",
  types<[probs: Tensor | null, logits: Tensor | null, validate_args: boolean | null]>,
);

/** One-hot categorical distribution: one-hot vectors of the categories that `Categorical` draws. */
export class OneHotCategorical extends Distribution {
  static override readonly __module__: string = "torch.distributions.one_hot_categorical";
  declare _categorical: Categorical;

  static {
    class_attributes(OneHotCategorical, {
      arg_constraints: { probs: simplex, logits: real_vector },
      support: one_hot,
      has_enumerate_support: true,
    });
    def_distribution(OneHotCategorical, OneHotCategorical_init);
  }

  constructor(...args: InitArgs<typeof OneHotCategorical_init>) {
    const [probs, logits, validate_args] = OneHotCategorical_init.bind(args);
    super();
    this._categorical = new Categorical(probs, logits);
    const { batch_shape, param_shape } = this._categorical;
    super.__init__(batch_shape, param_shape.slice(-1), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(OneHotCategorical, _instance);
    const shape = torch.Size(batch_shape);
    new_._categorical = this._categorical.expand(shape);
    return this._expanded(new_, shape);
  }

  get _param(): Tensor {
    return this._categorical._param;
  }

  /** Normalized probabilities. */
  get probs(): Tensor {
    return this._categorical.probs;
  }

  /** Normalized logits. */
  get logits(): Tensor {
    return this._categorical.logits;
  }

  override get mean(): Tensor {
    return this.probs;
  }

  override get mode(): Tensor {
    const { probs } = this;
    return F.one_hot(probs.argmax(-1), probs.size(-1)).to(probs);
  }

  override get variance(): Tensor {
    return this.probs.mul(this.probs.__rsub__(1));
  }

  /** The shape of `probs` and `logits`. */
  get param_shape(): number[] {
    return this._categorical.param_shape;
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const { probs } = this;
    const indices = this._categorical.sample(sample_shape);
    return F.one_hot(indices, this._categorical._num_events).to(probs);
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    return this._categorical.log_prob(value.max(-1)[1]);
  }

  override entropy(): Tensor {
    return this._categorical.entropy();
  }

  override enumerate_support(...args: EnumerateArgs): Tensor;
  override enumerate_support(expand: boolean): Tensor {
    const n = this._event_shape[0];
    const { dtype, device } = this._param;
    const values = torch.eye(n, { dtype, device }).view([n, ...this._batch_shape.map(() => 1), n]);
    return expand ? values.expand([n, ...this._batch_shape, n]) : values;
  }
}

/** `OneHotCategorical` with a straight-through estimator: `rsample` passes gradients unchanged to the probabilities. */
export class OneHotCategoricalStraightThrough extends OneHotCategorical {
  static {
    class_attributes(OneHotCategoricalStraightThrough, { has_rsample: true });
    def_distribution(OneHotCategoricalStraightThrough, OneHotCategorical_init);
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const samples = this.sample(sample_shape);
    const { probs } = this._categorical;
    return samples.add(probs.sub(probs.detach()));
  }
}
