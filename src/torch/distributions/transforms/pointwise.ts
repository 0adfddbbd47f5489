/**
 * @file Element-wise transforms: exp, powers, sigmoid, tanh, `loc + scale * x` and others.
 * @mirrors torch/distributions/transforms.py#ExpTransform
 */
import { Float } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes, lazy_property } from "#torch/distributions/class_attributes";
import {
  type Constraint,
  dependent_property,
  independent,
  interval,
  positive,
  real,
  unit_interval,
} from "#torch/distributions/constraints";
import type { Distribution } from "#torch/distributions/distribution";
import { broadcast_all, type Number_, type Size } from "#torch/distributions/utils";
import * as F from "#torch/nn/functional/index";
import { def_transform, type Sign, Transform } from "./base.ts";

/** `y = exp(x)`. */
export class ExpTransform extends Transform {
  static {
    class_attributes(ExpTransform, { domain: real, codomain: positive, bijective: true, sign: 1 });
    def_transform(ExpTransform);
  }

  override __eq__(other: unknown): boolean {
    return other instanceof ExpTransform;
  }

  override _call(x: Tensor): Tensor {
    return x.exp();
  }

  override _inverse(y: Tensor): Tensor {
    return y.log();
  }

  override log_abs_det_jacobian(x: Tensor, _y: Tensor): Tensor {
    return x;
  }
}

const PowerTransform_init = new Init(
  "PowerTransform.__init__(self, exponent, cache_size=0)",
  types<[exponent: Tensor | Number_, cache_size: number]>,
);

/** `y = x ** exponent`. */
export class PowerTransform extends Transform {
  declare exponent: Tensor;

  static {
    class_attributes(PowerTransform, { domain: positive, codomain: positive, bijective: true });
    lazy_property(PowerTransform, "sign", (self) => self.exponent.sign());
    def_transform(PowerTransform, PowerTransform_init);
  }

  constructor(...args: InitArgs<typeof PowerTransform_init>) {
    const [exponent, cache_size] = PowerTransform_init.bind(args);
    super(cache_size);
    [this.exponent] = broadcast_all(exponent);
  }

  override with_cache(cache_size: number = 1): Transform {
    return this._cache_size === cache_size ? this : new PowerTransform(this.exponent, cache_size);
  }

  override __eq__(other: unknown): boolean {
    return other instanceof PowerTransform && Boolean(this.exponent.eq(other.exponent).all().item());
  }

  override _call(x: Tensor): Tensor {
    return x.pow(this.exponent);
  }

  override _inverse(y: Tensor): Tensor {
    return y.pow(this.exponent.__rdiv__(1));
  }

  override log_abs_det_jacobian(x: Tensor, y: Tensor): Tensor {
    return this.exponent.mul(y).div(x).abs().log();
  }

  override forward_shape(shape: Size): number[] {
    return torch.broadcast_shapes(shape, this.exponent.shape);
  }

  override inverse_shape(shape: Size): number[] {
    return torch.broadcast_shapes(shape, this.exponent.shape);
  }
}

/** `y` kept away from 0 and 1, where the inverse would be infinite. */
function clipped(y: Tensor): Tensor {
  const { tiny, eps } = torch.finfo(y.dtype);
  return torch.clamp(y, { min: tiny, max: 1 - eps });
}

/** A sigmoid that never reaches 0 or 1. */
export function _clipped_sigmoid(x: Tensor): Tensor {
  return clipped(torch.sigmoid(x));
}

/** `y = 1 / (1 + exp(-x))`. */
export class SigmoidTransform extends Transform {
  static {
    class_attributes(SigmoidTransform, { domain: real, codomain: unit_interval, bijective: true, sign: 1 });
    def_transform(SigmoidTransform);
  }

  override __eq__(other: unknown): boolean {
    return other instanceof SigmoidTransform;
  }

  override _call(x: Tensor): Tensor {
    return _clipped_sigmoid(x);
  }

  override _inverse(y: Tensor): Tensor {
    const inside = clipped(y);
    return inside.log().sub(inside.neg().log1p());
  }

  override log_abs_det_jacobian(x: Tensor, _y: Tensor): Tensor {
    return F.softplus(x.neg()).neg().sub(F.softplus(x));
  }
}

/** `y = log(1 + exp(x))`. */
export class SoftplusTransform extends Transform {
  static {
    class_attributes(SoftplusTransform, { domain: real, codomain: positive, bijective: true, sign: 1 });
    def_transform(SoftplusTransform);
  }

  override __eq__(other: unknown): boolean {
    return other instanceof SoftplusTransform;
  }

  override _call(x: Tensor): Tensor {
    return F.softplus(x);
  }

  override _inverse(y: Tensor): Tensor {
    return y.neg().expm1().neg().log().add(y);
  }

  override log_abs_det_jacobian(x: Tensor, _y: Tensor): Tensor {
    return F.softplus(x.neg()).neg();
  }
}

/** `y = tanh(x)`. With `cache_size` 1, the inverse of an output that was rounded to 1 is the original input, not infinity. */
export class TanhTransform extends Transform {
  static {
    class_attributes(TanhTransform, { domain: real, bijective: true, sign: 1 });
    def_transform(TanhTransform);
  }

  static get codomain(): Constraint {
    return interval(Float(-1), Float(1));
  }

  override get codomain(): Constraint {
    return TanhTransform.codomain;
  }

  override __eq__(other: unknown): boolean {
    return other instanceof TanhTransform;
  }

  override _call(x: Tensor): Tensor {
    return x.tanh();
  }

  override _inverse(y: Tensor): Tensor {
    return torch.atanh(y);
  }

  // log(1 - tanh(x) ** 2), computed without cancellation
  override log_abs_det_jacobian(x: Tensor, _y: Tensor): Tensor {
    return x
      .__rsub__(Math.log(2))
      .sub(F.softplus(x.mul(-2)))
      .mul(2);
  }
}

/** `y = |x|`; the inverse returns the non-negative number. */
export class AbsTransform extends Transform {
  static {
    class_attributes(AbsTransform, { domain: real, codomain: positive });
    def_transform(AbsTransform);
  }

  override __eq__(other: unknown): boolean {
    return other instanceof AbsTransform;
  }

  override _call(x: Tensor): Tensor {
    return x.abs();
  }

  override _inverse(y: Tensor): Tensor {
    return y;
  }
}

const AffineTransform_init = new Init(
  "AffineTransform.__init__(self, loc, scale, event_dim=0, cache_size=0)",
  types<[loc: Tensor | Number_, scale: Tensor | Number_, event_dim: number, cache_size: number]>,
);

/** Whether two parameters, numbers or tensors, are equal. */
function equal(a: Tensor | Number_, b: Tensor | Number_): boolean {
  if (a instanceof Tensor)
    return Boolean(
      a
        .eq(b as Tensor)
        .all()
        .item(),
    );
  return b instanceof Tensor ? equal(b, a) : Number(a) === Number(b);
}

function shape_of(parameter: Tensor | Number_): Size {
  return parameter instanceof Tensor ? parameter.shape : [];
}

/** `y = loc + scale * x`; the last `event_dim` dims make one event. */
export class AffineTransform extends Transform {
  declare loc: Tensor | Number_;
  declare scale: Tensor | Number_;
  declare _event_dim: number;

  static {
    class_attributes(AffineTransform, { bijective: true });
    dependent_property(AffineTransform, "domain", (self) => self._numbers(), { is_discrete: false });
    dependent_property(AffineTransform, "codomain", (self) => self._numbers(), { is_discrete: false });
    def_transform(AffineTransform, AffineTransform_init);
  }

  constructor(...args: InitArgs<typeof AffineTransform_init>) {
    const [loc, scale, event_dim, cache_size] = AffineTransform_init.bind(args);
    super(cache_size);
    this.loc = loc;
    this.scale = scale;
    this._event_dim = event_dim;
  }

  private _numbers(): Constraint {
    return this._event_dim === 0 ? real : independent(real, this._event_dim);
  }

  override get event_dim(): number {
    return this._event_dim;
  }

  override with_cache(cache_size: number = 1): Transform {
    if (this._cache_size === cache_size) return this;
    return new AffineTransform(this.loc, this.scale, this.event_dim, cache_size);
  }

  override __eq__(other: unknown): boolean {
    return other instanceof AffineTransform && equal(this.loc, other.loc) && equal(this.scale, other.scale);
  }

  override get sign(): Sign {
    return this.scale instanceof Tensor ? this.scale.sign() : Math.sign(Number(this.scale));
  }

  override _call(x: Tensor): Tensor {
    return x.mul(this.scale).add(this.loc as Tensor);
  }

  override _inverse(y: Tensor): Tensor {
    return y.sub(this.loc as Tensor).div(this.scale as Tensor);
  }

  override log_abs_det_jacobian(x: Tensor, _y: Tensor): Tensor {
    const { scale, event_dim } = this;
    let result =
      scale instanceof Tensor ? torch.abs(scale).log() : torch.full_like(x, Math.log(Math.abs(Number(scale))));
    if (event_dim === 0) return result.expand(x.shape);
    result = result.view([...result.size().slice(0, -event_dim), -1]).sum(-1);
    return result.expand(x.shape.slice(0, -event_dim));
  }

  override forward_shape(shape: Size): number[] {
    return torch.broadcast_shapes(shape, shape_of(this.loc), shape_of(this.scale));
  }

  override inverse_shape(shape: Size): number[] {
    return torch.broadcast_shapes(shape, shape_of(this.loc), shape_of(this.scale));
  }
}

const CumulativeDistributionTransform_init = new Init(
  "CumulativeDistributionTransform.__init__(self, distribution, cache_size=0)",
  types<[distribution: Distribution, cache_size: number]>,
);

/** `y = distribution.cdf(x)`. */
export class CumulativeDistributionTransform extends Transform {
  declare distribution: Distribution;

  static {
    class_attributes(CumulativeDistributionTransform, { codomain: unit_interval, bijective: true, sign: 1 });
    def_transform(CumulativeDistributionTransform, CumulativeDistributionTransform_init);
  }

  constructor(...args: InitArgs<typeof CumulativeDistributionTransform_init>) {
    const [distribution, cache_size] = CumulativeDistributionTransform_init.bind(args);
    super(cache_size);
    this.distribution = distribution;
  }

  override get domain(): Constraint {
    return this.distribution.support;
  }

  override with_cache(cache_size: number = 1): Transform {
    if (this._cache_size === cache_size) return this;
    return new CumulativeDistributionTransform(this.distribution, cache_size);
  }

  override _call(x: Tensor): Tensor {
    return this.distribution.cdf(x);
  }

  override _inverse(y: Tensor): Tensor {
    return this.distribution.icdf(y);
  }

  override log_abs_det_jacobian(x: Tensor, _y: Tensor): Tensor {
    return this.distribution.log_prob(x);
  }
}
