/**
 * @file `ShapeEnv`: the symbols of one traced program, what is known of them, and what the program decided by them.
 * @mirrors torch/fx/experimental/symbolic_shapes.py
 *
 *     x of size (4, 3)      ->  s77 (hint 4), s27 (hint 3), each at least 2: sizes 0 and 1 are never symbols, because they broadcast
 *     if x.shape[0] > 3     ->  not known of s77: true for the hint, kept as the guard `s77 > 3`, and from now on s77 is at least 4
 *     x + y, y of (4, 3)    ->  Eq(s77, s17): true, and s77 is replaced by s17 everywhere
 *     u0 = x.item()         ->  a symbol without a hint: a decision by it refuses, a promise (`torch._check(u0 > 3)`) is kept until the graph runs
 */
import { Allocated } from "#python/Objects/allocated";
import { frame_above } from "#python/vm/frame";
import { source_line } from "#python/vm/traceback";
import {
  compare,
  type Expr,
  integer,
  mul,
  NEGATED,
  ONE,
  Relation,
  sub,
  substitute,
  symbol,
} from "#torch/utils/_sympy/expr";
import { apply, evaluate } from "#torch/utils/_sympy/functions";
import { solve_for } from "#torch/utils/_sympy/solve";
import { bound_sympy, statically_known, ValueRanges } from "#torch/utils/_sympy/value_ranges";
import { SymBool, SymFloat, SymInt, SymNode } from "../sym_node.ts";
import { canonicalize_bool_expr } from "./canonical.ts";
import { Examples } from "./examples.ts";
import { ConstraintViolationError, GuardOnDataDependentSymNode } from "./exceptions.ts";
import { SymbolNames } from "./symbol_names.ts";

export { ConstraintViolationError, GuardOnDataDependentSymNode };

const MODULE = "torch.fx.experimental.symbolic_shapes";

/** How a size becomes a symbol. */
export const DimDynamic = {
  /** A symbol of its own. */
  DYNAMIC: 0,
  /** One symbol for all sizes of the same value. */
  DUCK: 1,
  /** No symbol. */
  STATIC: 2,
} as const;
export type DimDynamic = (typeof DimDynamic)[keyof typeof DimDynamic];

/** A decision that the program made. */
export class ShapeGuard extends Allocated {
  static readonly __module__ = MODULE;
  readonly expr: Relation;

  constructor(expr: Relation) {
    super();
    this.expr = expr;
  }
}

/** A promise about numbers that depend on data: the graph checks it when it runs. */
export class RuntimeAssert extends Allocated {
  static readonly __module__ = MODULE;
  readonly expr: Relation;

  constructor(expr: Relation) {
    super();
    this.expr = expr;
  }
}

const UNBACKED = /^(?:u|zuf)(\d+)$/;
/** Whether the symbol depends on data. */
export const is_unbacked = (name: string): boolean => UNBACKED.test(name);
const number_of = (name: string): number => Number((UNBACKED.exec(name) as RegExpExecArray)[1]);

/** A relation by the difference of its sides. */
const decision = (op: Relation["op"], lhs: Expr, rhs: Expr): string => `${op} ${sub(lhs, rhs)}`;

/** The dimensions from the smallest stride on; of equal ones the last comes first. */
export const dimensions_by_stride = (strides: readonly number[]): number[] =>
  strides.map((_, i) => i).sort((a, b) => (strides[a] as number) - (strides[b] as number) || b - a);

const MORE_HELP = `If you suspect the guard was triggered from C++, add TORCHDYNAMO_EXTENDED_DEBUG_CPP=1
For more debugging help, see https://docs.google.com/document/d/1HSuTTVvYH1pTew89Rtpeu84Ht3nQEFTYhAX3Ypa_xJs/edit?usp=sharing

For C++ stack trace, run with TORCHDYNAMO_EXTENDED_DEBUG_CPP=1`;

/** The line of the program that runs, as the message shows it. */
function user_code(): string {
  const frame = frame_above(0);
  if (frame === null) return "";
  const { co_filename, co_name } = frame.f_code;
  const line = (source_line(co_filename, frame.f_lineno) ?? "").trim();
  return `\n\nThe following call raised this error:\n  File "${co_filename}", line ${frame.f_lineno}, in ${co_name}\n    ${line}\n`;
}

export class ShapeEnv {
  static readonly __module__ = MODULE;
  private ints = 0;
  private floats = 0;
  private readonly names = new SymbolNames();
  /** Symbols of sizes by value, for `DimDynamic.DUCK`. */
  private readonly val_to_var = new Map<number, string>();
  /** The value of each symbol in this run; symbols that depend on data have none. */
  readonly backed_var_to_val = new Map<string, number>();
  readonly var_to_range = new Map<string, ValueRanges>();
  /** Symbols of sizes, which are positive; other ints may have every value. */
  readonly size_symbols = new Set<string>();
  /** Where each symbol comes from: `L['x'].size()[0]`. */
  readonly var_to_sources = new Map<string, string[]>();
  readonly replacements = new Map<string, Expr>();
  private readonly phantom_roots = new Map<string, Expr>();
  /** Remainders that are known to be zero, by their texts. */
  private readonly divisible = new Set<string>();
  readonly guards: ShapeGuard[] = [];
  /** Decisions by their texts. */
  private readonly decided = new Map<string, boolean>();
  /** Whether `x.item()`, and operators whose result's size depends on data, give symbols; otherwise they refuse. */
  allow_scalar_outputs = true;
  allow_dynamic_output_shape_ops = true;
  private readonly examples = new Examples();
  private readonly unbacked_renamings = new Map<string, string>();
  /** Symbols without a hint that are sizes. */
  readonly size_like = new Set<string>();
  /** Symbols that an operator has just made, and that no node is known to bind. */
  readonly pending_fresh_unbacked_symbols: string[] = [];
  /** Promises, by the last of their symbols. */
  readonly deferred_runtime_asserts = new Map<string, RuntimeAssert[]>();

  // Symbols --------------------------------------------------------------------------------------------------------------

  /**
   * A symbol for a size, or the size itself.
   * @param source where the size is read: `L['x'].size()[0]`
   */
  create_symbol(value: number, source: string, dynamic: DimDynamic, range: ValueRanges | null = null): Expr {
    if (dynamic === DimDynamic.STATIC || value === 0 || value === 1) return integer(value);
    const made = this.new_symbol(value, source, dynamic, range, new ValueRanges(2, Number.POSITIVE_INFINITY));
    if (made.symbol !== null) this.size_symbols.add(made.symbol);
    return made;
  }

  /** A symbol for an int that is no size: it may have every value. (`create_unspecified_symint_and_symbol`) */
  create_unspecified_symbol(value: number, source: string): Expr {
    return this.new_symbol(value, source, DimDynamic.DYNAMIC, null, ValueRanges.UNKNOWN);
  }

  private new_symbol(
    value: number,
    source: string,
    dynamic: DimDynamic,
    range: ValueRanges | null,
    known: ValueRanges,
  ): Expr {
    const duck = dynamic === DimDynamic.DUCK ? this.val_to_var.get(value) : undefined;
    if (duck !== undefined) {
      this.var_to_sources.get(duck)?.push(source);
      return symbol(duck);
    }
    const name = `s${this.names.generate_unique_id(source)}`;
    this.backed_var_to_val.set(name, value);
    this.var_to_sources.set(name, [source]);
    if (dynamic === DimDynamic.DUCK) this.val_to_var.set(value, name);
    this.var_to_range.set(name, range === null ? known : known.and(range));
    if (!(this.var_to_range.get(name) as ValueRanges).has(value)) {
      const { lower, upper } = this.var_to_range.get(name) as ValueRanges;
      throw new ConstraintViolationError(
        `${value} not in range [${lower}, ${upper === Number.POSITIVE_INFINITY ? "int_oo" : upper}]`,
      );
    }
    return symbol(name);
  }

  /** A size that no argument has, but from which sizes of arguments follow; null if it was not made. */
  phantom_root(name: string): Expr | null {
    return this.phantom_roots.get(name) ?? null;
  }

  create_phantom_root(name: string, value: number, range: ValueRanges): void {
    if (!this.phantom_roots.has(name))
      this.phantom_roots.set(name, this.create_symbol(value, name, DimDynamic.DYNAMIC, range));
  }

  /** The sizes and strides of an argument. A stride that follows from sizes is written with them. */
  create_symbolic_sizes_strides(
    sizes: readonly number[],
    strides: readonly number[],
    source: string,
    dynamic: readonly DimDynamic[],
    ranges: readonly (ValueRanges | null)[],
    dynamic_strides: readonly boolean[] = [],
  ): { readonly sizes: Expr[]; readonly strides: Expr[] } {
    const symbolic = sizes.map((size, i) =>
      this.create_symbol(size, `${source}.size()[${i}]`, dynamic[i] as DimDynamic, ranges[i] ?? null),
    );
    const are_static = dynamic.every((how) => how === DimDynamic.STATIC);
    const result = new Array<Expr>(sizes.length);
    const candidates = new Map<number, Expr>();
    for (const i of dimensions_by_stride(strides)) {
      const [size, stride] = [sizes[i] as number, strides[i] as number];
      const follows = i !== strides.length - 1 && stride === (sizes[i + 1] as number) * (strides[i + 1] as number);
      const expr = dynamic_strides[i]
        ? this.create_symbol(stride, `${source}.stride()[${i}]`, DimDynamic.DYNAMIC)
        : stride < 2 && !follows
          ? integer(stride)
          : (candidates.get(stride) ??
            this.create_symbol(stride, `${source}.stride()[${i}]`, are_static ? DimDynamic.STATIC : DimDynamic.DUCK));
      result[i] = expr;
      candidates.set(size * stride, mul(symbolic[i] as Expr, expr));
    }
    return { sizes: symbolic, strides: result };
  }

  create_symintnode(expr: Expr): SymInt {
    return new SymInt(new SymNode(expr, this));
  }
  create_unbacked_symint(): SymInt {
    return this.create_symintnode(this.fresh(`u${this.ints++}`, ValueRanges.UNKNOWN));
  }
  create_unbacked_symfloat(): SymFloat {
    return new SymFloat(
      new SymNode(this.fresh(`zuf${this.floats++}`, new ValueRanges(-Infinity, Infinity, true)), this),
    );
  }
  create_unbacked_symbool(): SymBool {
    const made = this.fresh(`u${this.ints++}`, new ValueRanges(0, 1));
    return new SymBool(new SymNode(new Relation("Eq", made, ONE), this));
  }
  private fresh(name: string, range: ValueRanges): Expr {
    this.var_to_range.set(name, range);
    this.pending_fresh_unbacked_symbols.push(name);
    return symbol(name);
  }

  /** Says that a new symbol is one that was known before. (`_rename_unbacked_to`) */
  rename_unbacked_to(made: string, known: string): void {
    this.unbacked_renamings.set(made, known);
    this.replacements.set(made, symbol(known));
  }
  /** The first name of a symbol without a hint. */
  first_name(name: string): string {
    const known = this.unbacked_renamings.get(name);
    return known === undefined ? name : this.first_name(known);
  }

  /** Says that a number which depends on data is a size. (`_constrain_range_for_size`) */
  constrain_range_for_size(size: SymInt, max = Number.POSITIVE_INFINITY): void {
    const name = (size.node.expr as Expr).symbol;
    if (name === null) return;
    this.update_var_to_range(name, new ValueRanges(0, max));
    this.size_like.add(name);
  }

  // What is known --------------------------------------------------------------------------------------------------------

  private readonly range_of = (name: string): ValueRanges => this.var_to_range.get(name) ?? ValueRanges.UNKNOWN;

  bound_sympy(expr: Expr): ValueRanges {
    return bound_sympy(this.replace(expr), this.range_of);
  }

  /** The expression with what is known of its symbols. */
  replace(expr: Expr): Expr {
    if (this.replacements.size === 0) return expr;
    return substitute(expr, (name) => this.find(name), apply);
  }

  /** The replacement of a symbol; null if it has none. */
  private find(name: string): Expr | null {
    const replacement = this.replacements.get(name);
    if (replacement === undefined) return null;
    const further = this.replace(replacement);
    if (further !== replacement) this.replacements.set(name, further);
    return further;
  }

  /** The value of an expression or condition in this run; null if it depends on data. */
  size_hint(expr: Expr | Relation): number | boolean | null {
    const value_of = (name: string): number | null => this.backed_var_to_val.get(name) ?? null;
    if (!(expr instanceof Relation)) return evaluate(this.replace(expr), value_of);
    const difference = evaluate(this.replace(sub(expr.lhs, expr.rhs)), value_of);
    return difference === null ? null : compare(expr.op, difference, 0);
  }

  /** The value of an expression in this run; where it depends on data, a number that stands for it (see examples.ts). */
  example_of(expr: Expr): number {
    return evaluate(this.replace(expr), (name) => this.example_of_symbol(name)) as number;
  }
  private example_of_symbol(name: string): number {
    return this.backed_var_to_val.get(name) ?? this.examples.of(name, this.range_of(name), this.backed_var_to_val);
  }

  /** Whether the expression depends on data. */
  depends_on_data(expr: Expr | Relation): boolean {
    return [...expr.free_symbols()].some(is_unbacked);
  }

  /** Whether a condition always or never holds; null if neither is known. */
  maybe_evaluate_static(condition: Relation): boolean | null {
    const { op, lhs, rhs } = condition.map((side) => this.replace(side));
    const known = statically_known(new Relation(op, lhs, rhs), this.range_of);
    if (known !== null) return known;
    const decided = this.decided.get(decision(op, lhs, rhs));
    if (decided !== undefined) return decided;
    // A remainder that the program found to be zero.
    if ((op === "Eq" || op === "Ne") && this.is_divisible(sub(lhs, rhs))) return op === "Eq";
    return null;
  }

  /** Whether a condition follows from the ranges of its symbols. */
  is_implied_by_ranges(condition: Relation): boolean {
    return statically_known(condition, this.range_of) === true;
  }

  private is_divisible(expr: Expr): boolean {
    return expr.terms.every(({ factors }) => factors.some(([atom]) => this.divisible.has(atom.text)));
  }

  // Decisions ------------------------------------------------------------------------------------------------------------

  /**
   * The truth of a condition in this run; if it is not known for all runs it becomes a guard.
   * @param in_call whether a call of the library asks, and not the program
   * @throws {GuardOnDataDependentSymNode} if it depends on data
   */
  evaluate_relation(condition: Relation, in_call = true): boolean {
    const known = this.maybe_evaluate_static(condition);
    if (known !== null) return known;
    const hint = this.size_hint(condition);
    const replaced = condition.map((side) => this.replace(side));
    if (hint === null) return this.refuse_guard(String(replaced), false, in_call);
    const holds = hint ? replaced : replaced.negated();
    this.keep(holds);
    return hint as boolean;
  }

  /**
   * The truth of a condition in this run, as a guard; `otherwise` where it depends on data and is not known. (`guard_or_false`, `guard_or_true`)
   */
  guard_or(condition: Relation, otherwise: boolean): boolean {
    const known = this.maybe_evaluate_static(condition);
    if (known !== null) return known;
    return this.depends_on_data(condition.map((side) => this.replace(side)))
      ? otherwise
      : this.evaluate_relation(condition);
  }

  /**
   * Promises that a condition holds: a guard, or, where it depends on data, a check when the graph runs.
   * @returns false if the condition is known not to hold
   */
  guard_or_defer_runtime_assert(condition: Relation): boolean {
    const known = this.maybe_evaluate_static(condition);
    if (known !== null) return known;
    const replaced = condition.map((side) => this.replace(side));
    const symbols = [...replaced.free_symbols()].filter(is_unbacked).sort((a, b) => number_of(a) - number_of(b));
    const last = symbols.at(-1);
    if (last === undefined) return this.evaluate_relation(condition);
    const promises = this.deferred_runtime_asserts.get(last) ?? [];
    promises.push(new RuntimeAssert(canonicalize_bool_expr(replaced)));
    this.deferred_runtime_asserts.set(last, promises);
    this.examples.follow(replaced, last, (expr) => this.example_of(expr));
    this.take_as_true(replaced);
    return true;
  }

  /** The number of an expression in this run, to which it is fixed. @throws {GuardOnDataDependentSymNode} if it depends on data */
  specialize(expr: Expr, is_integer = true): number {
    const replaced = this.replace(expr);
    if (replaced.constant !== null) return replaced.constant;
    const hint = this.size_hint(replaced) as number | null;
    if (hint === null) return this.refuse_guard(String(replaced), is_integer);
    this.evaluate_relation(new Relation("Eq", replaced, integer(hint)));
    return hint;
  }

  /** Whether two sizes are equal, in this run and, by a guard, in every other. */
  guard_equals(a: Expr, b: Expr): boolean {
    return a.equals(b) || this.evaluate_relation(new Relation("Eq", a, b));
  }

  /** Keeps a condition that holds in this run as a guard. */
  private keep({ op, lhs, rhs }: Relation): void {
    const holds = new Relation(op, lhs, rhs);
    this.guards.push(new ShapeGuard(holds));
    this.take_as_true(holds);
  }

  private take_as_true(holds: Relation): void {
    const { op, lhs, rhs } = holds;
    this.decided.set(decision(op, lhs, rhs), true);
    this.decided.set(decision(NEGATED[op], lhs, rhs), false);
    this.learn(holds);
  }

  /** Draws conclusions from a condition that holds: narrower ranges, replaced symbols, whole divisions. */
  private learn(condition: Relation): void {
    if (condition.op === "Ne") return;
    const { op, lhs, rhs } = condition;
    const symbols = [...condition.free_symbols()].sort((a, b) => this.compare_symbols(b, a));
    for (const name of symbols) {
      const solved = solve_for(condition, name);
      if (solved === null) continue;
      const bound = bound_sympy(solved.rhs, this.range_of);
      const low =
        { Eq: bound.lower, ">=": bound.lower, ">": Math.floor(bound.lower) + 1 }[solved.op as string] ??
        Number.NEGATIVE_INFINITY;
      const high =
        { Eq: bound.upper, "<=": bound.upper, "<": Math.ceil(bound.upper) - 1 }[solved.op as string] ??
        Number.POSITIVE_INFINITY;
      // A bound need not be whole: from 2*s0 > 3 follows s0 >= 2.
      this.update_var_to_range(name, new ValueRanges(Math.ceil(low), Math.floor(high)));
    }
    if (op !== "Eq") return;
    const difference = sub(lhs, rhs);
    const mods = difference.terms.flatMap(({ factors }) => factors.filter(([atom]) => atom.name === "Mod"));
    if (mods.length > 0) {
      const [[mod]] = mods as [(typeof mods)[0]];
      if (difference.terms.length === 1) this.divisible.add(mod.text);
      return;
    }
    if (/\/\//.test(String(difference))) return;
    const [name] = symbols;
    const solved = name === undefined ? null : solve_for(condition, name);
    if (solved !== null && name !== undefined) this.set_replacement(name, this.replace(solved.rhs));
  }

  /** Larger values are replaced first, then later names. */
  private compare_symbols(a: string, b: string): number {
    const of = (name: string): number => this.backed_var_to_val.get(name) ?? Number.MAX_SAFE_INTEGER;
    return of(a) - of(b) || (a < b ? -1 : a > b ? 1 : 0);
  }

  private set_replacement(name: string, target: Expr): void {
    if (target.free_symbols().has(name)) return;
    if ([...target.free_symbols()].some((other) => !this.backed_var_to_val.has(other))) return;
    const range = this.range_of(name);
    const bound = bound_sympy(target, this.range_of);
    // A symbol with bounds of its own passes them on, if the other is a plain symbol.
    const other = target.symbol;
    if (other !== null) this.update_var_to_range(other, range);
    else if (target.constant === null && (bound.lower < range.lower || bound.upper > range.upper)) return;
    this.replacements.set(name, target);
  }

  private update_var_to_range(name: string, range: ValueRanges): void {
    const before = this.range_of(name);
    const after = before.and(range);
    if (after.lower === before.lower && after.upper === before.upper) return;
    if (after.lower > after.upper) throw new ConstraintViolationError(`Invalid ranges [${after.lower}:${after.upper}]`);
    this.var_to_range.set(name, after);
    if (after.lower === after.upper) this.replacements.set(name, integer(after.lower));
  }

  /** @param in_call whether a call of the library asks, and not the program @throws {GuardOnDataDependentSymNode} always */
  refuse_guard(expr: string, is_integer: boolean, in_call = true): never {
    // A float is compared with a float.
    const told = /\bzuf\d/.test(expr) ? expr.replace(/(?<![\w.])\d+(?![\w.])/g, "$&.0") : expr;
    const size_like = [...new Set(expr.match(/\bu\d+\b/g) ?? [])].filter((name) => this.size_like.has(name));
    const what = is_integer
      ? "Could not extract specialized integer from data-dependent expression"
      : "Could not guard on data-dependent expression";
    const advice = is_integer
      ? ""
      : "consider using data-dependent friendly APIs such as guard_or_false, guard_or_true and statically_known_true.";
    const symbols = [...new Set(expr.match(/\b(?:u|zuf)\d+/g) ?? [])].join(",");
    throw new GuardOnDataDependentSymNode(
      expr,
      `${what} ${told} (unhinted: ${told}).  (Size-like symbols: ${size_like.join(", ") || "none"})\n\n${advice}\nFor more information, run with TORCH_LOGS="dynamic"\nFor extended logs when we create symbols, also add TORCHDYNAMO_EXTENDED_DEBUG_CREATE_SYMBOL="${symbols}"\n${MORE_HELP}${in_call ? user_code() : ""}`,
    );
  }
}
