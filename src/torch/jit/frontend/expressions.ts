/**
 * @file Trees of expressions of Python functions.
 * @mirrors torch/jit/frontend.py
 */
import { ValueError } from "#c10/util/Exception";
import * as ast from "#python/ast/nodes";
import { PyComplex } from "#python/Objects/complexobject";
import { FloatValue } from "#python/Objects/floatobject";
import { str } from "#python/Objects/object";
import { Ellipsis } from "#python/Objects/sliceobject";
import {
  Apply,
  Attribute,
  BinOp,
  Compound,
  Const,
  DictComp,
  DictLiteral,
  Dots,
  Expr,
  Ident,
  type Kind,
  List,
  ListComp,
  ListLiteral,
  Maybe,
  Select,
  SliceExpr,
  type SourceRange,
  Starred,
  StringLiteral,
  Subscript,
  TernaryIf,
  TupleLiteral,
  UnaryOp,
  Var,
} from "../_C.ts";
import { FrontendError, NotSupportedError, UnsupportedNodeError } from "./errors.ts";
import type { SourceContext } from "./source_context.ts";

/** Names that scripts use themselves. */
const RESERVED_PREFIX = "__jit";

const binary_operators = new Map<unknown, Kind>([
  [ast.Add, "+"],
  [ast.Sub, "-"],
  [ast.Mult, "*"],
  [ast.Div, "/"],
  [ast.Pow, "pow operator"],
  [ast.Mod, "%"],
  [ast.FloorDiv, "floordiv"],
  [ast.BitAnd, "&"],
  [ast.BitXor, "^"],
  [ast.BitOr, "|"],
  [ast.LShift, "<<"],
  [ast.RShift, ">>"],
  [ast.MatMult, "@"],
]);

const comparison_operators = new Map<unknown, Kind>([
  [ast.Eq, "eq"],
  [ast.NotEq, "ne"],
  [ast.LtE, "le"],
  [ast.Lt, "<"],
  [ast.GtE, "ge"],
  [ast.Gt, ">"],
  [ast.Is, "is"],
  [ast.IsNot, "is not"],
  [ast.In, "in"],
]);

/** Kinds of the signs, and their lengths in the text. */
const unary_operators = new Map<unknown, readonly [Kind, number]>([
  [ast.Not, ["not", 3]],
  [ast.USub, ["unary minus", 1]],
  [ast.Invert, ["~", 1]],
]);

export function expressions(range: SourceRange, items: readonly Expr[]): List<Expr> {
  return List.of(range, Expr, items);
}

/** The range of an absent part is that of the whole. */
export function maybe(range: SourceRange, item: Expr | null): Maybe<Expr> {
  return Maybe.of(item?.range() ?? range, Expr, item);
}

/** A range that starts where the node starts. */
function start_of(ctx: SourceContext, node: ast.Located, length: number): SourceRange {
  return ctx.make_range(node.lineno, node.col_offset, node.col_offset + length);
}

function build_all(ctx: SourceContext, nodes: readonly ast.expr[]): Expr[] {
  return nodes.map((node) => build_expr(ctx, node));
}

function binary(kind: Kind, lhs: Expr, rhs: Expr): Expr {
  return BinOp.create(lhs.range(), kind, lhs, rhs);
}

/** @throws UnsupportedNodeError for expressions that scripts do not have */
export function build_expr(ctx: SourceContext, node: ast.expr): Expr {
  if (node instanceof ast.Attribute) return build_attribute(ctx, node);
  if (node instanceof ast.Call) return build_call(ctx, node);
  if (node instanceof ast.Name) return build_name(ctx, node);
  if (node instanceof ast.Constant) return build_constant(ctx, node);
  if (node instanceof ast.BinOp) {
    const kind = binary_operators.get(node.op.constructor) as Kind;
    return binary(kind, build_expr(ctx, node.left), build_expr(ctx, node.right));
  }
  if (node instanceof ast.UnaryOp) return build_unary(ctx, node);
  if (node instanceof ast.BoolOp) {
    const kind = node.op instanceof ast.And ? "and" : "or";
    return build_all(ctx, node.values).reduce((lhs, rhs) => binary(kind, lhs, rhs));
  }
  if (node instanceof ast.Compare) return build_compare(ctx, node);
  if (node instanceof ast.IfExp) {
    const [test, body, orelse] = build_all(ctx, [node.test, node.body, node.orelse]);
    return TernaryIf.create(test.range(), test, body, orelse);
  }
  if (node instanceof ast.Subscript) return build_subscript(ctx, node);
  if (node instanceof ast.Starred) return Starred.create(start_of(ctx, node, 1), build_expr(ctx, node.value));
  return build_container(ctx, node);
}

function build_container(ctx: SourceContext, node: ast.expr): Expr {
  if (node instanceof ast.List) {
    const range = start_of(ctx, node, 1);
    return ListLiteral.create(range, expressions(range, build_all(ctx, node.elts)));
  }
  if (node instanceof ast.Tuple) {
    const range = start_of(ctx, node, 1);
    return TupleLiteral.create(range, expressions(range, build_all(ctx, node.elts)));
  }
  if (node instanceof ast.Dict) return build_dict(ctx, node);
  if (node instanceof ast.JoinedStr) return build_joined_str(ctx, node);
  if (node instanceof ast.ListComp || node instanceof ast.GeneratorExp) {
    const [range, target, iter] = build_comprehension(ctx, node, node.generators);
    return ListComp.create(range, build_expr(ctx, node.elt), build_expr(ctx, target), build_expr(ctx, iter));
  }
  if (node instanceof ast.DictComp) {
    const [range, target, iter] = build_comprehension(ctx, node, node.generators);
    const [key, value] = build_all(ctx, [node.key, node.value]);
    return DictComp.create(range, { key, value, target: build_expr(ctx, target), iter: build_expr(ctx, iter) });
  }
  throw new UnsupportedNodeError(ctx, node);
}

/** The name stands behind the point, perhaps after white space. */
function build_attribute(ctx: SourceContext, node: ast.Attribute): Expr {
  const base = build_expr(ctx, node.value);
  const { text } = ctx.source;
  let start = base.range().end + 1;
  while (/\s/.test(text[start] ?? "")) start++;
  const name = Ident.create(ctx.make_raw_range(start, start + node.attr.length), node.attr);
  return Select.create(base.range(), base, name);
}

function build_call(ctx: SourceContext, node: ast.Call): Expr {
  const callee = build_expr(ctx, node.func);
  const args = build_all(ctx, node.args);
  const kwargs = node.keywords.map((keyword) => {
    const value = build_expr(ctx, keyword.value);
    if (!keyword.arg) throw new NotSupportedError(value.range(), "keyword-arg expansion is not supported");
    return Attribute.create(value.range(), Ident.create(value.range(), keyword.arg), value);
  });
  const range = callee.range();
  return Apply.create(range, callee, expressions(range, args), List.of(range, Attribute, kwargs));
}

function build_name(ctx: SourceContext, node: ast.Name): Expr {
  const range = start_of(ctx, node, node.id.length);
  if (node.id.startsWith(RESERVED_PREFIX)) {
    throw new NotSupportedError(
      range,
      `names of variables used in JIT-ed functions can't start with ${RESERVED_PREFIX}`,
    );
  }
  if (node.id === "Ellipsis") return Dots.create(range);
  return Var.create(range, Ident.create(range, node.id));
}

function is_number(value: unknown): boolean {
  return (
    typeof value === "number" || typeof value === "bigint" || value instanceof FloatValue || value instanceof PyComplex
  );
}

function build_constant(ctx: SourceContext, node: ast.Constant): Expr {
  const { value } = node;
  const text = str(value);
  const range = start_of(ctx, node, text.length);
  if (value === null || value === undefined) return new Expr(Compound.create("None", range));
  if (typeof value === "boolean") return new Expr(Compound.create(value ? "True" : "False", range));
  if (is_number(value)) return Const.create(range, text);
  if (typeof value === "string") return StringLiteral.create(start_of(ctx, node, text.length + 1), value);
  if (value === Ellipsis) return Dots.create(start_of(ctx, node, 3));
  throw new FrontendError(range, "Unknown Constant expression type");
}

function build_unary(ctx: SourceContext, node: ast.UnaryOp): Expr {
  const operand = build_expr(ctx, node.operand);
  const found = unary_operators.get(node.op.constructor);
  if (found === undefined) throw new ValueError("unsupported unary operator: UAdd");
  const [kind, length] = found;
  return UnaryOp.create(start_of(ctx, node, length), kind, operand);
}

/** `a < b < c` compares neighbours and joins the results by `and`; `a not in b` is `not (a in b)`. */
function build_compare(ctx: SourceContext, node: ast.Compare): Expr {
  const operands = build_all(ctx, [node.left, ...node.comparators]);
  const compared = node.ops.map((op, i) => {
    const [lhs, rhs] = [operands[i], operands[i + 1]];
    if (op instanceof ast.NotIn) {
      const between = ctx.make_raw_range(lhs.range().end, rhs.range().start);
      return UnaryOp.create(between, "not", binary("in", lhs, rhs));
    }
    return binary(comparison_operators.get(op.constructor) as Kind, lhs, rhs);
  });
  return compared.reduce((lhs, rhs) => binary("and", lhs, rhs));
}

function build_subscript(ctx: SourceContext, node: ast.Subscript): Expr {
  const base = build_expr(ctx, node.value);
  const range = base.range();
  const build_index = (index: ast.expr): Expr => {
    if (!(index instanceof ast.Slice)) return build_expr(ctx, index);
    const [lower, upper, step] = [index.lower, index.upper, index.step].map((part) =>
      maybe(range, part === null ? null : build_expr(ctx, part)),
    );
    return SliceExpr.create(range, lower, upper, step);
  };
  const indices = node.slice instanceof ast.Tuple ? node.slice.elts.map(build_index) : [build_index(node.slice)];
  if (indices.length === 0) {
    const empty = ctx.make_range(node.lineno, node.slice.col_offset, node.slice.col_offset + 2);
    indices.push(TupleLiteral.create(empty, expressions(empty, [])));
  }
  return Subscript.create(range, base, expressions(range, indices));
}

function build_dict(ctx: SourceContext, node: ast.Dict): Expr {
  const range = start_of(ctx, node, 1);
  if (node.keys.length > 0 && !node.keys[0]) {
    throw new NotSupportedError(range, "Dict expansion (e.g. `{**dict}`) is not supported");
  }
  const keys = build_all(ctx, node.keys as ast.expr[]);
  return DictLiteral.create(range, expressions(range, keys), expressions(range, build_all(ctx, node.values)));
}

/** An f-string is a call of `format`. */
function build_joined_str(ctx: SourceContext, node: ast.JoinedStr): Expr {
  let text = "";
  const args: Expr[] = [];
  for (const part of node.values) {
    const range = start_of(ctx, part, 1);
    if (part instanceof ast.FormattedValue) {
      if (part.conversion !== -1) throw new NotSupportedError(range, "Don't support conversion in JoinedStr");
      if (part.format_spec !== null) throw new NotSupportedError(range, "Don't support formatting in JoinedStr");
      text += "{}";
      args.push(build_expr(ctx, part.value));
    } else if (part instanceof ast.Constant) text += part.value;
    else throw new NotSupportedError(range, "Unsupported value in JoinedStr");
  }
  const range = start_of(ctx, node, 1);
  const format = Select.create(range, StringLiteral.create(range, text), Ident.create(range, "format"));
  return Apply.create(range, format, expressions(range, args), List.of(range, Attribute, []));
}

function build_comprehension(
  ctx: SourceContext,
  node: ast.expr,
  generators: readonly ast.comprehension[],
): [SourceRange, ast.expr, ast.expr] {
  const range = start_of(ctx, node, 0);
  if (generators.length !== 1) throw new NotSupportedError(range, "Only a single generator is currently supported");
  if (generators[0].ifs.length > 0) throw new NotSupportedError(range, "Comprehension ifs are not supported yet");
  return [range, generators[0].target, generators[0].iter];
}
