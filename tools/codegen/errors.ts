/**
 * @file The one kind of error the code generator raises: where, what, and what to do about it; and the list of a whole run's.
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

/** Several at once, in the order of files and lines. As one error it is the first of them. */
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

/** The errors in `error`: one, or the several of a run. */
export function errors_of(error: CodegenError): readonly CodegenError[] {
  return error instanceof CodegenErrors ? error.errors : [error];
}

// Note [All errors of a run]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// A run tells everything that is wrong. Each stage takes its entries, formulas, kernels one by one through `attempt`, and the next
// stage goes on with those that are sound. What only follows from an error must not be told as another one: an operator whose
// entry is refused is `broken`, and whoever looks for it says nothing. Nothing is written while the list is not empty.
export class ErrorList {
  private readonly found = new Map<string, CodegenError>();
  private readonly broken = new Set<string>();

  /** The same defect seen by two stages is told once. */
  add(error: CodegenError): void {
    for (const e of errors_of(error)) {
      const what = e.message.slice(0, e.message.lastIndexOf("\n  way out: "));
      if (!this.found.has(what)) this.found.set(what, e);
    }
  }

  /** What `work` makes, or null if it raises a CodegenError, which is noted; the operators named `about` are broken then. */
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

  /** Was something said about an operator of this base name, in-place or not? */
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

/** Runs `work` with the caller's list; without one, with a list of its own whose errors are thrown in the end. */
export function with_errors<T>(errors: ErrorList | undefined, work: (errors: ErrorList) => T): T {
  if (errors !== undefined) return work(errors);
  const own = new ErrorList();
  const made = own.attempt(() => work(own));
  own.throw_if_any();
  return made as T;
}
