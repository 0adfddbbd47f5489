/**
 * @file An operator's call on symbols: it runs on the examples, and its results get their symbols from the operator's shape rule.
 * @original In PyTorch Meta kernels compute with symbols themselves.
 */
import { settled } from "#c10/core/SymbolicShapeMeta";
import type { OpOverload } from "#torch/_ops";
import { Tensor } from "#torch/_tensor/index";
import type { ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { type Expr, mul, ONE, Relation, ZERO } from "#torch/utils/_sympy/expr";
import { RuleArguments, type Shape, shape_rule_of } from "../shape_rules/index.ts";
import { flat_arguments, type Keywords, map_arguments } from "./call_arguments.ts";
import {
  attach_symbols,
  detach_symbols,
  example_sizes,
  example_strides,
  has_symbolic_sizes,
  hint_of,
  is_symbol,
  refresh_examples,
  specialize,
  symbols_among,
} from "./symbolic_sizes.ts";

/** Whether an argument is a symbol, or a tensor with symbols. */
export function involves_symbols(flat: readonly unknown[]): boolean {
  return flat.some((arg) => is_symbol(arg) || (arg instanceof Tensor && has_symbolic_sizes(arg)));
}

/** Strides in the order of the example's: the innermost first, each as long as the one before it is wide. */
function strides_like(t: Tensor, sizes: readonly Expr[], env: ShapeEnv): Expr[] | null {
  const [example, numbers] = [example_strides(t), example_sizes(t)];
  const strides = new Array<Expr>(sizes.length);
  const order = example.map((_, i) => i).sort((a, b) => (example[a] as number) - (example[b] as number) || b - a);
  let next = ONE;
  let expected = 1;
  for (const i of order) {
    if (numbers[i] === 1) {
      strides[i] = next;
      continue;
    }
    if (example[i] !== expected) return null;
    strides[i] = next;
    next = mul(next, sizes[i] as Expr);
    expected *= numbers[i] as number;
  }
  return strides.map((stride) => env.replace(stride));
}

/** Whether the rule's sizes are the example's. */
function fits(t: Tensor, shape: Shape | null, env: ShapeEnv): boolean {
  if (shape === null) return true;
  const { sizes } = shape;
  const example = example_sizes(t);
  return sizes.length === example.length && sizes.every((size, i) => env.example_of(size) === example[i]);
}

/** A size that may be 1 is decided, if it can be: a dimension of size 1 behaves otherwise. */
function decide_one(size: Expr, env: ShapeEnv): void {
  env.guard_or(new Relation("Eq", env.replace(size), ONE), false);
}

/** Whether the sizes of a view depend on data: the Meta kernel would ask the numbers that stand for them whether they fit. */
function is_view_by_data(func: OpOverload, shape: Shape | null | undefined, env: ShapeEnv): boolean {
  const { alias_info } = func._schema.returns[0] ?? {};
  if (!alias_info || alias_info.is_write || shape?.strides === undefined) return false;
  return [...shape.sizes, ...shape.strides, shape.storage_offset ?? ZERO].some((size) => env.depends_on_data(size));
}

/** Makes views that depend on data by their shapes. */
function make_views(
  self: Tensor,
  shapes: readonly Shape[],
  env: ShapeEnv,
  as_strided: (self: Tensor, sizes: number[], strides: number[], offset: number) => unknown,
): unknown[] {
  return shapes.map(({ sizes, strides, storage_offset }) => {
    const numbers = (list: readonly Expr[]): number[] => list.map((size) => env.example_of(size));
    return as_strided(self, numbers(sizes), numbers(strides as Expr[]), env.example_of(storage_offset ?? ZERO));
  });
}

/** Attaches the shapes to the results. Returns whether all of them fit. */
function attach(
  results: readonly Tensor[],
  shapes: readonly (Shape | null)[],
  env: ShapeEnv,
  known: ReturnType<typeof symbols_among>,
): boolean {
  if (results.length !== shapes.length || !results.every((t, i) => fits(t, shapes[i] ?? null, env))) return false;
  for (const [i, t] of results.entries()) {
    const shape = shapes[i] ?? null;
    if (shape === null) continue;
    const { sizes, strides, storage_offset } = shape;
    const steps = strides ?? strides_like(t, sizes, env);
    if (steps === null) return false;
    for (const size of sizes) decide_one(size, env);
    attach_symbols(t, env, { sizes, strides: steps, storage_offset: storage_offset ?? ZERO }, known);
  }
  return true;
}

/**
 * Calls an operator whose arguments have symbols.
 * @param run calls it with numbers in place of the symbols
 * @param as_strided makes a view by numbers, whatever the memory's size
 */
export function call_with_symbols(
  env: ShapeEnv,
  func: OpOverload,
  args: readonly unknown[],
  kwargs: Keywords,
  run: (args: unknown[], kwargs: Record<string, unknown>) => unknown,
  as_strided: (self: Tensor, sizes: number[], strides: number[], offset: number) => unknown,
): unknown {
  const flat = flat_arguments(args, kwargs);
  const given = new Set(flat);
  const before = new Map(flat.filter((arg) => arg instanceof Tensor).map((t) => [t, example_sizes(t).join()]));
  const rule = shape_rule_of(func);
  // An operator that gives nothing asks nothing of the sizes.
  const shapes = func._schema.returns.length === 0 ? [] : (rule?.(new RuleArguments(env, func, args, kwargs)) ?? null);
  if (shapes === null) fix(flat);
  const known = symbols_among(flat.filter((arg) => arg instanceof Tensor));
  const numbers = map_arguments(args, kwargs, (leaf) => (is_symbol(leaf) ? hint_of(leaf) : leaf));
  for (const arg of given) if (arg instanceof Tensor) refresh_examples(arg, env);
  const out = settled(() => {
    if (!is_view_by_data(func, shapes?.[0], env)) return run(...numbers);
    const views = make_views(flat[0] as Tensor, shapes as Shape[], env, as_strided);
    return String(func._schema.returns[0]?.type) === "Tensor" ? views[0] : views;
  });
  if (shapes === null) return out;
  const results = flat_arguments([out], {}).filter((t) => t instanceof Tensor);
  // An argument that was written to and kept its shape keeps its symbols.
  const is_unchanged = results.every((t) => given.has(t) && before.get(t) === example_sizes(t).join());
  if (is_unchanged || attach(results, shapes, env, known)) return out;
  fix(flat);
  for (const t of results) if (!given.has(t)) detach_symbols(t);
  return out;
}

/** Fixes all symbols among the arguments. */
function fix(flat: readonly unknown[]): void {
  for (const arg of flat) {
    if (arg instanceof Tensor) specialize(arg);
    else if (is_symbol(arg)) arg.guard();
  }
}
