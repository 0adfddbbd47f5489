/**
 * @file The tree of one statement that is typed at a prompt.
 * @mirrors Parser/pegen.c (CPython 3.11): bad_single_statement
 */
import * as ast from "../ast/nodes.ts";
import { parse } from "../Parser/index.ts";
import { Source } from "./compile_error.ts";

const COMPOUND = [
  ast.FunctionDef,
  ast.AsyncFunctionDef,
  ast.ClassDef,
  ast.If,
  ast.For,
  ast.AsyncFor,
  ast.While,
  ast.With,
  ast.AsyncWith,
  ast.Try,
  ast.TryStar,
  ast.Match,
];

/** @throws {SyntaxError_} for more than one compound statement or one line of simple statements */
export function interactive(text: string, filename: string): ast.Interactive {
  const { body } = parse(text, filename) as ast.Module;
  const source = new Source(filename, text);
  const [first] = body;
  if (first === undefined) {
    const lineno = text === "" ? 0 : 1;
    throw source.error_at("invalid syntax", lineno, 0, lineno, 0);
  }
  const is_compound = COMPOUND.some((class_) => first instanceof class_);
  const second = body.findIndex((each, i) => i > 0 && (is_compound || each.lineno > body[i - 1].end_lineno));
  if (second < 0) return new ast.Interactive(body);
  const { lineno, col_offset } = body[second];
  if (is_compound) {
    const word = /^\w+|^./u.exec(text.split(/\r\n|\r|\n/)[lineno - 1])?.[0] ?? "";
    throw source.error_at("invalid syntax", lineno, col_offset + 1, lineno, col_offset + 1 + word.length);
  }
  const { end_lineno, end_col_offset } = body[second - 1];
  const message = "multiple statements found while compiling a single statement";
  throw source.error_at(message, end_lineno, end_col_offset + 1, end_lineno, end_col_offset + 1);
}
