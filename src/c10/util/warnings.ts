/**
 * @file The default filter of warnings: a warning is shown once for each place of the user's program, with the place.
 * @original CPython's module `warnings`: its action "default" and `formatwarning`.
 * @differs Ours names the nearest line outside the library; Python names a line of PyTorch's own Python code where that code warns, and prints
 * the text of the line. There is no `filterwarnings`: `console.warn` shows the warnings, and may be replaced.
 */
import { parse_frame, path_of, raise_stack_limit, restore_stack_limit } from "./Backtrace.ts";

function stack_here(): string[] {
  const limit = raise_stack_limit(0);
  const lines = (new Error().stack ?? "").split("\n");
  restore_stack_limit(limit);
  return lines;
}

/** The folder of the library: `src/`, or the folder of the built files; null if the engine's stacks cannot be read. */
const library = library_folder();

function library_folder(): string | null {
  for (const line of stack_here()) {
    const frame = parse_frame(line);
    if (frame !== null) return path_of(frame.file).replace(/(?:c10\/util\/)?[^/\\]*$/, "");
  }
  return null;
}

/** The place (`file:line`) in the user's program from which the current call came, or null if the stack shows none. */
function users_place(): string | null {
  if (library === null) return null;
  for (const line of stack_here()) {
    const frame = parse_frame(line);
    if (frame === null || frame.file.startsWith("node:")) continue;
    const path = path_of(frame.file);
    if (!path.startsWith(library)) return `${path}:${frame.line}`;
  }
  return null;
}

/** The warnings that were shown: category, place and text. */
const shown = new Set<string>();

/** Shows a warning, unless this text was shown before for the same place. A verbatim text is shown as it is, without place and category. */
export function show_warning(category: string, msg: string, verbatim: boolean): void {
  const place = users_place();
  const key = `${category}\n${place}\n${msg}`;
  if (shown.has(key)) return;
  shown.add(key);
  console.warn(verbatim ? msg : `${place === null ? "" : `${place}: `}${category}: ${msg}`);
}

/** Forgets which warnings were shown; for tests. */
export function forget_shown(): void {
  shown.clear();
}
