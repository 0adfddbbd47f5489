/**
 * @file The conversions in which `bytes % arguments` differs from `str % arguments`.
 * @mirrors Objects/bytesobject.c#_PyBytes_FormatEx (CPython 3.11)
 */
import { double_from, index_of, is_index } from "../abstract/numbers.ts";
import { ByteSequence, PyBytes } from "../bytesobject.ts";
import { call_special, has_special } from "../call.ts";
import { OverflowError, TypeError_ } from "../exceptions.ts";
import { ascii } from "../object.ts";
import { type_of } from "../typeobject.ts";
import type { TextKind } from "../unicodeobject/percent_format.ts";
import { latin_bytes, latin_text } from "./conversion.ts";

function text(value: unknown): string {
  if (value instanceof ByteSequence) return latin_text(value.data);
  const own = call_special(value, "__bytes__");
  if (own instanceof PyBytes) return latin_text(own.data);
  throw new TypeError_(
    `%b requires a bytes-like object, or an object that implements __bytes__, not '${type_of(value).tp_name}'`,
  );
}

function character(value: unknown): string {
  if (value instanceof ByteSequence && value.data.length === 1) return latin_text(value.data);
  if (!is_index(value)) throw new TypeError_("%c requires an integer in range(256) or a single byte");
  const byte = index_of(value);
  if (byte < 0 || byte > 255) throw new OverflowError("%c arg not in range(256)");
  return String.fromCharCode(Number(byte));
}

export const BYTES: TextKind = {
  name: "bytes",
  key: (key) => new PyBytes(latin_bytes(key)),
  text,
  repr: ascii,
  character,
  real: (value) => {
    try {
      return double_from(value, () => "");
    } catch {
      throw new TypeError_(`float argument required, not ${type_of(value).tp_name}`); // whatever was wrong
    }
  },
  is_mapping: (value) =>
    typeof value !== "string" && !(value instanceof ByteSequence) && has_special(value, "__getitem__"),
};
