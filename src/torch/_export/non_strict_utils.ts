/**
 * @file The arguments of an export as tensors without data, whose sizes are symbols where the caller says that they vary; and what the trace found
 * out about those sizes.
 * @mirrors torch/_export/non_strict_utils.py
 */
import { PyDict } from "#python/Objects/dictobject";
import type { PyTuple } from "#python/Objects/tupleobject";
import { UserError, UserErrorType } from "#torch/_dynamo/exc";
import { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { sizes_of } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { check_dynamic_shapes, DerivedDim, Dim, DimHint, type LeafSpec, type Spec } from "#torch/export/dynamic_shapes";
import {
  ConstraintViolationError,
  DimDynamic,
  is_unbacked,
  ShapeEnv,
} from "#torch/fx/experimental/symbolic_shapes/index";
import {
  produce_guards,
  type SizeConstraint,
  type TrackedFake,
} from "#torch/fx/experimental/symbolic_shapes/produce_guards";
import { map_leaves } from "#torch/utils/_pytree/index";
import { type Expr, integer, Relation, symbol } from "#torch/utils/_sympy/expr";
import { solve_for } from "#torch/utils/_sympy/solve";
import { ValueRanges } from "#torch/utils/_sympy/value_ranges";

/** The arguments that are traced, and their mode. */
export interface FakeInputs {
  readonly fake_mode: FakeTensorMode;
  readonly shape_env: ShapeEnv;
  readonly args: PyTuple;
  readonly kwargs: PyDict;
  readonly tracked: readonly TrackedFake[];
  /** The ints that vary. */
  readonly ints: readonly Expr[];
}

const ANY = new ValueRanges(0, Number.POSITIVE_INFINITY);

/** The promise about a size that the export must keep; null if there is none. */
function constraint_of(spec: Spec): SizeConstraint | null {
  if (spec === null || (spec instanceof DimHint && spec.type !== "DYNAMIC")) return null;
  if (typeof spec === "number") return { name: String(spec), range: new ValueRanges(spec, spec), derived: null };
  if (spec instanceof DimHint) return { name: null, range: ANY, derived: null };
  const range = new ValueRanges(spec.min, spec.max);
  const derived = spec instanceof DerivedDim ? { root: spec.root.__name__, fn: spec.fn } : null;
  return { name: spec.__name__, range, derived };
}

function range_of(spec: Spec): ValueRanges | null {
  if (spec instanceof DimHint) return new ValueRanges(spec.min ?? 0, spec.max ?? Number.POSITIVE_INFINITY);
  return spec instanceof Dim ? new ValueRanges(spec.min, spec.max) : null;
}

const varies = (spec: Spec): boolean => spec instanceof Dim || (spec instanceof DimHint && spec.type !== "STATIC");

/** The value of a dimension from which this size follows. @throws {UserError} if there is none */
function root_value(dim: DerivedDim, size: number, i: number): number {
  const name = dim.root.__name__;
  const expr = dim.fn(symbol(name));
  const solved = solve_for(new Relation("Eq", expr, integer(size)), name);
  if (solved?.rhs.constant !== null && solved !== null) return solved.rhs.constant as number;
  throw new UserError(
    UserErrorType.CONSTRAINT_VIOLATION,
    `Expected shape[${i}] = ${size} of input Tensor to be of the form ${expr}, where ${name} is an integer`,
  );
}

/** The dimensions of one tensor, in order. */
function specs_of({ value, spec }: LeafSpec): Spec[] {
  const dims = spec as ReadonlyMap<number, Spec> | null;
  return (value as Tensor).cdata.sizes().map((_, i) => dims?.get(i) ?? null);
}

/**
 * The arguments without data.
 * @param combined the arguments by the names of the parameters
 * @throws {UserError} if `dynamic_shapes` does not fit them
 */
export function make_fake_inputs(args: PyTuple, kwargs: PyDict, combined: PyDict, dynamic_shapes: unknown): FakeInputs {
  const leaves = check_dynamic_shapes(combined, dynamic_shapes);
  const shape_env = new ShapeEnv();
  const options = { shape_env, allow_non_fake_inputs: true, export: true };
  const fake_mode = new FakeTensorMode(options as never);
  const named = new Set(
    leaves.flatMap((leaf) => dims_of(leaf).flatMap((dim) => (dim instanceof DerivedDim ? [] : [dim.__name__]))),
  );
  const tracked: TrackedFake[] = [];
  const fakes = new Map<unknown, unknown>();
  const ints: unknown[] = [];
  const varying_ints: Expr[] = [];
  for (const leaf of leaves) {
    const { value, source, spec } = leaf;
    if (typeof value === "number") {
      const is_dynamic = spec instanceof DimHint && varies(spec) && Number.isInteger(value);
      const expr = is_dynamic ? shape_env.create_unspecified_symbol(value, source) : null;
      if (expr !== null && expr.constant === null) varying_ints.push(expr);
      ints.push(expr === null ? value : (expr.constant ?? shape_env.create_symintnode(expr)));
      continue;
    }
    const dims = specs_of(leaf);
    const constraints = new Map<number, SizeConstraint>();
    for (const [i, dim] of dims.entries()) {
      const constraint = constraint_of(dim);
      if (constraint !== null) constraints.set(i, constraint);
      const size = value.cdata.sizes()[i] as number;
      if (typeof dim === "number" && dim !== size)
        throw new ConstraintViolationError(
          `Static shape constraint of ${dim} does not match input size of ${size}, for ${source}.size()[${i}]`,
        );
      if (dim instanceof DerivedDim && !named.has(dim.root.__name__)) {
        const { min, max, __name__ } = dim.root;
        shape_env.create_phantom_root(__name__, root_value(dim, size, i), new ValueRanges(min, max));
      }
    }
    const fake = fake_mode.from_tensor(value, {
      source,
      symbolic_context: {
        dynamic_sizes: dims.map((dim) => (varies(dim) ? DimDynamic.DYNAMIC : DimDynamic.STATIC)),
        ranges: dims.map(range_of),
      },
    });
    fakes.set(value, fake);
    tracked.push({ fake, source, constraints });
  }
  let next_int = 0;
  const fake = (leaf: unknown): unknown =>
    leaf instanceof Tensor ? fakes.get(leaf) : typeof leaf === "number" ? ints[next_int++] : leaf;
  return {
    fake_mode,
    shape_env,
    args: map_leaves(args, fake) as PyTuple,
    kwargs: map_leaves(kwargs, fake) as PyDict,
    tracked,
    ints: varying_ints,
  };
}

function dims_of({ value, spec }: LeafSpec): Dim[] {
  return value instanceof Tensor && spec instanceof Map ? [...spec.values()].filter((dim) => dim instanceof Dim) : [];
}

/** Checks what the caller said of sizes against what the program decided. @throws {UserError} if it does not hold */
export function produce_guards_and_solve_constraints({ shape_env, tracked }: FakeInputs): void {
  try {
    produce_guards(shape_env, tracked);
  } catch (error) {
    if (!(error instanceof ConstraintViolationError)) throw error;
    throw new UserError(UserErrorType.CONSTRAINT_VIOLATION, error.message);
  }
}

/** The ranges of the sizes that vary. */
export function make_constraints({ shape_env, tracked, ints }: FakeInputs): PyDict {
  const ranges = new Map<string, readonly [Expr, ValueRanges]>();
  for (const [name, range] of shape_env.var_to_range) if (is_unbacked(name)) ranges.set(name, [symbol(name), range]);
  const free = new Set<string>();
  for (const { fake, constraints } of tracked)
    for (const [i, given] of sizes_of(fake).entries()) {
      const size = shape_env.replace(given);
      if (size.constant !== null) continue;
      const constraint = constraints.get(i);
      const range =
        constraint === undefined || constraint.name === null ? shape_env.bound_sympy(given) : constraint.range;
      ranges.set(String(size), [size, range]);
      for (const name of size.free_symbols()) free.add(name);
    }
  for (const int of ints) for (const name of shape_env.replace(int).free_symbols()) free.add(name);
  for (const name of free)
    if (!ranges.has(name)) ranges.set(name, [symbol(name), shape_env.bound_sympy(symbol(name)).and(ANY)]);
  const result = new PyDict();
  for (const [expr, range] of ranges.values()) result.set(expr, range);
  return result;
}
