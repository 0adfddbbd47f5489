/**
 * @file `biject_to` and `transform_to`: transforms from unconstrained numbers to the region of a constraint.
 * @mirrors torch/distributions/constraint_registry.py
 */
import { NotImplementedError, TypeError_ } from "#c10/util/Exception";
import { py_format, python_type } from "#torch/_C";
import { def_methods } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import * as constraints from "./constraints.ts";
import * as transforms from "./transforms/index.ts";
import { is_number, type Number_ } from "./utils.ts";

type Constraint = constraints.Constraint;
type Factory = (constraint: never) => transforms.Transform;

export interface ConstraintRegistry {
  // biome-ignore lint/style/useShorthandFunctionType: it is merged with the class below and adds the call
  (constraint: Constraint): transforms.Transform;
}

/** Finds the transform for a constraint by the class of the constraint. It is called: `registry(constraint)`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the interface above makes a registry callable
export class ConstraintRegistry {
  declare private readonly _registry: Map<Function, Factory>;

  static {
    def_methods(ConstraintRegistry, { register: "(self, constraint, factory=None)" });
  }

  constructor() {
    const self = Object.setPrototypeOf(
      (constraint: Constraint) => self.__call__(constraint),
      new.target.prototype,
    ) as this;
    Object.assign(self, { _registry: new Map() });
    // biome-ignore lint/correctness/noConstructorReturn: a callable object is a function, not an instance of this class
    return self;
  }

  /**
   * Registers `factory(c)` as the transform for any `c` of the class of `constraint`, which is the class itself or an instance.
   * Without `factory`, a decorator.
   */
  register(constraint: unknown): <F extends Factory>(factory: F) => F;
  register<F extends Factory>(constraint: unknown, factory: F): F;
  register(constraint: unknown, factory: Factory | null = null): unknown {
    if (factory === null) return (given: Factory) => this.register(constraint, given);
    register_own();
    const made = constraints._class_made_by(constraint);
    const type =
      made ?? (constraint instanceof constraints.Constraint ? constraint.constructor : (constraint as Function));
    if (typeof type !== "function" || !is_constraint_class(type))
      throw new TypeError_(
        `Expected constraint to be either a Constraint subclass or instance, but got ${py_format(constraint)}`,
      );
    this._registry.set(type, factory);
    return factory;
  }

  /** The transform from unconstrained numbers to `constraint`. */
  __call__(constraint: Constraint): transforms.Transform {
    register_own();
    const type = (Object(constraint).constructor ?? Object) as Function;
    const factory = this._registry.get(type) as ((constraint: Constraint) => transforms.Transform) | undefined;
    if (factory === undefined) throw new NotImplementedError(`Cannot transform ${python_type(constraint)} constraints`);
    return factory(constraint);
  }
}

function is_constraint_class(type: Function): boolean {
  return type === constraints.Constraint || type.prototype instanceof constraints.Constraint;
}

/** Bijective transforms with a known Jacobian, for samples of a constrained distribution. */
export const biject_to = new ConstraintRegistry();
/** Transforms that may lack an inverse and a Jacobian, for the parameters of a model. They mix the coordinates as little as possible. */
export const transform_to = new ConstraintRegistry();

interface Bounds {
  readonly lower_bound: Number_ | Tensor;
  readonly upper_bound: Number_ | Tensor;
}

function _transform_to_greater_than({ lower_bound }: Bounds): transforms.Transform {
  return new transforms.ComposeTransform([
    new transforms.ExpTransform(),
    new transforms.AffineTransform(lower_bound, 1),
  ]);
}

function _transform_to_less_than({ upper_bound }: Bounds): transforms.Transform {
  return new transforms.ComposeTransform([
    new transforms.ExpTransform(),
    new transforms.AffineTransform(upper_bound, -1),
  ]);
}

/** `a - b`. */
function difference(a: Number_ | Tensor, b: Number_ | Tensor): Number_ | Tensor {
  if (a instanceof Tensor) return a.sub(b as Tensor);
  return b instanceof Tensor ? b.__rsub__(a as number) : Number(a) - Number(b);
}

function _transform_to_interval({ lower_bound, upper_bound }: Bounds): transforms.Transform {
  const lower_is_0 = is_number(lower_bound) && Number(lower_bound) === 0;
  const upper_is_1 = is_number(upper_bound) && Number(upper_bound) === 1;
  if (lower_is_0 && upper_is_1) return new transforms.SigmoidTransform();
  const scale = difference(upper_bound, lower_bound);
  return new transforms.ComposeTransform([
    new transforms.SigmoidTransform(),
    new transforms.AffineTransform(lower_bound, scale),
  ]);
}

/** Registers transforms for composed constraints, made of the transforms for their parts. */
function register_composed(registry: ConstraintRegistry): void {
  interface Independent {
    readonly base_constraint: Constraint;
    readonly reinterpreted_batch_ndims: number;
  }
  interface Parts {
    readonly cseq: readonly Constraint[];
    readonly dim: number;
    readonly lengths: readonly number[];
  }
  registry.register(
    constraints.independent,
    (c: Independent) => new transforms.IndependentTransform(registry(c.base_constraint), c.reinterpreted_batch_ndims),
  );
  registry.register(constraints.cat, (c: Parts) => new transforms.CatTransform(c.cseq.map(registry), c.dim, c.lengths));
  registry.register(constraints.stack, (c: Parts) => new transforms.StackTransform(c.cseq.map(registry), c.dim));
}

let registered = false;

/** Registers the library's own transforms at first use, so that importing this file does not import them. */
function register_own(): void {
  if (registered) return;
  registered = true;
  for (const registry of [biject_to, transform_to]) {
    registry.register(constraints.real, () => transforms.identity_transform);
    registry.register(constraints.positive, () => new transforms.ExpTransform());
    registry.register(constraints.nonnegative, () => new transforms.ExpTransform());
    registry.register(constraints.greater_than, _transform_to_greater_than);
    registry.register(constraints.greater_than_eq, _transform_to_greater_than);
    registry.register(constraints.less_than, _transform_to_less_than);
    registry.register(constraints.interval, _transform_to_interval);
    registry.register(constraints.half_open_interval, _transform_to_interval);
    registry.register(constraints.corr_cholesky, () => new transforms.CorrCholeskyTransform());
    register_composed(registry);
  }
  biject_to.register(constraints.simplex, () => new transforms.StickBreakingTransform());
  transform_to.register(constraints.simplex, () => new transforms.SoftmaxTransform());
  transform_to.register(constraints.lower_cholesky, () => new transforms.LowerCholeskyTransform());
  transform_to.register(constraints.positive_definite, () => new transforms.PositiveDefiniteTransform());
  transform_to.register(constraints.positive_semidefinite, () => new transforms.PositiveDefiniteTransform());
}
