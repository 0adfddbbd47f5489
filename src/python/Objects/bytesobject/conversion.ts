/**
 * @file Bytes from other values, and bytes as a text of characters below U+0100, on which the methods of texts work.
 * @mirrors Objects/bytesobject.c#PyBytes_FromObject (CPython 3.11)
 */
import { index_of, is_index } from "../abstract/numbers.ts";
import { ByteSequence } from "../bytesobject.ts";
import { call_special } from "../call.ts";
import { TypeError_, ValueError } from "../exceptions.ts";
import { each } from "../iterobject.ts";
import { type_of } from "../typeobject.ts";

/** The bytes as characters with the same numbers. */
export function latin_text(data: Uint8Array): string {
  let text = "";
  for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
  return text;
}

/** Bytes with the numbers of these characters. */
export function latin_bytes(text: string): Uint8Array {
  const data = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) data[i] = text.charCodeAt(i);
  return data;
}

/** Bytes or a bytearray as a text, or undefined. */
export function byte_string(value: unknown): string | undefined {
  return value instanceof ByteSequence ? latin_text(value.data) : undefined;
}

/** An int that must fit into a byte. */
export function byte_of(value: unknown, what: string): number {
  const byte = index_of(value);
  if (byte < 0 || byte > 255) throw new ValueError(`${what} must be in range(0, 256)`);
  return Number(byte);
}

/** The bytes that an object is made of: its own, or ints that an iteration gives. */
export function bytes_from(value: unknown, what = "bytes"): Uint8Array {
  if (value instanceof ByteSequence) return value.data;
  const own = call_special(value, "__bytes__");
  if (own instanceof ByteSequence) return own.data;
  if (typeof value === "string" || type_of(value).lookup("__iter__") === undefined)
    throw new TypeError_(`cannot convert '${type_of(value).tp_name}' object to ${what}`);
  const data: number[] = [];
  for (const element of each(value)) data.push(byte_of(element, what === "bytes" ? "bytes" : "byte"));
  return Uint8Array.from(data);
}

/** `bytes(source, encoding, errors)`: zeros, an encoded text, or the bytes of an object. */
export function new_bytes(
  source: unknown,
  encoding: unknown,
  errors: unknown,
  encode: (text: string, encoding: string, errors: string) => Uint8Array,
  what: "bytes" | "bytearray",
): Uint8Array {
  for (const [name, given] of [
    ["encoding", encoding],
    ["errors", errors],
  ] as const)
    if (given !== undefined && typeof given !== "string")
      throw new TypeError_(`${what}() argument '${name}' must be str, not ${type_of(given).tp_name}`);
  if (typeof source === "string") {
    if (typeof encoding !== "string") throw new TypeError_("string argument without an encoding");
    return encode(source, encoding, typeof errors === "string" ? errors : "strict");
  }
  if (encoding !== undefined || errors !== undefined)
    throw new TypeError_(
      encoding === undefined ? "errors without a string argument" : "encoding without a string argument",
    );
  if (source === undefined) return new Uint8Array();
  if (is_index(source) && !(source instanceof ByteSequence)) {
    const size = index_of(source);
    if (size < 0) throw new ValueError("negative count");
    return new Uint8Array(Number(size));
  }
  return bytes_from(source, what);
}
