/**
 * @file Syntax trees of scripts from Python functions.
 * @mirrors torch/jit/frontend.py
 * @differs Ours reads the tree that the function was compiled from; PyTorch reads the file of the function and parses it again.
 */
import { RuntimeError } from "#c10/util/Exception";
import * as ast from "#python/ast/nodes";
import { FUNCTION } from "#python/Objects/call";
import { OSError } from "#python/Objects/exceptions";
import { is_function, type PyFunction } from "#python/Objects/funcobject";
import { repr } from "#python/Objects/object";
import { ErrorReport } from "../../csrc-equivalent/jit/frontend/error_report.ts";
import {
  Decl,
  Def,
  Expr,
  Ident,
  List,
  Maybe,
  Param,
  Stmt,
  Var,
} from "../../csrc-equivalent/jit/frontend/tree_views.ts";
import { NotSupportedError } from "./errors.ts";
import { build_expr, maybe } from "./expressions.ts";
import { lines_of_block, SourceContext } from "./source_context.ts";
import { build_stmts } from "./statements.ts";

const VARARG_KWARG_ERROR =
  "Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults";

export interface ParsedDef {
  readonly node: ast.FunctionDef;
  readonly ctx: SourceContext;
}

/** @throws {OSError} if the text of the function is not known: it is not Python */
export function parse_def(fn: unknown): ParsedDef {
  const code = is_function(fn) ? (fn as PyFunction)[FUNCTION].code : null;
  if (code === null || code.node === null) {
    const stack = ErrorReport.current_call_stack();
    throw new OSError(
      `Can't get source for ${repr(fn)}. TorchScript requires source access in order to carry out compilation, ` +
        `make sure original .py files are available.${stack === "" ? "" : `\n${stack}`}`,
    );
  }
  const { node } = code;
  if (!(node instanceof ast.FunctionDef)) {
    throw new RuntimeError(`Expected a single top-level function: ${code.co_filename}:${code.co_firstlineno}`);
  }
  const first = node.decorator_list[0]?.lineno ?? node.lineno;
  const text = lines_of_block(code.co_filename, first, node.end_lineno, node.body[0].col_offset);
  return { node, ctx: new SourceContext(text, code.co_filename, first, node.name) };
}

export interface DefOptions {
  /** Name of the class, for a method. */
  readonly self_name?: string | null;
  /** What replaces the body, for a method that is not compiled. */
  readonly body?: readonly ast.stmt[] | null;
}

/** The tree of a function, under another name. */
export function get_jit_def(fn: unknown, def_name: string, { self_name = null, body = null }: DefOptions = {}): Def {
  const { node, ctx } = parse_def(fn);
  const range = ctx.make_range(node.lineno, node.col_offset, node.col_offset + "def".length);
  const params = List.of(range, Param, build_param_list(ctx, node.args, self_name));
  const returns = node.returns === null ? null : build_expr(ctx, node.returns);
  const decl = Decl.create(range, params, maybe(range, returns));
  const statements = List.of(range, Stmt, build_stmts(ctx, body ?? node.body));
  return Def.create(range, Ident.create(range, def_name), decl, statements);
}

function build_param_list(ctx: SourceContext, args: ast.arguments_, self_name: string | null): Param[] {
  for (const variable of [args.kwarg, args.vararg]) {
    if (variable === null) continue;
    const { lineno, col_offset } = variable;
    throw new NotSupportedError(
      ctx.make_range(lineno, col_offset - 1, col_offset + variable.arg.length),
      VARARG_KWARG_ERROR,
    );
  }
  for (const value of args.kw_defaults) {
    if (value !== null) throw new NotSupportedError(build_expr(ctx, value).range(), VARARG_KWARG_ERROR);
  }
  return [
    ...args.args.map((arg) => build_param(ctx, arg, self_name, false)),
    ...args.kwonlyargs.map((arg) => build_param(ctx, arg, self_name, true)),
  ];
}

function build_param(ctx: SourceContext, arg: ast.arg, self_name: string | null, kwarg_only: boolean): Param {
  const range = ctx.make_range(arg.lineno, arg.col_offset, arg.col_offset + arg.arg.length);
  let annotation: Expr | null = null;
  if (arg.annotation !== null) annotation = build_expr(ctx, arg.annotation);
  else if (self_name !== null && arg.arg === "self") {
    annotation = Var.create(range, Ident.create(range, self_name));
  }
  return Param.create(
    range,
    Ident.create(range, arg.arg),
    maybe(range, annotation),
    Maybe.of<Expr>(range, Expr),
    kwarg_only,
  );
}
