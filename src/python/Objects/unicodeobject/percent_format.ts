/**
 * @file `text % arguments`. The same conversions serve bytes, whose bytes stand here as characters below U+0100.
 * @mirrors Objects/unicodeobject.c#PyUnicode_Format (CPython 3.11)
 */
import { double_to_string } from "../../Python/pystrtod.ts";
import { as_double, as_int, KIND, kind_of } from "../abstract/number_slots.ts";
import { double_from, index_of } from "../abstract/numbers.ts";
import { call_special, has_special } from "../call.ts";
import { KeyError, OverflowError, TypeError_, ValueError } from "../exceptions.ts";
import { int_of_float } from "../floatobject/arithmetic.ts";
import { type Int, int_repr } from "../longobject.ts";
import { ascii, repr, str } from "../object.ts";
import { PyTuple } from "../tupleobject.ts";
import { plain_value, type_of } from "../typeobject.ts";
import { length_of, slice_text } from "./code_points.ts";

/** The differences between the two kinds of text. */
export interface TextKind {
  /** Name in "not all arguments converted during ... formatting". */
  readonly name: "string" | "bytes";
  /** A key of a mapping from its text. */
  readonly key: (text: string) => unknown;
  /** `%s`, and `%b` of bytes. */
  readonly text: (value: unknown) => string;
  /** `%r`. */
  readonly repr: (value: unknown) => string;
  /** `%c`. */
  readonly character: (value: unknown) => string;
  /** A value for `%f` as a double. */
  readonly real: (value: unknown) => number;
  /** Whether a value on the right that is no tuple may hold named arguments. */
  readonly is_mapping: (value: unknown) => boolean;
}

/** One conversion: what stands between `%` and its letter. */
interface Conversion {
  readonly flags: string;
  readonly width: number;
  /** -1: none. */
  readonly precision: number;
  readonly letter: string;
}

const number_refused = (letter: string, value: unknown): TypeError_ =>
  new TypeError_(
    `%${letter} format: ${"xXo".includes(letter) ? "an integer" : "a real number"} is required, not ${type_of(value).tp_name}`,
  );

/** The int of `%d` (any real number, cut off) or of `%x` and `%o` (ints only). */
function int_argument(argument: unknown, letter: string): Int {
  const value = plain_value(argument);
  const kind = kind_of(value);
  if (kind === KIND.int) return as_int(value);
  if ("xXo".includes(letter)) {
    if (!has_special(value, "__index__")) throw number_refused(letter, value);
    return index_of(value);
  }
  if (kind === KIND.float) return int_of_float(as_double(value));
  const result = call_special(value, "__int__") ?? (has_special(value, "__index__") ? index_of(value) : undefined);
  if (kind_of(result) !== KIND.int) throw number_refused(letter, value);
  return as_int(result);
}

/** Sign, prefix and digits of an int. */
function int_text(
  value: Int,
  { letter, flags, precision }: Conversion,
): readonly [sign: string, prefix: string, digits: string] {
  const base = letter === "o" ? 8 : "xX".includes(letter) ? 16 : 10;
  const digits = (base === 10 ? int_repr(value) : value.toString(base)).replace("-", "").padStart(precision, "0");
  const prefix = flags.includes("#") && base !== 10 ? `0${letter}` : "";
  return [value < 0 ? "-" : "", prefix, letter === "X" ? digits.toUpperCase() : digits];
}

function float_text(
  value: number,
  { letter, flags, precision }: Conversion,
): readonly [sign: string, prefix: string, digits: string] {
  const digits = double_to_string(
    Math.abs(value),
    letter.toLowerCase() as "e" | "f" | "g",
    precision < 0 ? 6 : precision,
    {
      alternate: flags.includes("#"),
    },
  );
  const negative = value < 0 || Object.is(value, -0);
  return [negative ? "-" : "", "", letter < "a" ? digits.toUpperCase() : digits];
}

function padded(text: string, { flags, width }: Conversion): string {
  const missing = width - length_of(text);
  if (missing <= 0) return text;
  return flags.includes("-") ? text + " ".repeat(missing) : " ".repeat(missing) + text;
}

/** A number with its sign; the flag 0 fills between sign and digits. */
function padded_number([minus, prefix, digits]: readonly [string, string, string], how: Conversion): string {
  const { flags, width } = how;
  const sign = minus === "-" ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const zeros = flags.includes("0") && !flags.includes("-") ? width - sign.length - prefix.length - digits.length : 0;
  return padded(sign + prefix + "0".repeat(Math.max(zeros, 0)) + digits, how);
}

class Formatter {
  private readonly text: readonly string[];
  private readonly kind: TextKind;
  /** Arguments of the conversions: the elements of a tuple, or the one value. */
  private values: readonly unknown[];
  private at = 0;
  private taken = 0;
  /** The right side, if it may be a mapping. */
  private readonly mapping: unknown;

  constructor(text: string, args: unknown, kind: TextKind) {
    this.text = Array.from(text);
    this.kind = kind;
    this.values = args instanceof PyTuple ? args : [args];
    this.mapping = args instanceof PyTuple || !kind.is_mapping(args) ? undefined : args;
  }

  run(): string {
    let result = "";
    while (this.at < this.text.length) {
      const character = this.text[this.at++] as string;
      if (character !== "%") result += character;
      else if (this.text[this.at] === "%") {
        result += "%";
        this.at++;
      } else result += this.converted();
    }
    if (this.taken < this.values.length && this.mapping === undefined)
      throw new TypeError_(`not all arguments converted during ${this.kind.name} formatting`);
    return result;
  }

  private next_value(): unknown {
    if (this.taken >= this.values.length) throw new TypeError_("not enough arguments for format string");
    return this.values[this.taken++];
  }

  /** `(key)`: from here on the value under that key is the one argument. */
  private take_key(): void {
    if (this.mapping === undefined) throw new TypeError_("format requires a mapping");
    const begin = ++this.at;
    for (let depth = 1; depth > 0; this.at++) {
      if (this.at >= this.text.length) throw new ValueError("incomplete format key");
      if (this.text[this.at] === "(") depth++;
      else if (this.text[this.at] === ")") depth--;
    }
    const key = this.kind.key(this.text.slice(begin, this.at - 1).join(""));
    const value = call_special(this.mapping, "__getitem__", key);
    if (value === undefined) throw new KeyError(key);
    this.values = [value];
    this.taken = 0;
  }

  /** A width or precision: digits, or `*` for an argument. */
  private number(what: "width" | "precision", most: number): number | undefined {
    if (this.text[this.at] === "*") {
      this.at++;
      const value = this.next_value();
      if (kind_of(value) !== KIND.int) throw new TypeError_("* wants int");
      const number = Number(as_int(value));
      if (Math.abs(number) > most)
        throw new OverflowError(`Python int too large to convert to C ${what === "width" ? "ssize_t" : "int"}`);
      return number;
    }
    const begin = this.at;
    while (/^\d$/.test(this.text[this.at] ?? "")) this.at++;
    if (this.at === begin) return undefined;
    const number = Number(this.text.slice(begin, this.at).join(""));
    if (number > most) throw new ValueError(`${what} too big`);
    return number;
  }

  private converted(): string {
    if (this.text[this.at] === "(") this.take_key();
    let flags = "";
    while ("-+ #0".includes(this.text[this.at] ?? "x")) flags += this.text[this.at++];
    let width = this.number("width", 2 ** 63) ?? 0;
    if (width < 0) {
      flags += "-";
      width = -width;
    }
    let precision = -1;
    if (this.text[this.at] === ".") {
      this.at++;
      precision = Math.max(this.number("precision", 2 ** 31 - 1) ?? 0, 0);
    }
    if (/^[hlL]$/.test(this.text[this.at] ?? "")) this.at++;
    const letter = this.text[this.at++];
    if (letter === undefined) throw new ValueError("incomplete format");
    return this.convert(this.next_value(), { flags, width, precision, letter });
  }

  private convert(value: unknown, how: Conversion): string {
    const { letter, precision } = how;
    const cut = (text: string): string =>
      padded(precision < 0 || length_of(text) <= precision ? text : slice_text(text, 0, precision), how);
    switch (letter) {
      case "s":
        return cut(this.kind.text(value));
      case "r":
        return cut(this.kind.repr(value));
      case "a":
        return cut(ascii(value));
      case "c":
        return padded(this.kind.character(value), how);
      case "d":
      case "i":
      case "u":
      case "o":
      case "x":
      case "X":
        return padded_number(int_text(int_argument(value, letter), how), how);
      case "e":
      case "E":
      case "f":
      case "F":
      case "g":
      case "G":
        return padded_number(float_text(this.kind.real(value), how), how);
    }
    if (letter === "b" && this.kind.name === "bytes") return cut(this.kind.text(value));
    const code = letter.codePointAt(0) as number;
    const shown = this.kind.name === "bytes" || (code >= 31 && code <= 126) ? letter : "?";
    throw new ValueError(`unsupported format character '${shown}' (0x${code.toString(16)}) at index ${this.at - 1}`);
  }
}

function character(value: unknown): string {
  if (typeof value === "string" && length_of(value) === 1) return value;
  if (typeof value === "string" || !(kind_of(value) === KIND.int || has_special(value, "__index__")))
    throw new TypeError_("%c requires int or char");
  const code = index_of(value);
  if (code < 0 || code > 0x10ffff) throw new OverflowError("%c arg not in range(0x110000)");
  return String.fromCodePoint(Number(code));
}

const STRING: TextKind = {
  name: "string",
  key: (text) => text,
  text: str,
  repr,
  character,
  real: (value) => double_from(value, (type) => `must be real number, not ${type}`),
  is_mapping: (value) => typeof value !== "string" && has_special(value, "__getitem__"),
};

/** `text % args`. */
export function percent_format(text: string, args: unknown, kind: TextKind = STRING): string {
  return new Formatter(text, args, kind).run();
}
