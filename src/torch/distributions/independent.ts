/**
 * @file A distribution whose last batch dims are treated as dims of the event.
 * @mirrors torch/distributions/independent.py
 */

import { NotImplementedError, ValueError } from "#c10/util/Exception";
import { having, PyObject_RichCompareBool } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { dependent_property, independent } from "./constraints.ts";
import {
  Distribution,
  def_distribution,
  type EnumerateArgs,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
import { _sum_rightmost, type Size } from "./utils.ts";

const Independent_init = new Init(
  "Independent.__init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None)",
  types<[base_distribution: Distribution, reinterpreted_batch_ndims: number, validate_args: boolean | null]>,
);

/** `base_distribution` with its last `reinterpreted_batch_ndims` batch dims as one event: `log_prob` sums over them. */
export class Independent extends Distribution {
  static override readonly __module__: string = "torch.distributions.independent";
  declare base_dist: Distribution;
  declare reinterpreted_batch_ndims: number;

  static {
    class_attributes(Independent, { arg_constraints: {} });
    dependent_property(Independent, "support", (self) => {
      const { support } = self.base_dist;
      return self.reinterpreted_batch_ndims === 0 ? support : independent(support, self.reinterpreted_batch_ndims);
    });
    def_distribution(Independent, Independent_init);
  }

  constructor(...args: InitArgs<typeof Independent_init>) {
    const [base_distribution, reinterpreted_batch_ndims, validate_args] = Independent_init.bind(args);
    const { batch_shape, event_shape } = having(base_distribution, "batch_shape");
    if (PyObject_RichCompareBool(reinterpreted_batch_ndims, ">", batch_shape.length, "int"))
      throw new ValueError(
        `Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual ${reinterpreted_batch_ndims} vs ${batch_shape.length}`,
      );
    super();
    this.base_dist = base_distribution;
    this.reinterpreted_batch_ndims = reinterpreted_batch_ndims;
    const shape = [...batch_shape, ...event_shape];
    const cut = shape.length - (reinterpreted_batch_ndims + event_shape.length);
    super.__init__(shape.slice(0, cut), shape.slice(cut), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Independent, _instance);
    const shape = torch.Size(batch_shape);
    new_.base_dist = this.base_dist.expand([...shape, ...this._event_shape.slice(0, this.reinterpreted_batch_ndims)]);
    new_.reinterpreted_batch_ndims = this.reinterpreted_batch_ndims;
    return this._expanded(new_, shape);
  }

  override get has_rsample(): boolean {
    return this.base_dist.has_rsample;
  }

  override get has_enumerate_support(): boolean {
    return this.reinterpreted_batch_ndims === 0 && this.base_dist.has_enumerate_support;
  }

  override get mean(): Tensor {
    return this.base_dist.mean;
  }

  override get mode(): Tensor {
    return this.base_dist.mode;
  }

  override get variance(): Tensor {
    return this.base_dist.variance;
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    return this.base_dist.sample(sample_shape);
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    return this.base_dist.rsample(sample_shape);
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    return _sum_rightmost(this.base_dist.log_prob(value), this.reinterpreted_batch_ndims);
  }

  override entropy(): Tensor {
    return _sum_rightmost(this.base_dist.entropy(), this.reinterpreted_batch_ndims);
  }

  override enumerate_support(...args: EnumerateArgs): Tensor;
  override enumerate_support(expand: boolean): Tensor {
    if (this.reinterpreted_batch_ndims > 0)
      throw new NotImplementedError("Enumeration over cartesian product is not implemented");
    return this.base_dist.enumerate_support(expand);
  }

  override __repr__(): string {
    return `${this.constructor.name}(${this.base_dist}, ${this.reinterpreted_batch_ndims})`;
  }
}
