/**
 * @file The errors of a text that is not Python, with the place that CPython names.
 * @mirrors Parser/pegen_errors.c (CPython 3.11)
 */

/** Where an error is. Lines count from 1, offsets are characters and count from 1; 0 is unknown. */
export interface Place {
  readonly lineno: number;
  readonly offset: number;
  readonly end_lineno: number;
  readonly end_offset: number;
}

/** Python's `SyntaxError`. `message` is Python's `msg`. */
export class SyntaxError_ extends Error {
  readonly lineno: number;
  readonly offset: number;
  readonly end_lineno: number;
  readonly end_offset: number;
  /** The line of the program, with its line break. */
  text: string | null = null;
  filename = "<unknown>";

  constructor(message: string, { lineno, offset, end_lineno, end_offset }: Place) {
    super(message);
    this.name = "SyntaxError";
    this.lineno = lineno;
    this.offset = offset;
    this.end_lineno = end_lineno;
    this.end_offset = end_offset;
  }
}

export class IndentationError extends SyntaxError_ {
  constructor(message: string, place: Place) {
    super(message, place);
    this.name = "IndentationError";
  }
}

export class TabError extends IndentationError {
  constructor(message: string, place: Place) {
    super(message, place);
    this.name = "TabError";
  }
}

/** Python's `MemoryError`: CPython raises it for a text that is nested too deeply to be parsed. */
export class MemoryError extends Error {
  constructor() {
    super("");
    this.name = "MemoryError";
  }
}

/** Python's `RecursionError`: expressions or statements stand in each other too deeply to be compiled. */
export class RecursionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RecursionError";
  }
}
