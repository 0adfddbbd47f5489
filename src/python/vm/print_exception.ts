/**
 * @file The text of an exception, as Python prints it: the exceptions that led to it, its traceback, its class and message, the exceptions of a group.
 * @mirrors Lib/traceback.py (CPython 3.11): TracebackException; Python/pythonrun.c: print_exception
 */
import { BaseException, BaseExceptionGroup } from "../Objects/exceptions.ts";
import { getattr_or_undefined, str } from "../Objects/object.ts";
import { full_name, type_of } from "../Objects/typeobject.ts";
import { SyntaxError_ } from "../Parser/errors.ts";
import { as_python_exception } from "./errors.ts";
import { did_you_mean } from "./suggestions.ts";
import { entries_of, format_entries } from "./traceback.ts";

function text_of(error: BaseException): string {
  try {
    return str(error);
  } catch {
    return "<exception str() failed>";
  }
}

/** Class and text of an exception, and notes, each with its line break; a syntax error begins with its place. `hints`: names that the program may have meant. */
export function exception_lines(error: BaseException, hints: boolean): string[] {
  const type = type_of(error);
  const name = full_name(type).replace(/^(__main__|builtins)\./, "");
  const lines: string[] = [];
  if (error instanceof SyntaxError_) lines.push(...place_of(error), `${name}: ${error.message}\n`);
  else {
    const message = text_of(error);
    lines.push(`${message === "" ? name : `${name}: ${message}`}${hints ? did_you_mean(error) : ""}\n`);
  }
  const notes = error.__notes__ ?? getattr_or_undefined(error, "__notes__");
  if (Array.isArray(notes))
    for (const note of notes)
      lines.push(
        ...String(note)
          .split("\n")
          .map((line) => `${line}\n`),
      );
  return lines;
}

/** File and line of a syntax error, the line's text, and what is wrong there. */
function place_of({ filename, lineno, end_lineno, offset, end_offset, text }: SyntaxError_): string[] {
  if (lineno <= 0) return [];
  const lines = [`  File "${filename}", line ${lineno}\n`];
  if (text === null) return lines;
  const line = text.replace(/\n$/, "");
  const stripped = line.trimStart();
  const shift = line.length - stripped.length;
  lines.push(`    ${stripped.trimEnd()}\n`);
  const from = offset - 1 - shift;
  if (offset > 0 && from >= 0) {
    const until = end_lineno === lineno && end_offset > offset ? end_offset - 1 - shift : from + 1;
    lines.push(`    ${" ".repeat(from)}${"^".repeat(Math.max(1, until - from))}\n`);
  }
  return lines;
}

export const format_exception_only = (error: BaseException, hints = false): string =>
  exception_lines(error, hints).join("");

/** How much of an exception is printed. */
export interface Extent {
  /** Whether the exceptions that led to it come first. */
  readonly chain: boolean;
  /** Frames of a traceback: the first ones, or, if negative, the last ones; null: all. */
  readonly limit: number | null;
  /** Exceptions of one group. */
  readonly width: number;
  /** Groups inside each other. */
  readonly depth: number;
  /** Whether names follow that the program may have meant: the interpreter says them, the module `traceback` does not. */
  readonly hints: boolean;
}
const EVERYTHING: Extent = { chain: true, limit: null, width: 15, depth: 10, hints: true };

/**
 * Writes an exception. A group draws a frame: each of its exceptions stands two columns further right, behind a bar.
 *
 *       + Exception Group Traceback (most recent call last):
 *       |   File "x.py", line 1, in <module>
 *       | ExceptionGroup: message (2 sub-exceptions)
 *       +-+---------------- 1 ----------------
 *         | ValueError: 1
 *         +---------------- 2 ----------------
 *         | TypeError: 2
 *         +------------------------------------
 */
class Report {
  /** Each entry of a traceback is one text, and each line of the rest. */
  readonly texts: string[] = [];
  private readonly extent: Extent;
  private readonly seen = new Set<BaseException>();
  /** How many groups the exception that is written stands in, with itself. */
  private depth = 0;
  /** Whether the frame of a group still wants its lower edge: the innermost last exception draws it for all groups that end there. */
  private open = false;

  constructor(extent: Extent) {
    this.extent = extent;
  }

  private get indent(): string {
    return "  ".repeat(this.depth);
  }

  private write(text: string, bar = "|"): void {
    this.texts.push(this.depth === 0 ? text : text.replace(/^(?=[\s\S])/gm, `${this.indent}${bar} `));
  }

  exception(error: BaseException): void {
    this.seen.add(error);
    this.led_to(error);
    if (error instanceof BaseExceptionGroup) this.group(error);
    else {
      this.traceback(error, "Traceback (most recent call last):\n");
      this.lines(exception_lines(error, this.extent.hints));
    }
  }

  private lines(texts: readonly string[]): void {
    for (const text of texts) this.write(text);
  }

  private traceback(error: BaseException, title: string, bar?: string): void {
    if (error.__traceback__ === null) return;
    this.write(title, bar);
    this.lines(format_entries(entries_of(error.__traceback__, this.extent.limit)));
  }

  /** The exceptions before this one. */
  private led_to({ __cause__: cause, __context__: context, __suppress_context__: suppressed }: BaseException): void {
    if (!this.extent.chain) return;
    if (cause instanceof BaseException && !this.seen.has(cause)) {
      this.exception(cause);
      this.write("\nThe above exception was the direct cause of the following exception:\n\n");
    } else if (context instanceof BaseException && !suppressed && !this.seen.has(context)) {
      this.exception(context);
      this.write("\nDuring handling of the above exception, another exception occurred:\n\n");
    }
  }

  private group(error: BaseExceptionGroup): void {
    if (this.depth > this.extent.depth) {
      this.write(`... (max_group_depth is ${this.extent.depth})\n`);
      return;
    }
    const outermost = this.depth === 0;
    if (outermost) this.depth = 1;
    this.traceback(error, "Exception Group Traceback (most recent call last):\n", outermost ? "+" : "|");
    this.lines(exception_lines(error, this.extent.hints));
    const { width } = this.extent;
    const shown = error.exceptions.slice(0, width) as BaseException[];
    const more = error.exceptions.length - shown.length;
    shown.forEach((each, i) => {
      this.member(String(i + 1), i === 0, more === 0 && i === shown.length - 1, () => this.exception(each));
    });
    if (more > 0)
      this.member("...", width === 0, true, () => this.write(`and ${more} more exception${more > 1 ? "s" : ""}\n`));
    if (outermost) this.depth = 0;
  }

  private member(title: string, first: boolean, last: boolean, write: () => void): void {
    this.open = last;
    this.texts.push(`${this.indent}${first ? "+-" : "  "}+---------------- ${title} ----------------\n`);
    this.depth++;
    write();
    if (last && this.open) {
      this.texts.push(`${this.indent}+------------------------------------\n`);
      this.open = false;
    }
    this.depth--;
  }
}

/** The texts of an exception, which end with line breaks. Any thrown value is taken as the machine takes it. */
export function exception_texts(raised: unknown, extent: Partial<Extent> = {}): string[] {
  const report = new Report({ ...EVERYTHING, ...extent });
  report.exception(as_python_exception(raised));
  return report.texts;
}

export const format_exception = (raised: unknown): string => exception_texts(raised).join("");
