/**
 * @file Classes of characters such as `\w`, as Python means them, in the words of a regular expression of JavaScript.
 * @mirrors Modules/_sre/sre.c (CPython 3.11)
 */

/** Flags of a pattern; their numbers are part of `pattern.flags`. */
export const FLAG = { TEMPLATE: 1, I: 2, L: 4, M: 8, S: 16, U: 32, X: 64, DEBUG: 128, A: 256 } as const;

const UNICODE: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  s: "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000",
  w: "\\p{L}\\p{N}_",
};
const ASCII: Readonly<Record<string, string>> = { d: "0-9", s: "\\t-\\r ", w: "a-zA-Z0-9_" };

/** The inside of a class for `d`, `s` or `w`; a capital letter is the complement. */
export function category(letter: string, flags: number): string {
  const small = letter.toLowerCase();
  const inside = (flags & FLAG.U ? UNICODE : ASCII)[small] as string;
  return letter === small ? inside : `[^${inside}]`;
}

/** `\b` or `\B`. */
export function boundary(letter: string, flags: number): string {
  const word = `[${category("w", flags)}]`;
  return letter === "b"
    ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
    : `(?:(?<=${word})(?=${word})|(?!^$)(?<!${word})(?!${word}))`;
}

/** One character, outside or inside of a class. */
export function literal(code: number): string {
  const character = String.fromCodePoint(code);
  return /[A-Za-z0-9]/.test(character) || code > 0xff
    ? code >= 0xd800 && code < 0xe000
      ? `\\u{${code.toString(16)}}`
      : character
    : `\\u{${code.toString(16)}}`;
}
