/**
 * @file The type `complex`.
 * @mirrors Objects/complexobject.c#PyComplex_Type (CPython 3.11)
 */
import { format_complex } from "../../Python/formatter_unicode.ts";
import { text_argument } from "../../Python/getargs.ts";
import { define_number_methods } from "../abstract/number_methods.ts";
import { as_complex, KIND, kind_of } from "../abstract/number_slots.ts";
import { double_from } from "../abstract/numbers.ts";
import { call_special } from "../call.ts";
import { complex_repr, PyComplex } from "../complexobject.ts";
import { define_attributes } from "../descrobject.ts";
import { TypeError_, ValueError } from "../exceptions.ts";
import { double_from_text } from "../floatobject/from_text.ts";
import { float_value } from "../floatobject.ts";
import { hash_of } from "../hashing.ts";
import { define_methods, define_static_methods } from "../methodobject.ts";
import { NotImplemented, str } from "../object.ts";
import { tuple } from "../tupleobject.ts";
import { type PyClass, plain_value, primitive_new, primitive_type, type_of } from "../typeobject.ts";
import { ascii_digits, stripped } from "../unicodeobject/digits.ts";

export const complex_type = primitive_type("complex", { cls: PyComplex });

/** A part as it may be written; its last sign begins the imaginary part. */
const PART = "[+-]?(?:(?:[\\d_]+\\.?[\\d_]*|\\.[\\d_]+)(?:e[+-]?[\\d_]+)?|inf|infinity|nan)";
const TEXT = new RegExp(`^(${PART})?(?:([+-]?)j|(${PART})j)?$`, "i");

/** `complex("1+2j")`. */
function complex_from_string(text: string): PyComplex {
  const trimmed = ascii_digits(stripped(text)).replace(/^\(\s*(.*?)\s*\)$/s, "$1");
  const whole = (part: string | undefined): number => (part === undefined ? 0 : (double_from_text(part) ?? Number.NaN));
  const alone = new RegExp(`^(${PART})j$`, "i").exec(trimmed);
  if (alone !== null) return new PyComplex(0, whole(alone[1]));
  const found = TEXT.exec(trimmed);
  const [, real, unit, imag] = found ?? [];
  const signed = imag === undefined || real === undefined || /^[+-]/.test(imag);
  const joined = unit === undefined || real === undefined || unit !== "";
  if (found === null || trimmed === "" || !signed || !joined || /__|_\D|\D_|^_|_$/.test(trimmed))
    throw new ValueError("complex() arg is a malformed string");
  return new PyComplex(whole(real), unit === undefined ? whole(imag) : unit === "-" ? -1 : 1);
}

/** A number, or an object that says which complex number it is. */
function part(value: unknown, which: "first" | "second"): PyComplex {
  if (kind_of(value) !== KIND.none) return as_complex(value);
  const result = which === "first" ? call_special(value, "__complex__") : undefined;
  if (result instanceof PyComplex) return result;
  if (result !== undefined)
    throw new TypeError_(
      `${type_of(value).tp_name}.__complex__() returned non-complex (type ${type_of(result).tp_name})`,
    );
  const refusal = (type: string): string =>
    which === "first"
      ? `complex() first argument must be a string or a number, not '${type}'`
      : `complex() second argument must be a number, not '${type}'`;
  return new PyComplex(double_from(value, refusal), 0);
}

function complex_new(real: unknown, imag: unknown): PyComplex {
  if (typeof real === "string") {
    if (imag !== undefined) throw new TypeError_("complex() can't take second arg if first is a string");
    return complex_from_string(real);
  }
  if (typeof imag === "string") throw new TypeError_("complex() second arg can't be a string");
  const a = real === undefined ? new PyComplex(0, 0) : part(real, "first");
  if (imag === undefined) return a;
  const b = part(imag, "second");
  // complex(a, b) is a + b*1j, but a part that is real takes no part in the other: signs of zeros stay.
  const first = imag instanceof PyComplex ? a.real - b.imag : a.real;
  return new PyComplex(first, real instanceof PyComplex ? a.imag + b.real : b.real);
}

const equal = (a: PyComplex, b: unknown): boolean | typeof NotImplemented => {
  if (kind_of(b) === KIND.none) return NotImplemented;
  if (b instanceof PyComplex) return a.real === b.real && a.imag === b.imag;
  // An int is compared by its exact value, which a float may not hold.
  const value = typeof b === "boolean" ? Number(b) : typeof b === "object" ? Number(b) : (b as number | bigint);
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number compare by value only so
  return a.imag === 0 && a.real == value;
};

define_number_methods(complex_type, KIND.complex);
define_static_methods(complex_type, {
  "__new__(cls, real=<unset>, imag=<unset>)": (cls: PyClass, real, imag) =>
    primitive_new(complex_type, cls, complex_new(real, imag)),
});
define_methods(complex_type, {
  "__repr__(self, /)": complex_repr,
  "__hash__(self, /)": (self: PyComplex) => hash_of(self),
  "__bool__(self, /)": (self: PyComplex) => self.real !== 0 || self.imag !== 0,
  "__complex__(self, /)": (self: PyComplex) => self,
  "__eq__(self, value, /)": equal,
  "__ne__(self, value, /)": (self: PyComplex, value) => {
    const result = equal(self, value);
    return typeof result === "boolean" ? !result : result;
  },
  "__format__(self, format_spec, /)": (self: PyComplex, spec: unknown) => {
    const text = text_argument(spec, "__format__", "");
    return text === "" ? str(self) : format_complex(plain_value(self) as PyComplex, text);
  },
  "conjugate(self, /)": (self: PyComplex) => new PyComplex(self.real, -self.imag),
  "__getnewargs__(self, /)": (self: PyComplex) => tuple([float_value(self.real), float_value(self.imag)]),
});
define_attributes(complex_type, {
  real: (self: PyComplex) => float_value(self.real),
  imag: (self: PyComplex) => float_value(self.imag),
});
