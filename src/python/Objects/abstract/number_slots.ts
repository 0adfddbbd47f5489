/**
 * @file The operations of the built-in numbers: tables for ints, floats and complex numbers, and the choice of the table. Two numbers of
 * different types meet in the wider one: int, float, complex.
 * @mirrors Objects/longobject.c#long_as_number (CPython 3.11)
 */
import { nb_ops } from "../../compiler/opcode.ts";
import { complex_add, complex_div, complex_mul, complex_pow, complex_sub } from "../complexobject/arithmetic.ts";
import { PyComplex } from "../complexobject.ts";
import { float_div, float_floor_div, float_pow, float_rem } from "../floatobject/arithmetic.ts";
import { FloatValue, float_value } from "../floatobject.ts";
import * as long from "../longobject/arithmetic.ts";
import type { Int } from "../longobject.ts";

/** Operations under the names of their special methods without underscores, in the order of `nb_ops`. */
export const OPERATIONS = [
  "add",
  "and",
  "floordiv",
  "lshift",
  "matmul",
  "mul",
  "mod",
  "or",
  "pow",
  "rshift",
  "sub",
  "truediv",
  "xor",
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Sign of an operation in messages. */
export const sign_of = (op: number): string => (nb_ops[op] as readonly [string, string])[1];

/** How wide a number is. */
export const KIND = { none: 0, int: 1, float: 2, complex: 3 } as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

const kind_of_prototype = (prototype: object | null): Kind =>
  prototype === FloatValue.prototype ? KIND.float : prototype === PyComplex.prototype ? KIND.complex : KIND.none;

export function kind_of(value: unknown): Kind {
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) && !Object.is(value, -0) ? KIND.int : KIND.float;
    case "bigint":
    case "boolean":
      return KIND.int;
    case "object":
      return value === null ? KIND.none : kind_of_prototype(Object.getPrototypeOf(value));
  }
  return KIND.none;
}

/** An int or bool as an int. Precondition: its kind is int. */
export function as_int(value: unknown): Int {
  return typeof value === "boolean" ? (value ? 1 : 0) : (value as Int); // the kind was asked before
}

/** Any real number as a double. Raises OverflowError. Precondition: its kind is int or float. */
export function as_double(value: unknown): number {
  if (typeof value === "number") return value;
  return value instanceof FloatValue ? value.value : long.long_as_double(as_int(value));
}

/** Any number as a complex one. */
export function as_complex(value: unknown): PyComplex {
  return value instanceof PyComplex ? value : new PyComplex(as_double(value), 0);
}

const float_power = (a: number, b: number): unknown => {
  const result = float_pow(a, b);
  return result === undefined ? complex_pow(new PyComplex(a, 0), new PyComplex(b, 0)) : float_value(result);
};

type Table<T> = Partial<Record<Operation, (a: T, b: T) => unknown>>;

const LONG: Table<Int> = {
  add: long.long_add,
  and: long.long_and,
  floordiv: long.long_floor_div,
  lshift: long.long_lshift,
  mul: long.long_mul,
  mod: long.long_mod,
  or: long.long_or,
  pow: (a, b) => (b < 0 ? float_power(long.long_as_double(a), long.long_as_double(b)) : long.long_pow(a, b)),
  rshift: long.long_rshift,
  sub: long.long_sub,
  truediv: (a, b) => float_value(long.long_true_divide(a, b)),
  xor: long.long_xor,
};

const FLOAT: Table<number> = {
  add: (a, b) => float_value(a + b),
  floordiv: (a, b) => float_value(float_floor_div(a, b)),
  mul: (a, b) => float_value(a * b),
  mod: (a, b) => float_value(float_rem(a, b)),
  pow: float_power,
  sub: (a, b) => float_value(a - b),
  truediv: (a, b) => float_value(float_div(a, b)),
};

const COMPLEX: Table<PyComplex> = {
  add: complex_add,
  mul: complex_mul,
  pow: complex_pow,
  sub: complex_sub,
  truediv: complex_div,
};

const BOOL: Table<boolean> = { and: (a, b) => a && b, or: (a, b) => a || b, xor: (a, b) => a !== b };

/** Whether a number of this kind has the operation at all. */
export function has_operation(kind: Kind, operation: Operation): boolean {
  return (kind === KIND.int ? LONG : kind === KIND.float ? FLOAT : COMPLEX)[operation] !== undefined;
}

/** The result of an operation on two built-in numbers; undefined if one is no number or the wider type lacks the operation. */
export function number_operation(operation: Operation, a: unknown, b: unknown): unknown {
  const x = kind_of(a);
  if (x === KIND.none) return undefined;
  const y = kind_of(b);
  if (y === KIND.none) return undefined;
  switch (Math.max(x, y)) {
    case KIND.int:
      if (typeof a === "boolean" && typeof b === "boolean") {
        const result = BOOL[operation]?.(a, b);
        if (result !== undefined) return result;
      }
      return LONG[operation]?.(as_int(a), as_int(b));
    case KIND.float:
      return FLOAT[operation]?.(as_double(a), as_double(b));
    default:
      return COMPLEX[operation]?.(as_complex(a), as_complex(b));
  }
}
