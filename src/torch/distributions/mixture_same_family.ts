/**
 * @file A mixture of distributions of one family: it draws a category, then a sample of that component.
 * @mirrors torch/distributions/mixture_same_family.py
 */
import { ValueError } from "#c10/util/Exception";
import { THPSize_repr } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Categorical } from "./categorical.ts";
import { class_attributes } from "./class_attributes.ts";
import { dependent_property, MixtureSameFamilyConstraint } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs } from "./distribution.ts";
import type { Size } from "./utils.ts";

const MixtureSameFamily_init = new Init(
  "MixtureSameFamily.__init__(self, mixture_distribution, component_distribution, validate_args=None)",
  types<[mixture_distribution: Categorical, component_distribution: Distribution, validate_args: boolean | null]>,
);

/** Mixture distribution. `mixture_distribution` draws the component; the components are the last batch dim of `component_distribution`. */
export class MixtureSameFamily extends Distribution {
  static override readonly __module__: string = "torch.distributions.mixture_same_family";
  declare _mixture_distribution: Categorical;
  declare _component_distribution: Distribution;
  declare _num_component: number;
  declare _event_ndims: number;

  static {
    class_attributes(MixtureSameFamily, { arg_constraints: {} });
    dependent_property(
      MixtureSameFamily,
      "support",
      (self) => new MixtureSameFamilyConstraint(self._component_distribution.support),
    );
    def_distribution(MixtureSameFamily, MixtureSameFamily_init, { cdf: "(self, x)", log_prob: "(self, x)" });
  }

  constructor(...args: InitArgs<typeof MixtureSameFamily_init>) {
    const [mixture, component, validate_args] = MixtureSameFamily_init.bind(args);
    if (!(mixture instanceof Categorical))
      throw new ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical");
    if (!(component instanceof Distribution))
      throw new ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution");
    const mdbs = mixture.batch_shape;
    const cdbs = component.batch_shape.slice(0, -1);
    for (let at = 1; at <= Math.min(mdbs.length, cdbs.length); at++) {
      const [size1, size2] = [mdbs.at(-at), cdbs.at(-at)];
      if (size1 !== 1 && size2 !== 1 && size1 !== size2)
        throw new ValueError(
          `\`mixture_distribution.batch_shape\` (${THPSize_repr(mdbs)}) is not ` +
            `compatible with \`component_distribution.batch_shape\`(${THPSize_repr(cdbs)})`,
        );
    }
    const km = mixture.logits.size(-1);
    const kc = component.batch_shape.at(-1);
    if (km !== kc)
      throw new ValueError(
        `\`mixture_distribution component\` (${km}) does not equal \`component_distribution.batch_shape[-1]\` (${kc})`,
      );
    super();
    this._mixture_distribution = mixture;
    this._component_distribution = component;
    this._num_component = km;
    const { event_shape } = component;
    this._event_ndims = event_shape.length;
    super.__init__(cdbs, event_shape, validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(MixtureSameFamily, _instance);
    const shape = torch.Size(batch_shape);
    new_._component_distribution = this._component_distribution.expand([...shape, this._num_component]);
    new_._mixture_distribution = this._mixture_distribution.expand(shape);
    new_._num_component = this._num_component;
    new_._event_ndims = this._event_ndims;
    return this._expanded(new_, shape);
  }

  get mixture_distribution(): Categorical {
    return this._mixture_distribution;
  }

  get component_distribution(): Distribution {
    return this._component_distribution;
  }

  override get mean(): Tensor {
    return this._weighted(this.component_distribution.mean);
  }

  // The mean of the variances plus the variance of the means.
  override get variance(): Tensor {
    const { mean, variance } = this.component_distribution;
    return this._weighted(variance).add(this._weighted(mean.sub(this._pad(this.mean)).pow(2)));
  }

  /** The sum over components, weighted by their probabilities. */
  private _weighted(values: Tensor): Tensor {
    const probs = this._pad_mixture_dimensions(this.mixture_distribution.probs);
    return torch.sum(probs.mul(values), -1 - this._event_ndims);
  }

  override cdf(x: Tensor): Tensor {
    const cdf_x = this.component_distribution.cdf(this._pad(x));
    return torch.sum(cdf_x.mul(this.mixture_distribution.probs), -1);
  }

  override log_prob(x: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(x);
    const log_prob_x = this.component_distribution.log_prob(this._pad(x));
    const log_mix_prob = torch.log_softmax(this.mixture_distribution.logits, -1);
    return torch.logsumexp(log_prob_x.add(log_mix_prob), -1);
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    return torch.no_grad(() => {
      const gather_dim = sample_shape.length + this._batch_shape.length;
      const mix_sample = this.mixture_distribution.sample(sample_shape); //    (sample, batch)
      const comp_samples = this.component_distribution.sample(sample_shape); // (sample, batch, component, event)
      const ones = this._event_shape.map(() => 1);
      const index = mix_sample
        .reshape([...mix_sample.shape, 1, ...ones])
        .repeat([...mix_sample.shape.map(() => 1), 1, ...this._event_shape]);
      return torch.gather(comp_samples, gather_dim, index).squeeze(gather_dim);
    });
  }

  /** `x` with an additional dim for the components. */
  private _pad(x: Tensor): Tensor {
    return x.unsqueeze(-1 - this._event_ndims);
  }

  /** Probabilities with additional dims, as the components' parameters have them. */
  private _pad_mixture_dimensions(x: Tensor): Tensor {
    const cat_batch_ndims = this.mixture_distribution.batch_shape.length;
    const pad_ndims = cat_batch_ndims === 1 ? 0 : this._batch_shape.length - cat_batch_ndims;
    const ones = (n: number): number[] => Array<number>(Math.max(n, 0)).fill(1);
    return x.reshape([...x.shape.slice(0, -1), ...ones(pad_ndims), x.size(-1), ...ones(this._event_ndims)]);
  }

  override __repr__(): string {
    return `MixtureSameFamily(\n  ${this.mixture_distribution},\n  ${this.component_distribution})`;
  }
}
