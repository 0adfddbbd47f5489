/**
 * @file The continuous Bernoulli distribution: numbers from 0 to 1, with density `probs ** x * (1 - probs) ** (1 - x)` up to a constant.
 * @mirrors torch/distributions/continuous_bernoulli.py
 */
import { ValueError } from "#c10/util/Exception";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import { class_attributes } from "./class_attributes.ts";
import { real, unit_interval } from "./constraints.ts";
import {
  type Distribution,
  def_distribution,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
import { ExponentialFamily } from "./exp_family.ts";
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

const ContinuousBernoulli_init = new Init(
  "ContinuousBernoulli.__init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None)",
  types<
    [
      probs: Tensor | Number_ | null,
      logits: Tensor | Number_ | null,
      lims: readonly [low: number, high: number],
      validate_args: boolean | null,
    ]
  >,
);

/**
 * Continuous Bernoulli distribution. `probs` and `logits` have the names of those of `Bernoulli`, but are no probability and no log odds.
 * The formulas divide by `1 - 2 * probs`; if `probs` is between `lims`, Taylor series around 1/2 replace them.
 */
export class ContinuousBernoulli extends ExponentialFamily {
  static override readonly __module__: string = "torch.distributions.continuous_bernoulli";
  declare probs: Tensor;
  declare logits: Tensor;
  declare _param: Tensor;
  declare _lims: readonly [low: number, high: number];

  static {
    class_attributes(ContinuousBernoulli, {
      arg_constraints: { probs: unit_interval, logits: real },
      support: unit_interval,
      has_rsample: true,
      _mean_carrier_measure: 0,
    });
    lazy_property(ContinuousBernoulli, "logits", (self) => probs_to_logits(self.probs, true));
    lazy_property(ContinuousBernoulli, "probs", (self) => clamp_probs(logits_to_probs(self.logits, true)));
    def_distribution(ContinuousBernoulli, ContinuousBernoulli_init);
  }

  constructor(...args: InitArgs<typeof ContinuousBernoulli_init>) {
    const [probs, logits, lims, validate_args] = ContinuousBernoulli_init.bind(args);
    check_one_of(probs, logits);
    super();
    const given = (probs ?? logits) as Tensor | Number_;
    [this._param] = broadcast_all(given);
    if (probs !== null) {
      // Checked before it is clamped, since afterwards it is always valid.
      if (validate_args !== null && !unit_interval.check(this._param).all().item())
        throw new ValueError("The parameter probs has invalid values");
      this._param = clamp_probs(this._param);
    }
    this[probs !== null ? "probs" : "logits"] = this._param;
    this._lims = lims;
    super.__init__(batch_shape_of(this._param, given), [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(ContinuousBernoulli, _instance);
    new_._lims = this._lims;
    const shape = torch.Size(batch_shape);
    expand_given(this, new_, shape);
    return this._expanded(new_, shape);
  }

  _outside_unstable_region(): Tensor {
    return torch.max(torch.le(this.probs, this._lims[0]), torch.gt(this.probs, this._lims[1]));
  }

  /** `probs`, with a safe value (the lower limit) in the unstable region, whose result is discarded. */
  _cut_probs(): Tensor {
    return torch.where(this._outside_unstable_region(), this.probs, torch.ones_like(this.probs).mul(this._lims[0]));
  }

  /** The logarithm of the normalizing constant. */
  _cont_bern_log_norm(): Tensor {
    const cut_probs = this._cut_probs();
    const below_half = torch.where(torch.le(cut_probs, 0.5), cut_probs, torch.zeros_like(cut_probs));
    const above_half = torch.where(torch.ge(cut_probs, 0.5), cut_probs, torch.ones_like(cut_probs));
    const log_norm = torch
      .log(torch.abs(log_odds(cut_probs)))
      .sub(torch.where(torch.le(cut_probs, 0.5), torch.log1p(below_half.mul(-2)), torch.log(above_half.mul(2).sub(1))));
    const x = torch.pow(this.probs.sub(0.5), 2);
    const taylor = x
      .mul(104 / 45)
      .add(4 / 3)
      .mul(x)
      .add(Math.log(2));
    return torch.where(this._outside_unstable_region(), log_norm, taylor);
  }

  override get mean(): Tensor {
    const cut_probs = this._cut_probs();
    const mus = cut_probs.div(cut_probs.mul(2).sub(1)).add(log_odds(cut_probs).__rdiv__(1));
    const x = this.probs.sub(0.5);
    const taylor = torch
      .pow(x, 2)
      .mul(16 / 45)
      .add(1 / 3)
      .mul(x)
      .add(0.5);
    return torch.where(this._outside_unstable_region(), mus, taylor);
  }

  override get stddev(): Tensor {
    return torch.sqrt(this.variance);
  }

  override get variance(): Tensor {
    const cut_probs = this._cut_probs();
    const vars = cut_probs
      .mul(cut_probs.sub(1))
      .div(torch.pow(cut_probs.mul(2).__rsub__(1), 2))
      .add(torch.pow(log_odds(cut_probs), 2).__rdiv__(1));
    const x = torch.pow(this.probs.sub(0.5), 2);
    const taylor = x
      .mul(128 / 945)
      .__rsub__(1 / 15)
      .mul(x)
      .__rsub__(1 / 12);
    return torch.where(this._outside_unstable_region(), vars, taylor);
  }

  /** The shape of `probs` and `logits`. */
  get param_shape(): number[] {
    return this._param.size();
  }

  private _uniforms(sample_shape: Size): Tensor {
    const { dtype, device } = this.probs;
    return torch.rand(this._extended_shape(sample_shape), { dtype, device });
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const u = this._uniforms(sample_shape);
    return torch.no_grad(() => this.icdf(u));
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    return this.icdf(this._uniforms(sample_shape));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(given: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(given);
    const [logits, value] = broadcast_all(this.logits, given);
    return F.binary_cross_entropy_with_logits(logits, value, { reduction: "none" })
      .neg()
      .add(this._cont_bern_log_norm());
  }

  override cdf(...args: ValueArgs): Tensor;
  override cdf(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const cut_probs = this._cut_probs();
    const cdfs = torch
      .pow(cut_probs, value)
      .mul(torch.pow(cut_probs.__rsub__(1), value.__rsub__(1)))
      .add(cut_probs)
      .sub(1)
      .div(cut_probs.mul(2).sub(1));
    const unbounded_cdfs = torch.where(this._outside_unstable_region(), cdfs, value);
    return torch.where(
      torch.le(value, 0),
      torch.zeros_like(value),
      torch.where(torch.ge(value, 1), torch.ones_like(value), unbounded_cdfs),
    );
  }

  override icdf(...args: ValueArgs): Tensor;
  override icdf(value: Tensor): Tensor {
    const cut_probs = this._cut_probs();
    const icdfs = torch
      .log1p(cut_probs.neg().add(value.mul(cut_probs.mul(2).sub(1))))
      .sub(torch.log1p(cut_probs.neg()))
      .div(torch.log(cut_probs).sub(torch.log1p(cut_probs.neg())));
    return torch.where(this._outside_unstable_region(), icdfs, value);
  }

  override entropy(): Tensor {
    const log_probs0 = torch.log1p(this.probs.neg());
    const log_probs1 = torch.log(this.probs);
    return this.mean.mul(log_probs0.sub(log_probs1)).sub(this._cont_bern_log_norm()).sub(log_probs0);
  }

  override get _natural_params(): Tensor[] {
    return [this.logits];
  }

  override _log_normalizer(x: Tensor): Tensor {
    const [low, high] = [this._lims[0] - 0.5, this._lims[1] - 0.5];
    const out_unst_reg = torch.max(torch.le(x, low), torch.gt(x, high));
    const cut_nat_params = torch.where(out_unst_reg, x, torch.ones_like(x).mul(low));
    const log_norm = torch
      .log(torch.abs(torch.special.expm1(cut_nat_params)))
      .sub(torch.log(torch.abs(cut_nat_params)));
    const taylor = x.mul(0.5).add(torch.pow(x, 2).div(24)).sub(torch.pow(x, 4).div(2880));
    return torch.where(out_unst_reg, log_norm, taylor);
  }
}

/** `log((1 - probs) / probs)`. */
function log_odds(probs: Tensor): Tensor {
  return torch.log1p(probs.neg()).sub(torch.log(probs));
}
