/**
 * @file Parsing of one line of a backtrace: the function, and its place below the package's root.
 * @mirrors c10/util/Backtrace.h
 * @differs The line is text of the JavaScript engine; PyTorch unwinds the machine's stack and asks the loader for names.
 */

export interface StackFrame {
  /** The name in the engine's spelling (`new TensorImpl`, `Function.call [as add_Tensor]`), or null outside any function. */
  readonly name: string | null;
  /** A path or an address, in the engine's spelling. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

// A folder name may contain anything: blanks, brackets, other alphabets. So the position ends with its last two colons.
// It begins after the first " (" if the line ends with a bracket, else after "at".
const named = /^\s+at (?:async )?(.+?) \((.+):(\d+):(\d+)\)$/;
const nameless = /^\s+at (?:async )?(.+):(\d+):(\d+)$/;
/** The line of Firefox and Safari. */
const after_at_sign = /^([^@\s]*)@(\S.*):(\d+):(\d+)$/;

/** Parses a frame. Null if the line is no frame, or is one of code made by `eval`. */
export function parse_frame(line: string): StackFrame | null {
  const [, name, ...place] = named.exec(line) ?? after_at_sign.exec(line) ?? [];
  const [file, at, column] = name === undefined ? (nameless.exec(line)?.slice(1) ?? []) : place;
  if (file === undefined || file.startsWith("eval at ")) return null;
  return { name: name || null, file, line: Number(at), column: Number(column) };
}

/**
 * If the library is bundled into one file, this file is not where it was written, and source maps lead to a folder that
 * cannot be known.
 */
const here = decoded(import.meta.url).replace(/\?.*$/, "");
const root = here.endsWith("src/c10/util/Backtrace.ts") ? here.slice(0, -"src/c10/util/Backtrace.ts".length) : null;

/** A file's path below the package's root (`src/aten/Parallel.ts`), or null if it is not one of the package's files. */
export function below_root(file: string): string | null {
  const path = decoded(file).replace(/\?.*$/, ""); // loaders append a version
  if (root === null) return /^.*\/(src\/.*)$/.exec(path)?.[1] ?? null;
  return path.startsWith(root) ? path.slice(root.length) : null;
}

/** Decodes an address. An engine writes an address or a path; in an address each letter beyond ASCII is percent-encoded. */
function decoded(file: string): string {
  const path = file.replace(/^file:\/\//, "");
  try {
    return path === file ? path : decodeURI(path);
  } catch {
    return path; // it has a % sign that encodes nothing
  }
}
