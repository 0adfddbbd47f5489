/**
 * @file `str.encode` and `bytes.decode`: UTF-8, ASCII and Latin-1, and what happens to a character or byte that a codec does not have.
 * @mirrors Objects/unicodeobject.c#PyUnicode_DecodeUTF8Stateful, Python/codecs.c (CPython 3.11)
 * @differs Other encodings are unknown here.
 */
import { PyBytes } from "../bytesobject.ts";
import { LookupError, UnicodeDecodeError, UnicodeEncodeError } from "../exceptions.ts";
import { code_points, is_narrow } from "./code_points.ts";

type Codec = "utf-8" | "ascii" | "latin-1";

const NAMES: Readonly<Record<string, Codec>> = {
  utf_8: "utf-8",
  utf8: "utf-8",
  u8: "utf-8",
  cp65001: "utf-8",
  ascii: "ascii",
  us_ascii: "ascii",
  "646": "ascii",
  latin_1: "latin-1",
  latin1: "latin-1",
  latin: "latin-1",
  l1: "latin-1",
  iso_8859_1: "latin-1",
  iso8859_1: "latin-1",
  "8859": "latin-1",
  cp819: "latin-1",
};

function codec_of(encoding: string): Codec {
  const codec = NAMES[encoding.toLowerCase().replace(/[-\s]/g, "_")];
  if (codec === undefined) throw new LookupError(`unknown encoding: ${encoding}`);
  return codec;
}

const unknown_handler = (errors: string): LookupError => new LookupError(`unknown error handler name '${errors}'`);

function hex(code: number): string {
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

/** Replacement for a character that the encoding lacks. */
function encoding_stand_in(character: string, errors: string): string | undefined {
  const code = character.codePointAt(0) as number;
  switch (errors) {
    case "ignore":
      return "";
    case "replace":
      return "?";
    case "backslashreplace":
      return hex(code);
    case "xmlcharrefreplace":
      return `&#${code};`;
    case "surrogateescape":
      return code >= 0xdc80 && code <= 0xdcff ? String.fromCharCode(code - 0xdc00) : undefined;
    case "strict":
      return undefined;
  }
  throw unknown_handler(errors);
}

/** The bytes of a code point in UTF-8. */
function utf8_bytes(code: number, out: number[]): void {
  if (code < 0x80) out.push(code);
  else if (code < 0x800) out.push(0xc0 | (code >> 6), 0x80 | (code & 63));
  else if (code < 0x10000) out.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  else out.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
}

const SURROGATE_ALONE = /^[\ud800-\udfff]$/;

/** Names of the two encodings that write escapes of Python's literals. */
function escapes_of(encoding: string): "raw" | "full" | null {
  const name = encoding.toLowerCase().replace(/[-\s]/g, "_");
  return name === "raw_unicode_escape" || name === "rawunicodeescape"
    ? "raw"
    : name === "unicode_escape"
      ? "full"
      : null;
}

const LETTERS: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text in Latin-1, other characters as `\u20ac`; `full` escapes what does not print, too. */
function with_escapes(text: string, how: "raw" | "full"): Uint8Array {
  let result = "";
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (how === "full" && LETTERS[character] !== undefined) result += LETTERS[character];
    else if (code < 0x7f && code >= 0x20) result += character;
    else if (how === "raw" ? code < 0x100 : false) result += character;
    else result += code < 0x100 ? hex(code) : hex(code).replace("\\x", "\\u00");
  }
  return Uint8Array.from(result, (it) => it.charCodeAt(0));
}

const SHORT: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

function without_escapes(data: Uint8Array, how: "raw" | "full"): string {
  const text = Array.from(data, (byte) => String.fromCharCode(byte)).join("");
  const of_code = (digits: string): string => String.fromCodePoint(Number.parseInt(digits, 16));
  if (how === "raw")
    return text.replace(/(\\*)\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g, (all, before: string, short, long) =>
      before.length % 2 === 1 ? all : before + of_code((short ?? long) as string),
    );
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
    (all, x, u, long, octal, letter) =>
      octal !== undefined
        ? String.fromCharCode(Number.parseInt(octal as string, 8))
        : letter !== undefined
          ? (SHORT[letter as string] ?? (all as string))
          : of_code((x ?? u ?? long) as string),
  );
}

/** `text.encode(encoding, errors)`. */
export function encode(text: string, encoding: string, errors: string): Uint8Array {
  const escapes = escapes_of(encoding);
  if (escapes !== null) return with_escapes(text, escapes);
  const codec = codec_of(encoding);
  if (codec === "utf-8" && is_narrow(text)) return new TextEncoder().encode(text);
  const limit = codec === "utf-8" ? 0x110000 : codec === "ascii" ? 0x80 : 0x100;
  const points = code_points(text);
  const refused = (at: number): boolean => {
    const character = points[at] as string;
    return (character.codePointAt(0) as number) >= limit || (codec === "utf-8" && SURROGATE_ALONE.test(character));
  };
  const out: number[] = [];
  for (let at = 0; at < points.length; at++) {
    const character = points[at] as string;
    const code = character.codePointAt(0) as number;
    if (!refused(at)) {
      if (codec === "utf-8") utf8_bytes(code, out);
      else out.push(code);
      continue;
    }
    if (codec === "utf-8" && errors === "surrogatepass") {
      utf8_bytes(code, out);
      continue;
    }
    const stand_in = encoding_stand_in(character, errors);
    if (stand_in === undefined) {
      let end = at + 1;
      while (end < points.length && refused(end)) end++;
      const reason = codec === "utf-8" ? "surrogates not allowed" : `ordinal not in range(${limit})`;
      throw new UnicodeEncodeError(codec, text, at, end, reason);
    }
    for (const byte of stand_in) out.push(byte.codePointAt(0) as number);
  }
  return Uint8Array.from(out);
}

/** Replacement for bytes that are no character. */
function decoding_stand_in(bytes: Uint8Array, errors: string): string | undefined {
  switch (errors) {
    case "ignore":
      return "";
    case "replace":
      return "\ufffd";
    case "backslashreplace":
      return Array.from(bytes, hex).join("");
    case "surrogateescape":
      return String.fromCharCode(...Array.from(bytes, (byte) => 0xdc00 + byte));
    case "strict":
    case "xmlcharrefreplace":
    case "surrogatepass":
      return undefined;
  }
  throw unknown_handler(errors);
}

/** A character of UTF-8 at a place, or how many bytes are wrong and why. */
function utf8_character(
  data: Uint8Array,
  at: number,
): { code: number; size: number } | { wrong: number; reason: string } {
  const first = data[at] as number;
  if (first < 0x80) return { code: first, size: 1 };
  const size =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (size === 0) return { wrong: 1, reason: "invalid start byte" };
  let code = first & (0x7f >> size);
  for (let i = 1; i < size; i++) {
    const byte = data[at + i];
    if (byte === undefined) return { wrong: i, reason: "unexpected end of data" };
    // The second byte also excludes longer forms than needed, surrogates and what lies beyond U+10FFFF.
    const low = i > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const high = i > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    if (byte < low || byte > high) return { wrong: i, reason: "invalid continuation byte" };
    code = (code << 6) | (byte & 63);
  }
  return { code, size };
}

/** `data.decode(encoding, errors)`. */
export function decode(data: Uint8Array, encoding: string, errors: string): string {
  if (data.length === 0) return ""; // without a look at the encoding
  const escapes = escapes_of(encoding);
  if (escapes !== null) return without_escapes(data, escapes);
  const codec = codec_of(encoding);
  let result = "";
  if (codec === "latin-1") {
    for (const byte of data) result += String.fromCharCode(byte);
    return result;
  }
  for (let at = 0; at < data.length; ) {
    const byte = data[at] as number;
    const read =
      codec === "utf-8"
        ? utf8_character(data, at)
        : byte < 0x80
          ? { code: byte, size: 1 }
          : { wrong: 1, reason: "ordinal not in range(128)" };
    if ("code" in read) {
      result += String.fromCodePoint(read.code);
      at += read.size;
      continue;
    }
    const stand_in = decoding_stand_in(data.subarray(at, at + read.wrong), errors);
    if (stand_in === undefined)
      throw new UnicodeDecodeError(codec, new PyBytes(data), at, at + read.wrong, read.reason);
    result += stand_in;
    at += read.wrong;
  }
  return result;
}
