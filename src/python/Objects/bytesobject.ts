/**
 * @file Python's `bytes`, and how they are written. Their methods are in the folder `bytesobject/`.
 * @mirrors Objects/bytesobject.c (CPython 3.11)
 */

/** Base of `bytes` and `bytearray`. */
export abstract class ByteSequence {
  /** Invariant: those of a `bytes` never change. */
  data: Uint8Array;

  constructor(data: Uint8Array) {
    this.data = data;
  }
}

export class PyBytes extends ByteSequence {}

const NAMED: ReadonlyMap<number, string> = new Map([
  [9, "\\t"],
  [10, "\\n"],
  [13, "\\r"],
  [92, "\\\\"],
]);

/** `repr(value)`: `b'...'`; with double quotes if there are single ones and no double ones. */
export function bytes_repr({ data }: ByteSequence): string {
  const quote = data.includes(39) && !data.includes(34) ? '"' : "'";
  let text = "";
  for (const byte of data) {
    const named = NAMED.get(byte);
    if (named !== undefined) text += named;
    else if (byte === quote.charCodeAt(0)) text += `\\${quote}`;
    else if (byte < 32 || byte > 126) text += `\\x${byte.toString(16).padStart(2, "0")}`;
    else text += String.fromCharCode(byte);
  }
  return `b${quote}${text}${quote}`;
}
