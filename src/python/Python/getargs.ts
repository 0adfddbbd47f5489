/**
 * @file Conversions of arguments that many built-in methods share, with their errors.
 * @mirrors Python/getargs.c (CPython 3.11)
 */
import { index_of } from "../Objects/abstract/numbers.ts";
import { OverflowError, TypeError_ } from "../Objects/exceptions.ts";
import { plain_value, type_of } from "../Objects/typeobject.ts";

/** An argument that must be a text; `name` is its number or its name in quotes, or empty if it is the only one. */
export function text_argument(given: unknown, method: string, name: string): string {
  const value = plain_value(given);
  if (typeof value === "string") return value;
  throw bad_argument(method, name, "str", value);
}

/** `encode() argument 'encoding' must be str, not None`. */
export function bad_argument(method: string, name: string, expected: string, value: unknown): TypeError_ {
  const given = value === null ? "None" : type_of(value).tp_name;
  return new TypeError_(`${method}() argument ${name === "" ? "" : `${name} `}must be ${expected}, not ${given}`);
}

/** An int argument that C keeps in a `Py_ssize_t`. */
export function size_of(value: unknown): number {
  const size = index_of(value);
  if (typeof size === "bigint" && BigInt.asIntN(64, size) !== size)
    throw new OverflowError("Python int too large to convert to C ssize_t");
  return Number(size);
}
