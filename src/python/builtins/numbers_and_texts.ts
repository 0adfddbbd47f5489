/**
 * @file Built-in functions of numbers and texts: `abs`, `divmod`, `pow`, `round`, `sum`, `bin`, `chr`, `format` and their like.
 * @mirrors Python/bltinmodule.c (CPython 3.11)
 */
import { format } from "../Objects/abstract/format.ts";
import { abs, binary_op, divmod, index_of, power, round } from "../Objects/abstract/numbers.ts";
import { ByteSequence } from "../Objects/bytesobject.ts";
import { OverflowError, TypeError_, ValueError } from "../Objects/exceptions.ts";
import { each } from "../Objects/iterobject.ts";
import type { Int } from "../Objects/longobject.ts";
import type { Implementation } from "../Objects/methodobject.ts";
import { ascii } from "../Objects/object.ts";
import { plain_value, type_of } from "../Objects/typeobject.ts";
import { code_points } from "../Objects/unicodeobject/code_points.ts";
import { text_argument } from "../Python/getargs.ts";

/** `bin(5)` is `0b101`; the sign stands before the prefix. */
function in_base(value: unknown, prefix: string, base: number): string {
  const int: Int = index_of(value);
  const digits = int.toString(base);
  return int < 0 ? `-${prefix}${digits.slice(1)}` : prefix + digits;
}

function chr(value: unknown): string {
  const code = index_of(value);
  if (BigInt.asIntN(32, BigInt(code)) !== BigInt(code))
    throw new OverflowError(`Python int too large to convert to C int`);
  if (code < 0 || code > 0x10ffff) throw new ValueError("chr() arg not in range(0x110000)");
  return String.fromCodePoint(Number(code));
}

function ord(character: unknown): number {
  const value = plain_value(character);
  let length: number;
  if (typeof value === "string") {
    const points = code_points(value);
    if (points.length === 1) return value.codePointAt(0) as number;
    length = points.length;
  } else if (value instanceof ByteSequence) {
    if (value.data.length === 1) return value.data[0] as number;
    length = value.data.length;
  } else throw new TypeError_(`ord() expected string of length 1, but ${type_of(value).tp_name} found`);
  throw new TypeError_(`ord() expected a character, but string of length ${length} found`);
}

/** `sum(values, start)`: from left to right, without correction of what floats lose. */
function sum(values: unknown, start: unknown): unknown {
  if (typeof start === "string") throw new TypeError_("sum() can't sum strings [use ''.join(seq) instead]");
  if (start instanceof ByteSequence)
    throw new TypeError_(`sum() can't sum ${type_of(start).tp_name} [use b''.join(seq) instead]`);
  let total = start;
  for (const value of each(values)) total = binary_op(total, value, 0);
  return total;
}

export const numbers_and_texts: Readonly<Record<string, Implementation>> = {
  "abs(x, /)": abs,
  "ascii(obj, /)": ascii,
  "bin(number, /)": (value: unknown) => in_base(value, "0b", 2),
  "chr(i, /)": chr,
  "divmod(x, y, /)": divmod,
  "format(value, format_spec='', /)": (value: unknown, spec: unknown) =>
    format(value, text_argument(spec, "format", "2")),
  "hex(number, /)": (value: unknown) => in_base(value, "0x", 16),
  "oct(number, /)": (value: unknown) => in_base(value, "0o", 8),
  "ord(c, /)": ord,
  "pow(base, exp, mod=None)": power,
  "round(number, ndigits=None)": (value: unknown, digits: unknown) =>
    round(value, digits === null ? undefined : digits),
  "sum(iterable, /, start=0)": sum,
};
