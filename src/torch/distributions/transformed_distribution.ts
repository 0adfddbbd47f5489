/**
 * @file The distribution of a sample after a sequence of transforms.
 * @mirrors torch/distributions/transformed_distribution.py
 */
import { AssertionError, ValueError } from "#c10/util/Exception";
import { having, PySequence_Tuple, py_str, THPSize_repr } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { type Constraint, dependent_property, independent } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { Independent } from "./independent.ts";
import { ComposeTransform, product, Transform } from "./transforms/base.ts";
import { _sum_rightmost, type Size } from "./utils.ts";

const TransformedDistribution_init = new Init(
  "TransformedDistribution.__init__(self, base_distribution, transforms, validate_args=None)",
  types<[base_distribution: Distribution, transforms: Transform | readonly Transform[], validate_args: boolean | null]>,
);

function list_of(transforms: unknown): readonly Transform[] {
  if (transforms instanceof Transform) return [transforms];
  if (!Array.isArray(transforms))
    throw new ValueError(`transforms must be a Transform or list, but was ${py_str(transforms)}`);
  const list: readonly unknown[] = PySequence_Tuple(transforms);
  if (!list.every((t) => t instanceof Transform))
    throw new ValueError("transforms must be a Transform or a list of Transforms");
  return list;
}

/** Distribution of a sample of `base_distribution` after `transforms`, applied in order. */
export class TransformedDistribution extends Distribution {
  static override readonly __module__: string = "torch.distributions.transformed_distribution";
  declare base_dist: Distribution;
  declare transforms: readonly Transform[];

  static {
    class_attributes(TransformedDistribution, { arg_constraints: {} });
    dependent_property(TransformedDistribution, "support", (self) => self._support(), { is_discrete: false });
    def_distribution(TransformedDistribution, TransformedDistribution_init);
  }

  constructor(...args: [] | InitArgs<typeof TransformedDistribution_init>) {
    super();
    // A subclass sets its own parameters before it calls `_transform`; see Note [A distribution checks when it is made].
    if (args.length > 0 || new.target === TransformedDistribution)
      this._transform(...TransformedDistribution_init.bind(args));
  }

  /** The code of PyTorch's constructor. */
  _transform(
    base_distribution: Distribution,
    transforms: Transform | readonly Transform[],
    validate_args: boolean | null = null,
  ): void {
    this.transforms = list_of(transforms);
    const { batch_shape, event_shape } = having(base_distribution, "batch_shape");
    const base_shape = [...batch_shape, ...event_shape];
    const base_event_dim = event_shape.length;
    const transform = new ComposeTransform(this.transforms);
    const { domain, codomain } = transform;
    if (base_shape.length < domain.event_dim)
      throw new ValueError(
        `base_distribution needs to have shape with size at least ${domain.event_dim}, but got ${THPSize_repr(base_shape)}.`,
      );
    const forward_shape = transform.forward_shape(base_shape);
    const expanded = transform.inverse_shape(forward_shape);
    let base_dist = base_distribution;
    if (THPSize_repr(base_shape) !== THPSize_repr(expanded))
      base_dist = base_dist.expand(expanded.slice(0, expanded.length - base_event_dim));
    const reinterpreted_batch_ndims = domain.event_dim - base_event_dim;
    if (reinterpreted_batch_ndims > 0) base_dist = new Independent(base_dist, reinterpreted_batch_ndims);
    this.base_dist = base_dist;

    // The event has the dims of the last transform's codomain, or those of the base's event after the change by the transforms.
    const event_dim = Math.max(codomain.event_dim, base_event_dim + codomain.event_dim - domain.event_dim);
    if (forward_shape.length < event_dim)
      throw new AssertionError(`forward_shape length ${forward_shape.length} must be >= event_dim ${event_dim}`);
    const cut = forward_shape.length - event_dim;
    super.__init__(forward_shape.slice(0, cut), forward_shape.slice(cut), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(TransformedDistribution, _instance);
    const shape = torch.Size(batch_shape);
    const base_shape = this.transforms
      .toReversed()
      .reduce((s, t) => t.inverse_shape(s), [...shape, ...this._event_shape]);
    const base_event_dim = this.base_dist.event_shape.length;
    new_.base_dist = this.base_dist.expand(base_shape.slice(0, base_shape.length - base_event_dim));
    new_.transforms = this.transforms;
    return this._expanded(new_, shape);
  }

  private _support(): Constraint {
    const last = this.transforms.at(-1);
    if (last === undefined) return this.base_dist.support;
    const more = this._event_shape.length - last.codomain.event_dim;
    return more > 0 ? independent(last.codomain, more) : last.codomain;
  }

  override get has_rsample(): boolean {
    return this.base_dist.has_rsample;
  }

  private _transformed(x: Tensor): Tensor {
    return this.transforms.reduce((value, transform) => transform(value), x);
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    return torch.no_grad(() => this._transformed(this.base_dist.sample(sample_shape)));
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    return this._transformed(this.base_dist.rsample(sample_shape));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    let event_dim = this._event_shape.length;
    let log_prob: Tensor | null = null;
    let y = value;
    for (const transform of this.transforms.toReversed()) {
      const x = transform.inv(y);
      event_dim += transform.domain.event_dim - transform.codomain.event_dim;
      const term = _sum_rightmost(transform.log_abs_det_jacobian(x, y), event_dim - transform.domain.event_dim);
      log_prob = log_prob === null ? term.__rsub__(0) : log_prob.sub(term);
      y = x;
    }
    const base = _sum_rightmost(this.base_dist.log_prob(y), event_dim - this.base_dist.event_shape.length);
    return log_prob === null ? base : log_prob.add(base);
  }

  /** `1 - value` for decreasing transforms, so that `cdf` increases. */
  private _monotonize_cdf(value: Tensor): Tensor {
    const sign = product(this.transforms.map((transform) => transform.sign));
    if (sign === 1) return value;
    return value.sub(0.5).mul(sign).add(0.5);
  }

  override cdf(...args: ValueArgs): Tensor;
  override cdf(given: Tensor): Tensor {
    const value = this.transforms.toReversed().reduce((y, transform) => transform.inv(y), given);
    if (this._validate_args) this.base_dist._validate_sample(value);
    return this._monotonize_cdf(this.base_dist.cdf(value));
  }

  override icdf(...args: ValueArgs): Tensor;
  override icdf(value: Tensor): Tensor {
    return this._transformed(this.base_dist.icdf(this._monotonize_cdf(value)));
  }
}
