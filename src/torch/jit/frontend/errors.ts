/**
 * @file Errors of Python programs that a script cannot hold.
 * @mirrors torch/jit/frontend.py
 */
import { Exception, named } from "#c10/util/Exception";
import * as ast from "#python/ast/nodes";
import { ErrorReport, type SourceRange } from "../_C.ts";
import type { SourceContext } from "./source_context.ts";

/** The message, then the marked source. */
export class FrontendError extends Exception {
  constructor(range: SourceRange | null, message: string) {
    super(message + (range === null ? "" : new ErrorReport(range).message.trimStart()));
  }
}

export class NotSupportedError extends FrontendError {}

export class FrontendTypeError extends FrontendError {}

/** Words by which statements and expressions start, which the error marks. */
const node_start_tokens = new Map<unknown, string>([
  [ast.FunctionDef, "def"],
  [ast.For, "for"],
  [ast.Delete, "del"],
  [ast.ClassDef, "class"],
  [ast.With, "with"],
  [ast.Raise, "raise"],
  [ast.Assert, "assert"],
  [ast.Import, "import"],
  [ast.ImportFrom, "from"],
  [ast.Global, "global"],
  [ast.Break, "break"],
  [ast.Continue, "continue"],
  [ast.AsyncFunctionDef, "async def"],
  [ast.AsyncFor, "async for"],
  [ast.AsyncWith, "async with"],
  [ast.Try, "try"],
  [ast.Nonlocal, "nonlocal"],
]);

const pretty_node_names = new Map<unknown, string>([
  [ast.FunctionDef, "function definitions"],
  [ast.For, "for loops"],
  [ast.Delete, "del statements"],
  [ast.ClassDef, "class definitions"],
  [ast.With, "with statements"],
  [ast.Raise, "raise statements"],
  [ast.Assert, "assertions"],
  [ast.Import, "import statements"],
  [ast.ImportFrom, "import statements"],
  [ast.Global, "global variables"],
  [ast.Break, "break statements"],
  [ast.Continue, "continue statements"],
  [ast.AsyncFunctionDef, "async function definitions"],
  [ast.AsyncFor, "async for loops"],
  [ast.AsyncWith, "async with statements"],
  [ast.Try, "try blocks"],
  [ast.Nonlocal, "nonlocal variables"],
  [ast.AnnAssign, "annotated assignments"],
]);

export class UnsupportedNodeError extends NotSupportedError {
  constructor(ctx: SourceContext, node: ast.Located, reason = "") {
    const length = (node_start_tokens.get(node.constructor) ?? " ").length;
    const range = ctx.make_range(node.lineno, node.col_offset, node.col_offset + length);
    const name = pretty_node_names.get(node.constructor) ?? node.constructor.__name__ ?? node.constructor.name;
    super(range, `${name} ${reason === "" ? "" : `${reason} `}aren't supported`);
  }
}
named(FrontendError, "FrontendError");
named(NotSupportedError, "NotSupportedError");
named(UnsupportedNodeError, "UnsupportedNodeError");
named(FrontendTypeError, "FrontendTypeError");
