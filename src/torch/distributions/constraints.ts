/**
 * @file Constraints: the region of valid values of a parameter or a sample, checked for each element (or event).
 * @mirrors torch/distributions/constraints.py
 * @differs In ours `interval`, `cat` and others are functions that create a constraint; in PyTorch they are its classes.
 */
import { AssertionError, NotImplementedError, TypeError_, ValueError } from "#c10/util/Exception";
import { Allocated } from "#python/Objects/allocated";
import { Float, NotImplemented, PySequence_Tuple, py_format, python_type } from "#torch/_C";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import type { Number_ } from "./utils.ts";

type Bound = Number_ | Tensor;

/** A region in which a value is valid. A subclass defines `check`. */
export class Constraint extends Allocated {
  static {
    def_methods(Constraint, { check: "(self, value)" });
  }

  /** Whether the region is discrete. */
  get is_discrete(): boolean {
    return false;
  }

  /** The number of last dims that form one event; `check` returns one bool for each event. */
  get event_dim(): number {
    return 0;
  }

  /** Which events of `value` are valid. */
  check(_value: Tensor): Tensor {
    throw new NotImplementedError("");
  }

  /** The name of the class without the leading underscore. */
  protected _name(): string {
    return this.constructor.name.slice(1);
  }

  __repr__(): string {
    return `${this._name()}()`;
  }

  override toString(): string {
    return this.__repr__();
  }
}

/** Properties of a dependent constraint that are known without an instance. */
export interface Statics {
  readonly is_discrete?: boolean | typeof NotImplemented;
  readonly event_dim?: number | typeof NotImplemented;
}

/** A placeholder for a region that depends on other parameters. */
export class _Dependent extends Constraint {
  private readonly _is_discrete: boolean | typeof NotImplemented;
  private readonly _event_dim: number | typeof NotImplemented;

  constructor({ is_discrete = NotImplemented, event_dim = NotImplemented }: Statics = {}) {
    super();
    this._is_discrete = is_discrete;
    this._event_dim = event_dim;
  }

  override get is_discrete(): boolean {
    if (typeof this._is_discrete !== "boolean")
      throw new NotImplementedError(".is_discrete cannot be determined statically");
    return this._is_discrete;
  }

  override get event_dim(): number {
    if (typeof this._event_dim !== "number")
      throw new NotImplementedError(".event_dim cannot be determined statically");
    return this._event_dim;
  }

  /** A copy of this placeholder with more known properties. */
  __call__({ is_discrete = this._is_discrete, event_dim = this._event_dim }: Statics = {}): _Dependent {
    return new _Dependent({ is_discrete, event_dim });
  }

  override check(_value: Tensor): Tensor {
    throw new ValueError("Cannot determine validity of dependent constraint");
  }
}

/** Whether a constraint is a placeholder that depends on other parameters. */
export const is_dependent = def(
  "is_dependent(constraint)",
  (constraint: unknown): boolean => constraint instanceof _Dependent,
);

/** A property of instances that is a dependent constraint when it is read from the class. */
export class _DependentProperty extends _Dependent {}

/**
 * Makes `name` a property that `fget` computes for an instance, and that is a dependent constraint on the class.
 * @differs Ours is a function; PyTorch's is a decorator, `@constraints.dependent_property(event_dim=0)`.
 */
export function dependent_property<T extends object>(
  cls: Function & { readonly prototype: T },
  name: string,
  fget: (self: T) => Constraint,
  statics: Statics = {},
): void {
  if (typeof cls !== "function" || cls.prototype === undefined)
    throw new TypeError_(`issubclass() arg 1 must be a class, not ${python_type(cls)}`);
  class_attributes(cls, { [name]: new _DependentProperty(statics) });
  const get = function (this: T): Constraint {
    return fget(this);
  };
  Object.defineProperty(cls.prototype, name, { get, configurable: true });
}

function check_is_constraint(name: string, value: unknown): void {
  if (!(value instanceof Constraint))
    throw new AssertionError(`${name} must be a Constraint, got ${python_type(value)}`);
}

/** Keeps the first `dims` dims of a bool tensor, and reduces the others with `all`. */
function all_behind(result: Tensor, dims: number): Tensor {
  return result.reshape([...result.shape.slice(0, dims), -1]).all(-1);
}

/** Valid if all elements of the last dims are valid. */
export class _IndependentConstraint extends Constraint {
  readonly base_constraint: Constraint;
  readonly reinterpreted_batch_ndims: number;

  constructor(base_constraint: Constraint, reinterpreted_batch_ndims: number) {
    super();
    check_is_constraint("base_constraint", base_constraint);
    if (python_type(reinterpreted_batch_ndims) !== "int")
      throw new AssertionError(
        `reinterpreted_batch_ndims must be an int, got ${python_type(reinterpreted_batch_ndims)}`,
      );
    if (reinterpreted_batch_ndims < 0)
      throw new AssertionError(`reinterpreted_batch_ndims must be >= 0, got ${reinterpreted_batch_ndims}`);
    this.base_constraint = base_constraint;
    this.reinterpreted_batch_ndims = reinterpreted_batch_ndims;
  }

  override get is_discrete(): boolean {
    return this.base_constraint.is_discrete;
  }

  override get event_dim(): number {
    return this.base_constraint.event_dim + this.reinterpreted_batch_ndims;
  }

  override check(value: Tensor): Tensor {
    const result = this.base_constraint.check(value);
    if (result.dim() < this.reinterpreted_batch_ndims)
      throw new ValueError(`Expected value.dim() >= ${this.event_dim} but got ${value.dim()}`);
    return all_behind(result, result.dim() - this.reinterpreted_batch_ndims);
  }

  override __repr__(): string {
    return `${this._name()}(${this.base_constraint}, ${this.reinterpreted_batch_ndims})`;
  }
}

const MixtureSameFamilyConstraint_init = new Init(
  "MixtureSameFamilyConstraint.__init__(self, base_constraint)",
  types<[base_constraint: Constraint]>,
);

/** The region of a mixture's components, checked for a value that is broadcast to all of them. */
export class MixtureSameFamilyConstraint extends Constraint {
  readonly base_constraint: Constraint;

  static {
    def_methods(MixtureSameFamilyConstraint, { __init__: MixtureSameFamilyConstraint_init, check: "(self, value)" });
  }

  constructor(...args: InitArgs<typeof MixtureSameFamilyConstraint_init>) {
    const [base_constraint] = MixtureSameFamilyConstraint_init.bind(args);
    super();
    check_is_constraint("base_constraint", base_constraint);
    this.base_constraint = base_constraint;
  }

  override get is_discrete(): boolean {
    return this.base_constraint.is_discrete;
  }

  override get event_dim(): number {
    return this.base_constraint.event_dim;
  }

  override check(value: Tensor): Tensor {
    const result = this.base_constraint.check(value.unsqueeze(-1 - this.event_dim));
    if (value.dim() < this.event_dim)
      throw new ValueError(`Expected value.dim() >= ${this.event_dim} but got ${value.dim()}`);
    return all_behind(result, value.dim() - this.event_dim);
  }

  override __repr__(): string {
    return `MixtureSameFamilyConstraint(${this.base_constraint})`;
  }
}

/** A constraint of discrete values. */
class Discrete extends Constraint {
  override get is_discrete(): boolean {
    return true;
  }
}

function is_boolean(value: Tensor): Tensor {
  return value.eq(0).bitwise_or(value.eq(1));
}

class _Boolean extends Discrete {
  override check(value: Tensor): Tensor {
    return is_boolean(value);
  }
}

class _OneHot extends Discrete {
  override get event_dim(): number {
    return 1;
  }

  override check(value: Tensor): Tensor {
    return is_boolean(value).all(-1).bitwise_and(value.sum(-1).eq(1));
  }
}

// Intervals. A bound is the left operand of Python's comparison: its own method is used if it is a tensor, else the mirrored method of the
// value.

function at_least(bound: Bound, value: Tensor): Tensor {
  return bound instanceof Tensor ? bound.le(value) : value.ge(bound);
}

function above(bound: Bound, value: Tensor): Tensor {
  return bound instanceof Tensor ? bound.lt(value) : value.gt(bound);
}

function is_integer(value: Tensor): Tensor {
  return value.remainder(1).eq(0);
}

/** Base class of constraints with bounds, which it prints. */
abstract class Bounded extends Constraint {
  override __repr__(): string {
    const bounds = Object.entries(this).map(([name, bound]) => `${name}=${py_format(bound)}`);
    return `${this._name()}(${bounds.join(", ")})`;
  }
}

abstract class Above extends Bounded {
  readonly lower_bound: Bound;

  constructor(lower_bound: Bound) {
    super();
    this.lower_bound = lower_bound;
  }
}

abstract class Below extends Bounded {
  readonly upper_bound: Bound;

  constructor(upper_bound: Bound) {
    super();
    this.upper_bound = upper_bound;
  }
}

abstract class Between extends Bounded {
  readonly lower_bound: Bound;
  readonly upper_bound: Bound;

  constructor(lower_bound: Bound, upper_bound: Bound) {
    super();
    this.lower_bound = lower_bound;
    this.upper_bound = upper_bound;
  }
}

class _IntegerInterval extends Between {
  override get is_discrete(): boolean {
    return true;
  }

  override check(value: Tensor): Tensor {
    return is_integer(value)
      .bitwise_and(at_least(this.lower_bound, value))
      .bitwise_and(value.le(this.upper_bound as number));
  }
}

class _IntegerGreaterThan extends Above {
  override get is_discrete(): boolean {
    return true;
  }

  override check(value: Tensor): Tensor {
    return is_integer(value).bitwise_and(value.ge(this.lower_bound as number));
  }
}

class _Real extends Constraint {
  override check(value: Tensor): Tensor {
    return value.eq(value); // false for NaN
  }
}

class _GreaterThan extends Above {
  override check(value: Tensor): Tensor {
    return above(this.lower_bound, value);
  }
}

class _GreaterThanEq extends Above {
  override check(value: Tensor): Tensor {
    return at_least(this.lower_bound, value);
  }
}

class _LessThan extends Below {
  override check(value: Tensor): Tensor {
    return value.lt(this.upper_bound as number);
  }
}

class _Interval extends Between {
  override check(value: Tensor): Tensor {
    return at_least(this.lower_bound, value).bitwise_and(value.le(this.upper_bound as number));
  }
}

class _HalfOpenInterval extends Between {
  override check(value: Tensor): Tensor {
    return at_least(this.lower_bound, value).bitwise_and(value.lt(this.upper_bound as number));
  }
}

class _Simplex extends Constraint {
  override get event_dim(): number {
    return 1;
  }

  override check(value: Tensor): Tensor {
    return torch.all(value.ge(0), { dim: -1 }).bitwise_and(value.sum(-1).sub(1).abs().lt(1e-6));
  }
}

/** Vectors of counts with a sum of at most `upper_bound`. */
class _Multinomial extends Discrete {
  readonly upper_bound: number;

  constructor(upper_bound: number) {
    super();
    this.upper_bound = upper_bound;
  }

  override get event_dim(): number {
    return 1;
  }

  override check(x: Tensor): Tensor {
    return x.ge(0).all(-1).bitwise_and(x.sum(-1).le(this.upper_bound));
  }
}

/** Base class of constraints of matrices. */
class OfMatrices extends Constraint {
  override get event_dim(): number {
    return 2;
  }
}

function is_lower_triangular(value: Tensor): Tensor {
  return value
    .tril()
    .eq(value)
    .view([...value.shape.slice(0, -2), -1])
    .min(-1)[0];
}

class _LowerTriangular extends OfMatrices {
  override check(value: Tensor): Tensor {
    return is_lower_triangular(value);
  }
}

function is_lower_cholesky(value: Tensor): Tensor {
  const positive_diagonal = value.diagonal({ dim1: -2, dim2: -1 }).gt(0).min(-1)[0];
  return is_lower_triangular(value).bitwise_and(positive_diagonal);
}

class _LowerCholesky extends OfMatrices {
  override check(value: Tensor): Tensor {
    return is_lower_cholesky(value);
  }
}

class _CorrCholesky extends OfMatrices {
  override check(value: Tensor): Tensor {
    const tol = torch.finfo(value.dtype).eps * value.size(-1) * 10;
    const row_norm = torch.linalg.norm(value.detach(), { dim: -1 });
    return is_lower_cholesky(value).bitwise_and(row_norm.sub(1).abs().le(tol).all(-1));
  }
}

class _Square extends OfMatrices {
  override check(value: Tensor): Tensor {
    const [rows, columns] = value.shape.slice(-2);
    return torch.full(value.shape.slice(0, -2), rows === columns, { dtype: torch.bool, device: value.device });
  }
}

class _Symmetric extends _Square {
  override check(value: Tensor): Tensor {
    const square_check = super.check(value);
    if (!square_check.all().item()) return square_check;
    return torch.isclose(value, value.mT, { atol: 1e-6 }).all(-2).all(-1);
  }
}

class _PositiveSemidefinite extends _Symmetric {
  override check(value: Tensor): Tensor {
    const sym_check = super.check(value);
    if (!sym_check.all().item()) return sym_check;
    return torch.linalg.eigvalsh(value).ge(0).all(-1);
  }
}

class _PositiveDefinite extends _Symmetric {
  override check(value: Tensor): Tensor {
    const sym_check = super.check(value);
    if (!sym_check.all().item()) return sym_check;
    return torch.linalg.cholesky_ex(value)[1].eq(0);
  }
}

// Several constraints along one dim

abstract class Sequence extends Constraint {
  readonly cseq: readonly Constraint[];
  readonly dim: number;

  constructor(given: readonly Constraint[], dim: number) {
    super();
    const cseq = PySequence_Tuple(given);
    if (!cseq.every((c) => c instanceof Constraint))
      throw new AssertionError("All elements of cseq must be Constraint instances");
    this.cseq = cseq;
    this.dim = dim;
  }

  override get is_discrete(): boolean {
    return this.cseq.some((c) => c.is_discrete);
  }

  override get event_dim(): number {
    return Math.max(...this.cseq.map((c) => c.event_dim));
  }

  protected _check_dim(value: Tensor): void {
    if (this.dim < -value.dim() || this.dim >= value.dim())
      throw new AssertionError(`dim ${this.dim} out of range for value with ${value.dim()} dimensions`);
  }
}

class _Cat extends Sequence {
  readonly lengths: readonly number[];

  constructor(cseq: readonly Constraint[], dim: number, lengths: readonly number[] | null) {
    super(cseq, dim);
    this.lengths = lengths === null ? this.cseq.map(() => 1) : [...lengths];
    if (this.lengths.length !== this.cseq.length)
      throw new AssertionError(`lengths (${this.lengths.length}) must match cseq (${this.cseq.length})`);
  }

  override check(value: Tensor): Tensor {
    this._check_dim(value);
    let start = 0;
    const checks = this.cseq.map((constraint, i) => {
      const part = value.narrow(this.dim, start, this.lengths[i]);
      start += this.lengths[i];
      return constraint.check(part);
    });
    return torch.cat(checks, this.dim);
  }
}

class _Stack extends Sequence {
  override get event_dim(): number {
    const dim = super.event_dim;
    return this.dim + dim < 0 ? dim + 1 : dim;
  }

  override check(value: Tensor): Tensor {
    this._check_dim(value);
    const n = Math.min(this.cseq.length, value.size(this.dim));
    const checks = this.cseq.slice(0, n).map((constraint, i) => constraint.check(value.select(this.dim, i)));
    return torch.stack(checks, this.dim);
  }
}

// The names for users

/** A placeholder for a region that depends on other parameters. */
export const dependent = new _Dependent();
/** `base_constraint` for all of the last `reinterpreted_batch_ndims` dims together. */
export const independent = def(
  "_IndependentConstraint.__init__(self, base_constraint: object, reinterpreted_batch_ndims)",
  (base_constraint: Constraint, reinterpreted_batch_ndims: number) =>
    new _IndependentConstraint(base_constraint, reinterpreted_batch_ndims),
);
/** 0 or 1. */
export const boolean: Constraint = new _Boolean();
/** Vectors with a single 1 and zeros elsewhere. */
export const one_hot: Constraint = new _OneHot();
/** 0, 1, 2, ... */
export const nonnegative_integer: Constraint & { readonly lower_bound: Bound } = new _IntegerGreaterThan(0);
/** 1, 2, 3, ... */
export const positive_integer: Constraint & { readonly lower_bound: Bound } = new _IntegerGreaterThan(1);
/** The integers from `lower_bound` to `upper_bound`. */
export const integer_interval = def(
  "_IntegerInterval.__init__(self, lower_bound, upper_bound)",
  (lower_bound: Bound, upper_bound: Bound) => new _IntegerInterval(lower_bound, upper_bound),
);
/** Any number, including infinities, but not NaN. */
export const real: Constraint = new _Real();
/** Vectors of real numbers. */
export const real_vector: Constraint = new _IndependentConstraint(real, 1);
/** Above 0. */
export const positive: Constraint & { readonly lower_bound: Bound } = new _GreaterThan(Float(0));
/** 0 or above. */
export const nonnegative: Constraint & { readonly lower_bound: Bound } = new _GreaterThanEq(Float(0));
/** Numbers above `lower_bound`. */
export const greater_than = def(
  "_GreaterThan.__init__(self, lower_bound)",
  (lower_bound: Bound): Constraint => new _GreaterThan(lower_bound),
);
/** Numbers not below `lower_bound`. */
export const greater_than_eq = def(
  "_GreaterThanEq.__init__(self, lower_bound)",
  (lower_bound: Bound): Constraint => new _GreaterThanEq(lower_bound),
);
/** Numbers below `upper_bound`. */
export const less_than = def(
  "_LessThan.__init__(self, upper_bound)",
  (upper_bound: Bound): Constraint => new _LessThan(upper_bound),
);
/** Vectors of counts with a sum of at most `upper_bound`. */
export const multinomial = def(
  "_Multinomial.__init__(self, upper_bound)",
  (upper_bound: number): Constraint => new _Multinomial(upper_bound),
);
/** Numbers from 0 to 1. */
export const unit_interval: Constraint & { readonly lower_bound: Bound; readonly upper_bound: Bound } = new _Interval(
  Float(0),
  Float(1),
);
/** Numbers from `lower_bound` to `upper_bound`. */
export const interval = def(
  "_Interval.__init__(self, lower_bound, upper_bound)",
  (lower_bound: Bound, upper_bound: Bound) => new _Interval(lower_bound, upper_bound),
);
/** Numbers from `lower_bound` up to but not including `upper_bound`. */
export const half_open_interval = def(
  "_HalfOpenInterval.__init__(self, lower_bound, upper_bound)",
  (lower_bound: Bound, upper_bound: Bound): Constraint => new _HalfOpenInterval(lower_bound, upper_bound),
);
/** Vectors of non-negative numbers with sum 1. */
export const simplex: Constraint = new _Simplex();
/** Lower triangular matrices. */
export const lower_triangular: Constraint = new _LowerTriangular();
/** Lower triangular matrices with a positive diagonal. */
export const lower_cholesky: Constraint = new _LowerCholesky();
/** Lower triangular matrices with a positive diagonal and rows of length 1. */
export const corr_cholesky: Constraint = new _CorrCholesky();
/** Square matrices. */
export const square: Constraint = new _Square();
/** Symmetric matrices. */
export const symmetric: Constraint = new _Symmetric();
/** Symmetric matrices without negative eigenvalues. */
export const positive_semidefinite: Constraint = new _PositiveSemidefinite();
/** Symmetric matrices with positive eigenvalues only. */
export const positive_definite: Constraint = new _PositiveDefinite();
/** One constraint for each part along `dim`; the parts have the given lengths, or length 1. */
export const cat = def(
  "_Cat.__init__(self, cseq, dim=0, lengths=None)",
  (cseq: readonly Constraint[], dim: number, lengths: readonly number[] | null): Constraint =>
    new _Cat(cseq, dim, lengths),
);
/** One constraint for each index along `dim`. */
export const stack = def(
  "_Stack.__init__(self, cseq, dim=0)",
  (cseq: readonly Constraint[], dim: number): Constraint => new _Stack(cseq, dim),
);

/** The class of the constraints that `make` creates, for functions such as `interval`; undefined for anything else. */
export function _class_made_by(make: unknown): Function | undefined {
  const classes: readonly (readonly [make: unknown, cls: Function])[] = [
    [dependent_property, _DependentProperty],
    [independent, _IndependentConstraint],
    [integer_interval, _IntegerInterval],
    [greater_than, _GreaterThan],
    [greater_than_eq, _GreaterThanEq],
    [less_than, _LessThan],
    [multinomial, _Multinomial],
    [interval, _Interval],
    [half_open_interval, _HalfOpenInterval],
    [cat, _Cat],
    [stack, _Stack],
  ];
  return classes.find(([maker]) => maker === make)?.[1];
}
