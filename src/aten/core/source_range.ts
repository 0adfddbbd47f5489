/**
 * @file A range of a source text, and how an error marks it.
 * @mirrors torch/csrc/jit/frontend/source_range.h
 * @differs It is in aten, because operators are registered there; in PyTorch it is in the JIT, which is in the same
 * library as the dispatcher.
 */
import { RuntimeError } from "#c10/util/Exception";

/** Number of lines shown before the marked one, and after it. */
const CONTEXT = 2;

export class SourceRange {
  readonly source: string;
  readonly start: number;
  readonly end: number;

  constructor(source: string, start: number, end: number) {
    this.source = source;
    this.start = start;
    this.end = end;
  }

  text(): string {
    return this.source.slice(this.start, this.end);
  }

  /** The lines around the range, with `~~~ <--- HERE` under it; at the very end of the text nothing is marked. */
  highlight(): string {
    if (this.start >= this.source.length) return this.source;
    const lines = this.source.split("\n");
    let first = 0; // offset of the marked line
    let row = 0;
    while (first + lines[row].length < this.start) first += lines[row++].length + 1;
    const column = this.start - first;
    const width = Math.max(1, Math.min(this.end, first + lines[row].length) - this.start);
    const before = lines.slice(Math.max(0, row - CONTEXT), row + 1);
    const after = lines.slice(row + 1, row + 1 + CONTEXT);
    return [...before, `${" ".repeat(column)}${"~".repeat(width)} <--- HERE`, ...after, ""].join("\n");
  }
}

/** The error that a parser throws for a range: a blank line, the message, the marked text. */
export class ErrorReport extends RuntimeError {
  constructor(range: SourceRange, message: string) {
    super(`\n${message}:\n${range.highlight()}`);
  }
}
