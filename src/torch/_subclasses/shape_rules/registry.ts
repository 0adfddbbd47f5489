/**
 * @file The table of shape rules: for an operator, the sizes of its results as expressions of the sizes of its arguments.
 * @original In PyTorch the Meta kernels compute with symbols; ours compute with numbers, so these rules stand beside them.
 *
 * A rule gives sizes and, where a view decides them, strides. Other strides follow from the order that the Meta kernel chose. An operator without
 * a rule fixes the symbols of its arguments.
 */
import { RuntimeError } from "#c10/util/Exception";
import { Tag } from "#torch/_C";
import type { OpOverload } from "#torch/_ops";
import { Tensor } from "#torch/_tensor/index";
import { SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import type { ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { type Expr, integer, mul, ONE, type Operator, Relation, ZERO } from "#torch/utils/_sympy/expr";
import { by_name, type Keywords } from "../fake_tensor/call_arguments.ts";
import { sizes_of, strides_of } from "../fake_tensor/symbolic_sizes.ts";

/** The shape of one result. */
export interface Shape {
  readonly sizes: readonly Expr[];
  /** Left out where they follow from the order of the Meta kernel's strides. */
  readonly strides?: readonly Expr[] | undefined;
  readonly storage_offset?: Expr;
}

/** The arguments of a call, as rules read them. */
export class RuleArguments {
  readonly env: ShapeEnv;
  readonly func: OpOverload;
  private readonly named: Record<string, unknown>;

  constructor(env: ShapeEnv, func: OpOverload, args: readonly unknown[], kwargs: Keywords) {
    this.env = env;
    this.func = func;
    this.named = by_name(func, args, kwargs);
  }

  get(name: string): unknown {
    return this.named[name] ?? null;
  }

  /** The first parameter's tensor. */
  get self(): Tensor {
    return this.named[this.func._schema.arguments[0].name] as Tensor;
  }

  tensor(name: string): Tensor | null {
    const value = this.get(name);
    return value instanceof Tensor ? value : null;
  }

  /** All tensors among the arguments, also in lists. */
  tensors(): Tensor[] {
    return Object.values(this.named)
      .flat()
      .filter((value) => value instanceof Tensor);
  }

  sizes(t: Tensor = this.self): Expr[] {
    return sizes_of(t).map((size) => this.env.replace(size));
  }

  strides(t: Tensor = this.self): Expr[] {
    return strides_of(t).map((stride) => this.env.replace(stride));
  }

  /** An int that may be a symbol. */
  int(name: string, otherwise = 0): Expr {
    return this.expr(this.get(name) ?? otherwise);
  }

  ints(name: string): Expr[] {
    return ((this.get(name) ?? []) as readonly unknown[]).map((item) => this.expr(item));
  }

  /** A number that the rule needs to know; a symbol is fixed. */
  number(name: string, otherwise: number): number {
    return Number(this.get(name) ?? otherwise);
  }

  flag(name: string): boolean {
    return this.get(name) === true;
  }

  expr(value: unknown): Expr {
    return value instanceof SymInt || value instanceof SymFloat ? (value.node.expr as Expr) : integer(Number(value));
  }

  /** A dimension counted from the front. */
  dim(name: string, rank: number, otherwise = 0): number {
    const dim = this.number(name, otherwise);
    return dim < 0 ? dim + rank : dim;
  }

  /** Dimensions counted from the front; all of them if none are named. */
  dims(name: string, rank: number): Set<number> {
    const given = this.get(name);
    const list = given === null ? [] : Array.isArray(given) ? given.map(Number) : [Number(given)];
    return new Set(
      list.length === 0 ? Array.from({ length: rank }, (_, i) => i) : list.map((d) => (d < 0 ? d + rank : d)),
    );
  }
}

/** The shapes of the results; null for a result whose sizes are the example's. */
export type ShapeRule = (call: RuleArguments) => readonly (Shape | null)[] | null;

const rules = new Map<string, ShapeRule>();

/** Registers a rule. @param names of operators with or without overload, separated by white space, without `aten::` */
export function register_shape_rule(names: string, rule: ShapeRule): void {
  for (const name of names.trim().split(/\s+/)) rules.set(`aten::${name}`, rule);
}

/** The rule of an operator; undefined if it has none. */
export function shape_rule_of(func: OpOverload): ShapeRule | undefined {
  const name = func.name();
  return (
    rules.get(name) ??
    rules.get(name.replace(/\.[^.]*$/, "")) ??
    (is_pointwise(func) ? rules.get("aten::*") : undefined)
  );
}

const is_pointwise = (func: OpOverload): boolean => func.tags.includes(Tag.pointwise);

export const numel = (sizes: readonly Expr[]): Expr => sizes.reduce(mul, ONE);

/** The strides of a tensor whose rows lie one after another. */
export function contiguous_strides(sizes: readonly Expr[], env: ShapeEnv): Expr[] {
  const strides = new Array<Expr>(sizes.length);
  let stride = ONE;
  for (let i = sizes.length - 1; i >= 0; i--) {
    strides[i] = stride;
    // A dimension of size 0 counts as one of size 1.
    if (env.replace(sizes[i] as Expr).constant !== 0) stride = mul(stride, sizes[i] as Expr);
  }
  return strides;
}

/** The sizes of tensors that are computed element by element: a dimension of size 1 takes the size of the other. */
export function broadcast(env: ShapeEnv, ...shapes: readonly (readonly Expr[])[]): Expr[] {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  const result = new Array<Expr>(rank).fill(ONE);
  for (const shape of shapes)
    for (let i = 1; i <= shape.length; i++) {
      const [size, before] = [shape[shape.length - i] as Expr, result[rank - i] as Expr];
      if (is_one(env, size)) continue;
      if (is_one(env, before)) result[rank - i] = size;
      else
        promise_equal(
          env,
          before,
          size,
          () =>
            `The size of tensor a (${before}) must match the size of tensor b (${size}) at non-singleton dimension ${rank - i})`,
        );
    }
  return result.map((size) => env.replace(size));
}

/** Whether a size is 1: known, or decided by this run; a size that depends on data is taken for a larger one. */
export const is_one = (env: ShapeEnv, size: Expr): boolean =>
  env.guard_or(new Relation("Eq", env.replace(size), ONE), false);

/** Whether two sizes are equal: known, or decided by this run; of sizes that depend on data it is not taken to be so. */
export const known_equal = (env: ShapeEnv, a: Expr, b: Expr): boolean =>
  a.equals(b) || env.guard_or(new Relation("Eq", a, b), false);

/** Says that a relation has to hold. @returns false if it is known not to */
export const promise = (env: ShapeEnv, op: Operator, a: Expr, b: Expr): boolean =>
  (op === "Eq" && a.equals(b)) || env.guard_or_defer_runtime_assert(new Relation(op, a, b));

/** Sizes that a program asks for have to be sizes. */
export function promise_sizes(env: ShapeEnv, sizes: readonly Expr[]): void {
  for (const size of sizes) if (env.depends_on_data(size)) promise(env, ">=", size, ZERO);
}

/** Two sizes have to be equal. */
export function promise_equal(env: ShapeEnv, a: Expr, b: Expr, message: () => string): void {
  if (!promise(env, "Eq", a, b)) throw new RuntimeError(message());
}
