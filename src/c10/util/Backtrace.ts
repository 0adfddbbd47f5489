/**
 * @file Backtraces: how many frames the engine keeps, and the parts of one line: the function, and its place below the package's root.
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

/** Frames of a backtrace: enough for an operator below modules that are nested deeply. An engine keeps ten. */
const FRAMES = 200;

/**
 * Raises the number of frames that the engine keeps, if it is from `least` to 199. An engine without a limit keeps all frames. Returns the number
 * to restore, or null if nothing was changed.
 */
export function raise_stack_limit(least: number): number | null {
  const limit: unknown = Error.stackTraceLimit;
  if (typeof limit !== "number" || limit < least || limit >= FRAMES) return null;
  return Reflect.set(Error, "stackTraceLimit", FRAMES) ? limit : null; // a program may have frozen `Error`
}

export function restore_stack_limit(limit: number | null): void {
  if (limit !== null) Error.stackTraceLimit = limit;
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
const here = path_of(import.meta.url);
const root = here.endsWith("src/c10/util/Backtrace.ts") ? here.slice(0, -"src/c10/util/Backtrace.ts".length) : null;

/** A file's path below the package's root (`src/aten/Parallel.ts`), or null if it is not one of the package's files. */
export function below_root(file: string): string | null {
  const path = path_of(file);
  if (root === null) return /^.*\/(src\/.*)$/.exec(path)?.[1] ?? null;
  return path.startsWith(root) ? path.slice(root.length) : null;
}

/**
 * The path of a file. An engine writes an address or a path; in an address each letter beyond ASCII is percent-encoded, and a loader may have
 * appended a version.
 */
export function path_of(file: string): string {
  const path = file.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, "");
  return (path === file ? path : decoded(path)).replace(/\?.*$/, "");
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path; // it has a % sign that encodes nothing
  }
}
