/**
 * @file Operators on constants, so that `2 * 3` can be compiled as `6`. What would raise an error is left to the machine.
 * @mirrors Python/ast_opt.c#fold_binop (CPython 3.11)
 */
import "../Objects/bytesobject/methods.ts";
import "../Objects/complexobject/methods.ts";
import "../Objects/tupleobject/methods.ts";
import "../Objects/unicodeobject/methods.ts";
import * as ast from "../ast/nodes.ts";
import { as_int, KIND, kind_of } from "../Objects/abstract/number_slots.ts";
import { binary_op, unary_invert, unary_negative, unary_positive } from "../Objects/abstract/numbers.ts";
import { ByteSequence } from "../Objects/bytesobject.ts";
import { PyComplex } from "../Objects/complexobject.ts";
import { BaseException } from "../Objects/exceptions.ts";
import { FloatValue } from "../Objects/floatobject.ts";
import { bit_length } from "../Objects/longobject/arithmetic.ts";
import type { Int } from "../Objects/longobject.ts";
import { PyFrozenSet } from "../Objects/setobject.ts";
import { PyTuple } from "../Objects/tupleobject.ts";
import { length_of } from "../Objects/unicodeobject/code_points.ts";
import { nb_ops } from "./opcode.ts";

/** No constant: the operation is left as it is. */
export const NOT_FOLDED = Symbol("not folded");

// Larger results would make code objects large.
const MAX_INT_SIZE = 128;
const MAX_COLLECTION_SIZE = 256;
const MAX_STR_SIZE = 4096;
const MAX_TOTAL_ITEMS = 1024;

/** `bool(value)` of a constant. */
export function truth_of(value: unknown): boolean {
  if (value instanceof FloatValue) return value.value !== 0;
  if (typeof value === "number") return value !== 0;
  if (value instanceof PyTuple) return value.length > 0;
  if (value instanceof PyFrozenSet) return value.elements.length > 0;
  if (value instanceof ByteSequence) return value.data.length > 0;
  if (value instanceof PyComplex) return value.real !== 0 || value.imag !== 0;
  return Boolean(value);
}

/** Result of `compute`, or NOT_FOLDED if it raises: then the machine will raise it. */
function attempted(compute: () => unknown): unknown {
  try {
    return compute();
  } catch (error) {
    if (error instanceof BaseException) return NOT_FOLDED;
    throw error;
  }
}

export function unary(op: ast.unaryop, value: unknown): unknown {
  if (op instanceof ast.Not) return !truth_of(value);
  const apply = op instanceof ast.USub ? unary_negative : op instanceof ast.UAdd ? unary_positive : unary_invert;
  return attempted(() => apply(value));
}

const SIGNS: readonly (readonly [abstract new (...args: never[]) => ast.operator, string])[] = [
  [ast.Add, "+"],
  [ast.Sub, "-"],
  [ast.Mult, "*"],
  [ast.Div, "/"],
  [ast.FloorDiv, "//"],
  [ast.Mod, "%"],
  [ast.Pow, "**"],
  [ast.LShift, "<<"],
  [ast.RShift, ">>"],
  [ast.BitOr, "|"],
  [ast.BitXor, "^"],
  [ast.BitAnd, "&"],
];

export function binary(op: ast.operator, left: unknown, right: unknown): unknown {
  const sign = SIGNS.find(([type]) => op instanceof type)?.[1];
  if (sign === undefined) return NOT_FOLDED; // a matrix product of constants is an error
  if (sign === "%" && (typeof left === "string" || left instanceof ByteSequence)) return NOT_FOLDED;
  if (!is_short(sign, left, right)) return NOT_FOLDED;
  return attempted(() =>
    binary_op(
      left,
      right,
      nb_ops.findIndex(([, it]) => it === sign),
    ),
  );
}

/** Whether the result of an operation will be small enough for a code object. */
function is_short(sign: string, left: unknown, right: unknown): boolean {
  const a = kind_of(left) === KIND.int ? as_int(left) : null;
  const b = kind_of(right) === KIND.int ? as_int(right) : null;
  if (a !== null && b !== null) return is_small(sign, a, b);
  if (sign !== "*") return true;
  if (b !== null) return is_short_repetition(left, b);
  return a === null || is_short_repetition(right, a);
}

function is_small(sign: string, a: Int, b: Int): boolean {
  if (Number(a) === 0 || Number(b) === 0) return true;
  switch (sign) {
    case "*":
      return bit_length(a) + bit_length(b) <= MAX_INT_SIZE;
    case "**":
      return b < 0 || bit_length(a) <= MAX_INT_SIZE / Number(b);
    case "<<":
      return b <= MAX_INT_SIZE && bit_length(a) <= MAX_INT_SIZE - Number(b);
  }
  return true;
}

/** Whether `value * times` is no number's product or stays short. */
function is_short_repetition(value: unknown, times: Int): boolean {
  const [size, most] =
    value instanceof PyTuple
      ? [value.length, MAX_COLLECTION_SIZE]
      : typeof value === "string"
        ? [length_of(value), MAX_STR_SIZE]
        : value instanceof ByteSequence
          ? [value.data.length, MAX_STR_SIZE]
          : [0, 0];
  if (size === 0) return true;
  if (times < 0 || times > Math.floor(most / size)) return false;
  return Number(times) === 0 || items_left(value, Math.floor(MAX_TOTAL_ITEMS / Number(times))) >= 0;
}

/** Rest of `limit` when all elements are counted, those of inner tuples included. */
function items_left(value: unknown, limit: number): number {
  const elements = value instanceof PyTuple ? value : value instanceof PyFrozenSet ? value.elements : null;
  if (elements === null) return limit;
  let left = limit - elements.length;
  if (value instanceof PyTuple) for (let i = 0; i < value.length && left >= 0; i++) left = items_left(value[i], left);
  return left;
}

/** `value[index]`. */
export function item(value: unknown, index: unknown): unknown {
  if (kind_of(index) !== KIND.int) return NOT_FOLDED;
  const place = Number(as_int(index));
  const elements =
    typeof value === "string"
      ? Array.from(value)
      : value instanceof PyTuple
        ? value
        : value instanceof ByteSequence
          ? value.data
          : [];
  const found = elements[place < 0 ? place + elements.length : place];
  return found === undefined ? NOT_FOLDED : found;
}
