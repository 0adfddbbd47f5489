/**
 * @file Python's operations on an object of any type, with its errors: look up an attribute, call a method, iterate over it, compute with it, order it.
 * @original CPython's abstract objects layer (`PyObject_GetAttr`, `PyObject_GetIter`, `PyObject_RichCompare`).
 * JavaScript has the operations, but throws other errors, or none.
 */
import { AttributeError, TypeError_, ZeroDivisionError } from "#c10/util/Exception";
import { THPVariable_Check } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { is_of_another_copy } from "./copies.ts";
import {
  is_sparse,
  isDict,
  PyObject_IsTrue,
  python_type,
  THPUtils_checkDouble,
  THPUtils_unpackDouble,
} from "./python_numbers.ts";

/** Refuses what another copy of the library made; see Note [Two copies of the library]. */
export function refuse_other_copies(obj: unknown): void {
  if (is_of_another_copy(obj)) throw new TypeError_(`expected an object of this copy, but got ${python_type(obj)}`);
}

/**
 * Returns `obj` after checking that it has the attribute: `having(x, "split").split(2)` is `x.split(2)` for an `x` from
 * the caller.
 */
export function having<T>(obj: T, name: keyof T & string): T {
  // JavaScript's sets and dicts have a `size`, Python's have not.
  const foreign = name === "size" && (obj instanceof Set || obj instanceof Map);
  if (obj === null || obj === undefined || foreign || !(name in Object(obj)))
    throw new AttributeError(`'${python_type(obj)}' object has no attribute '${name}'`);
  refuse_other_copies(obj);
  return obj;
}

/** Returns `obj` after checking that it has the method: `with_method(x, "dim").dim()` is `x.dim()` for an `x` from the caller. */
export function with_method<T>(obj: T, name: keyof T & string): T {
  const method: unknown = having(obj, name)[name];
  if (typeof method !== "function") throw new TypeError_(`'${python_type(method)}' object is not callable`);
  return obj;
}

/** Whether an argument is a list of which most elements are missing. */
export function is_sparse_list(arg: unknown): boolean {
  return Array.isArray(arg) && is_sparse(arg);
}

/** Refuses a list that is about to be walked over, if most of its elements are missing. */
export function refuse_sparse(list: readonly unknown[]): void {
  if (is_sparse(list)) throw new TypeError_(`the list has ${list.length} places, and most of them are empty`);
}

/** `len(obj)`. */
export function PyObject_Size(obj: unknown): number {
  if (Array.isArray(obj) || typeof obj === "string") return obj.length;
  if (obj instanceof Map || obj instanceof Set) return obj.size;
  const { __len__ } = Object(obj) as { __len__?: unknown };
  if (typeof __len__ === "function") return __len__.call(obj) as number;
  if (isDict(obj)) return Object.keys(obj).length;
  throw new TypeError_(`object of type '${python_type(obj)}' has no len()`);
}

/** `tuple(obj)`. As in Python, a dict gives its keys and a string its letters. */
export function PySequence_Tuple<T>(obj: Iterable<T> | readonly T[]): T[] {
  if (Array.isArray(obj)) {
    refuse_sparse(obj);
    return [...obj]; // a missing element becomes None
  }
  refuse_other_copies(obj);
  const iterable = obj as { [Symbol.iterator]?: unknown } | null | undefined;
  if (typeof iterable?.[Symbol.iterator] === "function") return [...obj];
  throw new TypeError_(`'${python_type(obj)}' object is not iterable`);
}

/** The error of an operator that one of its operands has not. */
function unsupported_operands(sign: string, a: unknown, b: unknown): TypeError_ {
  return new TypeError_(`unsupported operand type(s) for ${sign}: '${python_type(a)}' and '${python_type(b)}'`);
}

/** Two operands of Python's arithmetic as plain numbers. JavaScript's operators would make a number of a list, too. */
function operands(sign: string, a: unknown, b: unknown): [number, number] {
  const is_operand = (x: unknown): boolean => THPUtils_checkDouble(x) || THPVariable_Check(x);
  if (!is_operand(a) || !is_operand(b)) throw unsupported_operands(sign, a, b);
  return [Number(a), Number(b)];
}

/** `a * b` for numbers. */
export function PyNumber_Multiply(a: unknown, b: unknown): number {
  const [x, y] = operands("*", a, b);
  return x * y;
}

/** `a % b` for ints. */
export function PyNumber_Remainder(a: unknown, b: unknown): number {
  const [x, y] = operands("%", a, b);
  if (y === 0) throw new ZeroDivisionError("integer modulo by zero");
  return x - y * Math.floor(x / y);
}

const COMPARISONS = {
  "<": ["__lt__", (a: number, b: number): boolean => a < b],
  "<=": ["__le__", (a: number, b: number): boolean => a <= b],
  ">": ["__gt__", (a: number, b: number): boolean => a > b],
  ">=": ["__ge__", (a: number, b: number): boolean => a >= b],
} as const;

/** Whether `a < b` (or `a <= b`, `a > b`, `a >= b`) for a number `b`. A tensor with one element answers itself. */
export function PyObject_RichCompareBool(
  a: unknown,
  sign: keyof typeof COMPARISONS,
  b: number,
  b_type: "int" | "float",
): boolean {
  const [method, compare_numbers] = COMPARISONS[sign];
  if (THPUtils_checkDouble(a)) return compare_numbers(THPUtils_unpackDouble(a), b);
  const compare = (a as Record<string, unknown> | null | undefined)?.[method];
  if (typeof compare === "function") return PyObject_IsTrue(compare.call(a, b));
  throw new TypeError_(`'${sign}' not supported between instances of '${python_type(a)}' and '${b_type}'`);
}
