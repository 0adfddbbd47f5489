/**
 * @file The checksum CRC-32; `binascii` is written in Python.
 * @mirrors Modules/binascii.c (CPython 3.11)
 */
import { ByteSequence } from "../Objects/bytesobject.ts";
import { TypeError_ } from "../Objects/exceptions.ts";
import { functions } from "../Objects/methodobject.ts";
import { type_of } from "../Objects/typeobject.ts";
import { index } from "./arguments.ts";

let table: Uint32Array | null = null;

/** Table of CRC-32: for each byte, the rest of its division by the polynomial. */
function remainders(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
    return rest;
  });
}

function crc32(data: unknown, start: unknown): number {
  if (!(data instanceof ByteSequence))
    throw new TypeError_(`a bytes-like object is required, not '${type_of(data).tp_name}'`);
  table ??= remainders();
  let crc = ~Number(BigInt.asIntN(32, BigInt(index(start))));
  for (const byte of data.data) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] as number);
  return ~crc >>> 0;
}

export function _binascii(): Map<string, unknown> {
  return functions("_binascii", { "crc32(data, crc=0, /)": crc32 });
}
