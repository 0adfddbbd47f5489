/**
 * @file Conversions of arguments that many built-in modules need, with CPython's refusals.
 * @mirrors Python/getargs.c, Objects/abstract.c (CPython 3.11)
 */
import { call_special } from "../Objects/call.ts";
import { OverflowError, TypeError_, ValueError } from "../Objects/exceptions.ts";
import { FloatValue } from "../Objects/floatobject.ts";
import { int_type, plain_value, type_of } from "../Objects/typeobject.ts";

export type Int = number | bigint;

/** The number behind a float, or undefined if the value is no float. */
export function float_of(given: unknown): number | undefined {
  const value = plain_value(given);
  if (value instanceof FloatValue) return value.value;
  return typeof value === "number" && (!Number.isInteger(value) || Object.is(value, -0)) ? value : undefined;
}

/** The int behind an int or bool, or undefined. */
export function int_of(given: unknown): Int | undefined {
  const value = plain_value(given);
  if (typeof value === "boolean") return Number(value);
  return (typeof value === "number" && type_of(value) === int_type) || typeof value === "bigint" ? value : undefined;
}

/** `operator.index(value)`. */
export function index(value: unknown): Int {
  const int = int_of(value) ?? int_of(float_of(value) === undefined ? call_special(value, "__index__") : undefined);
  if (int === undefined) throw new TypeError_(`'${type_of(value).tp_name}' object cannot be interpreted as an integer`);
  return int;
}

/** An index as a number; what is too large is refused as C refuses it. */
export function ssize(value: unknown): number {
  const int = index(value);
  if (typeof int === "bigint")
    throw new OverflowError(`cannot fit '${type_of(value).tp_name}' into an index-sized integer`);
  return int;
}

export function float_from_int(int: Int): number {
  const result = Number(int);
  if (!Number.isFinite(result)) throw new OverflowError("int too large to convert to float");
  return result;
}

/** A float argument: floats, ints, and what has `__float__` or `__index__`. */
export function real(value: unknown): number {
  const float = float_of(value);
  if (float !== undefined) return float;
  const int = int_of(value);
  if (int !== undefined) return float_from_int(int);
  if (typeof value !== "string") {
    const converted = call_special(value, "__float__");
    if (converted !== undefined) {
      const result = float_of(converted);
      if (result !== undefined) return result;
      throw new TypeError_(
        `${type_of(value).tp_name}.__float__ returned non-float (type ${type_of(converted).tp_name})`,
      );
    }
    const indexed = call_special(value, "__index__");
    if (indexed !== undefined) return float_from_int(index(indexed));
  }
  throw new TypeError_(`must be real number, not ${type_of(value).tp_name}`);
}

/** A str argument of a function. */
export function text_argument(given: unknown, name: string, position = ""): string {
  const value = plain_value(given);
  if (typeof value === "string") return value;
  throw new TypeError_(
    `${name}() argument ${position}must be str, not ${value === null ? "None" : type_of(value).tp_name}`,
  );
}

/** A count that must not be negative. */
export function count_argument(value: unknown, message: string): number {
  const result = ssize(value);
  if (result < 0) throw new ValueError(message);
  return result;
}
