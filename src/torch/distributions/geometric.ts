/**
 * @file The geometric distribution: the number of failures before the first success.
 * @mirrors torch/distributions/geometric.py
 */
import { ValueError } from "#c10/util/Exception";
import { py_format, python_type } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import { class_attributes } from "./class_attributes.ts";
import { nonnegative_integer, real, unit_interval } from "./constraints.ts";
import {
  Distribution,
  def_distribution,
  type ExpandArgs,
  type SampleArgs,
  tuple_repr,
  type ValueArgs,
} from "./distribution.ts";
import {
  batch_shape_of,
  broadcast_all,
  check_one_of,
  lazy_property,
  logits_to_probs,
  type Number_,
  probs_to_logits,
  type Size,
} from "./utils.ts";

const Geometric_init = new Init(
  "Geometric.__init__(self, probs=None, logits=None, validate_args=None)",
  types<[probs: Tensor | Number_ | null, logits: Tensor | Number_ | null, validate_args: boolean | null]>,
);

/**
 * Geometric distribution: the number of failures before a success, if each trial succeeds with probability `probs`; `logits` are the log
 * odds.
 */
export class Geometric extends Distribution {
  static override readonly __module__: string = "torch.distributions.geometric";
  declare probs: Tensor;
  declare logits: Tensor;

  static {
    class_attributes(Geometric, {
      arg_constraints: { probs: unit_interval, logits: real },
      support: nonnegative_integer,
    });
    lazy_property(Geometric, "logits", (self) => probs_to_logits(self.probs, true));
    lazy_property(Geometric, "probs", (self) => logits_to_probs(self.logits, true));
    def_distribution(Geometric, Geometric_init);
  }

  constructor(...args: InitArgs<typeof Geometric_init>) {
    const [probs, logits, validate_args] = Geometric_init.bind(args);
    check_one_of(probs, logits);
    super();
    const given = (probs ?? logits) as Tensor | Number_;
    const [param] = broadcast_all(given);
    this[probs !== null ? "probs" : "logits"] = param;
    super.__init__(batch_shape_of(param, given), [], validate_args);
    if (this._validate_args && probs !== null) this._check_positive(this.probs);
  }

  /** Refuses a probability of 0, which the interval allows: no trial would ever succeed. */
  private _check_positive(value: Tensor): void {
    const valid = value.gt(0);
    if (valid.all().item()) return;
    throw new ValueError(
      `Expected parameter probs (${python_type(value)} of shape ${tuple_repr(value.shape)}) ` +
        `of distribution ${this.__repr__()} to be positive but found invalid values:\n` +
        py_format(value.data.at(valid.bitwise_not())),
    );
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Geometric, _instance);
    const shape = torch.Size(batch_shape);
    for (const name of ["probs", "logits"] as const)
      if (Object.hasOwn(this, name)) new_[name] = this[name].expand(shape);
    return this._expanded(new_, shape);
  }

  override get mean(): Tensor {
    return this.probs.__rdiv__(1).sub(1);
  }

  override get mode(): Tensor {
    return torch.zeros_like(this.probs);
  }

  override get variance(): Tensor {
    return this.mean.div(this.probs);
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    return torch.no_grad(() => {
      const u = this.probs.new_empty(shape).uniform_(torch.finfo(this.probs.dtype).tiny, 1);
      return u.log().div(this.probs.neg().log1p()).floor();
    });
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(given: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(given);
    const [value, broadcast] = broadcast_all(given, this.probs);
    const probs = broadcast.clone({ memory_format: torch.contiguous_format });
    probs.set_at(0, probs.eq(1).bitwise_and(value.eq(0)));
    return value.mul(probs.neg().log1p()).add(this.probs.log());
  }

  override entropy(): Tensor {
    return F.binary_cross_entropy_with_logits(this.logits, this.probs, { reduction: "none" }).div(this.probs);
  }
}
