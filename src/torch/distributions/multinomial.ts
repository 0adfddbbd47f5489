/**
 * @file The multinomial distribution: counts of the categories in `total_count` draws.
 * @mirrors torch/distributions/multinomial.py
 */
import { NotImplementedError } from "#c10/util/Exception";
import { python_type } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Binomial } from "./binomial.ts";
import { Categorical } from "./categorical.ts";
import { class_attributes } from "./class_attributes.ts";
import { dependent_property, multinomial, real_vector, simplex } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { broadcast_all, type Size } from "./utils.ts";

const Multinomial_init = new Init(
  "Multinomial.__init__(self, total_count=1, probs=None, logits=None, validate_args=None)",
  types<[total_count: number, probs: Tensor | null, logits: Tensor | null, validate_args: boolean | null]>,
);

/** Multinomial distribution: counts of the categories in `total_count` draws of a `Categorical` with these `probs` or `logits`. */
export class Multinomial extends Distribution {
  static override readonly __module__: string = "torch.distributions.multinomial";
  declare total_count: number;
  declare _categorical: Categorical;
  declare _binomial: Binomial;

  static {
    class_attributes(Multinomial, { arg_constraints: { probs: simplex, logits: real_vector } });
    const statics = { is_discrete: true, event_dim: 1 };
    dependent_property(Multinomial, "support", (self) => multinomial(self.total_count), statics);
    def_distribution(Multinomial, Multinomial_init);
  }

  constructor(...args: InitArgs<typeof Multinomial_init>) {
    const [total_count, probs, logits, validate_args] = Multinomial_init.bind(args);
    if (python_type(total_count) !== "int") throw new NotImplementedError("inhomogeneous total_count is not supported");
    super();
    this.total_count = total_count;
    this._categorical = new Categorical(probs, logits);
    this._binomial = new Binomial(total_count, this.probs);
    const { batch_shape, param_shape } = this._categorical;
    super.__init__(batch_shape, param_shape.slice(-1), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Multinomial, _instance);
    const shape = torch.Size(batch_shape);
    new_.total_count = this.total_count;
    new_._categorical = this._categorical.expand(shape);
    return this._expanded(new_, shape);
  }

  /** Normalized logits. */
  get logits(): Tensor {
    return this._categorical.logits;
  }

  /** Normalized probabilities. */
  get probs(): Tensor {
    return this._categorical.probs;
  }

  /** The shape of `probs` and `logits`. */
  get param_shape(): number[] {
    return this._categorical.param_shape;
  }

  override get mean(): Tensor {
    return this.probs.mul(this.total_count);
  }

  override get variance(): Tensor {
    return this.probs.mul(this.total_count).mul(this.probs.__rsub__(1));
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const drawn = this._categorical.sample([this.total_count, ...sample_shape]); // (total_count, sample, batch)
    const samples = drawn.permute([...drawn.shape.keys()].slice(1).concat(0)); //   (sample, batch, total_count)
    const counts = samples.new_zeros(this._extended_shape(sample_shape));
    counts.scatter_add_(-1, samples, torch.ones_like(samples));
    return counts.type_as(this.probs);
  }

  override entropy(): Tensor {
    const n = torch.tensor(this.total_count);
    const term1 = n.mul(this._categorical.entropy()).sub(torch.lgamma(n.add(1)));
    const support = this._binomial.enumerate_support(false).at(torch.slice(1, null));
    const binomial_probs = torch.exp(this._binomial.log_prob(support));
    const weights = torch.lgamma(support.add(1));
    return term1.add(binomial_probs.mul(weights).sum([0, -1]));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(given: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(given);
    const [broadcast, value] = broadcast_all(this.logits, given);
    const logits = broadcast.clone({ memory_format: torch.contiguous_format });
    const log_factorial_n = torch.lgamma(value.sum(-1).add(1));
    const log_factorial_xs = torch.lgamma(value.add(1)).sum(-1);
    logits.set_at(0, value.eq(0).bitwise_and(logits.eq(Number.NEGATIVE_INFINITY)));
    return log_factorial_n.sub(log_factorial_xs).add(logits.mul(value).sum(-1));
  }
}
