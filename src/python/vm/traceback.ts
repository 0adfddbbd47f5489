/**
 * @file The text of a traceback: frames with their lines, and marks below what is at fault.
 * @mirrors Lib/traceback.py, Python/traceback.c (CPython 3.11)
 */
import * as ast from "../ast/nodes.ts";
import { Code, type Position } from "../compiler/code.ts";
import type { PyTraceback } from "../Objects/exceptions.ts";
import { parse } from "../Parser/index.ts";
import { display_width } from "./display_width.ts";
import type { Frame } from "./frame.ts";

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
  /** The next place that is no blank and no closing bracket. */
  const behind_brackets = (start: number): number => {
    let at = start;
    while (at < segment.length && /[\s)]/.test(segment[at] as string)) at++;
    return at;
  };
  if (value instanceof ast.BinOp) {
    const { end_col_offset: left } = value.left;
    const between = before(segment, value.right.col_offset).slice(before(segment, left).length);
    // CPython counts bytes here, and looks at the character of that number.
    const begin = behind_brackets(left + between.length - between.trimStart().length);
    // One column more if another sign follows, which need not be the operator's: CPython does not look what it is.
    const two = /^\s*\S\S/.test(between) ? 2 : 1;
    return [columns(segment, begin), columns(segment, begin + two)];
  }
  if (value instanceof ast.Subscript) {
    const [from, to] = [value.value, value.slice].map(({ end_col_offset }) =>
      display_width(segment.slice(0, behind_brackets(before(segment, end_col_offset).length))),
    ) as [number, number];
    return [from, to + 1];
  }
  return null;
}

/** One frame of a traceback. */
export interface Entry {
  readonly filename: string;
  readonly lineno: number;
  readonly name: string;
  /** The whole line with its indentation; null if it is not known. */
  readonly line: string | null;
  /** The part of the line that ran; null: nothing is marked. */
  readonly position: Position | null;
}

/** File, line, function, the line's text and its marks. */
function entry_text({ filename, lineno, name, line, position }: Entry): string {
  const text = `  File "${filename}", line ${lineno}, in ${name}\n`;
  if (line === null || line.trim() === "") return text;
  const below = position === null || position.lineno !== lineno ? null : marks(line, position);
  return `${text}    ${line.trim()}\n${below === null ? "" : `    ${below}\n`}`;
}

/**
 * The entries of a traceback.
 * @param limit how many of the first entries, or, if negative, of the last ones; null: all
 */
export function entries_of(first: PyTraceback | null, limit: number | null = null): Entry[] {
  const all: PyTraceback[] = [];
  for (let tb = first; tb !== null; tb = tb.tb_next) all.push(tb);
  return (limit === null ? all : limit < 0 ? all.slice(limit) : all.slice(0, limit)).map((tb) => {
    const { code } = (tb.tb_frame as Frame).prepared;
    return {
      filename: code.co_filename,
      lineno: tb.tb_lineno,
      name: code.co_name,
      line: text_of_line(code, tb.tb_lineno),
      position: code.co_positions()[tb.tb_lasti] ?? null,
    };
  });
}

/** The texts of entries. After three equal ones a line counts the rest. */
export function format_entries(entries: readonly Entry[]): string[] {
  const texts: string[] = [];
  let last = "";
  let repeated = 0;
  const close = (): void => {
    if (repeated > 3) {
      const more = repeated - 3;
      texts.push(`  [Previous line repeated ${more} more time${more === 1 ? "" : "s"}]\n`);
    }
  };
  for (const entry of entries) {
    const now = entry_text(entry);
    const key = now.split("\n")[0] as string;
    if (key !== last) {
      close();
      last = key;
      repeated = 0;
    }
    repeated++;
    if (repeated <= 3) texts.push(now);
  }
  close();
  return texts;
}
