/**
 * @file The type `bytes`.
 * @mirrors Objects/bytesobject.c#PyBytes_Type (CPython 3.11)
 */
import { bytes_repr, PyBytes } from "../bytesobject.ts";
import { hash_of } from "../hashing.ts";
import { define_methods, define_static_methods } from "../methodobject.ts";
import { tuple } from "../tupleobject.ts";
import { type PyClass, primitive_new, primitive_type } from "../typeobject.ts";
import { encode } from "../unicodeobject/codecs.ts";
import { define_byte_methods } from "./byte_methods.ts";
import { new_bytes } from "./conversion.ts";

export const bytes_type = primitive_type("bytes", { cls: PyBytes });
define_byte_methods(bytes_type, (data) => new PyBytes(data));
define_static_methods(bytes_type, {
  "__new__(cls, source=<unset>, encoding=<unset>, errors=<unset>)": (cls: PyClass, source: unknown, encoding, errors) =>
    primitive_new(
      bytes_type,
      cls,
      source instanceof PyBytes && encoding === undefined && errors === undefined
        ? source
        : new PyBytes(new_bytes(source, encoding, errors, encode, "bytes")),
    ),
});
define_methods(bytes_type, {
  "__repr__(self, /)": bytes_repr,
  "__hash__(self, /)": (self: PyBytes) => hash_of(self),
  "__getnewargs__(self, /)": (self: PyBytes) => tuple([self]),
});
