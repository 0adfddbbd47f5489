/**
 * @file Numbers and conditions that are symbols while a program is traced: `SymInt`, `SymFloat`, `SymBool`.
 * @mirrors torch/fx/experimental/sym_node.py
 *
 *     n = x.shape[0]        SymInt, expression s77, hint 4
 *     n * 2 + 1             SymInt 2*s77 + 1; a tracer notes the two calls of `operator`
 *     n > 3                 SymBool; `if` asks for its truth, which the ShapeEnv decides and keeps as a guard
 */
import { NotImplementedError } from "#c10/util/Exception";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { FloatValue } from "#python/Objects/floatobject";
import { NotImplemented } from "#python/Objects/object";
import { def_methods, Init, types } from "#torch/_signature";
import { add, type Expr, integer, mul, neg, pow, Relation, sub, ZERO } from "#torch/utils/_sympy/expr";
import {
  apply,
  CeilToInt,
  FloatPow,
  FloatTrueDiv,
  FloorDiv,
  FloorToInt,
  IntTrueDiv,
  Max,
  Min,
  Mod,
  type OpaqueFunction,
  PowByNatural,
  ToFloat,
  TruncToInt,
} from "#torch/utils/_sympy/functions";
import type { ShapeEnv } from "./symbolic_shapes/index.ts";

/** An expression and the environment that knows its symbols. */
export class SymNode {
  private readonly _expr: Expr | Relation;
  readonly shape_env: ShapeEnv;

  constructor(expr: Expr | Relation, shape_env: ShapeEnv) {
    this._expr = expr;
    this.shape_env = shape_env;
  }

  /** The expression, in which symbols whose values have become known are replaced. */
  get expr(): Expr | Relation {
    return this._expr instanceof Relation ? this._expr : this.shape_env.replace(this._expr);
  }

  /** The expression as it was when the value was made. */
  get original(): Expr | Relation {
    return this._expr;
  }

  /** The value in this run; null if it depends on data. */
  get hint(): number | boolean | null {
    return this.shape_env.size_hint(this._expr);
  }
}

type Sym = SymInt | SymFloat | SymBool;

/** Hears of each operation whose result is a symbol; a tracer sets it. Its arguments are symbols and plain numbers. */
export const sym_dispatch: {
  note: ((operator: string, args: readonly unknown[], out: Sym) => Sym | null) | null;
} = { note: null };

/** Returns the result of an operation after the tracer has heard of it. */
function noted<T extends Sym>(operator: string, args: readonly unknown[], out: T): T {
  return (sym_dispatch.note?.(operator, args, out) ?? out) as T;
}

type SymInit = Init<string, [node: SymNode]>;
const init_of = (name: string): SymInit => new Init(`${name}.__init__(self, node)`, types<[node: SymNode]>);

/** A value that stands for an expression. */
abstract class SymType extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch";
  readonly node: SymNode;

  constructor(init: SymInit, given: readonly unknown[]) {
    super();
    [this.node] = init.bind(given as never);
  }

  override toString(): string {
    return String(this.node.expr);
  }
  __repr__(): string {
    return this.toString();
  }
}

const SymBool_init = init_of("SymBool");
export class SymBool extends SymType {
  static {
    def_methods(SymBool, { __init__: SymBool_init });
  }
  constructor(...given: unknown[]) {
    super(SymBool_init, given);
  }

  get condition(): Relation {
    return this.node.expr as Relation;
  }
  /** The truth in this run, kept as a guard. @throws {GuardOnDataDependentSymNode} if it depends on data */
  __bool__(): boolean {
    return this.node.shape_env.evaluate_relation(this.condition, false);
  }
  guard(): boolean {
    return this.__bool__();
  }
  /** JavaScript's operators come here. */
  override valueOf(): boolean {
    return this.__bool__();
  }
  /** Promises that the condition holds; false if it is known not to. */
  expect_true(): boolean {
    return this.node.shape_env.guard_or_defer_runtime_assert(this.condition);
  }
  /** The number that says whether the condition holds, if it was made of one: `Eq(u0, 1)` of u0. */
  as_int(): SymInt | null {
    const { op, lhs, rhs } = this.condition;
    const { shape_env } = this.node;
    if (op !== "Eq" || rhs.constant !== 1 || lhs.symbol === null) return null;
    const { lower, upper } = shape_env.bound_sympy(lhs);
    if (lower !== 0 || upper !== 1) return null;
    return noted("sym_ite", [this, 1, 0], new SymInt(new SymNode(lhs, shape_env)));
  }
  __invert__(): SymBool {
    return this.__sym_not__();
  }
  __sym_not__(): SymBool {
    return noted("sym_not", [this], new SymBool(new SymNode(this.condition.negated(), this.node.shape_env)));
  }
}

const is_int = (value: unknown): value is SymInt | number | boolean =>
  value instanceof SymInt || typeof value === "boolean" || (typeof value === "number" && Number.isInteger(value));

/** The expression of a number; null if the value is none. */
function expr_of(value: unknown): Expr | null {
  if (value instanceof SymInt || value instanceof SymFloat) return value.node.expr as Expr;
  if (typeof value === "number" || typeof value === "boolean") return integer(Number(value));
  return value instanceof FloatValue ? integer(value.value) : null;
}

type Binary = (a: Expr, b: Expr) => Expr;

/** A number: comparisons give conditions, arithmetic gives expressions. */
abstract class SymNumber extends SymType {
  private made(expr: Expr, is_integer: boolean): SymInt | SymFloat {
    const node = new SymNode(expr, this.node.shape_env);
    return is_integer ? new SymInt(node) : new SymFloat(node);
  }

  /** The result of a function of two numbers, one of which is this. */
  private binary(
    name: string,
    left: unknown,
    right: unknown,
    of_ints: Binary | null,
    of_floats: Binary | null,
  ): unknown {
    const [a, b] = [expr_of(left), expr_of(right)];
    if (a === null || b === null) return NotImplemented;
    const ints = is_int(left) && is_int(right);
    const fn = ints ? of_ints : of_floats;
    if (fn === null) throw new NotImplementedError(`${name} of ${left} and ${right} is not implemented for symbols`);
    const is_integer = ints && name !== "truediv";
    const floated = (expr: Expr, value: unknown): Expr => (ints || !is_int(value) ? expr : ToFloat(expr));
    return noted(name, [left, right], this.made(fn(floated(a, left), floated(b, right)), is_integer));
  }

  private compared(name: string, op: Relation["op"], other: unknown): unknown {
    const right = expr_of(other);
    if (right === null) return NotImplemented;
    const condition = new Relation(op, this.node.expr as Expr, right);
    return noted(name, [this, other], new SymBool(new SymNode(condition, this.node.shape_env)));
  }
  __eq__(other: unknown): unknown {
    return this.compared("eq", "Eq", other);
  }
  __ne__(other: unknown): unknown {
    return this.compared("ne", "Ne", other);
  }
  __lt__(other: unknown): unknown {
    return this.compared("lt", "<", other);
  }
  __le__(other: unknown): unknown {
    return this.compared("le", "<=", other);
  }
  __gt__(other: unknown): unknown {
    return this.compared("gt", ">", other);
  }
  __ge__(other: unknown): unknown {
    return this.compared("ge", ">=", other);
  }
  __bool__(): boolean {
    return (this.compared("ne", "Ne", 0) as SymBool).__bool__();
  }

  __add__(other: unknown): unknown {
    return this.binary("add", this, other, add, add);
  }
  __radd__(other: unknown): unknown {
    return this.binary("add", other, this, add, add);
  }
  __sub__(other: unknown): unknown {
    return this.binary("sub", this, other, sub, sub);
  }
  __rsub__(other: unknown): unknown {
    return this.binary("sub", other, this, sub, sub);
  }
  __mul__(other: unknown): unknown {
    return this.binary("mul", this, other, mul, mul);
  }
  __rmul__(other: unknown): unknown {
    return this.binary("mul", other, this, mul, mul);
  }
  __truediv__(other: unknown): unknown {
    return this.binary("truediv", this, other, IntTrueDiv, FloatTrueDiv);
  }
  __rtruediv__(other: unknown): unknown {
    return this.binary("truediv", other, this, IntTrueDiv, FloatTrueDiv);
  }
  __floordiv__(other: unknown): unknown {
    return this.binary("floordiv", this, other, FloorDiv, null);
  }
  __rfloordiv__(other: unknown): unknown {
    return this.binary("floordiv", other, this, FloorDiv, null);
  }
  __mod__(other: unknown): unknown {
    return this.binary("mod", this, other, Mod, null);
  }
  __rmod__(other: unknown): unknown {
    return this.binary("mod", other, this, Mod, null);
  }
  __pow__(other: unknown): unknown {
    if (is_int(other) && !(other instanceof SymInt) && Number(other) < 0)
      return this.binary("pow", this, other, null, FloatPow);
    return this.binary(
      "pow",
      this,
      other,
      (a, b) => (b.constant === null ? PowByNatural(a, b) : pow(a, b.constant)),
      FloatPow,
    );
  }
  __rpow__(other: unknown): unknown {
    return this.binary("pow", other, this, PowByNatural, FloatPow);
  }
  __neg__(): SymInt | SymFloat {
    return noted("neg", [this], this.made(neg(this.node.expr as Expr), this instanceof SymInt));
  }
  __pos__(): this {
    return this;
  }
  __abs__(): unknown {
    const { expr, shape_env } = this.node;
    const is_negative = shape_env.maybe_evaluate_static(new Relation("<", expr as Expr, ZERO));
    if (is_negative !== null) return is_negative ? this.__neg__() : this;
    return noted("abs", [this], this.made(apply("Abs", [expr as Expr]), this instanceof SymInt));
  }
  __sym_max__(other: unknown): unknown {
    return this.binary("sym_max", this, other, Max, Max);
  }
  __sym_min__(other: unknown): unknown {
    return this.binary("sym_min", this, other, Min, Min);
  }
  __sym_float__(): SymFloat {
    if (this instanceof SymFloat) return this;
    return noted("sym_float", [this], this.made(ToFloat(this.node.expr as Expr), false) as SymFloat);
  }

  /** The value in this run, to which the symbol is fixed. @throws {GuardOnDataDependentSymNode} if it depends on data */
  guard(): number {
    return this.node.shape_env.specialize(this.node.expr as Expr, this instanceof SymInt);
  }
  guard_equals(other: unknown): boolean {
    const right = expr_of(other);
    return right !== null && this.node.shape_env.guard_equals(this.node.expr as Expr, right);
  }
  known_equal(other: unknown): boolean {
    const right = expr_of(other);
    if (right === null) return false;
    return this.node.shape_env.guard_or(new Relation("Eq", this.node.expr as Expr, right), false);
  }
  known_at_most(other: unknown): boolean {
    const right = expr_of(other);
    const { expr, shape_env } = this.node;
    return right !== null && shape_env.maybe_evaluate_static(new Relation("<=", expr as Expr, right)) === true;
  }
  guard_greater(other: number): boolean {
    return this.node.shape_env.evaluate_relation(new Relation(">", this.node.expr as Expr, integer(other)));
  }
  /** JavaScript's operators come here. */
  override valueOf(): number {
    return this.guard();
  }
  __int__(): number {
    return Math.trunc(this.guard());
  }
  __float__(): number {
    return this.guard();
  }
}

const SymInt_init = init_of("SymInt");
export class SymInt extends SymNumber {
  static {
    def_methods(SymInt, { __init__: SymInt_init });
  }
  constructor(...given: unknown[]) {
    super(SymInt_init, given);
  }

  __index__(): number {
    return this.guard();
  }
  __trunc__(): SymInt {
    return this;
  }
  __floor__(): SymInt {
    return this;
  }
  __ceil__(): SymInt {
    return this;
  }
  __round__(): SymInt {
    return this;
  }
}

const SymFloat_init = init_of("SymFloat");
export class SymFloat extends SymNumber {
  static {
    def_methods(SymFloat, { __init__: SymFloat_init });
  }
  constructor(...given: unknown[]) {
    super(SymFloat_init, given);
  }

  /** A function of `math`. */
  opaque(name: OpaqueFunction): SymFloat {
    const { expr, shape_env } = this.node;
    const made = apply(`OpaqueUnaryFn_${name}`, [expr as Expr]);
    return noted(`_sym_${name}`, [this], new SymFloat(new SymNode(made, shape_env)));
  }
  private rounded(name: string, fn: (expr: Expr) => Expr): SymInt {
    const { expr, shape_env } = this.node;
    return noted(name, [this], new SymInt(new SymNode(fn(expr as Expr), shape_env)));
  }
  __trunc__(): SymInt {
    return this.rounded("trunc", TruncToInt);
  }
  __floor__(): SymInt {
    return this.rounded("floor", FloorToInt);
  }
  __ceil__(): SymInt {
    return this.rounded("ceil", CeilToInt);
  }
}
