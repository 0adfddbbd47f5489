/**
 * @file The one kind of error the code generator raises: where, what, and what to do about it.
 * @original torchgen reports with bare assertions; a reader of ours should not need the generator's source to mend a YAML line.
 */

export interface Place {
  readonly file: string;
  /** 1-based; 0 when a whole file is meant. */
  readonly line: number;
}

export class CodegenError extends Error {
  readonly place: Place;
  readonly field: string;
  readonly way_out: string;

  constructor(place: Place, field: string, message: string, way_out: string) {
    super(`${place.file}:${place.line}: ${field}: ${message}\n  way out: ${way_out}`);
    this.name = "CodegenError";
    this.place = place;
    this.field = field;
    this.way_out = way_out;
  }
}

/** A defect of a text whose place only the caller knows; `at` adds the place. */
export class SchemaError extends Error {
  readonly way_out: string;

  constructor(message: string, way_out: string) {
    super(message);
    this.name = "SchemaError";
    this.way_out = way_out;
  }
}

/** Runs `parse` and turns a SchemaError into a CodegenError that says where. */
export function at<T>(place: Place, field: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SchemaError) throw new CodegenError(place, field, error.message, error.way_out);
    throw error;
  }
}
