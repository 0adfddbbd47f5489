/**
 * @file Python's `float`: a number whose kind does not follow from its value, and how a float is written.
 * @mirrors Objects/floatobject.c (CPython 3.11)
 */

/** A float for every value. A JavaScript number without fraction is an int; `new FloatValue(2)` is the float 2.0. */
export class FloatValue {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
    Object.freeze(this);
  }

  valueOf(): number {
    return this.value;
  }

  toString(): string {
    return Number.isInteger(this.value) ? `${this.value}.0` : String(this.value);
  }
}

/** A float as a value: a plain number if it has a fraction, otherwise a `FloatValue`. */
export function float_value(value: number): number | FloatValue {
  return Number.isInteger(value) ? new FloatValue(value) : value;
}

/** `repr(value)` of a float: the shortest digits that are read as the same number. */
export function float_repr(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (Object.is(value, -0)) return "-0.0";
  const [, sign = "", first = "", rest = "", exponent = ""] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? [];
  const at = Number(exponent);
  if (at < -4 || at >= 16) {
    const digits = rest === "" ? first : `${first}.${rest}`;
    return `${sign}${digits}e${at < 0 ? "-" : "+"}${String(Math.abs(at)).padStart(2, "0")}`;
  }
  const digits = first + rest;
  if (at < 0) return `${sign}0.${"0".repeat(-at - 1)}${digits}`;
  const whole = digits.slice(0, at + 1).padEnd(at + 1, "0");
  return `${sign}${whole}.${digits.slice(at + 1) || "0"}`;
}
