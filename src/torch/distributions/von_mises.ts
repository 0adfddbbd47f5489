/**
 * @file The von Mises distribution: an analogue of the normal distribution for angles.
 * @mirrors torch/distributions/von_mises.py
 */
import { AssertionError, NotImplementedError } from "#c10/util/Exception";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes, lazy_property } from "./class_attributes.ts";
import { positive, real } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { broadcast_all, type Number_, type Size } from "./utils.ts";

// Polynomials of Abramowitz and Stegun (9.8.1 to 9.8.4), lowest degree first.
// biome-ignore format: table
const _I0_COEF_SMALL = [1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.360768e-1, 0.45813e-2];
// biome-ignore format: table
const _I0_COEF_LARGE = [0.39894228, 0.1328592e-1, 0.225319e-2, -0.157565e-2, 0.916281e-2, -0.2057706e-1, 0.2635537e-1, -0.1647633e-1, 0.392377e-2];
// biome-ignore format: table
const _I1_COEF_SMALL = [0.5, 0.87890594, 0.51498869, 0.15084934, 0.2658733e-1, 0.301532e-2, 0.32411e-3];
// biome-ignore format: table
const _I1_COEF_LARGE = [0.39894228, -0.3988024e-1, -0.362018e-2, 0.163801e-2, -0.1031555e-1, 0.2282967e-1, -0.2895312e-1, 0.1787654e-1, -0.420059e-2];

/** The polynomial of `y` with these coefficients, lowest degree first. */
function _eval_poly(y: Tensor, coef: readonly number[]): Tensor {
  const [last, before, ...rest] = coef.toReversed();
  return rest.reduce((result, c) => y.mul(result).add(c), y.mul(last).add(before));
}

/** The logarithm of the modified Bessel function of `order` 0 or 1, for `x > 0`. */
export function _log_modified_bessel_fn(x: Tensor, order: number = 0): Tensor {
  if (order !== 0 && order !== 1) throw new AssertionError(`order must be 0 or 1, got ${order}`);
  const ratio = x.div(3.75);
  const poly = _eval_poly(ratio.mul(ratio), order === 0 ? _I0_COEF_SMALL : _I1_COEF_SMALL);
  const small = (order === 1 ? x.abs().mul(poly) : poly).log();
  const of_large = _eval_poly(x.__rdiv__(3.75), order === 0 ? _I0_COEF_LARGE : _I1_COEF_LARGE);
  const large = x.sub(x.log().mul(0.5)).add(of_large.log());
  return torch.where(x.lt(3.75), small, large);
}

/** Rejection sampling by Best and Fisher (1979): wrapped Cauchy variables are proposed until every element has accepted one. */
function _rejection_sample(loc: Tensor, concentration: Tensor, proposal_r: Tensor, shape: Size): Tensor {
  const { dtype, device } = loc;
  let x = torch.empty(shape, { dtype, device });
  let done = torch.zeros(shape, { dtype: torch.bool, device });
  while (!done.all().item()) {
    const [u1, u2, u3] = torch.rand([3, ...shape], { dtype, device }).unbind();
    const z = torch.cos(u1.mul(Math.PI));
    const f = proposal_r.mul(z).add(1).div(proposal_r.add(z));
    const c = concentration.mul(proposal_r.sub(f));
    const surely = c.mul(c.__rsub__(2)).sub(u2).gt(0);
    const accept = surely.bitwise_or(c.div(u2).log().add(1).sub(c).ge(0));
    if (!accept.any().item()) continue;
    x = torch.where(accept, u3.sub(0.5).sign().mul(f.acos()), x);
    done = done.bitwise_or(accept);
  }
  return x
    .add(Math.PI)
    .add(loc)
    .remainder(2 * Math.PI)
    .sub(Math.PI);
}

const VonMises_init = new Init(
  "VonMises.__init__(self, loc, concentration, validate_args=None)",
  types<[loc: Tensor | Number_, concentration: Tensor | Number_, validate_args: boolean | null]>,
);

/**
 * Von Mises distribution of angles in radians around `loc`, more concentrated for a larger `concentration`. Any number is a valid angle;
 * samples lie between -pi and pi.
 */
export class VonMises extends Distribution {
  static override readonly __module__: string = "torch.distributions.von_mises";
  declare loc: Tensor;
  declare concentration: Tensor;
  // Samples are drawn in float64, because in float32 small concentrations would never accept a proposal.
  declare _loc: Tensor;
  declare _concentration: Tensor;
  declare _proposal_r: Tensor;

  static {
    class_attributes(VonMises, {
      arg_constraints: { loc: real, concentration: positive },
      support: real,
      has_rsample: false,
    });
    lazy_property(VonMises, "_loc", (self) => self.loc.to(torch.double));
    lazy_property(VonMises, "_concentration", (self) => self.concentration.to(torch.double));
    lazy_property(VonMises, "_proposal_r", (self) => self._compute_proposal_r());
    lazy_property(VonMises, "variance", (self) => self._compute_variance());
    def_distribution(VonMises, VonMises_init);
  }

  constructor(...args: InitArgs<typeof VonMises_init>) {
    const [loc, concentration, validate_args] = VonMises_init.bind(args);
    super();
    [this.loc, this.concentration] = broadcast_all(loc, concentration);
    super.__init__(this.loc.size(), [], validate_args);
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    return this.concentration
      .mul(torch.cos(value.sub(this.loc)))
      .sub(Math.log(2 * Math.PI))
      .sub(_log_modified_bessel_fn(this.concentration, 0));
  }

  private _compute_proposal_r(): Tensor {
    const kappa = this._concentration;
    const tau = kappa.pow(2).mul(4).add(1).sqrt().add(1);
    const rho = tau.sub(tau.mul(2).sqrt()).div(kappa.mul(2));
    const proposal_r = rho.pow(2).add(1).div(rho.mul(2));
    const taylor = kappa.__rdiv__(1).add(kappa); // Taylor series around 0
    return torch.where(kappa.lt(1e-5), taylor, proposal_r);
  }

  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    return torch.no_grad(() =>
      _rejection_sample(this._loc, this._concentration, this._proposal_r, shape).to(this.loc.dtype),
    );
  }

  /** `expand` through the constructor, as in PyTorch; `_instance` is ignored. */
  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size): Distribution {
    try {
      return super.expand(batch_shape);
    } catch (error) {
      if (!(error instanceof NotImplementedError)) throw error;
      const validate_args = Object.hasOwn(this, "_validate_args") ? this._validate_args : null;
      const type = this.constructor as typeof VonMises;
      return new type(this.loc.expand(batch_shape), this.concentration.expand(batch_shape), validate_args);
    }
  }

  /** The circular mean. */
  override get mean(): Tensor {
    return this.loc;
  }

  override get mode(): Tensor {
    return this.loc;
  }

  /** The circular variance: 1 minus the length of the mean of unit vectors. */
  private _compute_variance(): Tensor {
    const log_I1 = _log_modified_bessel_fn(this.concentration, 1);
    return log_I1.sub(_log_modified_bessel_fn(this.concentration, 0)).exp().__rsub__(1);
  }
}
