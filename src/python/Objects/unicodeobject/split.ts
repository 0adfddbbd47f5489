/**
 * @file `split`, `rsplit`, `splitlines`, `strip` and its sides. White space is a parameter, because that of bytes is ASCII's.
 * @mirrors Objects/stringlib/split.h (CPython 3.11)
 */
import { ValueError } from "../exceptions.ts";
import { SPACES } from "./digits.ts";

/** White space of one kind of text, and its line breaks. */
export interface Spaces {
  readonly at_start: RegExp;
  readonly at_end: RegExp;
  readonly run: RegExp;
  readonly line_break: RegExp;
}

function spaces(characters: string, line_break: RegExp): Spaces {
  return {
    at_start: new RegExp(`^[${characters}]+`),
    at_end: new RegExp(`[${characters}]+$`),
    run: new RegExp(`[${characters}]+`),
    line_break,
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Python ends a line at the separators of ASCII, too
export const UNICODE_SPACES: Spaces = spaces(SPACES, /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
export const ASCII_SPACES: Spaces = spaces("\\t-\\r ", /\r\n|[\n\r]/);

/** `text.split(None, most)`; a negative `most` means all. White space behind the last part stays if the parts ran out. */
export function split_spaces(text: string, most: number, by: Spaces): string[] {
  if (most < 0) return text.split(by.run).filter((part) => part !== "");
  const result: string[] = [];
  let rest = text.replace(by.at_start, "");
  while (rest !== "") {
    const found = result.length >= most ? null : by.run.exec(rest);
    result.push(found === null ? rest : rest.slice(0, found.index));
    rest = found === null ? "" : rest.slice(found.index + found[0].length);
  }
  return result;
}

/** `text.rsplit(None, most)`. */
export function rsplit_spaces(text: string, most: number, by: Spaces): string[] {
  const words = split_spaces(text, -1, by);
  if (most < 0 || words.length <= most) return words;
  const kept = words.slice(words.length - most);
  let rest = strip_spaces(text, "right", by);
  for (const word of kept.toReversed()) rest = strip_spaces(rest.slice(0, rest.length - word.length), "right", by);
  return [rest, ...kept];
}

/** `text.split(separator, most)`. */
export function split(text: string, separator: string, most: number): string[] {
  if (separator === "") throw new ValueError("empty separator");
  const parts = text.split(separator);
  if (most < 0 || parts.length <= most + 1) return parts;
  return [...parts.slice(0, most), parts.slice(most).join(separator)];
}

/** `text.rsplit(separator, most)`, which looks for the separator from the end. */
export function rsplit(text: string, separator: string, most: number): string[] {
  if (separator === "") throw new ValueError("empty separator");
  const result: string[] = [];
  let rest = text;
  while (most < 0 || result.length < most) {
    const at = rest.lastIndexOf(separator);
    if (at < 0) break;
    result.unshift(rest.slice(at + separator.length));
    rest = rest.slice(0, at);
  }
  return [rest, ...result];
}

/** `text.splitlines(keepends)`. */
export function split_lines(text: string, keepends: boolean, by: Spaces): string[] {
  const result: string[] = [];
  let rest = text;
  while (rest !== "") {
    const found = by.line_break.exec(rest);
    const end = found === null ? rest.length : found.index;
    const next = found === null ? end : end + found[0].length;
    result.push(rest.slice(0, keepends ? next : end));
    rest = rest.slice(next);
  }
  return result;
}

/** Which ends of a text are stripped. */
export type Side = "both" | "left" | "right";

export function strip_spaces(text: string, side: Side, by: Spaces): string {
  const left = side === "right" ? text : text.replace(by.at_start, "");
  if (side === "left") return left;
  // From the end by hand: a regular expression that must end there tries every run of spaces inside.
  let end = left.length;
  while (end > 0 && by.run.test(left.charAt(end - 1))) end--;
  return left.slice(0, end);
}

/** Removes the given characters from the ends. */
export function strip_characters(text: string, characters: string, side: Side): string {
  const removed = new Set(characters);
  const points = Array.from(text);
  let begin = 0;
  let end = points.length;
  if (side !== "right") while (begin < end && removed.has(points[begin] as string)) begin++;
  if (side !== "left") while (end > begin && removed.has(points[end - 1] as string)) end--;
  return points.slice(begin, end).join("");
}

/** `text.expandtabs(size)`: a tab fills up to the next multiple of `size` in its line. */
export function expand_tabs(text: string, size: number): string {
  let result = "";
  let column = 0;
  for (const character of text) {
    if (character === "\t") {
      const fill = size > 0 ? size - (column % size) : 0;
      result += " ".repeat(fill);
      column += fill;
    } else {
      result += character;
      column = character === "\n" || character === "\r" ? 0 : column + 1;
    }
  }
  return result;
}
