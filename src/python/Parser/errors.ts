/**
 * @file The errors of a text that is not Python, with the place that CPython names.
 * @mirrors Parser/pegen_errors.c (CPython 3.11)
 */
import { Exception, named } from "../Objects/exceptions.ts";
import { type PyTuple, tuple } from "../Objects/tupleobject.ts";

/** Where an error is. Lines count from 1, offsets are characters and count from 1; 0 is unknown. */
export interface Place {
  readonly lineno: number;
  readonly offset: number;
  readonly end_lineno: number;
  readonly end_offset: number;
}

/** What a program gives `SyntaxError(msg, details)`. */
export type Details = readonly [
  filename: string,
  lineno: number,
  offset: number,
  text: string | null,
  end_lineno?: number,
  end_offset?: number,
];

/** Python's `SyntaxError`. `message` is Python's `msg`. */
export class SyntaxError_ extends Exception {
  readonly lineno: number = 0;
  readonly offset: number = 0;
  readonly end_lineno: number = 0;
  readonly end_offset: number = 0;
  /** The line of the program, with its line break. */
  text: string | null = null;
  filename = "<unknown>";

  constructor(message = "", place?: Place | Details) {
    super(message);
    if (place === undefined) return;
    if (is_details(place)) {
      [this.filename, this.lineno, this.offset, this.text, this.end_lineno = 0, this.end_offset = 0] = place;
      return;
    }
    this.lineno = place.lineno;
    this.offset = place.offset;
    this.end_lineno = place.end_lineno;
    this.end_offset = place.end_offset;
  }

  /** The arguments of a program, if it made the error. */
  declare private given_: PyTuple | undefined;

  override get args(): PyTuple {
    if (this.given_ !== undefined) return this.given_;
    const { message, filename, lineno, offset, text, end_lineno, end_offset } = this;
    if (lineno === 0) return super.args;
    return tuple<unknown>([message, tuple([filename, lineno, offset, text, end_lineno, end_offset])]);
  }

  override set args(args: PyTuple) {
    this.given_ = args;
  }
}

function is_details(place: Place | Details): place is Details {
  return Array.isArray(place);
}

export class IndentationError extends SyntaxError_ {}
export class TabError extends IndentationError {}
named(SyntaxError_, "SyntaxError");
named(IndentationError, "IndentationError");
named(TabError, "TabError");
