/**
 * @file `from __future__ import ...` at the beginning of a program.
 * @mirrors Python/future.c (CPython 3.11)
 */
import * as ast from "../ast/nodes.ts";
import { CO } from "./code.ts";
import type { Source } from "./compile_error.ts";

export interface Future {
  /** Bits of `co_flags` that every code object of the program gets. */
  readonly flags: number;
  /** Line of the last `from __future__`; -1 without one. Such a statement below it comes too late. */
  readonly lineno: number;
}

/** Bits of `co_flags` that each feature sets. Most features have become the rule. */
const FEATURES: ReadonlyMap<string, number> = new Map([
  ["nested_scopes", 0],
  ["generators", 0],
  ["division", 0],
  ["absolute_import", 0],
  ["with_statement", 0],
  ["print_function", 0],
  ["unicode_literals", 0],
  ["generator_stop", 0],
  ["annotations", CO.FUTURE_ANNOTATIONS],
]);

export const TOO_LATE = "from __future__ imports must occur at the beginning of the file";

/** @param inherited bits that are set from the beginning */
export function future_of(body: readonly ast.stmt[], source: Source, inherited: number): Future {
  let flags = inherited;
  let lineno = -1;
  let done = false;
  let previous = 0;
  for (const statement of body) {
    // Statements that share a line with the last possible place are still looked at.
    if (done && statement.lineno > previous) break;
    previous = statement.lineno;
    if (statement instanceof ast.ImportFrom && statement.module === "__future__") {
      // CPython names the column before the statement here.
      if (done) throw source.error_at(TOO_LATE, statement.lineno, statement.col_offset, statement.lineno, 0);
      for (const { name } of statement.names) flags |= feature(name, statement, source);
      ({ lineno } = statement);
    } else if (!(statement instanceof ast.Expr && is_string(statement.value))) done = true;
  }
  return { flags, lineno };
}

function feature(name: string, at: ast.stmt, source: Source): number {
  const flag = FEATURES.get(name);
  if (flag !== undefined) return flag;
  const message = name === "braces" ? "not a chance" : `future feature ${name} is not defined`;
  throw source.error_at(message, at.lineno, at.col_offset + 1, at.lineno, 0);
}

function is_string(node: ast.expr): boolean {
  return node instanceof ast.Constant && typeof node.value === "string";
}
