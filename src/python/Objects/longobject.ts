/**
 * @file Python's `int`: a number as far as numbers are exact, otherwise a bigint. Its arithmetic and methods are in the folder `longobject/`.
 * @mirrors Objects/longobject.c (CPython 3.11)
 */
import { ValueError } from "./exceptions.ts";

/** An int of Python. Invariant: a number is a safe integer and not -0; every other int is a bigint. */
export type Int = number | bigint;

/** The int of this value: a number if it is a safe integer. */
export function int_value(value: bigint): Int {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** The int of a float without fraction. */
export function int_of_whole(value: number): Int {
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value); // -0 becomes 0
}

/** Reads an int literal without underscores, for example `17`, `0xff`, `0o17`, `0b11`. */
export function int_from_literal(text: string): Int {
  return text.length <= 15 && text.charCodeAt(1) < 65 ? Number(text) : int_value(BigInt(text));
}

/**
 * How many digits an int may have when it becomes a decimal text or is read from one; 0 means that there is no limit. The work grows faster than
 * the number of digits, so a long text could stop a program.
 */
export const int_max_str_digits = { limit: 4300 };
const HOW = "use sys.set_int_max_str_digits() to increase the limit";

/** Raises ValueError if a text has too many digits to be read as an int. */
export function check_digits(digits: number): void {
  const { limit } = int_max_str_digits;
  if (limit > 0 && digits > limit)
    throw new ValueError(
      `Exceeds the limit (${limit} digits) for integer string conversion: value has ${digits} digits; ${HOW}`,
    );
}

/** `str(value)`. */
export function int_repr(value: Int): string {
  const text = value.toString();
  const { limit } = int_max_str_digits;
  if (limit > 0 && text.length > limit && text.length - (value < 0 ? 1 : 0) > limit)
    throw new ValueError(`Exceeds the limit (${limit} digits) for integer string conversion; ${HOW}`);
  return text;
}
