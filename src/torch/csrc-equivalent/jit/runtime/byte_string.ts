/**
 * @file Strings as C++ sees them: TorchScript's operators count and cut the bytes of UTF-8, so `len("é")` is 2.
 * @original C++'s `std::string` is a sequence of bytes.
 *
 * A byte string is a JavaScript string of characters below 256, one for each byte. For an ASCII text it is the text itself. A byte that is
 * not part of a UTF-8 sequence (half of an "é") becomes a lone surrogate between U+DC80 and U+DCFF in a text, as in Python's `surrogateescape`.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ascii = /^[\x00-\x7f]*$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes of a text. */
export function to_bytes(text: string): string {
  if (ascii.test(text)) return text;
  let bytes = "";
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    if (code >= 0xdc80 && code <= 0xdcff) bytes += String.fromCharCode(code - 0xdc00);
    else for (const byte of encoder.encode(char)) bytes += String.fromCharCode(byte);
  }
  return bytes;
}

/** Number of bytes of the UTF-8 sequence that a byte begins, or 1 if it begins none. */
function length_of_sequence(first: number): number {
  if (first < 0xc2) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
}

/** The text of bytes. */
export function from_bytes(bytes: string): string {
  if (ascii.test(bytes)) return bytes;
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const first = bytes.charCodeAt(i);
    const length = length_of_sequence(first);
    const decoded = first < 0x80 ? bytes[i] : length > 1 ? decoded_or_null(bytes.slice(i, i + length)) : null;
    text += decoded ?? String.fromCharCode(0xdc00 + first);
    i += decoded === null ? 1 : length;
  }
  return text;
}

function decoded_or_null(sequence: string): string | null {
  try {
    return decoder.decode(Uint8Array.from(sequence, (byte) => byte.charCodeAt(0)));
  } catch {
    return null;
  }
}

// C's classes of characters in the "C" locale: only ASCII counts.
export const is_digit = (c: string): boolean => c >= "0" && c <= "9";
export const is_upper = (c: string): boolean => c >= "A" && c <= "Z";
export const is_lower = (c: string): boolean => c >= "a" && c <= "z";
export const is_alpha = (c: string): boolean => is_upper(c) || is_lower(c);
export const is_alnum = (c: string): boolean => is_alpha(c) || is_digit(c);
export const is_space = (c: string): boolean => c === " " || (c >= "\t" && c <= "\r");
export const is_print = (c: string): boolean => c >= " " && c <= "~";
export const to_upper = (c: string): string => (is_lower(c) ? c.toUpperCase() : c);
export const to_lower = (c: string): string => (is_upper(c) ? c.toLowerCase() : c);
