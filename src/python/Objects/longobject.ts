/**
 * @file Python's `int`: a number as far as numbers are exact, otherwise a bigint.
 * @mirrors Objects/longobject.c (CPython 3.11)
 */

/** The int of this value: a number if it is a safe integer. */
export function int_value(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** Reads an int literal without underscores, for example `17`, `0xff`, `0o17`, `0b11`. */
export function int_from_literal(text: string): number | bigint {
  return text.length <= 15 && text.charCodeAt(1) < 65 ? Number(text) : int_value(BigInt(text));
}
