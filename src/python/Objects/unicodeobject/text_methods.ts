/**
 * @file The named methods of `str`, `"a".split()` to `"a".zfill(3)`.
 * @mirrors Objects/unicodeobject.c#unicode_methods (CPython 3.11)
 */
import { size_of, text_argument } from "../../Python/getargs.ts";
import { PyBytes } from "../bytesobject.ts";
import { has_special } from "../call.ts";
import { TypeError_ } from "../exceptions.ts";
import { each } from "../iterobject.ts";
import { define_methods } from "../methodobject.ts";
import { truth } from "../object.ts";
import { do_string_format, do_string_format_map } from "../stringlib/unicode_format.ts";
import { list_type, plain_value, str_type, type_of } from "../typeobject.ts";
import * as ctype from "../unicodectype.ts";
import { is_printable } from "../unicodeobject.ts";
import { capitalize, casefold, has_only_case, istitle, swapcase, title } from "./case.ts";
import { length_of } from "./code_points.ts";
import { encode } from "./codecs.ts";
import { SPACES } from "./digits.ts";
import "./methods.ts";
import { count, find, index, must_be_str, partition, replace, searched, tail_matches } from "./search.ts";
import * as split from "./split.ts";
import "./translate.ts";

function separator(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  throw new TypeError_(`must be str or None, not ${type_of(value).tp_name}`);
}

/** The texts of `separator.join(values)`. */
function joined(glue: string, values: unknown): string {
  if (Array.isArray(values) && type_of(values) === list_type && values.every((value) => typeof value === "string"))
    return values.join(glue);
  if (!has_special(values, "__iter__") && !Array.isArray(values) && !has_special(values, "__getitem__"))
    throw new TypeError_("can only join an iterable");
  const texts: string[] = [];
  for (const element of each(values)) {
    const value = plain_value(element);
    if (typeof value !== "string")
      throw new TypeError_(`sequence item ${texts.length}: expected str instance, ${type_of(value).tp_name} found`);
    texts.push(value);
  }
  return texts.join(glue);
}

function stripped(text: string, characters: unknown, side: split.Side): string {
  if (characters === null) return split.strip_spaces(text, side, split.UNICODE_SPACES);
  if (typeof characters === "string") return split.strip_characters(text, characters, side);
  throw new TypeError_(`${side === "both" ? "" : side === "left" ? "l" : "r"}strip arg must be None or str`);
}

/** Fills up to a width; of an odd rest the larger half stands left if the width is odd. */
export function filled(
  text: string,
  length: number,
  width: number,
  fill: string,
  side: "center" | "ljust" | "rjust",
): string {
  const missing = width - length;
  if (missing <= 0) return text;
  const left = side === "ljust" ? 0 : side === "rjust" ? missing : Math.floor(missing / 2) + (missing & width & 1);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

function fill_character(value: unknown): string {
  if (typeof value !== "string")
    throw new TypeError_(`The fill character must be a unicode character, not ${type_of(value).tp_name}`);
  if (length_of(value) !== 1) throw new TypeError_("The fill character must be exactly one character long");
  return value;
}

/** `text.zfill(width)`: zeros stand behind a sign. */
export function zero_filled(text: string, length: number, width: number): string {
  const zeros = "0".repeat(Math.max(width - length, 0));
  return /^[+-]/.test(text) ? text.charAt(0) + zeros + text.slice(1) : zeros + text;
}

const every = (text: string, test: (character: string) => boolean): boolean => {
  if (text === "") return false;
  for (const character of text) if (!test(character)) return false;
  return true;
};

const affix =
  (method: string) =>
  (value: unknown, in_tuple: boolean): string => {
    if (typeof value === "string") return value;
    throw new TypeError_(
      in_tuple
        ? `tuple for ${method} must only contain str, not ${type_of(value).tp_name}`
        : `${method} first arg must be str or a tuple of str, not ${type_of(value).tp_name}`,
    );
  };
const starts = affix("startswith");
const ends = affix("endswith");
const MISSING = "substring not found";
const ALL_SPACES = new RegExp(`^[${SPACES}]+$`);

define_methods(str_type, {
  "capitalize(self, /)": capitalize,
  "casefold(self, /)": casefold,
  "lower(self, /)": (self: string) => self.toLowerCase(),
  "upper(self, /)": (self: string) => self.toUpperCase(),
  "title(self, /)": title,
  "swapcase(self, /)": swapcase,
  "isalnum(self, /)": (self: string) => every(self, (it) => ctype.is_alpha(it) || ctype.is_numeric(it)),
  "isalpha(self, /)": (self: string) => every(self, ctype.is_alpha),
  "isascii(self, /)": (self: string) => /^[\0-\x7f]*$/.test(self),
  "isdecimal(self, /)": (self: string) => every(self, ctype.is_decimal),
  "isdigit(self, /)": (self: string) => every(self, ctype.is_digit),
  "isnumeric(self, /)": (self: string) => every(self, ctype.is_numeric),
  "isidentifier(self, /)": (self: string) => /^[\p{XIDS}_][\p{XIDC}]*$/u.test(self),
  "islower(self, /)": (self: string) => has_only_case(self, false),
  "isupper(self, /)": (self: string) => has_only_case(self, true),
  "isprintable(self, /)": (self: string) => self === "" || every(self, is_printable),
  "isspace(self, /)": (self: string) => ALL_SPACES.test(self),
  "istitle(self, /)": istitle,

  "count(self, sub, start=None, end=None, /)": (self: string, sub, start, end) =>
    searched(start, end, (from, to) => count(self, must_be_str(sub, ""), from, to)),
  "find(self, sub, start=None, end=None, /)": (self: string, sub, start, end) =>
    searched(start, end, (from, to) => find(self, must_be_str(sub, ""), from, to, false)),
  "rfind(self, sub, start=None, end=None, /)": (self: string, sub, start, end) =>
    searched(start, end, (from, to) => find(self, must_be_str(sub, ""), from, to, true)),
  "index(self, sub, start=None, end=None, /)": (self: string, sub, start, end) =>
    searched(start, end, (from, to) => index(self, must_be_str(sub, ""), from, to, false, MISSING)),
  "rindex(self, sub, start=None, end=None, /)": (self: string, sub, start, end) =>
    searched(start, end, (from, to) => index(self, must_be_str(sub, ""), from, to, true, MISSING)),
  "startswith(self, prefix, start=None, end=None, /)": (self: string, prefix, start, end) =>
    searched(start, end, (from, to) => tail_matches(self, prefix, from, to, false, starts)),
  "endswith(self, suffix, start=None, end=None, /)": (self: string, suffix, start, end) =>
    searched(start, end, (from, to) => tail_matches(self, suffix, from, to, true, ends)),
  "removeprefix(self, prefix, /)": (self: string, prefix) => {
    const text = text_argument(prefix, "removeprefix", "");
    return self.startsWith(text) ? self.slice(text.length) : self;
  },
  "removesuffix(self, suffix, /)": (self: string, suffix) => {
    const text = text_argument(suffix, "removesuffix", "");
    return text !== "" && self.endsWith(text) ? self.slice(0, -text.length) : self;
  },
  "replace(self, old, new, count=-1, /)": (self: string, old, by, most) =>
    replace(self, text_argument(old, "replace", "1"), text_argument(by, "replace", "2"), size_of(most)),
  "partition(self, sep, /)": (self: string, sep) => partition(self, must_be_str(sep, ""), false),
  "rpartition(self, sep, /)": (self: string, sep) => partition(self, must_be_str(sep, ""), true),

  "split(self, /, sep=None, maxsplit=-1)": (self: string, sep, maxsplit) => {
    const most = size_of(maxsplit);
    const by = separator(sep);
    return by === null ? split.split_spaces(self, most, split.UNICODE_SPACES) : split.split(self, by, most);
  },
  "rsplit(self, /, sep=None, maxsplit=-1)": (self: string, sep, maxsplit) => {
    const most = size_of(maxsplit);
    const by = separator(sep);
    return by === null ? split.rsplit_spaces(self, most, split.UNICODE_SPACES) : split.rsplit(self, by, most);
  },
  "splitlines(self, /, keepends=False)": (self: string, keepends) =>
    split.split_lines(self, truth(keepends), split.UNICODE_SPACES),
  "join(self, iterable, /)": joined,
  "strip(self, chars=None, /)": (self: string, characters) => stripped(self, characters, "both"),
  "lstrip(self, chars=None, /)": (self: string, characters) => stripped(self, characters, "left"),
  "rstrip(self, chars=None, /)": (self: string, characters) => stripped(self, characters, "right"),

  "center(self, width, fillchar=' ', /)": (self: string, width, fill) =>
    filled(self, length_of(self), size_of(width), fill_character(fill), "center"),
  "ljust(self, width, fillchar=' ', /)": (self: string, width, fill) =>
    filled(self, length_of(self), size_of(width), fill_character(fill), "ljust"),
  "rjust(self, width, fillchar=' ', /)": (self: string, width, fill) =>
    filled(self, length_of(self), size_of(width), fill_character(fill), "rjust"),
  "zfill(self, width, /)": (self: string, width) => zero_filled(self, length_of(self), size_of(width)),
  "expandtabs(self, /, tabsize=8)": (self: string, size) => split.expand_tabs(self, size_of(size)),

  "encode(self, /, encoding='utf-8', errors='strict')": (self: string, encoding, errors) =>
    new PyBytes(
      encode(self, text_argument(encoding, "encode", "'encoding'"), text_argument(errors, "encode", "'errors'")),
    ),
  "format(self, /, *args, **kwargs)": do_string_format,
  "format_map(self, mapping, /)": do_string_format_map,
});
