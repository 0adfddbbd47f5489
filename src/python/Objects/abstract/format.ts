/**
 * @file `format(value, spec)`, which f-strings, `str.format` and the built-in function share.
 * @mirrors Objects/abstract.c#PyObject_Format (CPython 3.11)
 */
import { format_float, format_long, format_string } from "../../Python/formatter_unicode.ts";
import { call_unbound } from "../call.ts";
import { TypeError_ } from "../exceptions.ts";
import { FloatValue } from "../floatobject.ts";
import { str } from "../object.ts";
import { type_of } from "../typeobject.ts";

/** `object.__format__`: an object without a format of its own takes the empty specification only. */
export function object_format(value: unknown, spec: string): string {
  if (spec === "") return str(value);
  throw new TypeError_(`unsupported format string passed to ${type_of(value).tp_name}.__format__`);
}

/** `format(value, spec)`. */
export function format(value: unknown, spec: string): string {
  switch (typeof value) {
    case "string":
      return spec === "" ? value : format_string(value, spec);
    case "number":
    case "bigint": {
      if (spec === "") return str(value);
      return typeof value === "number" && (!Number.isInteger(value) || Object.is(value, -0))
        ? format_float(value, spec)
        : format_long(value, spec);
    }
  }
  if (spec === "" && typeof value === "boolean") return str(value);
  if (value instanceof FloatValue) return spec === "" ? str(value) : format_float(value.value, spec);
  const type = type_of(value);
  const method = type.lookup("__format__");
  if (method === undefined) return object_format(value, spec);
  const result = call_unbound(method, value, [spec], null, type);
  if (typeof result !== "string") throw new TypeError_(`__format__ must return a str, not ${type_of(result).tp_name}`);
  return result;
}
