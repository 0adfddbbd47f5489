/**
 * @file The operators of the language by their signs, for modules that compute with any values.
 * @mirrors Objects/abstract.c (CPython 3.11)
 */

import { nb_ops } from "../compiler/opcode.ts";
import { KIND, kind_of } from "../Objects/abstract/number_slots.ts";
import { binary_op, unary_invert, unary_negative, unary_positive } from "../Objects/abstract/numbers.ts";

const NUMBER_OF_SIGN: ReadonlyMap<string, number> = new Map(nb_ops.map(([, sign], i) => [sign, i]));

/** `a + b` and so on; with a sign such as `+=` the operation may change `a`. */
export function binary(sign: string, a: unknown, b: unknown): unknown {
  return binary_op(a, b, NUMBER_OF_SIGN.get(sign) as number);
}

export function unary(sign: "-" | "+" | "~", value: unknown): unknown {
  return sign === "-" ? unary_negative(value) : sign === "+" ? unary_positive(value) : unary_invert(value);
}

/** Whether a value is an int, float or complex. */
export const is_number = (value: unknown): boolean => kind_of(value) !== KIND.none;

export { abs as absolute } from "../Objects/abstract/numbers.ts";
export { contains, delitem, getitem, setitem } from "../Objects/abstract/sequences.ts";
