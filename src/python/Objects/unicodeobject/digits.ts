/**
 * @file White space and digits of all scripts, as `int` and `float` read them.
 * @mirrors Objects/unicodeobject.c#_PyUnicode_TransformDecimalAndSpaceToASCII (CPython 3.11)
 */

/** Characters that `str.isspace` accepts and `strip` removes, for use in a class of a regular expression. */
export const SPACES = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const AT_START = new RegExp(`^[${SPACES}]+`);
const AT_END = new RegExp(`[${SPACES}]+$`);

/** `text.strip()`. */
export function stripped(text: string): string {
  return text.replace(AT_START, "").replace(AT_END, "");
}

/** The value of a decimal digit of any script. Unicode keeps the ten digits of a script together, from zero on. */
export function decimal_value(character: string): number | undefined {
  if (!/^\p{Nd}$/u.test(character)) return undefined;
  let code = character.codePointAt(0) as number;
  // A zero is the first of a run of digits whose length is a multiple of ten.
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - 1))) {
    code--;
    before++;
  }
  return before % 10;
}

/** The text with the digits of every script written as `0` to `9`. */
export function ascii_digits(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : text.replace(/\p{Nd}/gu, (digit) => String(decimal_value(digit)));
}
