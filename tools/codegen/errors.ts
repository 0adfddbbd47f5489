/**
 * @file Errors of the code generator: each states place, problem and remedy. And the list of all errors of a run.
 * @original torchgen reports with bare assertions; here a reader can fix a YAML line without reading the generator's source.
 */

export interface Place {
  readonly file: string;
  /** Line number from 1; 0 if the whole file is meant. */
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

/** A defect in a text whose place only the caller knows; `at` adds the place. */
export class SchemaError extends Error {
  readonly way_out: string;

  constructor(message: string, way_out: string) {
    super(message);
    this.name = "SchemaError";
    this.way_out = way_out;
  }
}

/** Runs `parse` and converts a SchemaError to a CodegenError that states the place. */
export function at<T>(place: Place, field: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SchemaError) throw new CodegenError(place, field, error.message, error.way_out);
    throw error;
  }
}

/** Several errors, in the order of files and lines. As a single error it is the first of them. */
export class CodegenErrors extends CodegenError {
  readonly errors: readonly CodegenError[];

  constructor(errors: readonly CodegenError[]) {
    const first = errors[0];
    super(first.place, first.field, "", first.way_out);
    this.name = "CodegenErrors";
    this.message = errors.map((e) => e.message).join("\n");
    this.errors = errors;
  }
}

/** The errors in `error`: one, or all of a run. */
export function errors_of(error: CodegenError): readonly CodegenError[] {
  return error instanceof CodegenErrors ? error.errors : [error];
}

// Note [All errors of a run]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// A run reports everything that is wrong. Each stage handles its entries, formulas or kernels one by one through
// `attempt`, and the next stage continues with the sound ones. A mere consequence of an error must not be reported as
// another one: an operator with a faulty entry is `broken`, and code that fails to find it reports nothing. No file is
// written while the list is not empty.
export class ErrorList {
  private readonly found = new Map<string, CodegenError>();
  private readonly broken = new Set<string>();

  /** Adds an error; a defect that two stages see is added once. */
  add(error: CodegenError): void {
    for (const e of errors_of(error)) {
      const what = e.message.slice(0, e.message.lastIndexOf("\n  way out: "));
      if (!this.found.has(what)) this.found.set(what, e);
    }
  }

  /** The result of `work`, or null if it throws a CodegenError, which is added; the operators named `about` are then broken. */
  attempt<T>(work: () => T, about: string | null = null): T | null {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof CodegenError)) throw error;
      this.add(error);
      if (about !== null) this.broken.add(plain_name(about));
      return null;
    }
  }

  /** Whether there is an error about an operator with this base name, in-place or not. */
  is_broken(name: string): boolean {
    return this.broken.has(plain_name(name));
  }

  is_empty(): boolean {
    return this.found.size === 0;
  }

  sorted(): CodegenError[] {
    const order = (a: CodegenError, b: CodegenError): number =>
      a.place.file === b.place.file ? a.place.line - b.place.line : a.place.file < b.place.file ? -1 : 1;
    return [...this.found.values()].sort(order);
  }

  throw_if_any(): void {
    const errors = this.sorted();
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new CodegenErrors(errors);
  }
}

function plain_name(name: string): string {
  return name.replace(/_$/, "");
}

/** Runs `work` with the caller's list; without one, with a new list whose errors are thrown at the end. */
export function with_errors<T>(errors: ErrorList | undefined, work: (errors: ErrorList) => T): T {
  if (errors !== undefined) return work(errors);
  const own = new ErrorList();
  const made = own.attempt(() => work(own));
  own.throw_if_any();
  return made as T;
}
