/**
 * @file Format specifications, `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`, and the filling up to a width.
 * @mirrors Python/formatter_unicode.c#parse_internal_render_format_spec (CPython 3.11)
 */
import { ValueError } from "../Objects/exceptions.ts";
import { decimal_value } from "../Objects/unicodeobject/digits.ts";

export interface FormatSpec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  /** `z`: a result that rounds to zero has no minus sign. */
  readonly no_neg_0: boolean;
  /** `#`. */
  readonly alternate: boolean;
  /** -1: none. */
  readonly width: number;
  /** `,` or `_` between groups of digits, or an empty text. */
  readonly separator: string;
  /** -1: none. */
  readonly precision: number;
  readonly type: string;
}

/** A number in a format text: its value, or -1 if there is no digit; and the place behind it. */
export function read_number(text: readonly string[], from: number): readonly [value: number, end: number] {
  let at = from;
  let value = 0;
  for (; at < text.length; at++) {
    const character = text[at] as string;
    const digit = character >= "0" && character <= "9" ? Number(character) : decimal_value(character);
    if (digit === undefined) break;
    value = value * 10 + digit;
    if (value > 2 ** 63) throw new ValueError("Too many decimal digits in format string");
  }
  return [at === from ? -1 : value, at];
}

const is_align = (character: string | undefined): boolean => character !== undefined && "<>=^".includes(character);

/** How messages show a type character that may be unprintable. */
export function shown_type(type: string): string {
  const code = type.codePointAt(0) as number;
  return code > 32 && code < 128 ? `'${type}'` : `'\\x${code.toString(16)}'`;
}

const both = (): ValueError => new ValueError("Cannot specify both ',' and '_'.");

/** Specifications that were read already: a program formats with a few of them again and again. */
const known = new Map<string, FormatSpec>();
const MOST_KNOWN = 200;

/** A specification for an object of this type; `type` and `align` are those that count if none is given. */
export function parse_format_spec(spec: string, type_name: string, type: string, align: string): FormatSpec {
  const key = `${type_name}:${spec}`;
  let result = known.get(key);
  if (result === undefined) {
    result = read_format_spec(spec, type_name, type, align);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, result);
  }
  return result;
}

function read_format_spec(spec: string, type_name: string, type: string, align: string): FormatSpec {
  const text = Array.from(spec);
  let at = 0;
  let fill: string | null = null;
  let given_align = "";
  if (is_align(text[1])) {
    [fill, given_align] = text as [string, string];
    at = 2;
  } else if (is_align(text[0])) {
    given_align = text[0] as string;
    at = 1;
  }
  const next_is = (characters: string): string => {
    const character = text[at];
    return character !== undefined && characters.includes(character) ? (text[at++] as string) : "";
  };
  const sign = next_is("+- ");
  const no_neg_0 = next_is("z") !== "";
  const alternate = next_is("#") !== "";
  let used_align = given_align === "" ? align : given_align;
  if (fill === null && next_is("0") !== "") {
    fill = "0";
    if (given_align === "" && align === ">") used_align = "=";
  }
  const [width, after_width] = read_number(text, at);
  at = after_width;
  let separator = next_is(",");
  const underscore = next_is("_");
  if (separator !== "" && underscore !== "") throw both();
  separator += underscore;
  if (underscore !== "" && text[at] === ",") throw both();
  let precision = -1;
  if (next_is(".") !== "") {
    [precision, at] = read_number(text, at);
    if (precision < 0) throw new ValueError("Format specifier missing precision");
  }
  if (text.length - at > 1)
    throw new ValueError(`Invalid format specifier '${spec}' for object of type '${type_name}'`);
  const given_type = text[at] === "\0" && type === "" ? "" : text[at]; // C writes "no type" as the character 0
  const used_type = given_type ?? type;
  if (
    separator !== "" &&
    !(used_type === "" || "defgEG%F".includes(used_type) || (separator === "_" && "boxX".includes(used_type)))
  )
    throw new ValueError(`Cannot specify '${separator}' with ${shown_type(used_type)}.`);
  return {
    fill: fill ?? " ",
    align: used_align,
    sign,
    no_neg_0,
    alternate,
    width,
    separator,
    precision,
    type: used_type,
  };
}

/** Fills a text of `length` characters up to the width. */
export function padded(text: string, length: number, spec: FormatSpec): string {
  const missing = spec.width - length;
  if (missing <= 0) return text;
  const left = spec.align === ">" ? missing : spec.align === "^" ? Math.floor(missing / 2) : 0;
  return spec.fill.repeat(left) + text + spec.fill.repeat(missing - left);
}

/** Digits in groups, with zeros in front up to `least` characters. A separator never comes first. */
function grouped(digits: string, size: number, separator: string, least: number): string {
  const groups: string[] = [];
  let end = digits.length;
  let missing = least;
  for (;;) {
    const length = Math.min(size, Math.max(end, missing, 1));
    const begin = Math.max(end - length, 0);
    groups.unshift(digits.slice(begin, end).padStart(length, "0"));
    end = begin;
    missing -= length;
    if (end === 0 && missing <= 0) return groups.join(separator);
    missing -= separator.length;
  }
}

/** Parts of a formatted number. `digits` are those before the point, which may be grouped; `rest` follows them. */
export interface NumberParts {
  readonly negative: boolean;
  readonly prefix: string;
  readonly digits: string;
  readonly rest: string;
}

/** Puts sign, prefix, digits and rest together and fills up to the width. */
export function assembled({ negative, prefix, digits, rest }: NumberParts, spec: FormatSpec): string {
  const sign = negative ? "-" : spec.sign === "-" ? "" : spec.sign;
  const around = sign.length + prefix.length + rest.length;
  const least = spec.fill === "0" && spec.align === "=" ? spec.width - around : 0;
  const size = "boxX".includes(spec.type) && spec.type !== "" ? 4 : 3;
  const whole =
    digits === ""
      ? ""
      : spec.separator === ""
        ? digits.padStart(least, "0")
        : grouped(digits, size, spec.separator, least);
  const text = whole + rest;
  if (spec.align !== "=") return padded(sign + prefix + text, around + whole.length, spec);
  return sign + prefix + spec.fill.repeat(Math.max(spec.width - around - whole.length, 0)) + text;
}
