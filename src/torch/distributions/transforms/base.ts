/**
 * @file Transforms of samples: their properties (domain, codomain, log-determinant of the Jacobian), and transforms made of others.
 * @mirrors torch/distributions/transforms.py#Transform
 */
import { AssertionError, NotImplementedError, ValueError } from "#c10/util/Exception";
import { ALLOCATE, Allocated } from "#python/Objects/allocated";
import { class_repr, having, PySequence_Tuple, THPSize_repr, with_method } from "#torch/_C";
import { def_methods, Init, type InitArgs, type Signature, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes, defines_constructor, lazy_property } from "#torch/distributions/class_attributes";
import { type Constraint, dependent_property, independent, real } from "#torch/distributions/constraints";
import { _sum_rightmost, type Size } from "#torch/distributions/utils";

/** +1 or -1, or a tensor of them. */
export type Sign = number | Tensor;

export interface Transform {
  // biome-ignore lint/style/useShorthandFunctionType: it is merged with the class below and adds the call
  (x: Tensor): Tensor;
}

/** The signatures of the methods that all transforms share. */
const METHODS = {
  with_cache: "(self, cache_size=1)",
  log_abs_det_jacobian: "(self, x, y)",
  forward_shape: "(self, shape)",
  inverse_shape: "(self, shape)",
};

/**
 * Declares the constructor of `cls`, if it has one, and its methods that all transforms share.
 * @param renamed signatures that differ in this class
 */
export function def_transform(
  cls: Function & { readonly prototype: object },
  init: Signature | null = null,
  renamed: Readonly<Record<string, string>> = {},
): void {
  const own = Object.entries({ ...METHODS, ...renamed }).filter(([name]) => Object.hasOwn(cls.prototype, name));
  def_methods(cls, { ...(init === null ? {} : { __init__: init }), ...Object.fromEntries(own) });
}

const Transform_init = new Init("Transform.__init__(self, cache_size=0)", types<[cache_size: number]>);

/**
 * An invertible map of tensors. A subclass defines `_call`, `_inverse` and `log_abs_det_jacobian`, and sets its properties `domain`,
 * `codomain`, `bijective` and `sign`. A transform is called: `y = t(x)`.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the interface above makes a transform callable
export class Transform extends Allocated {
  static readonly __module__: string = "torch.distributions.transforms";
  /** The number of cached values: 0, or 1 if the inverse should return the original input object. */
  declare _cache_size: number;
  declare _inv: Transform | null;
  declare private _cached_x_y: readonly [x: Tensor | null, y: Tensor | null];

  static {
    def_transform(Transform, Transform_init);
  }

  static override [ALLOCATE](prototype: object): Transform {
    const self = Object.setPrototypeOf((x: Tensor) => self.__call__(x), prototype) as Transform;
    return self;
  }

  constructor(...args: InitArgs<typeof Transform_init>) {
    const [cache_size] = Transform_init.bind(args);
    super();
    const waiting = typeof this === "function"; // an object that is only now constructed; see allocated.ts
    const self = waiting ? this : (Transform[ALLOCATE](new.target.prototype) as this);
    self._cache_size = cache_size;
    self._inv = null;
    if (cache_size === 1) self._cached_x_y = [null, null];
    else if (cache_size !== 0) throw new ValueError("cache_size must be 0 or 1");
    // biome-ignore lint/correctness/noConstructorReturn: a callable object is a function, not an instance of this class
    return self;
  }

  /** The constraint of inputs. */
  get domain(): Constraint {
    throw new NotImplementedError("");
  }

  /** The constraint of outputs. */
  get codomain(): Constraint {
    throw new NotImplementedError("");
  }

  /** Whether the transform is bijective: each output has exactly one input. */
  get bijective(): boolean {
    return false;
  }

  /** The sign of the derivative of a bijective scalar transform: 1 if it increases, -1 if it decreases. */
  get sign(): Sign {
    throw new NotImplementedError("");
  }

  /** The number of last dims that form one event. */
  get event_dim(): number {
    if (this.domain.event_dim === this.codomain.event_dim) return this.domain.event_dim;
    throw new ValueError("Please use either .domain.event_dim or .codomain.event_dim");
  }

  /** The inverse transform; its inverse is this transform. */
  get inv(): Transform {
    this._inv ??= new _InverseTransform(this);
    return this._inv;
  }

  /** This transform with another cache size. */
  with_cache(cache_size: number = 1): Transform {
    if (this._cache_size === cache_size) return this;
    const type = this.constructor as new (cache_size: number) => Transform;
    if (!defines_constructor(type, Transform)) return new type(cache_size);
    throw new NotImplementedError(`${class_repr(type)}.with_cache is not implemented`);
  }

  __eq__(other: unknown): boolean {
    return this === other;
  }

  __call__(x: Tensor): Tensor {
    if (this._cache_size === 0) return this._call(x);
    const [x_old, y_old] = this._cached_x_y;
    if (x === x_old && y_old !== null) return y_old;
    const y = this._call(x);
    this._cached_x_y = [x, y];
    return y;
  }

  /** The inverse of `__call__`. */
  _inv_call(y: Tensor): Tensor {
    if (this._cache_size === 0) return this._inverse(y);
    const [x_old, y_old] = this._cached_x_y;
    if (y === y_old && x_old !== null) return x_old;
    const x = this._inverse(y);
    this._cached_x_y = [x, y];
    return x;
  }

  _call(_x: Tensor): Tensor {
    throw new NotImplementedError("");
  }

  _inverse(_y: Tensor): Tensor {
    throw new NotImplementedError("");
  }

  /** `log |det(dy / dx)|`. */
  log_abs_det_jacobian(_x: Tensor, _y: Tensor): Tensor {
    throw new NotImplementedError("");
  }

  /** The shape of the output for an input of shape `shape`. */
  forward_shape(shape: Size): number[] {
    return [...shape];
  }

  /** The shape of the input for an output of shape `shape`. */
  inverse_shape(shape: Size): number[] {
    return [...shape];
  }

  __repr__(): string {
    return `${this.constructor.name}()`;
  }

  override toString(): string {
    return this.__repr__();
  }
}

/** The class of `transform.inv`. */
export class _InverseTransform extends Transform {
  declare _inv: Transform;

  static {
    dependent_property(_InverseTransform, "domain", (self) => self._inv.codomain, { is_discrete: false });
    dependent_property(_InverseTransform, "codomain", (self) => self._inv.domain, { is_discrete: false });
  }

  constructor(transform: Transform) {
    super(transform._cache_size);
    this._inv = transform;
  }

  override get bijective(): boolean {
    return this._inv.bijective;
  }

  override get sign(): Sign {
    return this._inv.sign;
  }

  override get inv(): Transform {
    return this._inv;
  }

  override with_cache(cache_size: number = 1): Transform {
    return this._inv.with_cache(cache_size).inv;
  }

  override __eq__(other: unknown): boolean {
    return other instanceof _InverseTransform && this._inv.__eq__(other._inv);
  }

  override __repr__(): string {
    return `${this.constructor.name}(${this._inv})`;
  }

  override __call__(x: Tensor): Tensor {
    return this._inv._inv_call(x);
  }

  override log_abs_det_jacobian(x: Tensor, y: Tensor): Tensor {
    return this._inv.log_abs_det_jacobian(y, x).neg();
  }

  override forward_shape(shape: Size): number[] {
    return this._inv.inverse_shape(shape);
  }

  override inverse_shape(shape: Size): number[] {
    return this._inv.forward_shape(shape);
  }
}

/** Whether two lists hold equal transforms. */
export function same_transforms(a: readonly Transform[], b: readonly Transform[]): boolean {
  return a.length === b.length && a.every((t, i) => t === b[i] || t.__eq__(b[i]));
}

/** A product of signs. */
export function product(signs: readonly Sign[]): Sign {
  return signs.reduce((a, b) => (a instanceof Tensor ? a.mul(b) : b instanceof Tensor ? b.mul(a) : a * b), 1);
}

/** `constraint` extended to at least `event_dim` dims. */
function widened(constraint: Constraint, event_dim: number, what: string): Constraint {
  if (event_dim < constraint.event_dim)
    throw new AssertionError(`event_dim ${event_dim} must be >= ${what}.event_dim ${constraint.event_dim}`);
  return event_dim > constraint.event_dim ? independent(constraint, event_dim - constraint.event_dim) : constraint;
}

const ComposeTransform_init = new Init(
  "ComposeTransform.__init__(self, parts, cache_size=0)",
  types<[parts: readonly Transform[], cache_size: number]>,
);

/** Transforms applied in order, from the first of `parts`. Each has its own cache. */
export class ComposeTransform extends Transform {
  declare parts: readonly Transform[];

  static {
    const statics = { is_discrete: false };
    dependent_property(ComposeTransform, "domain", (self) => self._domain(), statics);
    dependent_property(ComposeTransform, "codomain", (self) => self._codomain(), statics);
    lazy_property(ComposeTransform, "bijective", (self) => self.parts.every((p) => p.bijective));
    lazy_property(ComposeTransform, "sign", (self) => product(self.parts.map((p) => p.sign)));
    def_transform(ComposeTransform, ComposeTransform_init);
  }

  constructor(...args: InitArgs<typeof ComposeTransform_init>) {
    const [parts, cache_size] = ComposeTransform_init.bind(args);
    super(cache_size);
    this.parts =
      cache_size === 0
        ? parts
        : PySequence_Tuple(parts).map((part) => with_method(part, "with_cache").with_cache(cache_size));
  }

  override __eq__(other: unknown): boolean {
    return other instanceof ComposeTransform && same_transforms(this.parts, other.parts);
  }

  /** The domain of the first part, with the largest number of event dims that any part needs. */
  private _domain(): Constraint {
    if (this.parts.length === 0) return real;
    let { event_dim } = (this.parts.at(-1) as Transform).codomain;
    for (const part of this.parts.toReversed())
      event_dim = Math.max(event_dim + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim);
    return widened(this.parts[0].domain, event_dim, "domain");
  }

  /** The codomain of the last part, with the largest number of event dims that any part needs. */
  private _codomain(): Constraint {
    if (this.parts.length === 0) return real;
    let { event_dim } = this.parts[0].domain;
    for (const part of this.parts)
      event_dim = Math.max(event_dim + part.codomain.event_dim - part.domain.event_dim, part.codomain.event_dim);
    return widened((this.parts.at(-1) as Transform).codomain, event_dim, "codomain");
  }

  override get inv(): Transform {
    if (this._inv === null) {
      this._inv = new ComposeTransform(this.parts.toReversed().map((p) => p.inv));
      this._inv._inv = this;
    }
    return this._inv;
  }

  override with_cache(cache_size: number = 1): Transform {
    return this._cache_size === cache_size ? this : new ComposeTransform(this.parts, cache_size);
  }

  override __call__(x: Tensor): Tensor {
    return this.parts.reduce((value, part) => part(value), x);
  }

  override log_abs_det_jacobian(x: Tensor, y: Tensor): Tensor {
    if (this.parts.length === 0) return torch.zeros_like(x);
    const xs = [x];
    for (const part of this.parts.slice(0, -1)) xs.push(part(xs.at(-1) as Tensor));
    xs.push(y);
    let { event_dim } = this.domain;
    const terms = this.parts.map((part, i) => {
      const term = part.log_abs_det_jacobian(xs[i], xs[i + 1]);
      const summed = _sum_rightmost(term, event_dim - part.domain.event_dim);
      event_dim += part.codomain.event_dim - part.domain.event_dim;
      return summed;
    });
    return terms.reduce((a, b) => a.add(b));
  }

  override forward_shape(shape: Size): number[] {
    return this.parts.reduce((s, part) => part.forward_shape(s), [...shape]);
  }

  override inverse_shape(shape: Size): number[] {
    return this.parts.toReversed().reduce((s, part) => part.inverse_shape(s), [...shape]);
  }

  override __repr__(): string {
    return `${this.constructor.name}(\n    ${this.parts.join(",\n    ")}\n)`;
  }
}

/** The identity. */
export const identity_transform = new ComposeTransform([]);

const IndependentTransform_init = new Init(
  "IndependentTransform.__init__(self, base_transform: object, reinterpreted_batch_ndims, cache_size=0)",
  types<[base_transform: Transform, reinterpreted_batch_ndims: number, cache_size: number]>,
);

/** `base_transform` with its last `reinterpreted_batch_ndims` dims as one event: `log_abs_det_jacobian` sums over them. */
export class IndependentTransform extends Transform {
  declare base_transform: Transform;
  declare reinterpreted_batch_ndims: number;

  static {
    dependent_property(IndependentTransform, "domain", (self) => self._widened("domain"), { is_discrete: false });
    dependent_property(IndependentTransform, "codomain", (self) => self._widened("codomain"), { is_discrete: false });
    def_transform(IndependentTransform, IndependentTransform_init);
  }

  constructor(...args: InitArgs<typeof IndependentTransform_init>) {
    const [base_transform, reinterpreted_batch_ndims, cache_size] = IndependentTransform_init.bind(args);
    super(cache_size);
    this.base_transform = having(base_transform, "with_cache").with_cache(cache_size);
    this.reinterpreted_batch_ndims = reinterpreted_batch_ndims;
  }

  private _widened(name: "domain" | "codomain"): Constraint {
    return independent(this.base_transform[name], this.reinterpreted_batch_ndims);
  }

  override with_cache(cache_size: number = 1): Transform {
    if (this._cache_size === cache_size) return this;
    return new IndependentTransform(this.base_transform, this.reinterpreted_batch_ndims, cache_size);
  }

  override get bijective(): boolean {
    return this.base_transform.bijective;
  }

  override get sign(): Sign {
    return this.base_transform.sign;
  }

  override _call(x: Tensor): Tensor {
    if (x.dim() < this.domain.event_dim) throw new ValueError("Too few dimensions on input");
    return this.base_transform(x);
  }

  override _inverse(y: Tensor): Tensor {
    if (y.dim() < this.codomain.event_dim) throw new ValueError("Too few dimensions on input");
    return this.base_transform.inv(y);
  }

  override log_abs_det_jacobian(x: Tensor, y: Tensor): Tensor {
    return _sum_rightmost(this.base_transform.log_abs_det_jacobian(x, y), this.reinterpreted_batch_ndims);
  }

  override __repr__(): string {
    return `${this.constructor.name}(${this.base_transform}, ${this.reinterpreted_batch_ndims})`;
  }

  override forward_shape(shape: Size): number[] {
    return this.base_transform.forward_shape(shape);
  }

  override inverse_shape(shape: Size): number[] {
    return this.base_transform.inverse_shape(shape);
  }
}

/** `shape` with its last sizes replaced. */
function with_end(shape: Size, from: Size, to: Size): number[] {
  if (shape.length < from.length) throw new ValueError("Too few dimensions on input");
  const cut = shape.length - from.length;
  if (from.some((n, i) => n !== shape[cut + i]))
    throw new ValueError(`Shape mismatch: expected ${THPSize_repr(shape.slice(cut))} but got ${THPSize_repr(from)}`);
  return [...shape.slice(0, cut), ...to];
}

const ReshapeTransform_init = new Init(
  "ReshapeTransform.__init__(self, in_shape, out_shape, cache_size=0)",
  types<[in_shape: Size, out_shape: Size, cache_size: number]>,
);

/** Reshapes events from `in_shape` to `out_shape`. */
export class ReshapeTransform extends Transform {
  declare in_shape: Size;
  declare out_shape: Size;

  static {
    class_attributes(ReshapeTransform, { bijective: true });
    dependent_property(ReshapeTransform, "domain", (self) => independent(real, self.in_shape.length));
    dependent_property(ReshapeTransform, "codomain", (self) => independent(real, self.out_shape.length));
    def_transform(ReshapeTransform, ReshapeTransform_init);
  }

  constructor(...args: InitArgs<typeof ReshapeTransform_init>) {
    const [in_shape, out_shape, cache_size] = ReshapeTransform_init.bind(args);
    const numel = (shape: Size): number => torch.Size(shape).reduce((a, b) => a * b, 1);
    if (numel(in_shape) !== numel(out_shape))
      throw new ValueError("in_shape, out_shape have different numbers of elements");
    super(cache_size);
    this.in_shape = torch.Size(in_shape);
    this.out_shape = torch.Size(out_shape);
  }

  override with_cache(cache_size: number = 1): Transform {
    if (this._cache_size === cache_size) return this;
    return new ReshapeTransform(this.in_shape, this.out_shape, cache_size);
  }

  override _call(x: Tensor): Tensor {
    return x.reshape([...x.shape.slice(0, x.dim() - this.in_shape.length), ...this.out_shape]);
  }

  override _inverse(y: Tensor): Tensor {
    return y.reshape([...y.shape.slice(0, y.dim() - this.out_shape.length), ...this.in_shape]);
  }

  override log_abs_det_jacobian(x: Tensor, _y: Tensor): Tensor {
    return x.new_zeros(x.shape.slice(0, x.dim() - this.in_shape.length));
  }

  override forward_shape(shape: Size): number[] {
    return with_end(shape, this.in_shape, this.out_shape);
  }

  override inverse_shape(shape: Size): number[] {
    return with_end(shape, this.out_shape, this.in_shape);
  }
}
