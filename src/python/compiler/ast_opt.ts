/**
 * @file Computes what a program's text already decides: `60 * 60`, `-1`, `(1, 2)`, `not a in b`, `x in [1, 2]`.
 * @mirrors Python/ast_opt.c (CPython 3.11)
 * @differs CPython changes the tree before it is compiled. Here a node is looked up when it is compiled, and the tree stays as it was parsed: other
 * readers of a function's tree want to see the program as it was written.
 */
import * as ast from "../ast/nodes.ts";
import { PyFrozenSet } from "../Objects/setobject.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { binary, item, NOT_FOLDED, unary } from "./constant_arithmetic.ts";
import { constant_key } from "./constants.ts";
import { format_folded } from "./format_folding.ts";

export class Folder {
  /** Results of nodes whose parts must be looked at, so that long sums are folded in one pass. */
  private readonly known = new Map<ast.expr, ast.expr>();

  /** @returns the node that is compiled instead of `node`; often `node` itself */
  fold(node: ast.expr): ast.expr {
    if (node instanceof ast.Name) {
      const is_debug = node.id === "__debug__" && node.ctx instanceof ast.Load;
      return is_debug ? new ast.Constant(true, null, node) : node;
    }
    if (
      !(
        node instanceof ast.BinOp ||
        node instanceof ast.UnaryOp ||
        node instanceof ast.Tuple ||
        node instanceof ast.Subscript ||
        node instanceof ast.Compare
      )
    )
      return node;
    let folded = this.known.get(node);
    if (folded === undefined) this.known.set(node, (folded = this.computed(node)));
    return folded;
  }

  private computed(node: ast.BinOp | ast.UnaryOp | ast.Tuple | ast.Subscript | ast.Compare): ast.expr {
    if (node instanceof ast.BinOp) return this.binary(node);
    if (node instanceof ast.UnaryOp) return this.unary(node);
    if (node instanceof ast.Compare) return this.compare(node);
    if (!(node.ctx instanceof ast.Load)) return node;
    if (node instanceof ast.Tuple) return this.all_constant(node.elts, node) ?? node;
    const value = this.constant(node.value);
    const index = this.constant(node.slice);
    return value === null || index === null ? node : constant(item(value.value, index.value), node);
  }

  private constant(node: ast.expr): ast.Constant | null {
    const folded = this.fold(node);
    return folded instanceof ast.Constant ? folded : null;
  }

  private unary(node: ast.UnaryOp): ast.expr {
    const operand = this.fold(node.operand);
    if (operand instanceof ast.Constant) return constant(unary(node.op, operand.value), node);
    if (!(node.op instanceof ast.Not && operand instanceof ast.Compare && operand.ops.length === 1)) return node;
    const op = negated(operand.ops[0]);
    return op === null ? node : new ast.Compare(operand.left, [op], operand.comparators, operand);
  }

  private binary(node: ast.BinOp): ast.expr {
    const left = this.constant(node.left);
    const right = this.fold(node.right);
    if (left === null) return node;
    if (node.op instanceof ast.Mod && typeof left.value === "string") {
      if (!(right instanceof ast.Tuple) || right.elts.some((each) => each instanceof ast.Starred)) return node;
      return format_folded(left.value, right.elts, node) ?? node;
    }
    return right instanceof ast.Constant ? constant(binary(node.op, left.value, right.value), node) : node;
  }

  private compare(node: ast.Compare): ast.expr {
    const last = node.ops.length - 1;
    const op = node.ops[last];
    if (!(op instanceof ast.In || op instanceof ast.NotIn)) return node;
    const comparator = node.comparators[last];
    const folded = this.iterable(comparator);
    if (folded === comparator) return node;
    return new ast.Compare(node.left, node.ops, [...node.comparators.slice(0, last), folded], node);
  }

  /** A list or set that is only looked through may be a tuple or a frozenset. */
  iterable(node: ast.expr): ast.expr {
    if (node instanceof ast.List && !node.elts.some((each) => each instanceof ast.Starred))
      return this.all_constant(node.elts, node) ?? new ast.Tuple(node.elts, node.ctx, node);
    if (node instanceof ast.Set) {
      const values = this.all_constant(node.elts, node);
      if (values !== null) return new ast.Constant(frozenset(values.value as unknown[]), null, node);
    }
    return this.fold(node);
  }

  /** The tuple of these elements, if all are constants. */
  private all_constant(elements: readonly ast.expr[], at: ast.Range): ast.Constant | null {
    const values: unknown[] = [];
    for (const each of elements) {
      const folded = this.constant(each);
      if (folded === null) return null;
      values.push(folded.value);
    }
    return new ast.Constant(tuple(values), null, at);
  }
}

/** A frozenset of constants; of equal ones the first is kept. */
export function frozenset(values: readonly unknown[]): PyFrozenSet {
  const seen = new Map<string, unknown>();
  for (const value of values) {
    const key = equality_key(value);
    if (!seen.has(key)) seen.set(key, value);
  }
  // CPython makes it twice, the second time when it shares equal constants; the order of the elements follows from both.
  return new PyFrozenSet(new PyFrozenSet([...seen.values()]).elements);
}

/** Like `constant_key`, but `1`, `1.0` and `True` are equal. */
function equality_key(value: unknown): string {
  const number = value === true ? 1 : value === false ? 0 : value;
  const key = constant_key(number);
  return /^f-?\d+\.0$/.test(key) ? `i${Number(key.slice(1))}` : key;
}

function constant(value: unknown, node: ast.expr): ast.expr {
  return value === NOT_FOLDED ? node : new ast.Constant(value, null, node);
}

function negated(op: ast.cmpop): ast.cmpop | null {
  if (op instanceof ast.Is) return new ast.IsNot();
  if (op instanceof ast.IsNot) return new ast.Is();
  if (op instanceof ast.In) return new ast.NotIn();
  return op instanceof ast.NotIn ? new ast.In() : null;
}
