/**
 * @file `str.__format__`, `int.__format__`, `float.__format__` and `complex.__format__`.
 * @mirrors Python/formatter_unicode.c (CPython 3.11)
 */
import type { PyComplex } from "../Objects/complexobject.ts";
import { OverflowError, ValueError } from "../Objects/exceptions.ts";
import { long_as_double } from "../Objects/longobject/arithmetic.ts";
import { type Int, int_repr } from "../Objects/longobject.ts";
import { length_of, slice_text } from "../Objects/unicodeobject/code_points.ts";
import { assembled, type FormatSpec, type NumberParts, padded, parse_format_spec, shown_type } from "./format_spec.ts";
import { double_to_string } from "./pystrtod.ts";

function unknown_code(type: string, name: string): ValueError {
  return new ValueError(`Unknown format code ${shown_type(type)} for object of type '${name}'`);
}

/** `str.__format__`. */
export function format_string(value: string, text: string): string {
  const spec = parse_format_spec(text, "str", "s", "<");
  if (spec.type !== "s") throw unknown_code(spec.type, "str");
  const refused = (what: string): ValueError => new ValueError(`${what} not allowed in string format specifier`);
  if (spec.sign !== "") throw refused(spec.sign === " " ? "Space" : "Sign");
  if (spec.no_neg_0) throw refused("Negative zero coercion (z)");
  if (spec.alternate) throw refused("Alternate form (#)");
  if (spec.align === "=") throw refused("'=' alignment");
  const length = length_of(value);
  if (spec.precision < 0 || spec.precision >= length) return padded(value, length, spec);
  return padded(slice_text(value, 0, spec.precision), spec.precision, spec);
}

const BASES: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

function character(value: Int, spec: FormatSpec): string {
  if (spec.sign !== "") throw new ValueError("Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) throw new ValueError("Alternate form (#) not allowed with integer format specifier 'c'");
  if (BigInt.asIntN(64, BigInt(value)) !== BigInt(value))
    throw new OverflowError("Python int too large to convert to C long");
  if (value < 0 || value > 0x10ffff) throw new OverflowError("%c arg not in range(0x110000)");
  // The character takes the place that in a number belongs to what follows the digits.
  const text = String.fromCodePoint(Number(value));
  const missing = Math.max(spec.width - 1, 0);
  return spec.align === "=" ? spec.fill.repeat(missing) + text : padded(text, 1, spec);
}

/** `int.__format__` of an int or bool, whose type's name messages show. */
export function format_long(value: Int, text: string, type_name = "int"): string {
  const spec = parse_format_spec(text, type_name, "d", ">");
  if ("eEfFgG%".includes(spec.type)) return number_text(long_as_double(value), spec, spec);
  if (!"bcdoxXn".includes(spec.type)) throw unknown_code(spec.type, type_name);
  if (spec.precision >= 0) throw new ValueError("Precision not allowed in integer format specifier");
  if (spec.no_neg_0) throw new ValueError("Negative zero coercion (z) not allowed in integer format specifier");
  if (spec.type === "c") return character(value, spec);
  const base = BASES[spec.type];
  const spelled = base === undefined ? int_repr(value) : value.toString(base);
  const digits = spelled.replace("-", "");
  const parts: NumberParts = {
    negative: value < 0,
    prefix: spec.alternate && base !== undefined ? `0${spec.type}` : "",
    digits: spec.type === "X" ? digits.toUpperCase() : digits,
    rest: "",
  };
  return assembled(parts, spec);
}

/** The digits of a float by a specification, in the parts that grouping and signs need. */
function float_parts(value: number, spec: FormatSpec, add_dot_0: boolean): NumberParts {
  if (spec.precision > 2 ** 31 - 1) throw new ValueError("precision too big");
  const percent = spec.type === "%";
  const type = percent ? "f" : spec.type === "n" ? "g" : spec.type.toLowerCase();
  const scaled = percent ? value * 100 : value;
  const conversion = type === "" ? (spec.precision < 0 ? "r" : "g") : (type as "e" | "f" | "g");
  const text = double_to_string(Math.abs(scaled), conversion, spec.precision < 0 ? 6 : spec.precision, {
    alternate: spec.alternate,
    add_dot_0: type === "" && add_dot_0,
  });
  const cased = /^[EFG]$/.test(spec.type) ? text.toUpperCase() : text;
  const [digits = ""] = /^\d*/.exec(cased) ?? [];
  const minus = scaled < 0 || Object.is(scaled, -0);
  const negative = minus && !(spec.no_neg_0 && /^[0.]*(?:e|$)/i.test(cased));
  return { negative, prefix: "", digits, rest: cased.slice(digits.length) + (percent ? "%" : "") };
}

const number_text = (value: number, spec: FormatSpec, how: FormatSpec): string =>
  assembled(float_parts(value, spec, true), how);

/** `float.__format__`. */
export function format_float(value: number, text: string): string {
  const spec = parse_format_spec(text, "float", "", ">");
  if (!"eEfFgGn%".includes(spec.type)) throw unknown_code(spec.type, "float");
  return number_text(value, spec, spec);
}

/** `complex.__format__`: both parts by the same specification, the imaginary one always with a sign. */
export function format_complex({ real, imag }: PyComplex, text: string): string {
  const spec = parse_format_spec(text, "complex", "", ">");
  if (!"eEfFgGn".includes(spec.type)) throw unknown_code(spec.type, "complex");
  if (spec.fill === "0") throw new ValueError("Zero padding is not allowed in complex format specifier");
  if (spec.align === "=") throw new ValueError("'=' alignment flag is not allowed in complex format specifier");
  const bare = { ...spec, width: -1, align: "<", fill: " " };
  const whole = spec.type === "" && Object.is(real, 0);
  const first = whole ? "" : assembled(float_parts(real, spec, false), bare);
  const second = assembled(float_parts(imag, spec, false), whole ? bare : { ...bare, sign: "+" });
  const inner = `${first}${second}j`;
  const result = spec.type === "" && !whole ? `(${inner})` : inner;
  return padded(result, result.length, spec);
}
