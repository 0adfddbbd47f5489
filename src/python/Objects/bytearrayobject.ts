/**
 * @file The type `bytearray`: bytes that change.
 * @mirrors Objects/bytearrayobject.c (CPython 3.11)
 */
import { slice_indices } from "./abstract/indices.ts";
import { index_of, is_index } from "./abstract/numbers.ts";
import { define_byte_methods } from "./bytesobject/byte_methods.ts";
import { byte_of, bytes_from, new_bytes } from "./bytesobject/conversion.ts";
import { ByteSequence, bytes_repr } from "./bytesobject.ts";
import { IndexError, TypeError_, ValueError } from "./exceptions.ts";
import { define_methods, define_static_methods } from "./methodobject.ts";
import { PySlice, places } from "./sliceobject.ts";
import { builtin_type, type_of } from "./typeobject.ts";
import { encode } from "./unicodeobject/codecs.ts";

export class PyByteArray extends ByteSequence {}

export const bytearray_type = builtin_type("bytearray", { cls: PyByteArray });
define_byte_methods(bytearray_type, (data) => new PyByteArray(data));

/** Unlike that of `bytes`, it always escapes a single quote. */
function repr(self: PyByteArray): string {
  const text = bytes_repr(self);
  return text.startsWith('b"') ? text.replaceAll("'", "\\'") : text;
}

/** Puts other bytes in the place of some. */
function splice(self: PyByteArray, start: number, stop: number, data: Iterable<number>): void {
  self.data = Uint8Array.from([...self.data.subarray(0, start), ...data, ...self.data.subarray(Math.max(start, stop))]);
}

function place(self: PyByteArray, index: unknown, message: string): number {
  const given = Number(index_of(index));
  const at = given < 0 ? given + self.data.length : given;
  if (at < 0 || at >= self.data.length) throw new IndexError(message);
  return at;
}

function wrong_key(key: unknown): TypeError_ {
  return new TypeError_(`bytearray indices must be integers or slices, not ${type_of(key).tp_name}`);
}

/** Sets or (without a value) deletes what a slice takes. */
function set_slice(self: PyByteArray, key: PySlice, data: Uint8Array): void {
  const { start, stop, step, count } = slice_indices(key, self.data.length);
  if (step === 1) {
    splice(self, start, stop, data);
    return;
  }
  const taken = [...places(key, self.data.length)];
  if (data.length === 0) {
    const gone = new Set(taken);
    self.data = self.data.filter((_, i) => !gone.has(i));
    return;
  }
  if (data.length !== count)
    throw new ValueError(`attempt to assign bytes of size ${data.length} to extended slice of size ${count}`);
  taken.forEach((at, i) => {
    self.data[at] = data[i] as number;
  });
}

define_static_methods(bytearray_type, {
  "__new__(cls, source=<unset>, encoding=<unset>, errors=<unset>)": (_cls, source, encoding, errors) =>
    new PyByteArray(new_bytes(source, encoding, errors, encode, "bytearray").slice()),
});
define_methods(bytearray_type, {
  "__repr__(self, /)": (self: PyByteArray) => `bytearray(${repr(self)})`,
  "__setitem__(self, key, value, /)": (self: PyByteArray, key: unknown, value: unknown) => {
    if (key instanceof PySlice) set_slice(self, key, bytes_from(value, "bytearray"));
    else if (is_index(key)) self.data[place(self, key, "bytearray index out of range")] = byte_of(value, "byte");
    else throw wrong_key(key);
  },
  "__delitem__(self, key, /)": (self: PyByteArray, key: unknown) => {
    if (key instanceof PySlice) set_slice(self, key, new Uint8Array());
    else if (is_index(key)) {
      const at = place(self, key, "bytearray index out of range");
      splice(self, at, at + 1, []);
    } else throw wrong_key(key);
  },
  "__iadd__(self, value, /)": (self: PyByteArray, value: unknown) => {
    if (!(value instanceof ByteSequence)) throw new TypeError_(`can't concat ${type_of(value).tp_name} to bytearray`);
    splice(self, self.data.length, self.data.length, value.data);
    return self;
  },
  "append(self, item, /)": (self: PyByteArray, item) =>
    splice(self, self.data.length, self.data.length, [byte_of(item, "byte")]),
  "extend(self, iterable_of_ints, /)": (self: PyByteArray, values) =>
    splice(self, self.data.length, self.data.length, bytes_from(values, "bytearray")),
  "insert(self, index, item, /)": (self: PyByteArray, index, item) => {
    const given = Number(index_of(index));
    const at = Math.max(0, Math.min(given < 0 ? given + self.data.length : given, self.data.length));
    splice(self, at, at, [byte_of(item, "byte")]);
  },
  "pop(self, index=-1, /)": (self: PyByteArray, index) => {
    if (self.data.length === 0) throw new IndexError("pop from empty bytearray");
    const at = place(self, index, "pop index out of range");
    const byte = self.data[at];
    splice(self, at, at + 1, []);
    return byte;
  },
  "remove(self, value, /)": (self: PyByteArray, value) => {
    const at = self.data.indexOf(byte_of(value, "byte"));
    if (at < 0) throw new ValueError("value not found in bytearray");
    splice(self, at, at + 1, []);
  },
  "reverse(self, /)": (self: PyByteArray) => void self.data.reverse(),
  "clear(self, /)": (self: PyByteArray) => {
    self.data = new Uint8Array();
  },
  "copy(self, /)": (self: PyByteArray) => new PyByteArray(self.data.slice()),
});
bytearray_type.dict.set("__hash__", null);
