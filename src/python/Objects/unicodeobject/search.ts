/**
 * @file `find`, `count`, `replace`, `partition`, `startswith` and their like: where a text stands in another.
 * @mirrors Objects/stringlib/find.h, Objects/unicodeobject.c#any_find_slice (CPython 3.11)
 */
import { index_of, is_index } from "../abstract/numbers.ts";
import { TypeError_, ValueError } from "../exceptions.ts";
import { PyTuple, tuple } from "../tupleobject.ts";
import { type_of } from "../typeobject.ts";
import { length_of, place_of, slice_text, unit_of } from "./code_points.ts";

/** A place in a sequence of this length: a negative bound counts from the end, and the result lies inside. */
function clipped(bound: number | bigint, length: number): number {
  const place = bound < 0 ? Number(bound) + length : Number(bound);
  return Math.max(0, Math.min(place, length));
}

/** An argument `start` or `end`; null and undefined stand for none. */
export function bound(value: unknown, missing: number): number | bigint {
  if (value === null || value === undefined) return missing;
  if (!is_index(value)) throw new TypeError_("slice indices must be integers or None or have an __index__ method");
  return index_of(value);
}

/** Places `start` and `end` in a sequence of this length. The start may lie behind the end, where nothing is found, not even an empty text. */
export function bounds(length: number, start: unknown, end: unknown): readonly [start: number, end: number] {
  const first = bound(start, 0);
  const last = bound(end, length);
  const begin = first < 0 ? clipped(first, length) : Math.min(Number(first), length + 1);
  return [begin, clipped(last, length)];
}

/** Reads the places `start` and `end`, then searches: so errors of the places come before those of the text. */
export function searched<T>(start: unknown, end: unknown, search: (start: unknown, end: unknown) => T): T {
  return search(start === null ? null : bound(start, 0), end === null ? null : bound(end, 0));
}

/** The first or last place where `part` stands between the bounds, or -1. */
export function find(text: string, part: string, start: unknown, end: unknown, last: boolean): number {
  const [first, stop] = bounds(length_of(text), start, end);
  if (stop < first) return -1;
  const from = unit_of(text, first);
  const to = unit_of(text, stop) - part.length;
  if (to < from) return -1;
  const unit = last ? text.lastIndexOf(part, to) : text.indexOf(part, from);
  return unit < from || unit > to ? -1 : place_of(text, unit);
}

/** `find`, or its error. */
export function index(
  text: string,
  part: string,
  start: unknown,
  end: unknown,
  last: boolean,
  missing: string,
): number {
  const place = find(text, part, start, end, last);
  if (place < 0) throw new ValueError(missing);
  return place;
}

/** How often `part` stands between the bounds, without overlap. */
export function count(text: string, part: string, start: unknown, end: unknown): number {
  const [first, stop] = bounds(length_of(text), start, end);
  if (stop < first) return 0;
  if (part === "") return stop - first + 1;
  return slice_text(text, first, stop).split(part).length - 1;
}

/** Whether the text begins (or ends) with a prefix between the bounds, or with one of a tuple. */
export function tail_matches(
  text: string,
  affix: unknown,
  start: unknown,
  end: unknown,
  at_end: boolean,
  text_of: (value: unknown, in_tuple: boolean) => string,
): boolean {
  if (affix instanceof PyTuple) {
    for (const each of affix) {
      if (matches(text, text_of(each, true), start, end, at_end)) return true;
    }
    return false;
  }
  return matches(text, text_of(affix, false), start, end, at_end);
}

function matches(text: string, affix: string, start: unknown, end: unknown, at_end: boolean): boolean {
  const [first, stop] = bounds(length_of(text), start, end);
  if (stop < first) return false;
  const part = slice_text(text, first, stop);
  return at_end ? part.endsWith(affix) : part.startsWith(affix);
}

/** `text.replace(old, by, most)`; a negative `most` means all. */
export function replace(text: string, old: string, by: string, most: number): string {
  if (most < 0 && old !== "") return text.split(old).join(by);
  const limit = most < 0 ? Number.POSITIVE_INFINITY : most;
  if (old === "") {
    const points = Array.from(text);
    let result = "";
    points.forEach((character, i) => {
      result += (i < limit ? by : "") + character;
    });
    return points.length < limit ? result + by : result;
  }
  let result = "";
  let at = 0;
  for (let n = 0; n < limit; n++) {
    const next = text.indexOf(old, at);
    if (next < 0) break;
    result += text.slice(at, next) + by;
    at = next + old.length;
  }
  return result + text.slice(at);
}

/** `text.partition(separator)`: what stands before, the separator, and what follows. */
export function partition(text: string, separator: string, last: boolean): PyTuple<string> {
  if (separator === "") throw new ValueError("empty separator");
  const at = last ? text.lastIndexOf(separator) : text.indexOf(separator);
  if (at < 0) return tuple(last ? ["", "", text] : [text, "", ""]);
  return tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
}

/** An argument that must be a text; `how` begins the error. */
export function must_be_str(value: unknown, how: string): string {
  if (typeof value !== "string") throw new TypeError_(`${how}must be str, not ${type_of(value).tp_name}`);
  return value;
}
