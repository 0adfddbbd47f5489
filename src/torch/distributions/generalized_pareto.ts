/**
 * @file The generalized Pareto distribution: the excess of a variable over a high threshold.
 * @mirrors torch/distributions/generalized_pareto.py
 */
import { Float } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { dependent_property, interval, positive, real } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { batch_shape_of, broadcast_all, type Number_, type Size } from "./utils.ts";

const GeneralizedPareto_init = new Init(
  "GeneralizedPareto.__init__(self, loc, scale, concentration, validate_args=None)",
  types<
    [loc: Tensor | Number_, scale: Tensor | Number_, concentration: Tensor | Number_, validate_args: boolean | null]
  >,
);

/**
 * Generalized Pareto distribution, beginning at `loc`. With `concentration` 0 it is exponential; above 0 its tail is heavy; below 0 it ends
 * at `loc - scale / concentration`.
 */
export class GeneralizedPareto extends Distribution {
  static override readonly __module__: string = "torch.distributions.generalized_pareto";
  declare loc: Tensor;
  declare scale: Tensor;
  declare concentration: Tensor;

  static {
    class_attributes(GeneralizedPareto, {
      arg_constraints: { loc: real, scale: positive, concentration: real },
      has_rsample: true,
    });
    dependent_property(GeneralizedPareto, "support", (self) => interval(self.loc, self._upper()), {
      is_discrete: false,
      event_dim: 0,
    });
    def_distribution(GeneralizedPareto, GeneralizedPareto_init, {
      log_survival_function: "(self, value)",
      log_cdf: "(self, value)",
    });
  }

  constructor(...args: InitArgs<typeof GeneralizedPareto_init>) {
    const [loc, scale, concentration, validate_args] = GeneralizedPareto_init.bind(args);
    super();
    [this.loc, this.scale, this.concentration] = broadcast_all(loc, scale, concentration);
    super.__init__(batch_shape_of(this.loc, loc, scale, concentration), [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(GeneralizedPareto, _instance);
    const shape = torch.Size(batch_shape);
    new_.loc = this.loc.expand(shape);
    new_.scale = this.scale.expand(shape);
    new_.concentration = this.concentration.expand(shape);
    return this._expanded(new_, shape);
  }

  private _upper(): Tensor {
    const end = this.loc.sub(this.scale.div(this.concentration));
    return torch.where(this.concentration.lt(0), end, Number.POSITIVE_INFINITY);
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const { dtype, device } = this.loc;
    return this.icdf(torch.rand(this._extended_shape(sample_shape), { dtype, device }));
  }

  private _z(x: Tensor): Tensor {
    return x.sub(this.loc).div(this.scale);
  }

  /** The mask where `concentration` equals `zero`, and the concentration with 1 in these places, so that the unused branch has no NaN. */
  private _safe_concentration(zero: Tensor): [eq_zero: Tensor, safe_conc: Tensor] {
    const eq_zero = torch.isclose(this.concentration, zero);
    return [eq_zero, torch.where(eq_zero, torch.ones_like(this.concentration), this.concentration)];
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const z = this._z(value);
    const [eq_zero, safe_conc] = this._safe_concentration(torch.tensor(Float(0)));
    const y = safe_conc.__rdiv__(1).add(torch.ones_like(z));
    const where_nonzero = torch.where(y.eq(0), y, y.mul(torch.log1p(safe_conc.mul(z))));
    return this.scale
      .log()
      .neg()
      .sub(torch.where(eq_zero, z, where_nonzero));
  }

  /** The logarithm of the survival function, the probability of a sample above `value`. */
  log_survival_function(...args: ValueArgs): Tensor;
  log_survival_function(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const z = this._z(value);
    const [eq_zero, safe_conc] = this._safe_concentration(torch.tensor(Float(0)));
    const where_nonzero = torch.log1p(safe_conc.mul(z)).neg().div(safe_conc);
    return torch.where(eq_zero, z.neg(), where_nonzero);
  }

  /** The logarithm of `cdf`. */
  log_cdf(...args: ValueArgs): Tensor;
  log_cdf(value: Tensor): Tensor {
    return torch.log1p(torch.exp(this.log_survival_function(value)).neg());
  }

  override cdf(...args: ValueArgs): Tensor;
  override cdf(value: Tensor): Tensor {
    return torch.exp(this.log_cdf(value));
  }

  override icdf(...args: ValueArgs): Tensor;
  override icdf(value: Tensor): Tensor {
    const { loc, scale } = this;
    const [eq_zero, safe_conc] = this._safe_concentration(torch.zeros_like(this.concentration));
    const logu = torch.log1p(value.neg());
    const where_nonzero = loc.add(scale.div(safe_conc).mul(torch.expm1(safe_conc.neg().mul(logu))));
    return torch.where(eq_zero, loc.sub(scale.mul(logu)), where_nonzero);
  }

  override get mean(): Tensor {
    const valid = this.concentration.lt(1);
    const safe_conc = torch.where(valid, this.concentration, 0.5);
    return torch.where(valid, this.loc.add(this.scale.div(safe_conc.__rsub__(1))), Number.NaN);
  }

  override get variance(): Tensor {
    const valid = this.concentration.lt(0.5);
    const safe_conc = torch.where(valid, this.concentration, 0.25);
    const below = safe_conc.__rsub__(1).pow(2).mul(safe_conc.mul(2).__rsub__(1));
    return torch.where(valid, this.scale.pow(2).div(below), Number.NaN);
  }

  override entropy(): Tensor {
    return torch.broadcast_to(torch.log(this.scale).add(this.concentration).add(1), this._batch_shape);
  }

  override get mode(): Tensor {
    return this.loc;
  }
}
