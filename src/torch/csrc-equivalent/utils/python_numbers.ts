/**
 * @file The Python type of a JavaScript value: int, float, bool, ...; one rule for every entry into the engine.
 * @mirrors torch/csrc/utils/python_numbers.h
 *
 * Note [Numbers]
 * ~~~~~~~~~~~~~~
 * Python has ints and floats, JavaScript one number type. A finite number without fraction is an int, unless it is -0 or too
 * large for int64; every other number is a float. A bigint is always an int, and `torch.Float(2)` is the float 2.0.
 * `torch.tensor`, scalars, `full`, `arange`, `where`, integer parameters and the type names in messages all use `python_type`.
 * @differs The kind of a number follows from its value: `torch.tensor([1.0, 2.0])` holds int64; Python distinguishes 1.0 from 1.
 */
import { guard_int } from "#c10/core/SymInt";
import { NotImplementedError, OverflowError, TypeError_, ValueError } from "#c10/util/Exception";
import { COMPLEX, FloatValue } from "#python/Objects/floatobject";
import { PyTuple } from "#python/Objects/tupleobject";
import { is_of_another_copy } from "./copies.ts";

/** A float for every value: `torch.tensor([new Float(2)])` holds float32. Accepted wherever a number is. */
export type Float = FloatValue;

/** `torch.Float(2)`: the float 2.0. */
export function Float(value: number | bigint): Float {
  return new FloatValue(PyNumber_Float(value));
}

/** `float(value)`, as a plain number. */
export function PyNumber_Float(value: unknown): number {
  if (typeof value === "string") return PyFloat_FromString(value);
  if (THPUtils_checkDouble(value)) return THPUtils_unpackDouble(value);
  throw new TypeError_(`float() argument must be a string or a real number, not '${python_type(value)}'`);
}

function PyFloat_FromString(text: string): number {
  const [, sign, digits, word] =
    /^\s*([+-]?)(?:((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(inf|infinity|nan))\s*$/i.exec(text) ?? [];
  if (digits === undefined && word === undefined) {
    throw new ValueError(`could not convert string to float: '${text}'`);
  }
  const value = digits !== undefined ? Number(digits) : /^nan$/i.test(word) ? Number.NaN : Number.POSITIVE_INFINITY;
  return sign === "-" ? -value : value;
}

Float.prototype = FloatValue.prototype; // so that `x instanceof torch.Float` works

export function isFloat(value: unknown): value is Float {
  return value instanceof FloatValue;
}

/** A value that is accepted wherever Python accepts a number. */
export type Number_ = number | bigint | boolean | Float;

const INT64_LIMIT = 2 ** 63;

/** Whether a plain number is an int, by the rule of Note [Numbers]. */
export function isPythonInt(value: number): boolean {
  return Number.isInteger(value) && !Object.is(value, -0) && value >= -INT64_LIMIT && value < INT64_LIMIT;
}

/** Whether it is a plain object: keyword arguments if it is the last argument, otherwise a dict. */
export function isDict(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Whether a list has no element at most of its places: `a[4e9] = 1` makes an array that takes minutes to walk over. Lists that are walked
 * over in spite of missing elements ask this first.
 */
export function is_sparse(list: readonly unknown[]): boolean {
  const { length } = list;
  return length > LEAST_SPARSE && !(0 in list && Math.floor(length / 2) in list && length - 1 in list);
}

const LEAST_SPARSE = 1 << 16;

/** `Py_TYPE(obj)->tp_name`: the name of the value's Python type, as messages print it. */
export function python_type(value: unknown): string {
  switch (typeof value) {
    case "number":
      return isPythonInt(value) ? "int" : "float";
    case "bigint":
      return "int";
    case "boolean":
      return "bool";
    case "string":
      return "str";
    case "undefined":
      return "NoneType";
    case "function":
      return isClass(value) ? ((value as { __metaclass__?: string }).__metaclass__ ?? "type") : objectTypeName(value);
    case "object":
      if (value === null) return "NoneType";
      if (Array.isArray(value)) return value instanceof PyTuple ? tuple_name(value) : "list";
      if (value instanceof FloatValue) return "float";
      if (value instanceof Set && value.constructor === Set) return "set";
      return isDict(value) ? "dict" : objectTypeName(value);
    default:
      return typeof value;
  }
}

/** A subclass has a name of its own: `Size`, `PackedSequence`. */
function tuple_name(value: PyTuple): string {
  return value.constructor === PyTuple ? "tuple" : objectTypeName(value);
}

function isClass(value: object): boolean {
  return Object.hasOwn(value, "prototype") && /^class\b/.test(Function.prototype.toString.call(value));
}

/** The name of an object's type: a class may state Python's name in `static __name__` (`torch.dtype`, `torch.device`, ...). */
function objectTypeName(value: object): string {
  const type = (Object.getPrototypeOf(value) as { constructor?: { __name__?: string; name?: string } } | null)
    ?.constructor;
  if (type === undefined) return "object";
  if (type === Function) return "function";
  const name = type.__name__ ?? type.name ?? "object";
  return is_of_another_copy(value) ? `${name} of another copy of glasstorch` : name;
}

/** An object that may say which number it is. A tensor of another copy may not: it is refused wherever a tensor is. */
function of_this_copy(value: unknown): { __index__?(): number | bigint; __float__?(): number } | null {
  return typeof value === "object" && !is_of_another_copy(value) ? value : null;
}

export function THPUtils_checkLong(value: unknown): value is number | bigint {
  return typeof value === "number" ? isPythonInt(value) : typeof value === "bigint";
}

/** As in Python, a bool is a number here. */
export function THPUtils_checkDouble(value: unknown): value is Number_ {
  return (
    typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || value instanceof FloatValue
  );
}

/**
 * Whether a Scalar can be made of the value.
 * @throws {NotImplementedError} for a complex number
 */
export function THPUtils_checkScalar(value: unknown): value is Number_ {
  if (THPUtils_checkDouble(value)) return true;
  if (typeof value === "object" && value !== null && COMPLEX in value)
    throw new NotImplementedError("complex tensors are not built here");
  return false;
}

/** Whether the value may be an index or a size: an int, or an object with `__index__` (a tensor), but no bool. */
export function THPUtils_checkIndex(value: unknown): boolean {
  if (typeof value === "number") return isPythonInt(value);
  if (typeof value === "bigint") return true;
  const index = of_this_copy(value)?.__index__;
  if (typeof index !== "function") return false;
  try {
    index.call(value);
    return true;
  } catch {
    return false; // as in PyNumber_Index, an object that throws is no index
  }
}

export function THPUtils_unpackLong(value: unknown): number {
  return typeof value === "number" && isPythonInt(value) ? value : guard_int(THPUtils_unpackSymInt(value));
}

/** An int of the whole int64 range: a bigint if no number is exact. */
export function THPUtils_unpackSymInt(value: unknown): number | bigint {
  if (typeof value === "number") {
    if (isPythonInt(value)) return value;
  } else if (typeof value === "bigint") {
    if (BigInt.asIntN(64, value) !== value) throw new ValueError("Overflow when unpacking long long");
    return THPUtils_packInt64(value);
  } else if (typeof value === "boolean") {
    return value ? 1 : 0;
  } else {
    const index = of_this_copy(value)?.__index__;
    if (typeof index === "function") return THPUtils_unpackSymInt(index.call(value));
  }
  throw new TypeError_(`'${python_type(value)}' object cannot be interpreted as an integer`);
}

export const THPUtils_unpackIndex = THPUtils_unpackLong;

/** An argument of `PyArg_ParseTuple` with format "b", which C++ often uses for flags: an index that fits into a byte. */
export function THPUtils_unpackByte(value: unknown): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  const int = typeof value === "bigint" ? value : THPUtils_unpackLong(value);
  if (BigInt.asIntN(64, BigInt(int)) !== BigInt(int))
    throw new OverflowError("Python int too large to convert to C long");
  if (int < 0) throw new OverflowError("unsigned byte integer is less than minimum");
  if (int > 255) throw new OverflowError("unsigned byte integer is greater than maximum");
  return Number(int);
}

/** Whether the value counts as true in `if value:`. */
export function PyObject_IsTrue(value: unknown): boolean {
  if (typeof value === "number") return value !== 0; // NaN is true
  if (typeof value !== "object" || value === null) return Boolean(value);
  if (value instanceof FloatValue) return value.value !== 0;
  if (Array.isArray(value)) return value.length !== 0;
  if ("__bool__" in value && typeof value.__bool__ === "function") return value.__bool__() as boolean;
  return !isDict(value) || Object.keys(value).length !== 0;
}

/** An int64 of full range, for elements and scalars. Precondition: `THPUtils_checkLong(value)`. */
export function THPUtils_unpackInt64(value: number | bigint): bigint {
  if (typeof value === "number") return BigInt(value);
  if (BigInt.asIntN(64, value) !== value) throw new ValueError("Overflow when unpacking long long");
  return value;
}

/** A uint64 of full range. */
export function THPUtils_unpackUInt64(value: unknown): bigint {
  if (typeof value !== "boolean" && !THPUtils_checkLong(value)) throw new TypeError_("an integer is required");
  const int = BigInt(value);
  if (int < 0n) throw new OverflowError("can't convert negative int to unsigned");
  if (BigInt.asUintN(64, int) !== int) throw new OverflowError("int too big to convert");
  return int;
}

export function THPUtils_unpackDouble(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof FloatValue) return value.value;
  const float = of_this_copy(value)?.__float__;
  if (typeof float === "function") return float.call(value);
  throw new TypeError_(`must be real number, not ${python_type(value)}`);
}

/** An int64 (or a uint64) for Python: a number if that is exact, else a bigint. */
export function THPUtils_packInt64(value: number | bigint): number | bigint {
  if (typeof value === "number") return value;
  const narrow = Number(value);
  return Number.isSafeInteger(narrow) ? narrow : value;
}

/**
 * Numbers that a Python program wrote as ints, by the object or the dict that holds them: name and value. They print as ints, `nn.ELU(1)` as
 * `ELU(alpha=1)`. TypeScript has one kind of number, and such a number prints like the default.
 */
export const written_as_ints = new WeakMap<object, ReadonlyMap<string, unknown>>();
