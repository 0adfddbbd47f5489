/**
 * @file How a `str` is written. Its methods are in the folder `unicodeobject/`.
 * @mirrors Objects/unicodeobject.c (CPython 3.11)
 */

/** Characters that `repr` writes as they are. Python calls a character printable if it is no control, no separator and assigned; a space is. */
const NOT_PRINTABLE = /[\p{C}\p{Z}]/u;
const NAMED: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };

/** `text.isprintable()` for one character. */
export function is_printable(character: string): boolean {
  return character === " " || !NOT_PRINTABLE.test(character);
}

/** The escape of a character beyond what is printed, for example `\\u20ac`. */
export function escaped(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}

/** `repr(text)`: with double quotes if there are single ones and no double ones. */
export function str_repr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  if (/^[ !#-&(-[\]-~]*$/.test(text)) return quote + text + quote;
  let out = quote;
  for (const character of text) {
    if (character === quote) out += `\\${quote}`;
    else if (NAMED[character] !== undefined) out += NAMED[character];
    else if (!is_printable(character)) out += escaped(character);
    else out += character;
  }
  return out + quote;
}

/** A text with every character beyond ASCII as an escape. */
export function escape_non_ascii(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : text.replace(/[^\0-\x7f]/gu, escaped);
}
