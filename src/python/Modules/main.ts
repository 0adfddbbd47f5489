/**
 * @file A program of the command line: its arguments, the folder of its modules, its exit status. Loading this file lets programs import from folders.
 * @mirrors Modules/main.c (CPython 3.11)
 */
import type { SystemExit } from "../Objects/exceptions.ts";
import type { PyModule } from "../Objects/moduleobject.ts";
import { setattr, str } from "../Objects/object.ts";
import "../pythonrun.ts";
import { call } from "../Objects/call.ts";
import { finders, import_module } from "../vm/import.ts";
import { source_finder } from "../vm/traceback.ts";
import { exit_functions } from "./_machine.ts";
import { host } from "./host.ts";
import { find_on_path } from "./path_finder.ts";

finders.push(find_on_path); // behind the standard library

const decoder = new TextDecoder();
source_finder.find = (filename) =>
  host.files.stat(filename)?.is_dir === false ? decoder.decode(host.files.read(filename)) : null;

/** Sets `sys.argv`, and `sys.path[0]` to the folder of the program. */
export function prepare(argv: readonly string[], folder: string): void {
  const sys = import_module("sys") as PyModule;
  setattr(sys, "argv", [...argv]);
  const path = sys.__dict__.get("path");
  if (Array.isArray(path)) path[0] = folder;
}

/** Runs what the program registered with `atexit`. */
export function finish(): void {
  for (const fn of exit_functions) call(fn);
}

/** The process' exit status of `sys.exit(value)`; a value that is no number is printed. */
export function exit_status({ code }: SystemExit): number {
  if (code === null) return 0;
  if (typeof code === "boolean") return Number(code);
  if (typeof code === "number" && Number.isInteger(code)) return code & 0xff;
  host.stderr(`${str(code)}\n`);
  return 1;
}
