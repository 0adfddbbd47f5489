/**
 * @file Patterns and matches of `re`.
 * @mirrors Modules/_sre/sre.c (CPython 3.11)
 */
import { PyBytes } from "../../Objects/bytesobject.ts";
import { call } from "../../Objects/call.ts";
import { IndexError, TypeError_ } from "../../Objects/exceptions.ts";
import { tuple } from "../../Objects/tupleobject.ts";
import { type_of } from "../../Objects/typeobject.ts";
import { FLAG } from "./categories.ts";
import { re_error } from "./error.ts";
import { type Translation, translate } from "./translate.ts";

/** Bytes as a text whose characters are the bytes, so that one RegExp serves both. */
export const text_of_bytes = (bytes: PyBytes): string =>
  Array.from(bytes.data, (byte) => String.fromCharCode(byte)).join("");
export const bytes_of_text = (text: string): PyBytes => new PyBytes(Uint8Array.from(text, (c) => c.charCodeAt(0)));

/** A text in which a pattern looks, and the places of its characters. */
export class Subject {
  readonly value: unknown;
  readonly text: string;
  /** Start of each code point, if they are not the characters of JavaScript. */
  private readonly starts: readonly number[] | null;

  constructor(value: unknown, pattern: Pattern) {
    const is_str = typeof value === "string";
    if (!is_str && !(value instanceof PyBytes))
      throw new TypeError_(`expected string or bytes-like object, got '${type_of(value).tp_name}'`);
    if (is_str && !pattern.is_str) throw new TypeError_("cannot use a bytes pattern on a string-like object");
    if (!is_str && pattern.is_str) throw new TypeError_("cannot use a string pattern on a bytes-like object");
    this.value = value;
    this.text = is_str ? value : text_of_bytes(value as PyBytes);
    if (/[\ud800-\udfff]/.test(this.text)) {
      const starts: number[] = [];
      let at = 0;
      for (const c of this.text) {
        starts.push(at);
        at += c.length;
      }
      this.starts = [...starts, at];
    } else this.starts = null;
  }

  get length(): number {
    return this.starts === null ? this.text.length : this.starts.length - 1;
  }

  /** From a code point's place to JavaScript's, and back. */
  to_js(at: number): number {
    return this.starts === null ? at : (this.starts[at] as number);
  }

  from_js(at: number): number {
    return this.starts === null ? at : this.starts.indexOf(at);
  }

  /** The place after one more character. */
  after(at: number): number {
    return at + ((this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  }

  slice(start: number, end: number): unknown {
    const part = this.text.slice(start, end);
    return typeof this.value === "string" ? part : bytes_of_text(part);
  }

  /** Texts joined, as the subject's kind. */
  join(parts: readonly string[]): unknown {
    const text = parts.join("");
    return typeof this.value === "string" ? text : bytes_of_text(text);
  }
}

type How = "match" | "search" | "fullmatch";

export class Pattern {
  readonly pattern: unknown;
  readonly is_str: boolean;
  readonly translation: Translation;
  private readonly compiled = new Map<string, RegExp>();

  constructor(pattern: unknown, flags: number) {
    this.pattern = pattern;
    this.is_str = typeof pattern === "string";
    this.translation = translate(pattern, this.is_str ? (pattern as string) : text_of_bytes(pattern as PyBytes), flags);
  }

  get groups(): number {
    return this.translation.groups.length - 1;
  }

  /** The expression with an end; `search` looks further on, the others stay. */
  private regexp(how: How, end: string): RegExp {
    const key = how + end;
    let regexp = this.compiled.get(key);
    if (regexp === undefined) {
      const { js, flags } = this.translation;
      const letters = `dv${flags & FLAG.I ? "i" : ""}${how === "search" ? "g" : "y"}`;
      regexp = new RegExp(end === "" ? js : `(?:${js})${end}`, letters);
      if (end.length < 3) this.compiled.set(key, regexp);
    }
    return regexp;
  }

  /** A match from `start` on, places as in JavaScript; `text` may end before the subject does. */
  exec(subject: Subject, text: string, start: number, how: How, not_empty = false): RegExpExecArray | null {
    // An empty match is forbidden by saying how many characters may not be left.
    const left = text.length - start;
    const end =
      how === "fullmatch"
        ? "$"
        : not_empty
          ? `(?!${left > 0 ? `[\\s\\S]{${subject.from_js(text.length) - subject.from_js(start)}}` : ""}$)`
          : "";
    const regexp = this.regexp(how, end);
    regexp.lastIndex = start;
    let found = regexp.exec(text);
    // V8 may find an empty match between the two halves of a character.
    while (found !== null && how === "search" && subject.from_js(found.index) < 0) {
      regexp.lastIndex = found.index + 1;
      found = regexp.exec(text);
    }
    return found;
  }

  /** The match that JavaScript found. */
  match_of(subject: Subject, found: RegExpExecArray, from: number, to: number): Match {
    return new Match(this, subject, found, from, to);
  }

  /** Matches one after another, which do not overlap. After an empty match the next one may begin at its place, but is not empty there. */
  *each(subject: Subject, from = 0, to = subject.length): Generator<Match> {
    const text = subject.text.slice(0, subject.to_js(to));
    let at = subject.to_js(from);
    let after_empty = false;
    while (at <= text.length) {
      let found: RegExpExecArray | null = null;
      if (after_empty) {
        found = this.translation.prefers_empty ? this.exec(subject, text, at, "match", true) : null;
        if (found === null) {
          if (at >= text.length) return;
          at = subject.after(at);
        }
      }
      found ??= this.exec(subject, text, at, "search");
      if (found === null) return;
      const match = new Match(this, subject, found, from, to);
      yield match;
      at = match.places[0]?.[1] as number;
      after_empty = found[0] === "";
    }
  }
}

export class Match {
  readonly re: Pattern;
  readonly subject: Subject;
  /** Start and end of each of Python's groups in JavaScript's places; undefined for one that took no part. */
  readonly places: readonly (readonly [number, number] | undefined)[];
  readonly pos: number;
  readonly endpos: number;

  constructor(re: Pattern, subject: Subject, found: RegExpExecArray, pos: number, endpos: number) {
    this.re = re;
    this.subject = subject;
    const { indices } = found;
    this.places = re.translation.groups.map((group) => indices?.[group]);
    this.pos = pos;
    this.endpos = endpos;
  }

  group_text(group: number): string {
    const place = this.places[group];
    return place === undefined ? "" : this.subject.text.slice(...place);
  }

  /** The group's text as a value; `otherwise` if it took no part. */
  value(group: number, otherwise: unknown = null): unknown {
    const place = this.places[group];
    return place === undefined ? otherwise : this.subject.slice(...place);
  }

  get lastindex(): number | null {
    const { closing } = this.re.translation;
    for (let i = closing.length - 1; i >= 0; i--)
      if (this.places[closing[i] as number] !== undefined) return closing[i] as number;
    return null;
  }
}

/** A template of `sub`: texts and numbers of groups. */
export type Template = readonly (string | number)[];

const CONTROL: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/** Reads a template such as `\1-\g<name>`. */
export function read_template(pattern: Pattern, value: unknown): Template {
  const text = Array.from(typeof value === "string" ? value : text_of_bytes(value as PyBytes));
  const result: (string | number)[] = [];
  let plain = "";
  const group = (number: number, position: number): void => {
    if (number > pattern.groups) throw re_error(`invalid group reference ${number}`, value, position);
    result.push(plain, number);
    plain = "";
  };
  let at = 0;
  const digits = (test: RegExp, most: number): string => {
    let found = "";
    while (found.length < most && at < text.length && test.test(text[at] as string)) found += text[at++];
    return found;
  };
  while (at < text.length) {
    const start = at;
    const c = text[at++] as string;
    if (c !== "\\") {
      plain += c;
      continue;
    }
    const e = text[at++];
    if (e === undefined) throw re_error("bad escape (end of pattern)", value, start);
    if (e === "g") {
      if (text[at] !== "<") throw re_error("missing <", value, at);
      const end = text.indexOf(">", at);
      const name = text.slice(at + 1, end < 0 ? undefined : end).join("");
      if (end < 0) throw re_error(name === "" ? "missing group name" : "missing >, unterminated name", value, at + 1);
      if (name === "") throw re_error("missing group name", value, at + 1);
      const number = /^\d+$/.test(name) ? Number(name) : pattern.translation.names.get(name);
      if (number === undefined) {
        if (!/^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(name))
          throw re_error(`bad character in group name '${name}'`, value, at + 1);
        throw new IndexError(`unknown group name '${name}'`);
      }
      group(number, at + 1);
      at = end + 1;
    } else if (e === "0") plain += String.fromCodePoint(Number.parseInt(`0${digits(/[0-7]/, 2)}`, 8));
    else if (/[1-9]/.test(e)) {
      let number = e + digits(/\d/, 1);
      if (/^[0-3][0-7]$/.test(number) && /[0-7]/.test(text[at] ?? "")) {
        number += text[at++];
        plain += String.fromCodePoint(Number.parseInt(number, 8));
      } else group(Number(number), start + 1);
    } else if (CONTROL[e] !== undefined) plain += CONTROL[e];
    else if (/[A-Za-z]/.test(e)) throw re_error(`bad escape \\${e}`, value, start);
    else plain += c + e;
  }
  result.push(plain);
  return result;
}

/** The template filled with a match's groups. */
export function expand(template: Template, match: Match): string {
  return template.map((part) => (typeof part === "number" ? match.group_text(part) : part)).join("");
}

/** `pattern.sub`: the new text and how often something was replaced. */
export function substitute(pattern: Pattern, repl: unknown, value: unknown, count: number): readonly [unknown, number] {
  const subject = new Subject(value, pattern);
  const is_template = typeof repl === "string" || repl instanceof PyBytes;
  const template = is_template ? read_template(pattern, repl) : null;
  const parts: string[] = [];
  let at = 0;
  let n = 0;
  for (const match of pattern.each(subject)) {
    const [start, end] = match.places[0] as readonly [number, number];
    parts.push(subject.text.slice(at, start));
    if (template !== null) parts.push(expand(template, match));
    else {
      const made = call(repl, match);
      if (made !== null) parts.push(part_of(made, subject));
    }
    at = end;
    n++;
    if (n === count) break;
  }
  parts.push(subject.text.slice(at));
  return [subject.join(parts), n];
}

/** The text that replaces a match: a function's result must be of the subject's kind. */
function part_of(made: unknown, subject: Subject): string {
  if (typeof made === "string" && typeof subject.value === "string") return made;
  if (made instanceof PyBytes && subject.value instanceof PyBytes) return text_of_bytes(made);
  const wanted = typeof subject.value === "string" ? "str instance" : "a bytes-like object";
  throw new TypeError_(`sequence item 0: expected ${wanted}, ${type_of(made).tp_name} found`);
}

/** `pattern.split`. */
export function split(pattern: Pattern, value: unknown, maxsplit: number): unknown[] {
  const subject = new Subject(value, pattern);
  const parts: unknown[] = [];
  let at = 0;
  let n = 0;
  if (maxsplit >= 0)
    for (const match of pattern.each(subject)) {
      const [start, end] = match.places[0] as readonly [number, number];
      parts.push(subject.slice(at, start));
      for (let group = 1; group <= pattern.groups; group++) parts.push(match.value(group));
      at = end;
      if (++n === maxsplit) break;
    }
  parts.push(subject.slice(at, subject.text.length));
  return parts;
}

/** The element of `findall` for a match: the match, its only group, or all groups. */
export function found_in(match: Match): unknown {
  const empty = match.subject.slice(0, 0);
  const { groups } = match.re;
  if (groups === 0) return match.value(0);
  if (groups === 1) return match.value(1, empty);
  return tuple(Array.from({ length: groups }, (_, i) => match.value(i + 1, empty)));
}
