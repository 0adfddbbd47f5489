/**
 * @file JSON: values as texts and texts as values. `json` itself is Lib/json.
 * @mirrors Modules/_json.c, Lib/json/encoder.py, Lib/json/decoder.py, Lib/json/scanner.py (CPython 3.11)
 */
import { call } from "../Objects/call.ts";
import { dict_of } from "../Objects/dictobject.ts";
import { TypeError_, ValueError } from "../Objects/exceptions.ts";
import { float_repr, float_value } from "../Objects/floatobject.ts";
import { int_value } from "../Objects/longobject.ts";
import { functions } from "../Objects/methodobject.ts";
import { less } from "../Objects/object.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { plain_value, type_of } from "../Objects/typeobject.ts";
import { float_of, int_of } from "./arguments.ts";

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\f": "\\f",
  "\b": "\\b",
};
const unicode_escape = (c: string): string => SHORT[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A str in quotes. A character beyond U+FFFF becomes two escapes, as JavaScript keeps it. */
function quoted(text: string, ascii: boolean): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON escapes
  return `"${text.replace(ascii ? /["\\\x00-\x1f]|[^ -~]/g : /["\\\x00-\x1f]/g, unicode_escape)}"`;
}

interface Settings {
  readonly skipkeys: boolean;
  readonly ascii: boolean;
  readonly allow_nan: boolean;
  readonly indent: string | null;
  readonly item: string;
  readonly colon: string;
  readonly sort: boolean;
  readonly default: unknown;
  /** Containers that are being written; null: circles are not looked for. */
  readonly open: Set<unknown> | null;
}

function float_text(value: number, { allow_nan }: Settings): string {
  if (Number.isFinite(value)) return float_repr(value);
  if (!allow_nan) throw new ValueError("Out of range float values are not JSON compliant");
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

/** The text of None, a bool, number or str; undefined for other values. */
function plain(given: unknown, settings: Settings): string | undefined {
  const value = plain_value(given);
  if (value === null) return "null";
  if (typeof value === "string") return quoted(value, settings.ascii);
  if (typeof value === "boolean") return String(value);
  const int = int_of(value);
  if (int !== undefined) return String(int);
  const float = float_of(value);
  return float === undefined ? undefined : float_text(float, settings);
}

function key_text(given: unknown, settings: Settings): string | null {
  const key = plain_value(given);
  if (typeof key === "string") return quoted(key, settings.ascii);
  const text = plain(key, settings);
  if (text !== undefined) return `"${text}"`;
  if (settings.skipkeys) return null;
  throw new TypeError_(`keys must be str, int, float, bool or None, not ${type_of(key).tp_name}`);
}

/** Sorts as `sorted(dict.items())` does, without looking at equal keys' values: keys differ. */
function sorted(entries: [unknown, unknown][]): [unknown, unknown][] {
  return entries.sort(([a], [b]) => (less(a, b) ? -1 : less(b, a) ? 1 : 0));
}

function bracketed(
  parts: string[],
  [open, close]: readonly [string, string],
  settings: Settings,
  level: number,
): string {
  if (parts.length === 0) return open + close;
  const { indent, item } = settings;
  if (indent === null) return open + parts.join(item) + close;
  const line = `\n${indent.repeat(level + 1)}`;
  return `${open}${line}${parts.join(item + line)}\n${indent.repeat(level)}${close}`;
}

function text_of(value: unknown, settings: Settings, level: number): string {
  const simple = plain(value, settings);
  if (simple !== undefined) return simple;
  const { open } = settings;
  if (open?.has(value)) throw new ValueError("Circular reference detected");
  open?.add(value);
  let text: string;
  if (value instanceof Map) {
    const parts: string[] = [];
    const entries = [...(value as Map<unknown, unknown>)];
    for (const [key, element] of settings.sort ? sorted(entries) : entries) {
      const name = key_text(key, settings);
      if (name !== null) parts.push(name + settings.colon + text_of(element, settings, level + 1));
    }
    text = bracketed(parts, ["{", "}"], settings, level);
  } else if (Array.isArray(value)) {
    const parts = value.map((element) => text_of(element, settings, level + 1));
    text = bracketed(parts, ["[", "]"], settings, level);
  } else text = text_of(call(settings.default, value), settings, level);
  open?.delete(value);
  return text;
}

// ---- Reading

interface Hooks {
  readonly strict: boolean;
  readonly object_hook: unknown;
  readonly object_pairs_hook: unknown;
  readonly parse_float: unknown;
  readonly parse_int: unknown;
  readonly parse_constant: unknown;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Reader {
  private readonly text: string;
  private readonly hooks: Hooks;
  private readonly fail: (message: string, at: number) => unknown;
  at: number;

  constructor(text: string, at: number, hooks: Hooks, fail: (message: string, at: number) => unknown) {
    this.text = text;
    this.at = at;
    this.hooks = hooks;
    this.fail = fail;
  }

  space(): void {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at++;
  }

  value(): unknown {
    const c = this.text[this.at];
    if (c === '"') {
      this.at++;
      return this.string(this.at - 1);
    }
    if (c === "{") return this.object();
    if (c === "[") return this.array();
    for (const [word, value] of [
      ["null", null],
      ["true", true],
      ["false", false],
    ] as const)
      if (this.accept(word)) return value;
    const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
    number.lastIndex = this.at;
    const found = number.exec(this.text);
    if (found !== null) {
      this.at = number.lastIndex;
      return this.number(found);
    }
    for (const word of ["NaN", "Infinity", "-Infinity"])
      if (this.accept(word))
        return this.hooks.parse_constant === null ? Number(word) : call(this.hooks.parse_constant, word);
    throw this.fail("Expecting value", this.at);
  }

  private number([text, fraction, exponent]: RegExpExecArray): unknown {
    const { parse_float, parse_int } = this.hooks;
    if (fraction !== undefined || exponent !== undefined)
      return parse_float === null ? float_value(Number(text)) : call(parse_float, text);
    return parse_int === null ? int_value(BigInt(text)) : call(parse_int, text);
  }

  private accept(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  private array(): unknown[] {
    const values: unknown[] = [];
    this.at++;
    this.space();
    if (this.accept("]")) return values;
    for (;;) {
      values.push(this.value());
      this.space();
      if (this.accept("]")) return values;
      if (!this.accept(",")) throw this.fail("Expecting ',' delimiter", this.at);
      this.space();
    }
  }

  private object(): unknown {
    const pairs: [unknown, unknown][] = [];
    this.at++;
    this.space();
    if (!this.accept("}")) {
      do {
        this.space();
        if (!this.accept('"')) throw this.fail("Expecting property name enclosed in double quotes", this.at);
        const key = this.string(this.at - 1);
        this.space();
        if (!this.accept(":")) throw this.fail("Expecting ':' delimiter", this.at);
        this.space();
        pairs.push([key, this.value()]);
        this.space();
      } while (this.accept(","));
      if (!this.accept("}")) throw this.fail("Expecting ',' delimiter", this.at);
    }
    const { object_hook, object_pairs_hook } = this.hooks;
    if (object_pairs_hook !== null)
      return call(
        object_pairs_hook,
        pairs.map((pair) => tuple(pair)),
      );
    const dict = dict_of(pairs);
    return object_hook === null ? dict : call(object_hook, dict);
  }

  /** The rest of a str whose opening quote stands at `begin`. */
  string(begin: number): string {
    let result = "";
    for (;;) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON forbids
      const piece = /[^"\\\x00-\x1f]*/y;
      piece.lastIndex = this.at;
      result += (piece.exec(this.text) as RegExpExecArray)[0];
      this.at = piece.lastIndex;
      const c = this.text[this.at++];
      if (c === undefined) throw this.fail("Unterminated string starting at", begin);
      if (c === '"') return result;
      if (c === "\\") result += this.escape(begin);
      else if (this.hooks.strict) throw this.fail("Invalid control character at", this.at - 1);
      else result += c;
    }
  }

  private escape(begin: number): string {
    const c = this.text[this.at++];
    if (c === undefined) throw this.fail("Unterminated string starting at", begin);
    if (c !== "u") {
      if (ESCAPES[c] === undefined) throw this.fail("Invalid \\escape", this.at - 2);
      return ESCAPES[c];
    }
    const digits = this.text.slice(this.at, this.at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.fail("Invalid \\uXXXX escape", this.at - 1);
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
}

/** Reads a value from `start` on; gives it and where it ended. */
function decode(text: unknown, start: number, error: unknown, hooks: Hooks): unknown {
  if (typeof text !== "string") throw new TypeError_(`first argument must be a string, not ${type_of(text).tp_name}`);
  const astral = /[\ud800-\udfff]/.test(text);
  const to_js = (at: number): number => (astral ? [...text].slice(0, at).join("").length : at);
  const from_js = (at: number): number => (astral ? [...text.slice(0, at)].length : at);
  const reader = new Reader(text, to_js(start), hooks, (message, at) => call(error, message, text, from_js(at)));
  const value = reader.value();
  return tuple([value, from_js(reader.at)]);
}

export function _json(): Map<string, unknown> {
  return functions("_json", {
    "encode(obj, skipkeys, ascii, circular, allow_nan, indent, item, colon, sort, default, /)": (
      value: unknown,
      skipkeys: boolean,
      ascii: boolean,
      circular: boolean,
      allow_nan: boolean,
      indent: string | null,
      item: string,
      colon: string,
      sort: boolean,
      otherwise: unknown,
    ) =>
      text_of(
        value,
        {
          skipkeys,
          ascii,
          allow_nan,
          indent,
          item,
          colon,
          sort,
          default: otherwise,
          open: circular ? new Set() : null,
        },
        0,
      ),
    "decode(text, start, error, strict, object_hook, object_pairs_hook, parse_float, parse_int, parse_constant, /)": (
      text: unknown,
      start: number,
      error: unknown,
      strict: boolean,
      object_hook: unknown,
      object_pairs_hook: unknown,
      parse_float: unknown,
      parse_int: unknown,
      parse_constant: unknown,
    ) => decode(text, start, error, { strict, object_hook, object_pairs_hook, parse_float, parse_int, parse_constant }),
    "quoted(text, ascii, /)": quoted,
  });
}
