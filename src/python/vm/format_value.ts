/**
 * @file A replacement field of an f-string.
 * @mirrors Python/ceval.c#FORMAT_VALUE (CPython 3.11)
 */
import { format } from "../Objects/abstract/format.ts";
import { ascii, repr, str } from "../Objects/object.ts";

/** `conversion` is 1 for `!s`, 2 for `!r`, 3 for `!a`. */
export function format_value(value: unknown, conversion: number, spec: string): string {
  switch (conversion) {
    case 1:
      return format(str(value), spec);
    case 2:
      return format(repr(value), spec);
    case 3:
      return format(ascii(value), spec);
  }
  return typeof value === "string" && spec === "" ? value : format(value, spec);
}
