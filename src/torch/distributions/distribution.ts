/**
 * @file The base class of distributions: batch and event shape, methods, and the checks of parameters and samples.
 * @mirrors torch/distributions/distribution.py
 *
 * Note [A distribution checks when it is made]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * `Distribution.__init__` checks the parameters that a Python subclass sets before it calls `super().__init__`. JavaScript has no `this`
 * before `super()`. Therefore a subclass with parameters calls `super()` without arguments, sets them, and then calls
 * `super.__init__(batch_shape, event_shape, validate_args)`. `expand` creates its instance without a constructor, and also calls `__init__`.
 */
import { NotImplementedError, ValueError, warn } from "#c10/util/Exception";
import { Allocated, INITIALIZE, is_waiting } from "#python/Objects/allocated";
import { class_repr, py_format, python_type, THPSize_repr } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, type Signature, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes, defines_constructor, is_lazy } from "./class_attributes.ts";
import { type Constraint, is_dependent } from "./constraints.ts";
import type { Size } from "./utils.ts";

/** The signatures of the methods that all distributions share. */
const METHODS = {
  expand: "(self, batch_shape, _instance=None)",
  sample: "(self, sample_shape=torch.Size([]))",
  rsample: "(self, sample_shape=torch.Size([]))",
  sample_n: "(self, n)",
  log_prob: "(self, value)",
  cdf: "(self, value)",
  icdf: "(self, value)",
  enumerate_support: "(self, expand=True)",
  entropy: "(self)",
  perplexity: "(self)",
} as const;

export type ExpandArgs = Args<(typeof METHODS)["expand"], [batch_shape: Size, _instance: Distribution | null]>;
export type SampleArgs = Args<(typeof METHODS)["sample"], [sample_shape: Size]>;
export type ValueArgs = Args<(typeof METHODS)["log_prob"], [value: Tensor]>;
export type EnumerateArgs = Args<(typeof METHODS)["enumerate_support"], [expand: boolean]>;

/**
 * Declares the constructor of `cls` and its methods that all distributions share.
 * @param renamed signatures that differ in this class
 */
export function def_distribution(
  cls: Function & { readonly prototype: object },
  init: Signature,
  renamed: Readonly<Record<string, string>> = {},
): void {
  const own = Object.entries({ ...METHODS, ...renamed }).filter(([name]) => Object.hasOwn(cls.prototype, name));
  def_methods(cls, { __init__: init, ...Object.fromEntries(own) });
}

/** A tuple as Python prints it: `(2, 3)`, `(2,)`. */
export function tuple_repr(sizes: Size): string {
  return sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`;
}

/** `read()`, or null if the class has not defined the property. */
function if_implemented<T>(read: () => T, otherwise: () => void): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotImplementedError)) throw error;
    otherwise();
    return null;
  }
}

export const Distribution_init = new Init(
  "Distribution.__init__(self, batch_shape=torch.Size([]), event_shape=torch.Size([]), validate_args=None)",
  types<[batch_shape: Size, event_shape: Size, validate_args: boolean | null]>,
);

/**
 * Base of distributions.
 * @differs In ours `super()` without arguments only prepares the object, see Note [A distribution checks when it is made]; PyTorch's
 * subclasses set parameters before `super().__init__`.
 */
export class Distribution extends Allocated {
  static readonly __module__: string = "torch.distributions.distribution";
  declare static readonly arg_constraints: Readonly<Record<string, Constraint>>;
  declare static readonly support: Constraint;
  declare static readonly _validate_args: boolean;
  static readonly has_rsample: boolean = false;
  static readonly has_enumerate_support: boolean = false;

  declare _batch_shape: Size;
  declare _event_shape: Size;
  declare _validate_args: boolean;

  static {
    class_attributes(Distribution, { _validate_args: true });
    def_distribution(Distribution, Distribution_init);
    def_methods(Distribution, { set_default_validate_args: "(value)" });
  }

  constructor(...args: InitArgs<typeof Distribution_init>) {
    const prepare = is_waiting(new.target) || defines_constructor(new.target, Distribution);
    super();
    if (args.length > 0 || !prepare) Distribution[INITIALIZE](this, args);
  }

  static [INITIALIZE](self: Distribution, args: readonly unknown[]): void {
    Distribution.prototype.__init__.apply(self, Distribution_init.bind(args as InitArgs<typeof Distribution_init>));
  }

  /** Sets whether parameters and values are checked by default, if `validate_args` is not given; initially they are. */
  static set_default_validate_args(value: boolean): void {
    if (![true, false].includes(value)) throw new ValueError("");
    class_attributes(Distribution, { _validate_args: value });
  }

  /** The code that PyTorch's base class runs at the end of a subclass's constructor. */
  __init__(batch_shape: Size = [], event_shape: Size = [], validate_args: boolean | null = null): void {
    this._batch_shape = batch_shape;
    this._event_shape = event_shape;
    if (validate_args !== null) this._validate_args = validate_args;
    if (this._validate_args) this._check_parameters();
  }

  private _check_parameters(): void {
    const arg_constraints = if_implemented(
      () => this.arg_constraints,
      () =>
        warn(
          "UserWarning",
          `${class_repr(this.constructor)} does not define \`arg_constraints\`. Please set \`arg_constraints = {}\` or initialize the distribution with \`validate_args=False\` to turn off validation.`,
        ),
    );
    for (const [param, constraint] of Object.entries(arg_constraints ?? {})) {
      if (is_dependent(constraint)) continue;
      if (!Object.hasOwn(this, param) && is_lazy(this, param)) continue;
      const value = (this as unknown as Readonly<Record<string, Tensor>>)[param];
      if (torch._is_all_true(constraint.check(value)).item()) continue;
      throw new ValueError(
        `Expected parameter ${param} (${python_type(value)} of shape ${tuple_repr(value.shape)}) ` +
          `of distribution ${this.__repr__()} to satisfy the constraint ${constraint}, ` +
          `but found invalid values:\n${py_format(value)}`,
      );
    }
  }

  /** A distribution with batch shape `batch_shape`: its parameters are expanded views. */
  expand(...args: ExpandArgs): this;
  expand(_batch_shape: Size, _instance: Distribution | null): Distribution {
    throw new NotImplementedError("");
  }

  /** The shape of independent distributions in this object. */
  get batch_shape(): number[] {
    return torch.Size(this._batch_shape);
  }

  /** The shape of one sample of one distribution. */
  get event_shape(): number[] {
    return torch.Size(this._event_shape);
  }

  /** The constraint of each parameter, by name. */
  get arg_constraints(): Readonly<Record<string, Constraint>> {
    throw new NotImplementedError("");
  }

  /** The constraint that samples satisfy. */
  get support(): Constraint {
    throw new NotImplementedError("");
  }

  /** Whether `rsample` is available, whose samples pass gradients to the parameters. */
  get has_rsample(): boolean {
    return false;
  }

  /** Whether `enumerate_support` can list all values. */
  get has_enumerate_support(): boolean {
    return false;
  }

  get mean(): Tensor {
    throw new NotImplementedError("");
  }

  /** The most probable value. */
  get mode(): Tensor {
    throw new NotImplementedError(`${class_repr(this.constructor)} does not implement mode`);
  }

  get variance(): Tensor {
    throw new NotImplementedError("");
  }

  /** The standard deviation. */
  get stddev(): Tensor {
    return this.variance.sqrt();
  }

  /** Random samples without a graph.   `() -> sample_shape + batch_shape + event_shape` */
  sample(...args: SampleArgs): Tensor;
  sample(sample_shape: Size): Tensor {
    return torch.no_grad(() => this.rsample(sample_shape));
  }

  /** Random samples as differentiable functions of the parameters.   `() -> sample_shape + batch_shape + event_shape` */
  rsample(...args: SampleArgs): Tensor;
  rsample(_sample_shape: Size): Tensor {
    throw new NotImplementedError("");
  }

  /** Deprecated: use `sample([n])`. */
  sample_n(n: number): Tensor {
    warn("FutureWarning", "`sample_n(n)` will be deprecated. Use `sample((n,))` instead.");
    return this.sample([n]);
  }

  /** The logarithm of the density (or of the probability) at `value`. */
  log_prob(...args: ValueArgs): Tensor;
  log_prob(_value: Tensor): Tensor {
    throw new NotImplementedError("");
  }

  /** The cumulative distribution function: the probability of a sample not above `value`. */
  cdf(...args: ValueArgs): Tensor;
  cdf(_value: Tensor): Tensor {
    throw new NotImplementedError("");
  }

  /** The inverse of `cdf`. */
  icdf(...args: ValueArgs): Tensor;
  icdf(_value: Tensor): Tensor {
    throw new NotImplementedError("");
  }

  /**
   * All possible values along dim 0, equal for all distributions of the batch.
   * @param expand whether the values are repeated for the batch; otherwise its dims have size 1
   */
  enumerate_support(...args: EnumerateArgs): Tensor;
  enumerate_support(_expand: boolean): Tensor {
    throw new NotImplementedError("");
  }

  /** The entropy in nats.   `() -> batch_shape` */
  entropy(): Tensor {
    throw new NotImplementedError("");
  }

  /** The perplexity, `exp(entropy)`.   `() -> batch_shape` */
  perplexity(): Tensor {
    return torch.exp(this.entropy());
  }

  /** The shape of samples: sample shape, batch shape, event shape. */
  _extended_shape(sample_shape: Size = []): number[] {
    return torch.Size([...torch.Size(sample_shape), ...this._batch_shape, ...this._event_shape]);
  }

  /** Refuses a value that cannot be a sample. */
  _validate_sample(value: Tensor): void {
    if (!(value instanceof Tensor)) throw new ValueError("The value argument to log_prob must be a Tensor");
    const actual_shape = value.size();
    const event_dim_start = actual_shape.length - this._event_shape.length;
    if (THPSize_repr(actual_shape.slice(event_dim_start)) !== THPSize_repr(this._event_shape))
      throw new ValueError(
        `The right-most size of value must match event_shape: ${THPSize_repr(actual_shape)} vs ${THPSize_repr(this._event_shape)}.`,
      );
    const expected_shape = [...this._batch_shape, ...this._event_shape];
    for (let at = 1; at <= Math.min(actual_shape.length, expected_shape.length); at++) {
      const [i, j] = [actual_shape.at(-at), expected_shape.at(-at)];
      if (i !== 1 && j !== 1 && i !== j)
        throw new ValueError(
          `Value is not broadcastable with batch_shape+event_shape: ${THPSize_repr(actual_shape)} vs ${THPSize_repr(expected_shape)}.`,
        );
    }
    const support = if_implemented(
      () => this.support,
      () =>
        warn(
          "UserWarning",
          `${class_repr(this.constructor)} does not define \`support\` to enable sample validation. Please initialize the distribution with \`validate_args=False\` to turn off validation.`,
        ),
    );
    if (support === null || torch._is_all_true(support.check(value)).item()) return;
    throw new ValueError(
      `Expected value argument (${python_type(value)} of shape ${tuple_repr(value.shape)}) ` +
        `to be within the support (${support}) of the distribution ${this.__repr__()}, ` +
        `but found invalid values:\n${py_format(value)}`,
    );
  }

  /**
   * An instance for `expand` to fill: of this class, unless a subclass provides its own.
   * @differs Ours reads from the source text whether a subclass has its own constructor; PyTorch compares the functions.
   */
  _get_checked_instance(cls: Function, _instance: Distribution | null = null): this {
    if (_instance !== null) return _instance as this;
    const type = this.constructor;
    if (defines_constructor(type, cls))
      throw new NotImplementedError(
        `Subclass ${type.name} of ${cls.name} that defines a custom __init__ method must also define a custom .expand() method.`,
      );
    return Object.create(Object.getPrototypeOf(this)) as this;
  }

  /** The last step of `expand`: it sets the shapes without checks, and copies the setting for later checks. */
  _expanded(new_: this, batch_shape: Size): this {
    Distribution.prototype.__init__.call(new_, batch_shape, this._event_shape, false);
    new_._validate_args = this._validate_args;
    return new_;
  }

  __repr__(): string {
    const own = Object.keys(this.arg_constraints).filter((name) => Object.hasOwn(this, name));
    const args = own.map((name) => {
      const value = (this as unknown as Readonly<Record<string, Tensor>>)[name];
      return `${name}: ${value.numel() === 1 ? py_format(value) : THPSize_repr(value.size())}`;
    });
    return `${this.constructor.name}(${args.join(", ")})`;
  }

  override toString(): string {
    return this.__repr__();
  }
}
