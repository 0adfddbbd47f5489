/**
 * @file After a trace: whether the sizes that were said to vary may vary as was said, and what must be said instead.
 * @mirrors torch/fx/experimental/symbolic_shapes.py#produce_guards
 * @differs The suggestions cover numbers, bounds and equal sizes; PyTorch also suggests sizes that are multiples of others.
 */

import { sizes_of } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import type { Tensor } from "#torch/_tensor/index";
import type { Expr, Factor, Relation } from "#torch/utils/_sympy/expr";
import { ValueRanges } from "#torch/utils/_sympy/value_ranges";
import { ConstraintViolationError, type ShapeEnv } from "./index.ts";

/** The promise of the caller about one size. */
export interface SizeConstraint {
  /** The name of the dimension; null for `Dim.DYNAMIC`, which has no bounds to keep. */
  readonly name: string | null;
  readonly range: ValueRanges;
  /** How the size follows from the dimension `root`; null if it is that dimension. */
  readonly derived: { readonly root: string; readonly fn: (root: Expr) => Expr } | null;
}

/** One argument of the trace. */
export interface TrackedFake {
  readonly fake: Tensor;
  readonly source: string;
  readonly constraints: ReadonlyMap<number, SizeConstraint>;
}

const DEFAULT = new ValueRanges(2, Number.POSITIVE_INFINITY);

/** An expression in Python, over the places where the symbols come from. */
export class ShapeGuardPythonPrinter {
  private readonly place_of: (symbol: string) => string;

  constructor(place_of: (symbol: string) => string) {
    this.place_of = place_of;
  }

  private factor([{ name, args }, power]: Factor): string {
    const base = args === null ? this.place_of(name) : this.call(name, args);
    return power === 1 ? base : `${base} ** ${power}`;
  }

  private call(name: string, args: readonly Expr[]): string {
    const [a, b] = args.map((arg) => this.operand(arg));
    if (name === "FloorDiv") return `(${a} // ${b})`;
    if (name === "Mod") return `(${a} % ${b})`;
    return `${name.toLowerCase()}(${args.map((arg) => this.expr(arg)).join(", ")})`;
  }

  private operand(expr: Expr): string {
    return expr.terms.length > 1 ? `(${this.expr(expr)})` : this.expr(expr);
  }

  /** Numbers come first in a sum. */
  expr(expr: Expr): string {
    if (expr.terms.length === 0) return "0";
    const constant = expr.terms.filter(({ factors }) => factors.length === 0);
    const others = expr.terms.filter(({ factors }) => factors.length > 0);
    return [...constant, ...others]
      .map(({ coefficient, factors }, i) => {
        const sign = coefficient < 0 ? (i === 0 ? "-" : " - ") : i === 0 ? "" : " + ";
        const size = Math.abs(coefficient);
        const parts = [
          ...(size === 1 && factors.length > 0 ? [] : [String(size)]),
          ...factors.map((f) => this.factor(f)),
        ];
        return sign + parts.join("*");
      })
      .join("");
  }

  relation({ op, lhs, rhs }: Relation): string {
    const sign = op === "Eq" ? "==" : op === "Ne" ? "!=" : op;
    return `${this.expr(lhs)} ${sign} ${this.expr(rhs)}`;
  }
}

interface Violation {
  readonly name: string;
  readonly message: string;
}

/** Finds what contradicts the constraints of the arguments. */
class GuardProducer {
  private readonly env: ShapeEnv;
  private readonly fakes: readonly TrackedFake[];
  private readonly debug_names = new Map<string, string>();
  private readonly sources = new Map<string, string[]>();
  private readonly constraints = new Map<string, { source: string; constraint: SizeConstraint }>();
  private readonly violations: Violation[] = [];
  private readonly fixes = new Map<string, string>();
  private readonly printer = new ShapeGuardPythonPrinter(
    (symbol) => this.sources.get(symbol)?.[0] ?? this.env.var_to_sources.get(symbol)?.[0] ?? symbol,
  );

  constructor(env: ShapeEnv, fakes: readonly TrackedFake[]) {
    this.env = env;
    this.fakes = fakes;
  }

  private debug_name(source: string): string {
    return this.debug_names.get(source) ?? source;
  }

  private violated(name: string, message: string): void {
    this.violations.push({ name, message });
  }

  private range_text(source: string, { range, name }: SizeConstraint): string {
    if (name === null) return `RelaxedUnspecConstraint(${source})`;
    const lower = range.lower <= DEFAULT.lower ? "" : `${range.lower} <= `;
    const upper = range.upper >= DEFAULT.upper ? "" : ` <= ${range.upper}`;
    const shown = lower === "" && upper === "" ? "" : ` ${lower}${this.debug_name(source)}${upper}`;
    return `${this.debug_name(source)} = ${source} in the specified range${shown}`;
  }

  /** Sizes that were said to be equal become equal. */
  private apply_equalities(): void {
    const first = new Map<string, { source: string; size: Expr }>();
    const derived: { source: string; size: Expr; constraint: SizeConstraint }[] = [];
    for (const { fake, source, constraints } of this.fakes)
      for (const [dim, constraint] of constraints) {
        const place = `${source}.size()[${dim}]`;
        const size = sizes_of(fake)[dim] as Expr;
        if (constraint.name !== null) this.debug_names.set(place, constraint.name);
        if (constraint.derived !== null) derived.push({ source: place, size, constraint });
        else if (constraint.name !== null) {
          const known = first.get(constraint.name);
          if (known === undefined) first.set(constraint.name, { source: place, size });
          else this.require_equal(known, { source: place, size });
        }
      }
    for (const { source, size, constraint } of derived) {
      const { root, fn } = constraint.derived as NonNullable<SizeConstraint["derived"]>;
      const target = first.get(root)?.size ?? this.env.phantom_root(root);
      if (target === null || this.env.guard_equals(size, fn(target))) continue;
      throw new ConstraintViolationError(
        `Expected input ${source} to be equal to ${constraint.name}, where ${root} = ${this.env.size_hint(target)}, but got ${this.env.size_hint(size)}`,
      );
    }
  }

  private require_equal(a: { source: string; size: Expr }, b: { source: string; size: Expr }): void {
    if (this.env.guard_equals(b.size, a.size)) return;
    throw new ConstraintViolationError(
      `${b.source} = ${this.env.size_hint(b.size)} is not equal to ${a.source} = ${this.env.size_hint(a.size)}`,
    );
  }

  private track(): void {
    for (const { fake, source, constraints } of this.fakes)
      for (const [i, given] of sizes_of(fake).entries()) {
        const place = `${source}.size()[${i}]`;
        const size = this.env.replace(given);
        const constraint = constraints.get(i);
        const { symbol, constant } = size;
        if (symbol !== null) {
          const list = this.sources.get(symbol) ?? [];
          this.sources.set(symbol, [...list, place]);
          if (constraint !== undefined && constraint.name !== null && !this.constraints.has(symbol))
            this.constraints.set(symbol, { source: place, constraint });
        }
        if (constraint === undefined) continue;
        if (constant !== null) this.specialized(place, constraint, constant);
      }
  }

  private specialized(place: string, constraint: SizeConstraint, value: number): void {
    const { lower, upper } = constraint.range;
    if (constraint.name === null ? value < 2 : lower === value && upper === value) return;
    const name = this.debug_name(place);
    this.violated(
      name,
      `You marked ${name} as dynamic but your code specialized it to be a constant (${value}). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either Dim.STATIC or Dim.AUTO.`,
    );
    if (constraint.name !== null && constraint.derived === null) this.fixes.set(name, String(value));
  }

  /** Sizes that the program found to be equal, but that have different names. */
  private check_equal_sizes(): void {
    for (const { fake, source, constraints } of this.fakes)
      for (const [i, constraint] of constraints) {
        const place = `${source}.size()[${i}]`;
        const size = this.env.replace(sizes_of(fake)[i] as Expr);
        const [symbol] = [...size.free_symbols()];
        const first = symbol === undefined ? undefined : this.sources.get(symbol)?.[0];
        const other = symbol === undefined ? undefined : this.constraints.get(symbol);
        if (first === undefined || first === place || other === undefined) continue;
        const [mine, theirs] = [this.debug_name(place), this.debug_name(first)];
        if (size.symbol !== null) {
          if (constraint.name === other.constraint.name) continue;
          this.violated(mine, `The values of ${mine} = ${place} and ${theirs} = ${first} must always be equal.`);
          if (constraint.name !== null) this.fixes.set(mine, theirs);
        } else if (constraint.derived === null) {
          const text = String(size).replaceAll(symbol as string, theirs);
          this.violated(
            mine,
            `The values of ${mine} = ${place} must always be related to the values of ${theirs} = ${first} by ${mine} = ${text}.`,
          );
          this.fixes.set(mine, text);
        }
      }
  }

  private check_guards(): void {
    const issued = new Set<string>();
    for (const { expr } of this.env.guards) {
      const guard = expr.map((side) => this.env.replace(side));
      if (issued.has(String(guard)) || this.env.is_implied_by_ranges(guard)) continue;
      issued.add(String(guard));
      const symbols = [...guard.free_symbols()];
      const [symbol] = symbols;
      const known = symbol === undefined || symbols.length > 1 ? undefined : this.constraints.get(symbol);
      if (known === undefined) continue;
      this.violated(
        this.debug_name(known.source),
        `Not all values of ${this.range_text(known.source, known.constraint)} satisfy the generated guard ${this.printer.relation(guard)}.`,
      );
    }
  }

  private check_ranges(): void {
    for (const [symbol, { source, constraint }] of this.constraints) {
      const range = this.env.var_to_range.get(symbol) ?? ValueRanges.UNKNOWN;
      const wanted = constraint.range.and(DEFAULT);
      if (range.lower <= wanted.lower && range.upper >= wanted.upper) continue;
      const upper = range.upper === Number.POSITIVE_INFINITY ? "IntInfinity()" : String(range.upper);
      this.violated(
        this.debug_name(source),
        `Not all values of ${this.range_text(source, constraint)} satisfy the generated guard ${range.lower} <= ${source} and ${source} <= ${upper}`,
      );
      const limits = [
        ...(range.lower > 2 || constraint.range.lower > 2
          ? [`min=${Math.max(range.lower, constraint.range.lower)}`]
          : []),
        ...(Math.min(range.upper, constraint.range.upper) < Number.POSITIVE_INFINITY
          ? [`max=${Math.min(range.upper, constraint.range.upper)}`]
          : []),
      ];
      const name = this.debug_name(source);
      this.fixes.set(name, `Dim(${[`'${name}'`, ...limits].join(", ")})`);
    }
  }

  run(): void {
    this.apply_equalities();
    this.track();
    this.check_equal_sizes();
    this.check_guards();
    this.check_ranges();
    if (this.violations.length === 0) return;
    const names = [...new Set(this.violations.map(({ name }) => name))].sort();
    const lines = this.violations.map(({ message }) => `  - ${message}`).join("\n");
    const fixes = [...this.fixes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, fix]) => `\n  ${name} = ${fix}`);
    const suggested = fixes.length === 0 ? "" : `\nSuggested fixes:${fixes.join("")}`;
    throw new ConstraintViolationError(
      `Constraints violated (${names.join(", ")})! For more information, run with TORCH_LOGS="+dynamic".\n${lines}${suggested}`,
    );
  }
}

/** Checks the arguments' constraints against what the program decided. @throws {ConstraintViolationError} if some do not hold */
export function produce_guards(env: ShapeEnv, fakes: readonly TrackedFake[]): void {
  new GuardProducer(env, fakes).run();
}
