/**
 * @file Built-in functions of numbers and their texts: `abs`, `divmod`, `pow`, `round`, `sum`, `bin`, `hex`, `oct`, `chr`, `ord`, `format`, `ascii`.
 * @mirrors Python/bltinmodule.c (CPython 3.11)
 */
import { format } from "../Objects/abstract/format.ts";
import { abs, binary_op, divmod, index_of, power, round } from "../Objects/abstract/numbers.ts";
import { PyByteArray } from "../Objects/bytearrayobject.ts";
import { PyBytes } from "../Objects/bytesobject.ts";
import { OverflowError, TypeError_, ValueError } from "../Objects/exceptions.ts";
import { each } from "../Objects/iterobject.ts";
import type { Implementation } from "../Objects/methodobject.ts";
import { type_of } from "../Objects/typeobject.ts";
import { code_points } from "../Objects/unicodeobject/code_points.ts";
import { ascii } from "../Objects/unicodeobject/repr.ts";

/** `0x1f`, `-0b101`. */
const digits =
  (prefix: string, base: number) =>
  (value: unknown): string => {
    const index = index_of(value);
    return index < 0 ? `-${prefix}${(-index).toString(base)}` : `${prefix}${index.toString(base)}`;
  };

function chr(value: unknown): string {
  const code = index_of(value);
  if (typeof code === "bigint" || Math.abs(code) > 0x7fffffff) {
    throw new OverflowError("Python int too large to convert to C int");
  }
  if (code < 0 || code > 0x10ffff) throw new ValueError("chr() arg not in range(0x110000)");
  return String.fromCodePoint(code);
}

function ord(value: unknown): number {
  if (typeof value === "string") {
    const characters = code_points(value);
    if (characters.length === 1) return value.codePointAt(0) as number;
    throw new TypeError_(`ord() expected a character, but string of length ${characters.length} found`);
  }
  if (value instanceof PyBytes || value instanceof PyByteArray) {
    if (value.data.length === 1) return value.data[0] as number;
    throw new TypeError_(`ord() expected a character, but string of length ${value.data.length} found`);
  }
  throw new TypeError_(`ord() expected string of length 1, but ${type_of(value).name} found`);
}

const ADD = 0;

/** Adds from left to right. Texts are refused, because `join` is so much faster. */
function sum(values: unknown, start: unknown): unknown {
  if (typeof start === "string") throw new TypeError_("sum() can't sum strings [use ''.join(seq) instead]");
  if (start instanceof PyBytes) throw new TypeError_("sum() can't sum bytes [use b''.join(seq) instead]");
  if (start instanceof PyByteArray) throw new TypeError_("sum() can't sum bytearray [use b''.join(seq) instead]");
  let result = start;
  for (const value of each(values)) result = binary_op(result, value, ADD);
  return result;
}

export const number_functions: Readonly<Record<string, Implementation>> = {
  "abs(x, /)": abs,
  "ascii(obj, /)": ascii,
  "bin(number, /)": digits("0b", 2),
  "chr(i, /)": chr,
  "divmod(x, y, /)": divmod,
  "format(value, format_spec='', /)": (value: unknown, spec: unknown) => {
    if (typeof spec !== "string") throw new TypeError_(`format() argument 2 must be str, not ${type_of(spec).name}`);
    return format(value, spec);
  },
  "hex(number, /)": digits("0x", 16),
  "oct(number, /)": digits("0o", 8),
  "ord(c, /)": ord,
  "pow(base, exp, mod=None)": power,
  "round(number, ndigits=None)": (value: unknown, ndigits: unknown) =>
    ndigits === null ? round(value) : round(value, ndigits),
  "sum(iterable, /, start=0)": sum,
};
