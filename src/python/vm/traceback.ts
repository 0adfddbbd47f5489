/**
 * @file The text of an exception with its traceback, as Python prints it.
 * @mirrors Lib/traceback.py, Python/traceback.c (CPython 3.11)
 */
import * as ast from "../ast/nodes.ts";
import { Code, type Position } from "../compiler/code.ts";
import { BaseException, type PyTraceback } from "../Objects/exceptions.ts";
import { getattr_or_undefined, str } from "../Objects/object.ts";
import { full_name, type_of } from "../Objects/typeobject.ts";
import { SyntaxError_ } from "../Parser/errors.ts";
import { parse } from "../Parser/index.ts";
import { display_width } from "./display_width.ts";
import { as_python_exception } from "./errors.ts";
import type { Frame } from "./frame.ts";
import { did_you_mean } from "./suggestions.ts";

/** The texts of the programs that run, by file name, as `linecache` keeps them; the host may find others. */
export const sources = new Map<string, string>();
export const source_finder: { find: (filename: string) => string | null } = { find: () => null };

/** Code of texts that `exec`, `eval` and `compile` got: their file name may be that of the program, but their lines are not known. */
const without_source = new WeakSet<Code>();

export function forget_source(code: Code): void {
  without_source.add(code);
  for (const value of code.co_consts) if (value instanceof Code) forget_source(value);
}

/** The text of a file of a program; empty if nobody knows it. */
export function text_of_file(filename: string): string {
  let text = sources.get(filename);
  if (text === undefined) {
    text = source_finder.find(filename) ?? "";
    sources.set(filename, text);
  }
  return text;
}

/** A line of a program, numbered from 1; null if its text is not known. */
export function source_line(filename: string, lineno: number): string | null {
  return text_of_file(filename).split(/\r\n|\n|\r/)[lineno - 1] ?? null;
}

/** The text of a line of the program to which this code belongs; null if its text is not known. */
export function text_of_line(code: Code, lineno: number): string | null {
  return without_source.has(code) ? null : source_line(code.co_filename, lineno);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The text before a column that counts UTF-8 bytes. */
function before(line: string, bytes: number): string {
  return decoder.decode(encoder.encode(line).slice(0, bytes));
}

/** Columns before a column that counts UTF-8 bytes. */
function columns(line: string, bytes: number): number {
  return display_width(before(line, bytes));
}

/** `~~^~~`: of a binary operation or subscript, the operator alone is marked with `^`. Null where the whole line is at fault. */
function marks(line: string, position: Position): string | null {
  const { lineno, end_lineno, col_offset, end_col_offset } = position;
  if (lineno === null || col_offset === null || end_col_offset === null) return null;
  const start = columns(line, col_offset);
  const stripped = line.trimStart();
  const indent = line.length - stripped.length;
  const one_line = end_lineno === lineno;
  const end = one_line ? columns(line, end_col_offset) : display_width(line.trimEnd());
  const segment = one_line ? before(line, end_col_offset).slice(before(line, col_offset).length) : null;
  const anchors = segment === null ? null : anchors_of(segment);
  if (anchors === null && display_width(stripped.trimEnd()) <= end - start) return null;
  const left = " ".repeat(Math.max(0, start - indent));
  if (anchors === null) return left + "^".repeat(end - start);
  const [from, to] = anchors;
  return left + "~".repeat(from) + "^".repeat(to - from) + "~".repeat(end - start - to);
}

/** The columns of an expression's operator in its text; null if it is no binary operation and no subscript. */
function anchors_of(segment: string): [from: number, to: number] | null {
  let tree: ast.mod;
  try {
    tree = parse(segment, "<traceback>");
  } catch {
    return null;
  }
  const [statement] = (tree as ast.Module).body;
  if ((tree as ast.Module).body.length !== 1 || !(statement instanceof ast.Expr)) return null;
  const { value } = statement;
  if (value instanceof ast.BinOp) {
    const left = before(segment, value.left.end_col_offset);
    const operator_text = before(segment, value.right.col_offset).slice(left.length);
    const offset = operator_text.search(/[^\s)]/);
    if (offset < 0) return null;
    const two = /[^\s)(]/.test(operator_text[offset + 1] ?? " ") ? 2 : 1;
    const begin = display_width(left) + offset;
    return [begin, begin + two];
  }
  if (value instanceof ast.Subscript) {
    return [columns(segment, value.value.end_col_offset), columns(segment, value.slice.end_col_offset) + 1];
  }
  return null;
}

/** One entry: file, line, function, the line's text and its marks. */
function entry(tb: PyTraceback): string {
  const frame = tb.tb_frame as Frame;
  const { code } = frame.prepared;
  let text = `  File "${code.co_filename}", line ${tb.tb_lineno}, in ${code.co_name}\n`;
  const line = text_of_line(code, tb.tb_lineno);
  if (line === null || line.trim() === "") return text;
  text += `    ${line.trim()}\n`;
  const position = code.co_positions()[tb.tb_lasti];
  const below = position === undefined || position.lineno !== tb.tb_lineno ? null : marks(line, position);
  return below === null ? text : `${text}    ${below}\n`;
}

/** The entries of a traceback. After three equal ones a line counts the rest. */
export function format_tb(first: PyTraceback | null): string {
  let text = "";
  let last = "";
  let repeated = 0;
  const close = (): void => {
    if (repeated > 3) {
      const more = repeated - 3;
      text += `  [Previous line repeated ${more} more time${more === 1 ? "" : "s"}]\n`;
    }
  };
  for (let tb = first; tb !== null; tb = tb.tb_next) {
    const now = entry(tb);
    const key = now.split("\n")[0] as string;
    if (key !== last) {
      close();
      last = key;
      repeated = 0;
    }
    repeated++;
    if (repeated <= 3) text += now;
  }
  close();
  return text;
}

function text_of(error: BaseException): string {
  try {
    return str(error);
  } catch {
    return "<exception str() failed>";
  }
}

/** The last lines: class and text, below a syntax error's place, and notes. `hints`: names that the program may have meant. */
export function format_exception_only(error: BaseException, hints = false): string {
  const type = type_of(error);
  const name = full_name(type).replace(/^(__main__|builtins)\./, "");
  let text = "";
  if (error instanceof SyntaxError_) {
    const { filename, lineno, text: line } = error;
    if (lineno > 0) text += `  File "${filename}", line ${lineno}\n`;
    if (line !== null && lineno > 0) {
      const stripped = line.replace(/\n$/, "").trimStart();
      const shift = line.replace(/\n$/, "").length - stripped.length;
      text += `    ${stripped.trimEnd()}\n`;
      const from = error.offset - 1 - shift;
      if (error.offset > 0 && from >= 0) {
        const until =
          error.end_lineno === lineno && error.end_offset > error.offset ? error.end_offset - 1 - shift : from + 1;
        text += `    ${" ".repeat(from)}${"^".repeat(Math.max(1, until - from))}\n`;
      }
    }
    text += `${name}: ${error.message}\n`;
  } else {
    const message = text_of(error);
    text += `${message === "" ? name : `${name}: ${message}`}${hints ? did_you_mean(error) : ""}\n`;
  }
  const notes = error.__notes__ ?? getattr_or_undefined(error, "__notes__");
  if (Array.isArray(notes)) for (const note of notes) text += `${String(note)}\n`;
  return text;
}

/** The whole text, with the exceptions that led to this one before it. Ends with a line break. Any thrown value is taken as the machine takes it. */
export function format_exception(raised: unknown, seen: Set<BaseException> = new Set()): string {
  const error = as_python_exception(raised);
  seen.add(error);
  let text = "";
  const { __cause__: cause, __context__: context } = error;
  if (cause instanceof BaseException && !seen.has(cause))
    text = `${format_exception(cause, seen)}\nThe above exception was the direct cause of the following exception:\n\n`;
  else if (context instanceof BaseException && !error.__suppress_context__ && !seen.has(context))
    text = `${format_exception(context, seen)}\nDuring handling of the above exception, another exception occurred:\n\n`;
  if (error.__traceback__ !== null) text += `Traceback (most recent call last):\n${format_tb(error.__traceback__)}`;
  return text + format_exception_only(error, true);
}
