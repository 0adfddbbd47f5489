/**
 * @file `str.format` and `str.format_map`: texts with fields such as `{0.name[key]!r:>{width}}`.
 * @mirrors Objects/stringlib/unicode_format.h (CPython 3.11)
 */
import { read_number } from "../../Python/format_spec.ts";
import { format } from "../abstract/format.ts";
import { call_special } from "../call.ts";
import { IndexError, KeyError, TypeError_, ValueError } from "../exceptions.ts";
import { ascii, getattr, repr, str } from "../object.ts";
import { type_of } from "../typeobject.ts";

/** The arguments of one call, and how its fields are numbered: by themselves or by the text, but not both. */
interface Call {
  /** null: `format_map`, which has no positions. */
  readonly args: readonly unknown[] | null;
  readonly value_of: (name: string) => unknown;
  numbering: "unknown" | "automatic" | "manual";
  next: number;
}

interface Field {
  readonly name: string[];
  readonly conversion: string | null;
  readonly spec: string[];
  readonly nested: boolean;
  /** Place behind the field. */
  readonly end: number;
}

/** Reads the field whose name begins at `from`, behind the brace. */
function parse_field(text: readonly string[], from: number): Field {
  let at = from;
  let mark: string | undefined;
  for (; at < text.length; at++) {
    mark = text[at] as string;
    if (mark === "{") throw new ValueError("unexpected '{' in field name");
    if (mark === "[") while (at + 1 < text.length && text[at + 1] !== "]") at++;
    else if (mark === "}" || mark === ":" || mark === "!") break;
  }
  const name = text.slice(from, at);
  at++;
  if (at > text.length) throw new ValueError("expected '}' before end of string");
  if (mark === "}") return { name, conversion: null, spec: [], nested: false, end: at };
  let conversion: string | null = null;
  if (mark === "!") {
    if (at >= text.length) throw new ValueError("end of string while looking for conversion specifier");
    conversion = text[at++] as string;
    if (at < text.length) {
      const follows = text[at++];
      if (follows === "}") return { name, conversion, spec: [], nested: false, end: at };
      if (follows !== ":") throw new ValueError("expected ':' after conversion specifier");
    }
  }
  const begin = at;
  let nested = false;
  for (let depth = 1; at < text.length; at++) {
    if (text[at] === "{") {
      nested = true;
      depth++;
    } else if (text[at] === "}" && --depth === 0)
      return { name, conversion, spec: text.slice(begin, at), nested, end: at + 1 };
  }
  throw new ValueError("unmatched '{' in format spec");
}

/** A text as a place; undefined if it is no number. */
function place(text: readonly string[]): number | undefined {
  const [value, end] = read_number(text, 0);
  return value < 0 || end < text.length ? undefined : value;
}

function getitem(value: unknown, key: unknown): unknown {
  const result = call_special(value, "__getitem__", key);
  if (result === undefined) throw new TypeError_(`'${type_of(value).tp_name}' object is not subscriptable`);
  return result;
}

/** The argument that the first part of a name means. */
function argument(name: readonly string[], call: Call): unknown {
  const number = place(name);
  if (name.length > 0 && number === undefined) return call.value_of(name.join(""));
  const how = name.length === 0 ? "automatic" : "manual";
  if (call.numbering === "unknown") call.numbering = how;
  if (call.numbering !== how)
    throw new ValueError(
      how === "automatic"
        ? "cannot switch from manual field specification to automatic field numbering"
        : "cannot switch from automatic field numbering to manual field specification",
    );
  const index = number ?? call.next++;
  if (call.args === null) throw new ValueError("Format string contains positional fields");
  if (index >= call.args.length)
    throw new IndexError(`Replacement index ${index} out of range for positional args tuple`);
  return call.args[index];
}

/** The value of a field: its argument, then attributes and elements. */
function value_of_field(name: readonly string[], call: Call): unknown {
  const first = name.findIndex((it) => it === "." || it === "[");
  let at = first < 0 ? name.length : first;
  let value = argument(name.slice(0, at), call);
  while (at < name.length) {
    const mark = name[at++];
    const begin = at;
    if (mark === ".") {
      while (at < name.length && name[at] !== "." && name[at] !== "[") at++;
      if (at === begin) throw new ValueError("Empty attribute in format string");
      value = getattr(value, name.slice(begin, at).join(""));
    } else if (mark === "[") {
      while (at < name.length && name[at] !== "]") at++;
      if (at === name.length) throw new ValueError("Missing ']' in format string");
      const key = name.slice(begin, at++);
      if (key.length === 0) throw new ValueError("Empty attribute in format string");
      value = getitem(value, place(key) ?? key.join(""));
    } else throw new ValueError("Only '.' or '[' may follow ']' in format field specifier");
  }
  return value;
}

function converted(value: unknown, conversion: string): unknown {
  switch (conversion) {
    case "r":
      return repr(value);
    case "s":
      return str(value);
    case "a":
      return ascii(value);
  }
  const code = conversion.codePointAt(0) as number;
  throw new ValueError(
    `Unknown conversion specifier ${code > 32 && code < 127 ? conversion : `\\x${code.toString(16)}`}`,
  );
}

function build(text: readonly string[], call: Call, depth: number): string {
  if (depth === 0) throw new ValueError("Max string recursion exceeded");
  let result = "";
  for (let at = 0; at < text.length; ) {
    const character = text[at++] as string;
    if (character !== "{" && character !== "}") {
      result += character;
      continue;
    }
    if (text[at] === character) {
      result += character;
      at++;
      continue;
    }
    if (character === "}" || at === text.length)
      throw new ValueError(`Single '${character}' encountered in format string`);
    const field = parse_field(text, at);
    at = field.end;
    const value = value_of_field(field.name, call);
    const shown = field.conversion === null ? value : converted(value, field.conversion);
    result += format(shown, field.nested ? build(field.spec, call, depth - 1) : field.spec.join(""));
  }
  return result;
}

/** `text.format(*args, **kwargs)`. */
export function do_string_format(text: string, args: readonly unknown[], kwargs: ReadonlyMap<string, unknown>): string {
  const value_of = (name: string): unknown => {
    const value = kwargs.get(name);
    if (value === undefined) throw new KeyError(name);
    return value;
  };
  return build(Array.from(text), { args, value_of, numbering: "unknown", next: 0 }, 2);
}

/** `text.format_map(mapping)`. */
export function do_string_format_map(text: string, mapping: unknown): string {
  const value_of = (name: string): unknown => getitem(mapping, name);
  return build(Array.from(text), { args: null, value_of, numbering: "unknown", next: 0 }, 2);
}
