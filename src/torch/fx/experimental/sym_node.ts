/**
 * @file Numbers that a traced program reads from a tensor without data. A program can compare them; an `if` on the result raises.
 * @mirrors torch/fx/experimental/sym_node.py
 * @differs Ours has no arithmetic on these numbers, and sizes are never symbols; PyTorch has both.
 */
import { NotImplementedError } from "#c10/util/Exception";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { repr } from "#python/Objects/object";
import type { ShapeEnv } from "./symbolic_shapes.ts";

/** An expression by its text. */
export class SymNode {
  readonly expr: string;
  readonly shape_env: ShapeEnv;

  constructor(expr: string, shape_env: ShapeEnv) {
    this.expr = expr;
    this.shape_env = shape_env;
  }
}

/** A value that stands for an expression. */
abstract class SymType extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch";
  readonly node: SymNode;

  constructor(node: SymNode) {
    super();
    this.node = node;
  }

  override toString(): string {
    return this.node.expr;
  }
  __repr__(): string {
    return this.node.expr;
  }
}

export class SymBool extends SymType {
  /** @throws {GuardOnDataDependentSymNode} always */
  __bool__(): boolean {
    return this.node.shape_env.refuse_guard(this.node.expr, false);
  }
  guard(): boolean {
    return this.__bool__();
  }
}

/** A number: comparisons give conditions, everything else needs the value. */
abstract class SymNumber extends SymType {
  private compared(name: string, other: unknown): SymBool {
    const right = other instanceof SymType ? other.node.expr : repr(other);
    const { expr, shape_env } = this.node;
    const text = name === "Eq" || name === "Ne" ? `${name}(${expr}, ${right})` : `${expr} ${name} ${right}`;
    return new SymBool(new SymNode(text, shape_env));
  }
  __eq__(other: unknown): SymBool {
    return this.compared("Eq", other);
  }
  __ne__(other: unknown): SymBool {
    return this.compared("Ne", other);
  }
  __lt__(other: unknown): SymBool {
    return this.compared("<", other);
  }
  __le__(other: unknown): SymBool {
    return this.compared("<=", other);
  }
  __gt__(other: unknown): SymBool {
    return this.compared(">", other);
  }
  __ge__(other: unknown): SymBool {
    return this.compared(">=", other);
  }
  __bool__(): boolean {
    return this.compared("Ne", 0).__bool__();
  }
  /** @throws {GuardOnDataDependentSymNode} always */
  guard(): number {
    return this.node.shape_env.refuse_guard(this.node.expr, this instanceof SymInt);
  }
  /** @throws {GuardOnDataDependentSymNode} always; JavaScript's operators come here */
  override valueOf(): number {
    return this.guard();
  }
  __int__(): number {
    return this.guard();
  }
  __float__(): number {
    return this.guard();
  }
  private arithmetic(): never {
    throw new NotImplementedError(`arithmetic on ${this.node.expr}, which depends on data, is not implemented`);
  }
  __add__(): never {
    return this.arithmetic();
  }
  __radd__(): never {
    return this.arithmetic();
  }
  __sub__(): never {
    return this.arithmetic();
  }
  __rsub__(): never {
    return this.arithmetic();
  }
  __mul__(): never {
    return this.arithmetic();
  }
  __rmul__(): never {
    return this.arithmetic();
  }
  __truediv__(): never {
    return this.arithmetic();
  }
  __floordiv__(): never {
    return this.arithmetic();
  }
  __mod__(): never {
    return this.arithmetic();
  }
  __pow__(): never {
    return this.arithmetic();
  }
  __neg__(): never {
    return this.arithmetic();
  }
}

export class SymInt extends SymNumber {
  __index__(): number {
    return this.guard();
  }
}
export class SymFloat extends SymNumber {}
