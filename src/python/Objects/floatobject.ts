/**
 * @file Python's `float`: a number whose kind does not follow from its value, and how a float is written. Its methods are in the folder
 * `floatobject/`.
 * @mirrors Objects/floatobject.c (CPython 3.11)
 */

/** Marks complex numbers (complexobject.ts), for the library, which loads no more of Python than this file. */
export const COMPLEX: unique symbol = Symbol("python.complex");

/** A float for every value. A JavaScript number without fraction is an int; `new FloatValue(2)` is the float 2.0. */
export class FloatValue {
  // A private field, not a frozen object: arithmetic makes a float for each whole result, and `Object.freeze` costs more than the rest of it.
  readonly #value: number;

  constructor(value: number) {
    this.#value = value;
  }

  get value(): number {
    return this.#value;
  }

  valueOf(): number {
    return this.#value;
  }

  toString(): string {
    return Number.isInteger(this.#value) ? `${this.#value}.0` : String(this.#value);
  }
}

/** Whether a value is a `FloatValue`, asked without `instanceof`; see Note [No instanceof on the way of a tensor] in bridge/values.ts. */
export function is_float_value(value: unknown): value is FloatValue {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === FloatValue.prototype;
}

/** A float as a value: a plain number if it has a fraction, otherwise a `FloatValue`. */
export function float_value(value: number): number | FloatValue {
  return Number.isInteger(value) ? new FloatValue(value) : value;
}

/** `repr(value)` of a float: shortest digits, always a point or an exponent, exponents of two digits. */
export function float_repr(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude >= 1e16 || magnitude < 1e-4)) {
    const [digits = "", exponent = "0"] = value.toExponential().split("e");
    const e = Number(exponent);
    return `${digits}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
  }
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}
