/**
 * @file Syntax trees of scripts from Python functions.
 * @mirrors torch/jit/frontend.py
 * @differs Ours reads the tree that the function was compiled from; PyTorch reads the file of the function and parses it again.
 */
import { RuntimeError } from "#c10/util/Exception";
import * as ast from "#python/ast/nodes";
import { builtins } from "#python/Objects/builtins_of";
import { FUNCTION } from "#python/Objects/call";
import { OSError } from "#python/Objects/exceptions";
import { is_function, METHOD, type PyFunction, type PyMethod } from "#python/Objects/funcobject";
import { getattr, getattr_or_undefined, repr } from "#python/Objects/object";
import { info_of, type_of } from "#python/Objects/typeobject";
import { parse } from "#python/Parser/index";
import { text_of_file } from "#python/vm/traceback";
import {
  Assign,
  ClassDef,
  Decl,
  Def,
  ErrorReport,
  Expr,
  Ident,
  List,
  Maybe,
  Param,
  Property,
  type SourceRange,
  Stmt,
  Var,
} from "../_C.ts";
import { FunctionModifiers, functions_of, get_torchscript_modifier, should_drop } from "../_jit_internal.ts";
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
  const method = typeof fn === "function" && METHOD in fn ? (fn as unknown as PyMethod)[METHOD].func : fn;
  const code = is_function(method) ? (method as PyFunction)[FUNCTION].code : null;
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
  /** The statements in place of the body, for a method that is not compiled. */
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

/** The node of a class in the text of the file in which its methods stand; null if the text is not known. */
function class_node(filename: string, qualname: string): ast.ClassDef | null {
  const text = text_of_file(filename);
  if (text === "") return null;
  const path = qualname.split(".").filter((part) => part !== "<locals>");
  let body: readonly ast.stmt[] = (parse(text, filename) as ast.Module).body;
  let found: ast.ClassDef | null = null;
  for (const part of path) {
    const node = body.find(
      (stmt) => (stmt instanceof ast.ClassDef || stmt instanceof ast.FunctionDef) && stmt.name === part,
    );
    if (!(node instanceof ast.ClassDef) && !(node instanceof ast.FunctionDef)) return null;
    found = node instanceof ast.ClassDef ? node : null;
    body = node.body;
  }
  return found;
}

/** The tree of a class: its methods and its properties, each compiled from its own text. */
export function get_jit_class_def(cls: unknown, self_name: string): ClassDef {
  const methods = functions_of(cls)
    .filter(([, fn]) => get_torchscript_modifier(fn) !== FunctionModifiers._DROP)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const defs = methods.map(([name, fn]) => get_jit_def(fn, name, { self_name, body: dropped_body(fn) }));
  const qualname = getattr(cls, "__qualname__") as string;
  const [, first] = methods[0] ?? [];
  const filename = first === undefined ? "" : (first as PyFunction)[FUNCTION].code.co_filename;
  const node = class_node(filename, qualname);
  const range = class_range(node, filename);
  return ClassDef.create(
    range,
    Ident.create(range, self_name),
    Maybe.of<Expr>(range, Expr),
    List.of<Stmt>(
      range,
      Stmt,
      defs.map((def) => new Stmt(def.get())),
    ),
    List.of<Property>(range, Property, get_class_properties(cls, self_name)),
    List.of<Assign>(range, Assign, []),
  );
}

function class_range(node: ast.ClassDef | null, filename: string): SourceRange {
  if (node === null) return new SourceContext("", filename, 1).make_raw_range(0, 0);
  const first = node.decorator_list[0]?.lineno ?? node.lineno;
  const text = lines_of_block(filename, first, node.end_lineno, node.body[0].col_offset);
  const ctx = new SourceContext(text, filename, first);
  return ctx.make_range(node.lineno, node.col_offset, node.col_offset + "class".length);
}

function get_class_properties(cls: unknown, self_name: string): Property[] {
  const unused = (getattr_or_undefined(cls, "__jit_unused_properties__") ?? []) as readonly string[];
  const property_class = builtins.get("property");
  const found = [...(info_of(cls)?.dict ?? [])].filter(([, value]) => type_of(value).cls === property_class);
  return found
    .filter(([name, value]) => !unused.includes(name) && !should_drop(getattr(value, "fget")))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      const getter = get_jit_def(getattr(value, "fget"), `__${name}_getter`, { self_name });
      const fset = getattr(value, "fset");
      const setter = fset === null ? null : get_jit_def(fset, `__${name}_setter`, { self_name });
      const range = getter.range();
      return Property.create(range, Ident.create(range, name), getter, Maybe.of(setter?.range() ?? range, Def, setter));
    });
}

let unused_body: readonly ast.stmt[] | null = null;

/** The body that a method under `@torch.jit.unused` has in a script. */
function dropped_body(fn: unknown): readonly ast.stmt[] | null {
  if (!should_drop(fn)) return null;
  unused_body ??= (parse('raise RuntimeError("Cannot call @unused methods")', "<string>") as ast.Module).body;
  return unused_body;
}
