/**
 * @file Places in a text. Python counts code points, JavaScript counts UTF-16 units; both agree unless a text has a character beyond U+FFFF.
 * @mirrors Objects/unicodeobject.c#PyUnicode_Substring (CPython 3.11)
 * @differs Two surrogates that come to stand side by side become one character; in CPython they stay two.
 */

const SURROGATE = /[\ud800-\udfff]/;

let latest_tested = "";
let latest_narrow = true;

/** Whether every character is one unit, so that JavaScript's own places are Python's. The last answer is kept: a loop asks of one text. */
export function is_narrow(text: string): boolean {
  if (text === latest_tested) return latest_narrow;
  latest_narrow = !SURROGATE.test(text);
  latest_tested = text;
  return latest_narrow;
}

let latest = "";
let latest_points: readonly string[] = [];

/** The characters of a text. A loop over the places of one text asks again and again, so the last answer is kept. */
export function code_points(text: string): readonly string[] {
  if (text === latest) return latest_points;
  latest_points = Array.from(text);
  latest = text;
  return latest_points;
}

/** `len(text)`. */
export function length_of(text: string): number {
  return is_narrow(text) ? text.length : code_points(text).length;
}

/** `text[start:stop]` for places within the text. */
export function slice_text(text: string, start: number, stop: number): string {
  if (stop <= start) return "";
  return is_narrow(text) ? text.slice(start, stop) : code_points(text).slice(start, stop).join("");
}

/** `text[index]`; undefined if there is no such place. A negative index counts from the end. */
export function character_at(text: string, index: number): string | undefined {
  const points = is_narrow(text) ? text : code_points(text);
  return points[index < 0 ? index + points.length : index];
}

/** JavaScript's place of Python's place. */
export function unit_of(text: string, place: number): number {
  return is_narrow(text) ? place : code_points(text).slice(0, place).join("").length;
}

/** Python's place of JavaScript's place. */
export function place_of(text: string, unit: number): number {
  return length_of(text.slice(0, unit));
}
