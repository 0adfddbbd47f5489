/**
 * @file Errors and warnings of the compiler: their place is that of a node.
 * @mirrors Python/compile.c (CPython 3.11): compiler_error, compiler_warn
 */
import type { Range } from "../ast/nodes.ts";
import { SyntaxError_ } from "../Parser/errors.ts";

/** Everything that the parts of one compilation share. */
export class Source {
  readonly filename: string;
  /** Lines of the program; null if only its tree is known. */
  private readonly text: string | null;
  private readonly on_warning: ((message: string, lineno: number) => void) | null;

  constructor(
    filename: string,
    text: string | null,
    on_warning: ((message: string, lineno: number) => void) | null = null,
  ) {
    this.filename = filename;
    this.text = text;
    this.on_warning = on_warning;
  }

  /** CPython counts the columns of these errors in bytes. */
  error(message: string, at: Range): SyntaxError_ {
    return this.error_at(message, at.lineno, at.col_offset + 1, at.end_lineno, at.end_col_offset + 1);
  }

  error_at(message: string, lineno: number, offset: number, end_lineno: number, end_offset: number): SyntaxError_ {
    const error = new SyntaxError_(message, { lineno, offset, end_lineno, end_offset });
    error.filename = this.filename;
    if (this.text !== null && lineno > 0) {
      const line = this.text.split(/\r\n|\r|\n/, lineno)[lineno - 1];
      error.text = line === undefined ? null : `${line}\n`;
    }
    return error;
  }

  /** A `SyntaxWarning`. */
  warn(message: string, at: Range): void {
    this.on_warning?.(message, at.lineno);
  }
}
