/**
 * @file One line of a backtrace, read: which function, and where it stands below the package's root.
 * @mirrors c10/util/Backtrace.h
 * @differs PyTorch unwinds the machine's stack and asks the loader for names; here it is the JavaScript engine's text.
 */

export interface StackFrame {
  /** As the engine writes it (`new TensorImpl`, `Function.call [as add_Tensor]`), or null outside of any function. */
  readonly name: string | null;
  /** A path or an address, as the engine writes it. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

// A folder may have any name: blanks, brackets, other alphabets. So a place ends at its last two colons, and begins behind the first
// " (" if the line ends with a bracket, else behind "at".
const named = /^\s+at (?:async )?(.+?) \((.+):(\d+):(\d+)\)$/;
const nameless = /^\s+at (?:async )?(.+):(\d+):(\d+)$/;

/** Null for a line that is no frame, or one of code made by `eval`. */
export function parse_frame(line: string): StackFrame | null {
  const [, name, ...place] = named.exec(line) ?? [];
  const [file, at, column] = name === undefined ? (nameless.exec(line)?.slice(1) ?? []) : place;
  if (file === undefined || file.startsWith("eval at ")) return null;
  return { name: name ?? null, file, line: Number(at), column: Number(column) };
}

/** Linked into one file, this one no longer stands where it was written; then source maps lead to a folder nobody knows. */
const here = decoded(import.meta.url).replace(/\?.*$/, "");
const root = here.endsWith("src/c10/util/Backtrace.ts") ? here.slice(0, -"src/c10/util/Backtrace.ts".length) : null;

/** A file's path below the package's root (`src/aten/Parallel.ts`), or null if it is none of its files. */
export function below_root(file: string): string | null {
  const path = decoded(file).replace(/\?.*$/, ""); // loaders add a version
  if (root === null) return /^.*\/(src\/.*)$/.exec(path)?.[1] ?? null;
  return path.startsWith(root) ? path.slice(root.length) : null;
}

/** An engine writes an address or a path, and in an address every letter beyond ASCII as its bytes. */
function decoded(file: string): string {
  const path = file.replace(/^file:\/\//, "");
  try {
    return path === file ? path : decodeURI(path);
  } catch {
    return path; // a stray % sign
  }
}
