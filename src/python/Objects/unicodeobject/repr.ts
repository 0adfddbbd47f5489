/**
 * @file `ascii(value)`: `repr` without characters beyond ASCII.
 * @mirrors Objects/object.c#PyObject_ASCII (CPython 3.11)
 */
import { repr } from "../object.ts";
import { escape_non_ascii } from "../unicodeobject.ts";

/** `ascii(value)`. */
export function ascii(value: unknown): string {
  return escape_non_ascii(repr(value));
}
