/**
 * @file `Dim`, by which a program says which sizes of its arguments may vary, and the check of what it says.
 * @mirrors torch/export/dynamic_shapes.py
 */
import { AssertionError, IndexError, NotImplementedError, TypeError_, ValueError } from "#c10/util/Exception";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import type { PyDict } from "#python/Objects/dictobject";
import { repr, str } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { UserError, UserErrorType } from "#torch/_dynamo/exc";
import { def, def_methods, Init, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { has_name } from "#torch/fx/qualified_names";
import { node_of } from "#torch/utils/_pytree/registry";
import { add, type Expr, integer, mul, symbol } from "#torch/utils/_sympy/expr";
import { evaluate } from "#torch/utils/_sympy/functions";

const MODULE = "torch.export.dynamic_shapes";

type Bounds = readonly [min: number | null, max: number | null];

/** `Dim.AUTO`, `Dim.DYNAMIC`, `Dim.STATIC`, and with bounds `Dim.DYNAMIC(min=2, max=8)`. */
export class DimHint extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = MODULE;
  readonly type: "AUTO" | "DYNAMIC" | "STATIC";
  readonly min: number | null;
  readonly max: number | null;
  private readonly factory: boolean;

  static {
    def_methods(DimHint, { __call__: "__call__(self, min=None, max=None)" });
  }

  constructor(type: DimHint["type"], [min, max]: Bounds = [null, null], factory = true) {
    super();
    this.type = type;
    this.min = min;
    this.max = max;
    this.factory = factory;
  }

  __call__(min: number | null, max: number | null): DimHint {
    if (!this.factory) throw new TypeError_(`'${type_of(this)}' object is not callable`);
    if (min !== null && min < 0) throw new AssertionError(`min must be non-negative, got ${min}`);
    if (max !== null && max < 0) throw new AssertionError(`max must be non-negative, got ${max}`);
    if (min !== null && max !== null && min > max)
      throw new AssertionError(`min must be <= max, got min=${min}, max=${max}`);
    return new DimHint(this.type, [min, max], false);
  }

  override toString(): string {
    const limits = [this.min === null ? [] : [`min=${this.min}`], this.max === null ? [] : [`max=${this.max}`]].flat();
    return `DimHint(${[this.type, ...limits].join(", ")})`;
  }
  __repr__(): string {
    return this.toString();
  }
}

const Dim_init = new Init(
  "Dim.__init__(self, name: str, *, min: int=None, max: int=None)",
  types<[name: string, min: number | null, max: number | null]>,
);

/** A size that may vary, by its name. */
export class Dim extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = MODULE;
  static readonly AUTO = new DimHint("AUTO");
  static readonly DYNAMIC = new DimHint("DYNAMIC");
  static readonly STATIC = new DimHint("STATIC");
  readonly __name__: string;
  readonly min: number;
  readonly max: number;

  static {
    def_methods(Dim, { __init__: Dim_init });
  }

  constructor(...args: unknown[]) {
    super();
    const [name, min, max] = Dim_init.bind(args as never);
    this.min = min ?? 0;
    this.max = max ?? Number.POSITIVE_INFINITY;
    if (!(this.max > this.min))
      throw new AssertionError(`Cannot create Dim with inconsistent min=${min ?? "None"}, max=${max ?? "None"}`);
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
      throw new AssertionError(`Dim name must be a valid identifier, got ${name}`);
    this.__name__ = name;
  }

  __add__(other: unknown): DerivedDim {
    return this.derive(
      whole(other, `Attempted to add ${other} to ${this.__name__}, where an integer was expected.`),
      1,
    );
  }
  __radd__(other: unknown): DerivedDim {
    return this.__add__(other);
  }
  __sub__(other: unknown): DerivedDim {
    const text = `Attempted to subtract ${other} from ${this.__name__}, where an integer was expected.`;
    return this.derive(-whole(other, text), 1);
  }
  __rsub__(): never {
    throw new NotImplementedError(`Attempted to negate ${this.__name__}. ${ONLY_LINEAR}`);
  }
  __mul__(other: unknown): DerivedDim {
    const text = `Attempted to multiply ${other} with ${this.__name__}, where a positive integer was expected.`;
    return this.derive(0, whole(other, text, 1));
  }
  __rmul__(other: unknown): DerivedDim {
    return this.__mul__(other);
  }
  protected derive(plus: number, times: number): DerivedDim {
    return new DerivedDim(this, (root) => add(mul(root, integer(times)), integer(plus)));
  }

  override toString(): string {
    return readable(this.__name__, this.min, this.max);
  }
  __repr__(): string {
    return this.toString();
  }
}

const ONLY_LINEAR = "(Only increasing linear operations with integer coefficients are supported.)";

function whole(value: unknown, text: string, least = Number.NEGATIVE_INFINITY): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least)
    throw new NotImplementedError(`${text} ${ONLY_LINEAR}`);
  return value;
}

/** The text that makes this dimension. */
export function readable(name: string, min: number, max: number): string {
  const limits = [...(min === 2 ? [] : [`min=${min}`]), ...(max === Number.POSITIVE_INFINITY ? [] : [`max=${max}`])];
  return `Dim(${[`'${name}'`, ...limits].join(", ")})`;
}

/** A size that follows from another: `2*batch + 1`. */
export class DerivedDim extends Dim {
  static override readonly __module__ = MODULE;
  readonly root: Dim;
  readonly fn: (root: Expr) => Expr;

  constructor(root: Dim, fn: (root: Expr) => Expr) {
    const name = String(fn(symbol(root.__name__)));
    super("_", { min: 0 } as never);
    this.root = root;
    this.fn = fn;
    const at = (bound: number): number =>
      bound === Number.POSITIVE_INFINITY ? bound : (evaluate(fn(integer(bound)), () => null) as number);
    Object.assign(this, { __name__: name, min: at(root.min), max: at(root.max) });
    if (this.min < 0)
      throw new AssertionError(
        `Expected derived min value of ${name} to be >= 0. Please specify an appropriate min value for ${root.__name__} (currently ${root.min}).`,
      );
  }

  protected override derive(plus: number, times: number): DerivedDim {
    return new DerivedDim(this.root, (root) => add(mul(this.fn(root), integer(times)), integer(plus)));
  }

  override toString(): string {
    return this.__name__;
  }
}

/** Several dimensions with the same bounds. */
export const dims = has_name(
  "torch.export.dynamic_shapes.dims",
  def("dims(*names, min=None, max=None)", (names: readonly string[], min: number | null, max: number | null) =>
    tuple(names.map((name) => new Dim(name, { min, max } as never))),
  ),
);

/** The description of one dimension of one argument. */
export type Spec = number | Dim | DimHint | null;

/** An argument and what is said of its dimensions; null: nothing varies. */
export interface LeafSpec {
  readonly value: Tensor | number;
  /** `L['x']` */
  readonly source: string;
  readonly spec: ReadonlyMap<number, Spec> | Spec;
}

const invalid = (message: string): UserError =>
  new UserError(UserErrorType.INVALID_INPUT, message, "dynamic_shapes_validation");

const EXPECTED = "(expected None, an int, a Dim, Dim.AUTO, Dim.STATIC, or Dim.DYNAMIC,";
const is_spec = (value: unknown): value is Spec =>
  value === null || typeof value === "number" || value instanceof Dim || value instanceof DimHint;

/** The dimensions of one tensor. */
function dimensions(tensor: Tensor, shape: unknown, path: string, bounds: Map<string, Dim>): Map<number, Spec> {
  const result = new Map<number, Spec>();
  const note = (i: number, dim: unknown, place: string, comma: string): void => {
    if (!is_spec(dim))
      throw invalid(
        `Unexpected dimension ${place} in input tensor shape ${str(shape)} specified at \`dynamic_shapes${path}\` ${EXPECTED}${comma}but got ${repr(dim)} instead)`,
      );
    if (dim instanceof Dim) check_same_bounds(dim, bounds);
    if (i >= tensor.dim() || i < -tensor.dim()) throw new IndexError("list assignment index out of range");
    if (!Number.isInteger(i)) throw new TypeError_("list indices must be integers or slices, not str");
    result.set(i < 0 ? i + tensor.dim() : i, dim);
  };
  if (shape instanceof Map) {
    for (const [i, dim] of shape) note(Number(i), dim, `mapped to index ${i}`, "  ");
  } else if (Array.isArray(shape)) {
    if (shape.length !== tensor.dim())
      throw invalid(
        `Expected dynamic shape spec ${str(shape)} specified at \`dynamic_shapes${path}\` to have the same length as the actual tensor shape ${str(tensor.shape)} (expected ${tensor.dim()}, but got ${shape.length} instead)`,
      );
    for (const [i, dim] of shape.entries()) note(i, dim, `#${i}`, " ");
  } else if (shape !== null)
    throw invalid(
      `Unexpected input tensor shape ${str(shape)} specified at \`dynamic_shapes${path}\` (expected either a list/tuple of dimensions, or a dict mapping indices to dimensions, where each dimension is an int, a Dim, Dim.AUTO, Dim.STATIC, or Dim.DYNAMIC)`,
    );
  return result;
}

function check_same_bounds(dim: Dim, bounds: Map<string, Dim>): void {
  const other = bounds.get(dim.__name__);
  if (other !== undefined && (other.min !== dim.min || other.max !== dim.max))
    throw new UserError(
      UserErrorType.INVALID_INPUT,
      `Found different definitions ${readable(dim.__name__, other.min, other.max)} and ${readable(dim.__name__, dim.min, dim.max)} for the same symbolic dimension ${dim}!`,
    );
  bounds.set(dim.__name__, other ?? dim);
}

const as_mapping = (value: unknown): ReadonlyMap<unknown, unknown> | null => {
  if (value instanceof Map) return value as ReadonlyMap<unknown, unknown>;
  const is_plain = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return is_plain ? new Map(Object.entries(value as object)) : null;
};

/**
 * The description of each argument.
 * @param combined the arguments by name
 * @throws {UserError} if the description does not fit the arguments
 */
export function check_dynamic_shapes(combined: PyDict, given: unknown): LeafSpec[] {
  const dynamic_shapes = as_mapping(given) ?? given;
  const nothing =
    dynamic_shapes === null ||
    (dynamic_shapes instanceof Map && dynamic_shapes.size === 0) ||
    (Array.isArray(dynamic_shapes) && dynamic_shapes.length === 0);
  const names = [...combined.keys()] as string[];
  let by_name: ReadonlyMap<unknown, unknown> = new Map(names.map((name) => [name, null]));
  if (!nothing) {
    if (dynamic_shapes instanceof Map) {
      by_name = dynamic_shapes;
      check_names(names, [...dynamic_shapes.keys()], combined);
    } else if (Array.isArray(dynamic_shapes)) {
      if (dynamic_shapes.length !== names.length)
        throw mismatch("inputs", "", names.length, "dynamic_shapes", "", dynamic_shapes.length);
      by_name = new Map(names.map((name, i) => [name, dynamic_shapes[i]]));
    } else
      throw new AssertionError(`expected dynamic_shapes to be dict, tuple, or list, got ${type_of(dynamic_shapes)}`);
  }
  const positional = Array.isArray(dynamic_shapes);
  const bounds = new Map<string, Dim>();
  const leaves: LeafSpec[] = [];
  for (const [i, name] of names.entries())
    walk(
      combined.get(name),
      by_name.get(name) ?? null,
      `L['${name}']`,
      positional ? `[${i}]` : `['${name}']`,
      bounds,
      leaves,
    );
  return leaves;
}

function check_names(names: readonly string[], got: readonly unknown[], combined: PyDict): void {
  if (String([...got].sort()) === String([...names].sort())) return;
  const [only] = names;
  const one_dict = names.length === 1 && !got.includes(only) && combined.get(only) instanceof Map;
  throw invalid(
    `When \`dynamic_shapes\` is specified as a dict, its top-level keys must be the arg names ${repr([...names])} of \`inputs\`, but here they are ${repr([...got])}. ${
      one_dict
        ? "Since here `inputs` is a list/tuple enclosing a single dict, maybe you just forgot to enclose `dynamic_shapes` in a list/tuple?"
        : "Alternatively, you could also ignore arg names entirely and specify `dynamic_shapes` as a list/tuple matching `inputs`."
    }`,
  );
}

const mismatch = (a: string, at_a: string, n: number, b: string, at_b: string, m: number): UserError =>
  invalid(
    `Detected mismatch between the structure of \`inputs\` and \`dynamic_shapes\`: \`${a}${at_a}\` has ${n} elements, but \`${b}${at_b}\` has ${m} elements`,
  );

const other_type = (path: string, value: unknown, spec: unknown): UserError =>
  invalid(
    `Detected mismatch between the structure of \`inputs\` and \`dynamic_shapes\`: \`inputs${path}\` is a ${class_text(value)}, but \`dynamic_shapes${path}\` is a ${class_text(spec)}`,
  );
const class_text = (value: unknown): string => repr(type_of(value).cls);

function walk(
  value: unknown,
  spec: unknown,
  source: string,
  path: string,
  bounds: Map<string, Dim>,
  leaves: LeafSpec[],
): void {
  const mapping = as_mapping(spec);
  if (value instanceof Tensor) {
    const shape = mapping ?? spec;
    leaves.push({ value, source, spec: shape === null ? null : dimensions(value, shape, path, bounds) });
  } else if (typeof value === "number") {
    if (spec instanceof Dim)
      throw new TypeError_(
        "Unable to specify input integers as dynamic through named Dims. Please use Dim.AUTO/DYNAMIC instead.",
      );
    leaves.push({ value, source, spec: is_spec(spec) ? spec : null });
  } else if (Array.isArray(value)) {
    if (spec !== null && type_of(spec) !== type_of(value)) throw other_type(path, value, spec);
    const specs = spec === null ? null : (spec as unknown[]);
    if (specs !== null && specs.length !== value.length)
      throw mismatch("inputs", path, value.length, "dynamic_shapes", path, specs.length);
    for (const [i, each] of value.entries())
      walk(each, specs?.[i] ?? null, `${source}[${i}]`, `${path}[${i}]`, bounds, leaves);
  } else if (value instanceof Map) {
    if (spec !== null && mapping === null) throw other_type(path, value, spec);
    for (const [key, each] of value)
      walk(each, mapping?.get(key) ?? null, `${source}[${repr(key)}]`, `${path}[${repr(key)}]`, bounds, leaves);
  } else if (node_of(value) !== null) {
    walk_fields(value, spec, [source, path], bounds, leaves);
  } else if (spec !== null)
    throw invalid(
      `Cannot associate shape ${str(spec)} specified at \`dynamic_shapes${path}\` to non-tensor type ${type_of(value)} at \`inputs${path}\` (expected None)`,
    );
}

/** The children of an instance of a registered class: its description is a list. */
function walk_fields(
  value: unknown,
  spec: unknown,
  [source, path]: readonly [string, string],
  bounds: Map<string, Dim>,
  leaves: LeafSpec[],
): void {
  if (spec !== null && !Array.isArray(spec))
    throw new ValueError(`Node type mismatch; expected <class 'list'>, but got ${class_text(spec)}.`);
  const [, definition] = node_of(value) as NonNullable<ReturnType<typeof node_of>>;
  const [children] = definition.flatten(value as never);
  if (spec !== null && spec.length !== children.length)
    throw mismatch("inputs", path, children.length, "dynamic_shapes", path, spec.length);
  const keys = definition.keys(value as never);
  for (const [i, child] of children.entries())
    walk(child, spec?.[i] ?? null, `${source}${keys[i]}`, `${path}[${i}]`, bounds, leaves);
}
