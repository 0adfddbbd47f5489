/**
 * @file The namespace of built-in names that a module's globals see.
 * @mirrors Python/ceval.c#_PyEval_BuiltinsFromGlobals (CPython 3.11)
 */
import { PyDict } from "./dictobject.ts";

/** The module `builtins`; filled by builtins/index.ts. */
export const builtins = new PyDict();

/** `__builtins__` of the globals if a program set it to a dict, otherwise the module's. */
export function builtins_of(globals: PyDict): PyDict {
  const own = globals.get("__builtins__");
  return own instanceof PyDict ? own : builtins;
}
