/**
 * @file The types `int` and `bool`: how they are made, and their methods.
 * @mirrors Objects/longobject.c#PyLong_Type, Objects/boolobject.c (CPython 3.11)
 */
import { format_long } from "../../Python/formatter_unicode.ts";
import { text_argument } from "../../Python/getargs.ts";
import { define_number_methods } from "../abstract/number_methods.ts";
import { as_double, as_int, KIND, kind_of } from "../abstract/number_slots.ts";
import { index_of, rounded_int, unary_invert } from "../abstract/numbers.ts";
import { byte_string, bytes_from } from "../bytesobject/conversion.ts";
import { PyBytes } from "../bytesobject.ts";
import { call, call_special } from "../call.ts";
import { define_attributes } from "../descrobject.ts";
import { OverflowError, TypeError_, ValueError } from "../exceptions.ts";
import { int_of_float } from "../floatobject/arithmetic.ts";
import { float_value } from "../floatobject.ts";
import { hash_of } from "../hashing.ts";
import { type Int, int_repr, int_value } from "../longobject.ts";
import { define_class_methods, define_methods, define_static_methods, type Implementation } from "../methodobject.ts";
import { repr, str, truth } from "../object.ts";
import { tuple } from "../tupleobject.ts";
import { bool_type, int_type, type PyClass, plain_value, primitive_new, type_of } from "../typeobject.ts";
import { bit_length } from "./arithmetic.ts";
import { int_from_string } from "./from_text.ts";

/** Result of a special method that must give an int. */
function checked(value: unknown, result: unknown, method: string): Int {
  if (kind_of(result) === KIND.int) return as_int(result);
  throw new TypeError_(
    `${type_of(value).tp_name}.${method} returned non-int (type ${type_of(result).tp_name})`.replace(
      /^\S+?\.(?=__int__)/,
      "",
    ),
  );
}

/** `int(value)`, which cuts a fraction off and reads texts. */
export function int_from(value: unknown): Int {
  const kind = kind_of(value);
  if (kind === KIND.int) return as_int(value);
  if (kind === KIND.float) return int_of_float(as_double(value));
  if (typeof value === "string") return int_from_string(value, 10, repr(value));
  const bytes = byte_string(value);
  if (bytes !== undefined) return int_from_string(bytes, 10, repr(value));
  const result = call_special(value, "__int__");
  if (result !== undefined) return checked(value, result, "__int__");
  if (type_of(value).lookup("__index__") !== undefined) return index_of(value);
  const cut = call_special(value, "__trunc__");
  if (cut !== undefined) return kind_of(cut) === KIND.int ? as_int(cut) : index_of(cut);
  throw new TypeError_(
    `int() argument must be a string, a bytes-like object or a real number, not '${type_of(value).tp_name}'`,
  );
}

/** `int(value, base)`. */
function int_new(value: unknown, base: unknown): Int {
  if (base === undefined) return value === undefined ? 0 : int_from(value);
  if (value === undefined) throw new TypeError_("int() missing string argument");
  const radix = index_of(base);
  if (radix !== 0 && (radix < 2 || radix > 36)) throw new ValueError("int() base must be >= 2 and <= 36, or 0");
  const text = typeof value === "string" ? value : byte_string(value);
  if (text === undefined) throw new TypeError_("int() can't convert non-string with explicit base");
  return int_from_string(text, Number(radix), repr(value));
}

/** Whether the first byte is the lowest one. */
function is_little(byteorder: unknown, method: string): boolean {
  const order = text_argument(byteorder, method, "'byteorder'");
  if (order !== "little" && order !== "big") throw new ValueError("byteorder must be either 'little' or 'big'");
  return order === "little";
}

function to_bytes(value: Int, length: unknown, byteorder: unknown, signed: unknown): PyBytes {
  const size = Number(index_of(length));
  const little = is_little(byteorder, "to_bytes");
  if (size < 0) throw new ValueError("length argument must be non-negative");
  const with_sign = truth(signed);
  if (value < 0 && !with_sign) throw new OverflowError("can't convert negative int to unsigned");
  const int = BigInt(value);
  const bits = 8 * size;
  const fits = with_sign
    ? size === 0
      ? int === 0n
      : BigInt.asIntN(bits, int) === int
    : BigInt.asUintN(bits, int) === int;
  if (!fits) throw new OverflowError("int too big to convert");
  const digits =
    size === 0
      ? ""
      : BigInt.asUintN(bits, int)
          .toString(16)
          .padStart(2 * size, "0");
  const data = Uint8Array.from({ length: size }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
  return new PyBytes(little ? data.reverse() : data);
}

function from_bytes(bytes: unknown, byteorder: unknown, signed: unknown): Int {
  const little = is_little(byteorder, "from_bytes");
  const data = Array.from(bytes_from(bytes));
  if (little) data.reverse();
  if (data.length === 0) return 0;
  const value = BigInt(`0x${data.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`);
  return int_value(truth(signed) ? BigInt.asIntN(8 * data.length, value) : value);
}

/** Implementation of the methods that give the int itself. */
const itself: Implementation = (self: Int | boolean) => as_int(self);

define_number_methods(int_type, KIND.int);
define_static_methods(int_type, {
  "__new__(cls, x=<unset>, /, base=<unset>)": (cls: PyClass, value, base) =>
    primitive_new(int_type, cls, int_new(value, base)),
});
define_methods(int_type, {
  "__repr__(self, /)": (self: Int) => int_repr(self),
  "__getnewargs__(self, /)": (self: Int) => tuple([as_int(self)]),
  "__hash__(self, /)": (self: Int) => hash_of(self),
  "__bool__(self, /)": (self: Int) => Number(self) !== 0,
  "__invert__(self, /)": unary_invert,
  "__float__(self, /)": (self: Int) => float_value(as_double(self)),
  "__format__(self, format_spec, /)": (self: Int | boolean, spec: unknown) => {
    const text = text_argument(spec, "__format__", "");
    return text === "" ? str(self) : format_long(as_int(plain_value(self)), text, type_of(self).name);
  },
  "__round__(self, ndigits=<unset>, /)": (self: Int, digits) =>
    digits === undefined ? as_int(self) : rounded_int(as_int(self), index_of(digits)),
  "as_integer_ratio(self, /)": (self: Int) => tuple([as_int(self), 1]),
  "bit_length(self, /)": (self: Int) => bit_length(as_int(self)),
  "bit_count(self, /)": (self: Int) => as_int(self).toString(2).replace(/[^1]/g, "").length,
  "to_bytes(self, /, length=1, byteorder='big', *, signed=False)": (self: Int, length, byteorder, signed) =>
    to_bytes(as_int(self), length, byteorder, signed),
});
for (const name of ["__int__", "__index__", "__trunc__", "__floor__", "__ceil__", "conjugate"])
  define_methods(int_type, { [`${name}(self, /)`]: (self: Int | boolean) => itself(self as never) });
define_class_methods(int_type, {
  "from_bytes(cls, /, bytes, byteorder='big', *, signed=False)": (cls: PyClass, bytes, byteorder, signed) => {
    const value = from_bytes(bytes, byteorder, signed);
    return cls === int_type.cls ? value : call(cls, value);
  },
});
define_attributes(int_type, {
  real: (self: Int) => as_int(self),
  imag: () => 0,
  numerator: (self: Int) => as_int(self),
  denominator: () => 1,
});

define_static_methods(bool_type, { "__new__(cls, x=False, /)": (_cls, value) => truth(value) });
define_methods(bool_type, { "__repr__(self, /)": (self: boolean) => (self ? "True" : "False") });
