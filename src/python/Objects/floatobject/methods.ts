/**
 * @file The type `float`: how it is made, and its methods.
 * @mirrors Objects/floatobject.c#PyFloat_Type (CPython 3.11)
 */
import { format_float } from "../../Python/formatter_unicode.ts";
import { text_argument } from "../../Python/getargs.ts";
import { define_number_methods } from "../abstract/number_methods.ts";
import { as_double, KIND } from "../abstract/number_slots.ts";
import { double_from, index_of } from "../abstract/numbers.ts";
import { byte_string } from "../bytesobject/conversion.ts";
import { call } from "../call.ts";
import { define_attributes } from "../descrobject.ts";
import { TypeError_ } from "../exceptions.ts";
import { type FloatValue, float_repr, float_value } from "../floatobject.ts";
import { hash_of } from "../hashing.ts";
import { int_value } from "../longobject.ts";
import { define_class_methods, define_methods, define_static_methods } from "../methodobject.ts";
import { repr, str } from "../object.ts";
import { tuple } from "../tupleobject.ts";
import { float_type, type PyClass, plain_value, primitive_new } from "../typeobject.ts";
import { int_of_float, integer_ratio, rounded_to, rounded_to_int } from "./arithmetic.ts";
import { float_from_hex, float_from_string, float_hex } from "./from_text.ts";

type Float = number | FloatValue;

/** `float(value)`. */
export function float_from(value: unknown): Float {
  const text = typeof value === "string" ? value : byte_string(value);
  if (text !== undefined) return float_value(float_from_string(text, repr(value)));
  return float_value(double_from(value, (type) => `float() argument must be a string or a real number, not '${type}'`));
}

/** A float that a subclass may wrap. */
const made = (cls: PyClass, value: Float): unknown => (cls === float_type.cls ? value : call(cls, value));

define_number_methods(float_type, KIND.float);
define_static_methods(float_type, {
  "__new__(cls, x=0, /)": (cls: PyClass, value) => primitive_new(float_type, cls, float_from(value)),
});
define_methods(float_type, {
  "__repr__(self, /)": (self: Float) => float_repr(as_double(self)),
  "__getnewargs__(self, /)": (self: Float) => tuple([self]),
  "__hash__(self, /)": (self: Float) => hash_of(self),
  "__bool__(self, /)": (self: Float) => as_double(self) !== 0,
  "__float__(self, /)": (self: Float) => self,
  "__int__(self, /)": (self: Float) => int_of_float(as_double(self)),
  "__trunc__(self, /)": (self: Float) => int_of_float(as_double(self)),
  "__floor__(self, /)": (self: Float) => int_of_float(Math.floor(as_double(self))),
  "__ceil__(self, /)": (self: Float) => int_of_float(Math.ceil(as_double(self))),
  "__round__(self, ndigits=None, /)": (self: Float, digits) =>
    digits === null ? rounded_to_int(as_double(self)) : float_value(rounded_to(as_double(self), index_of(digits))),
  "__format__(self, format_spec, /)": (self: Float, spec: unknown) => {
    const text = text_argument(spec, "__format__", "");
    return text === "" ? str(self) : format_float(as_double(plain_value(self)), text);
  },
  "as_integer_ratio(self, /)": (self: Float) => tuple(integer_ratio(as_double(self)).map(int_value)),
  "is_integer(self, /)": (self: Float) => Number.isInteger(as_double(self)),
  "conjugate(self, /)": (self: Float) => self,
  "hex(self, /)": (self: Float) => float_hex(as_double(self)),
});
define_class_methods(float_type, {
  "fromhex(cls, string, /)": (cls: PyClass, text: unknown) => {
    if (typeof text !== "string") throw new TypeError_("bad argument type for built-in operation");
    return made(cls, float_value(float_from_hex(text)));
  },
});
define_attributes(float_type, { real: (self: Float) => self, imag: () => float_value(0) });
