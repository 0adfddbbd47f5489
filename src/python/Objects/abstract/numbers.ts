/**
 * @file The number protocol: what `+`, `-`, `**`, `abs`, `operator.index` and their like do with any two values.
 * @mirrors Objects/abstract.c (CPython 3.11)
 */
import { ByteSequence } from "../bytesobject.ts";
import { call_special, call_unbound } from "../call.ts";
import { complex_abs, complex_neg } from "../complexobject/arithmetic.ts";
import type { PyComplex } from "../complexobject.ts";
import { OverflowError, TypeError_, ValueError } from "../exceptions.ts";
import { float_divmod } from "../floatobject/arithmetic.ts";
import { FloatValue, float_value, is_float_value } from "../floatobject.ts";
import { long_abs, long_divmod, long_invert, long_mul, long_neg, long_pow_mod } from "../longobject/arithmetic.ts";
import type { Int } from "../longobject.ts";
import { BUILTIN, is_builtin } from "../methodobject.ts";
import { NotImplemented } from "../object.ts";
import { tuple } from "../tupleobject.ts";
import { type_of } from "../typeobject.ts";
import { as_index as index_of, is_index } from "./indices.ts";
import {
  as_double,
  as_int,
  KIND,
  kind_of,
  number_operation,
  OPERATIONS,
  type Operation,
  sign_of,
} from "./number_slots.ts";

// An idea in miniature
// ~~~~~~~~~~~~~~~~~~~~
// binary_op(a, b, op):
//   two numbers of JavaScript     the engine's operation; the result stands if its kind is certain
//   two built-in numbers          tables in number_slots.ts
//   anything else                 a.__add__(b), then b.__radd__(a); b is first if its class derives from a's and has a method of its own
//   a sequence on the left        `[1] + [2]` and `"ab" * 3` come after both, because a list is no number
//   an operation in place         a.__iadd__(b) is asked before all that

export { index_of, is_index };

const IN_PLACE = 13;

/** Two numbers of JavaScript, of which each may be an int or a float with a fraction. Undefined: the tables must decide. */
function plain_operation(a: number, b: number, operation: number): unknown {
  switch (operation) {
    case 0: {
      const sum = a + b;
      // A sum with a fraction comes from a float. A whole one is an int only if both are ints.
      if (!Number.isInteger(sum)) return sum;
      if (Number.isInteger(a) && Number.isInteger(b)) return Number.isSafeInteger(sum) ? sum : undefined;
      return new FloatValue(sum);
    }
    case 10: {
      const difference = a - b;
      if (!Number.isInteger(difference)) return difference;
      if (Number.isInteger(a) && Number.isInteger(b)) return Number.isSafeInteger(difference) ? difference : undefined;
      return new FloatValue(difference);
    }
    case 5: {
      const product = a * b;
      if (!Number.isInteger(product)) return product;
      if (Number.isInteger(a) && Number.isInteger(b)) return Number.isSafeInteger(product) ? product + 0 : undefined;
      return new FloatValue(product);
    }
    case 11:
      return b === 0 ? undefined : float_value(a / b);
    case 2: {
      if (b === 0 || !Number.isInteger(a) || !Number.isInteger(b)) return undefined;
      const rest = a % b;
      const quotient = (a - rest) / b; // exact, because a - rest is a multiple of b
      return rest !== 0 && rest < 0 !== b < 0 ? quotient - 1 : quotient + 0;
    }
    case 6: {
      if (b === 0 || !Number.isInteger(a) || !Number.isInteger(b)) return undefined;
      const rest = a % b;
      return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest + 0;
    }
    case 1:
      return (a | 0) === a && (b | 0) === b ? a & b : undefined;
    case 7:
      return (a | 0) === a && (b | 0) === b ? a | b : undefined;
    case 12:
      return (a | 0) === a && (b | 0) === b ? a ^ b : undefined;
    case 3:
      return (a | 0) === a && b >= 0 && b <= 21 && Number.isInteger(b) ? a * 2 ** b : undefined;
    case 9:
      return (a | 0) === a && b >= 0 && b <= 31 && Number.isInteger(b) ? a >> b : undefined;
  }
  return undefined;
}

/** A built-in number as a double, if it is a float or a small int: for the short way of float arithmetic. */
function double_of(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return is_float_value(value) ? value.value : undefined;
}

/** `a + b`, `a -= b` and all their like; `op` is the argument of `BINARY_OP`, an index into `nb_ops`. */
export function binary_op(a: unknown, b: unknown, op: number): unknown {
  const operation = op < IN_PLACE ? op : op - IN_PLACE;
  if (typeof a === "number" && typeof b === "number") {
    const result = plain_operation(a, b, operation);
    if (result !== undefined) return result;
  } else if (is_float_value(a) || is_float_value(b)) {
    const x = double_of(a);
    const y = double_of(b);
    if (x !== undefined && y !== undefined) {
      if (operation === 0) return float_value(x + y);
      if (operation === 5) return float_value(x * y);
      if (operation === 10) return float_value(x - y);
      if (operation === 11 && y !== 0) return float_value(x / y);
    }
  } else if (typeof a === "string" && typeof b === "string" && operation === 0) return a + b;
  const result = number_operation(OPERATIONS[operation] as Operation, a, b);
  return result === undefined ? object_operation(a, b, op) : result;
}

/** A built-in sequence has `__add__` and `__mul__`, but CPython asks them only after the methods of numbers. */
function is_sequence_method(method: unknown): boolean {
  return is_builtin(method) && method[BUILTIN].owner?.dict.has("__getitem__") === true;
}

/** Asks both values for a method of numbers, in Python's order; NotImplemented if neither knows the other. */
export function binary_method(a: unknown, b: unknown, name: string, reflected: string): unknown {
  const type = type_of(a);
  const other = type_of(b);
  const left = type.lookup(name);
  if (type === other)
    return left === undefined || left === null || is_concatenation(name, left)
      ? NotImplemented
      : call_unbound(left, a, [b], null, type);
  let right = other.lookup(reflected);
  if (right === null || (right !== undefined && is_concatenation(name, right))) right = undefined;
  if (right !== undefined && other.is_subtype(type) && right !== type.lookup(reflected)) {
    const result = call_unbound(right, b, [a], null, other);
    if (result !== NotImplemented) return result;
    right = undefined;
  }
  if (left !== undefined && left !== null && !is_concatenation(name, left)) {
    const result = call_unbound(left, a, [b], null, type);
    if (result !== NotImplemented) return result;
  }
  return right === undefined ? NotImplemented : call_unbound(right, b, [a], null, other);
}

const is_concatenation = (name: string, method: unknown): boolean =>
  (name === "__add__" || name === "__mul__") && is_sequence_method(method);

/** The special methods of each operation, made once: a text that is put together at each call would be hashed anew. */
const METHODS = OPERATIONS.map((name) => ({
  plain: `__${name}__`,
  reflected: `__r${name}__`,
  in_place: `__i${name}__`,
}));

function object_operation(a: unknown, b: unknown, op: number): unknown {
  const in_place = op >= IN_PLACE;
  const index = in_place ? op - IN_PLACE : op;
  const operation = OPERATIONS[index] as Operation;
  const names = METHODS[index] as (typeof METHODS)[number];
  if (in_place) {
    const method = type_of(a).lookup(names.in_place);
    if (method !== undefined && method !== null && !is_concatenation(names.plain, method)) {
      const result = call_unbound(method, a, [b], null, type_of(a));
      if (result !== NotImplemented) return result;
    }
  }
  const result = binary_method(a, b, names.plain, names.reflected);
  if (result !== NotImplemented) return result;
  if (operation === "add" || operation === "mul") {
    const answer = sequence_operation(operation, a, b, in_place);
    if (answer !== undefined) return answer;
  }
  throw unsupported(operation === "pow" && !in_place ? "** or pow()" : sign_of(op), a, b);
}

function unsupported(sign: string, a: unknown, b: unknown): TypeError_ {
  return new TypeError_(`unsupported operand type(s) for ${sign}: '${type_of(a).tp_name}' and '${type_of(b).tp_name}'`);
}

/** Concatenates or repeats a built-in sequence; undefined if there is none. */
function sequence_operation(operation: "add" | "mul", a: unknown, b: unknown, in_place: boolean): unknown {
  const type = type_of(a);
  const method = type.lookup(`__${operation}__`);
  if (method !== undefined && is_sequence_method(method)) {
    const other = operation === "mul" ? repetitions(b, a) : b;
    const own = in_place ? type.lookup(`__i${operation}__`) : undefined;
    return call_unbound(own ?? method, a, [other], null, type);
  }
  if (operation === "add") return undefined;
  const repeat = type_of(b).lookup("__mul__");
  if (repeat === undefined || !is_sequence_method(repeat)) return undefined;
  return call_unbound(repeat, b, [repetitions(a, b)], null, type_of(b));
}

/** How often a sequence is repeated must be an int of C. */
function repetitions(value: unknown, sequence: unknown): unknown {
  if (!is_index(value)) throw new TypeError_(`can't multiply sequence by non-int of type '${type_of(value).tp_name}'`);
  const times = index_of(value);
  if (typeof times === "number") return times;
  if (BigInt.asIntN(64, times) !== times)
    throw new OverflowError(`cannot fit '${type_of(value).tp_name}' into an index-sized integer`);
  if (typeof sequence === "string" || sequence instanceof ByteSequence) return times;
  return times < 0n ? -1 : Number.MAX_SAFE_INTEGER; // no memory holds that many
}

function unary(value: unknown, method: string, sign: string): unknown {
  const result = call_special(value, method);
  if (result === undefined) throw new TypeError_(`bad operand type for ${sign}: '${type_of(value).tp_name}'`);
  return result;
}

/** `-value`. */
export function unary_negative(value: unknown): unknown {
  switch (kind_of(value)) {
    case KIND.int:
      return long_neg(as_int(value));
    case KIND.float:
      return float_value(-as_double(value));
    case KIND.complex:
      return complex_neg(value as PyComplex);
  }
  return unary(value, "__neg__", "unary -");
}

/** `+value`. */
export function unary_positive(value: unknown): unknown {
  const kind = kind_of(value);
  if (kind === KIND.int) return as_int(value);
  return kind === KIND.none ? unary(value, "__pos__", "unary +") : value;
}

/** `~value`. */
export function unary_invert(value: unknown): unknown {
  return kind_of(value) === KIND.int ? long_invert(as_int(value)) : unary(value, "__invert__", "unary ~");
}

/** `abs(value)`. */
export function abs(value: unknown): unknown {
  switch (kind_of(value)) {
    case KIND.int:
      return long_abs(as_int(value));
    case KIND.float:
      return float_value(Math.abs(as_double(value)));
    case KIND.complex:
      return float_value(complex_abs(value as PyComplex));
  }
  return unary(value, "__abs__", "abs()");
}

/** `divmod(a, b)`. */
export function divmod(a: unknown, b: unknown): unknown {
  const [x, y] = [kind_of(a), kind_of(b)];
  if (x === KIND.int && y === KIND.int) return tuple(long_divmod(as_int(a), as_int(b)));
  if ((x === KIND.int || x === KIND.float) && (y === KIND.int || y === KIND.float))
    return tuple(float_divmod(as_double(a), as_double(b)).map(float_value));
  const result = binary_method(a, b, "__divmod__", "__rdivmod__");
  if (result === NotImplemented) throw unsupported("divmod()", a, b);
  return result;
}

/** `pow(a, b, mod)`; `mod` is null if there is none. */
export function power(a: unknown, b: unknown, mod: unknown = null): unknown {
  if (mod === null) return binary_op(a, b, OPERATIONS.indexOf("pow"));
  const kinds = [a, b, mod].map(kind_of);
  if (kinds.every((kind) => kind === KIND.int)) return long_pow_mod(as_int(a), as_int(b), as_int(mod));
  const method = type_of(a).lookup("__pow__");
  if (method !== undefined && method !== null) {
    const result = call_unbound(method, a, [b, mod], null, type_of(a));
    if (result !== NotImplemented) return result;
  }
  // A float or complex number among the three answers for all.
  const kind = kinds.find((it) => it === KIND.float || it === KIND.complex);
  if (kind === KIND.float) throw new TypeError_("pow() 3rd argument not allowed unless all arguments are integers");
  if (kind === KIND.complex && !kinds.slice(0, 2).includes(KIND.none)) throw new ValueError("complex modulo");
  const types = [a, b, mod].map((value) => `'${type_of(value).tp_name}'`);
  throw new TypeError_(`unsupported operand type(s) for ** or pow(): ${types.join(", ")}`);
}

/** `round(value, digits)`; `digits` is undefined if it is not given. */
export function round(value: unknown, digits?: unknown): unknown {
  const result = digits === undefined ? call_special(value, "__round__") : call_special(value, "__round__", digits);
  if (result === undefined) throw new TypeError_(`type ${type_of(value).tp_name} doesn't define __round__ method`);
  return result;
}

/** `float(value)` of anything but a text, as a double: `what` begins the error. */
export function double_from(value: unknown, refusal: (type: string) => string): number {
  const kind = kind_of(value);
  if (kind === KIND.int || kind === KIND.float) return as_double(value);
  const result = call_special(value, "__float__");
  if (result !== undefined) {
    if (kind_of(result) === KIND.float) return as_double(result);
    throw new TypeError_(`${type_of(value).tp_name}.__float__ returned non-float (type ${type_of(result).tp_name})`);
  }
  if (type_of(value).lookup("__index__") !== undefined) return as_double(index_of(value));
  throw new TypeError_(refusal(type_of(value).tp_name));
}

/** A real number as a double, as `math.sin` takes it. */
export function real_number(value: unknown): number {
  return double_from(value, (type) => `must be real number, not ${type}`);
}

/** `round(value, digits)` of an int: digits before the point may round, ties to even. */
export function rounded_int(value: Int, digits: Int): Int {
  if (digits >= 0) return value;
  const unit = 10n ** BigInt(-digits);
  const magnitude = value < 0 ? -BigInt(value) : BigInt(value);
  const rest = magnitude % unit;
  const down = magnitude / unit;
  const up = rest * 2n > unit || (rest * 2n === unit && (down & 1n) === 1n);
  return long_mul(long_mul(up ? down + 1n : down, unit), value < 0 ? -1 : 1);
}
