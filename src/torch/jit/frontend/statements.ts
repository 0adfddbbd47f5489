/**
 * @file Trees of statements of Python functions.
 * @mirrors torch/jit/frontend.py
 */
import { ValueError } from "#c10/util/Exception";
import * as ast from "#python/ast/nodes";
import {
  Assert,
  Assign,
  AugAssign,
  Break,
  Compound,
  Continue,
  Delete,
  Expr,
  ExprStmt,
  For,
  If,
  type Kind,
  List,
  Maybe,
  Pass,
  Raise,
  Return,
  type SourceRange,
  Stmt,
  Var,
  While,
  With,
  WithItem,
} from "../_C.ts";
import { NotSupportedError, UnsupportedNodeError } from "./errors.ts";
import { build_expr, expressions, maybe } from "./expressions.ts";
import type { SourceContext } from "./source_context.ts";

const augmented_operators = new Map<unknown, Kind>([
  [ast.Add, "+"],
  [ast.Sub, "-"],
  [ast.Mult, "*"],
  [ast.Div, "/"],
  [ast.Mod, "%"],
  [ast.BitOr, "|"],
  [ast.BitAnd, "&"],
  [ast.BitXor, "^"],
  [ast.LShift, "<<"],
  [ast.RShift, ">>"],
  [ast.Pow, "pow operator"],
]);

/** Names of the operators that an augmented assignment cannot have. */
const refused_operators = new Map<unknown, string>([
  [ast.FloorDiv, "FloorDiv"],
  [ast.MatMult, "MatMult"],
]);

export function build_stmts(ctx: SourceContext, nodes: readonly ast.stmt[]): Stmt[] {
  return nodes.map((node) => build_stmt(ctx, node));
}

function block(ctx: SourceContext, range: SourceRange, nodes: readonly ast.stmt[]): List<Stmt> {
  return List.of(range, Stmt, build_stmts(ctx, nodes));
}

function keyword(ctx: SourceContext, node: ast.stmt, word: string): SourceRange {
  return ctx.make_range(node.lineno, node.col_offset, node.col_offset + word.length);
}

/** @throws UnsupportedNodeError for statements that scripts do not have */
export function build_stmt(ctx: SourceContext, node: ast.stmt): Stmt {
  if (node instanceof ast.Expr) {
    const expr = build_expr(ctx, node.value);
    return ExprStmt.create(expr.range(), expr);
  }
  if (node instanceof ast.Assign) return build_assign(ctx, node);
  if (node instanceof ast.AnnAssign) return build_ann_assign(ctx, node);
  if (node instanceof ast.AugAssign) return build_aug_assign(ctx, node);
  if (node instanceof ast.Return) {
    const range = keyword(ctx, node, "return");
    return Return.create(
      range,
      node.value === null ? new Expr(Compound.create("None", range)) : build_expr(ctx, node.value),
    );
  }
  if (node instanceof ast.If) {
    const range = keyword(ctx, node, "if");
    const test = build_expr(ctx, node.test);
    return If.create(range, test, block(ctx, range, node.body), block(ctx, range, node.orelse));
  }
  if (node instanceof ast.For) return build_for(ctx, node);
  if (node instanceof ast.While) return build_while(ctx, node);
  if (node instanceof ast.With) return build_with(ctx, node);
  return build_simple(ctx, node);
}

function build_simple(ctx: SourceContext, node: ast.stmt): Stmt {
  if (node instanceof ast.Pass) return Pass.create(keyword(ctx, node, "pass"));
  if (node instanceof ast.Break) return Break.create(keyword(ctx, node, "break"));
  if (node instanceof ast.Continue) return Continue.create(keyword(ctx, node, "continue"));
  if (node instanceof ast.Raise) {
    if (node.exc === null) throw new UnsupportedNodeError(ctx, node);
    return Raise.create(keyword(ctx, node, "raise"), build_expr(ctx, node.exc));
  }
  if (node instanceof ast.Assert) {
    const range = keyword(ctx, node, "assert");
    const test = build_expr(ctx, node.test);
    return Assert.create(range, test, maybe(range, node.msg === null ? null : build_expr(ctx, node.msg)));
  }
  if (node instanceof ast.Delete) {
    const range = keyword(ctx, node, "del");
    const targets = node.targets.map((target) => build_expr(ctx, target));
    return Delete.create(range, expressions(range, targets));
  }
  throw new UnsupportedNodeError(ctx, node);
}

function assign(lhs: readonly Expr[], rhs: Expr, type: Expr | null): Assign {
  const range = lhs[0].range();
  return Assign.create(range, expressions(range, lhs), maybe(range, rhs), maybe(range, type));
}

export function build_assign(ctx: SourceContext, node: ast.Assign): Assign {
  const rhs = build_expr(ctx, node.value);
  const lhs = node.targets.map((target) => build_expr(ctx, target));
  return assign(lhs, rhs, null);
}

/** The type of `self.x` may only be declared where the object is made. */
export function build_ann_assign(ctx: SourceContext, node: ast.AnnAssign): Assign {
  if (node.value === null) throw new UnsupportedNodeError(ctx, node, "without assigned value");
  const { target, annotation } = node;
  const attribute = target instanceof ast.Attribute && target.value instanceof ast.Name && target.value.id === "self";
  if (attribute && ctx.funcname !== "__init__") {
    let end = node.col_offset + `self.${target.attr}`.length;
    if (annotation instanceof ast.Name) end += `: ${annotation.id}`.length;
    const range = ctx.make_range(node.lineno, node.col_offset, end);
    throw new ValueError(
      `Type annotations on instance attributes must be declared in __init__, not '${ctx.funcname}': SourceRange at:\n${range.highlight()}`,
    );
  }
  const rhs = build_expr(ctx, node.value);
  const lhs = build_expr(ctx, target);
  return assign([lhs], rhs, build_expr(ctx, annotation));
}

function build_aug_assign(ctx: SourceContext, node: ast.AugAssign): Stmt {
  const lhs = build_expr(ctx, node.target);
  const rhs = build_expr(ctx, node.value);
  const kind = augmented_operators.get(node.op.constructor);
  if (kind === undefined) {
    const equals = ctx.source.text.lastIndexOf("=", rhs.range().start - 1);
    throw new NotSupportedError(
      ctx.make_raw_range(equals - 1, equals + 1),
      `unsupported kind of augmented assignment: ${refused_operators.get(node.op.constructor)}`,
    );
  }
  return AugAssign.create(lhs.range(), lhs, Compound.create(kind, lhs.range()), rhs);
}

function build_while(ctx: SourceContext, node: ast.While): Stmt {
  if (node.orelse.length > 0) throw new NotSupportedError(null, "else branches of while loops aren't supported");
  const range = keyword(ctx, node, "while");
  return While.create(range, build_expr(ctx, node.test), block(ctx, range, node.body));
}

function build_for(ctx: SourceContext, node: ast.For): Stmt {
  const range = keyword(ctx, node, "for");
  if (node.orelse.length > 0) throw new NotSupportedError(range, "else branches of for loops aren't supported");
  const target = expressions(range, [build_expr(ctx, node.target)]);
  const iter = expressions(range, [build_expr(ctx, node.iter)]);
  return For.create(range, target, iter, block(ctx, range, node.body));
}

function build_with(ctx: SourceContext, node: ast.With): Stmt {
  const range = keyword(ctx, node, "with");
  const items = node.items.map((item) => {
    const { lineno, col_offset } = item.context_expr;
    const at = ctx.make_range(lineno, col_offset, col_offset + "with statements".length);
    const target = build_expr(ctx, item.context_expr);
    const variable = item.optional_vars === null ? null : new Var(build_expr(ctx, item.optional_vars).get());
    return WithItem.create(at, target, Maybe.of(variable?.range() ?? at, Var, variable));
  });
  return With.create(range, List.of(range, WithItem, items), block(ctx, range, node.body));
}
