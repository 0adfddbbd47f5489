/**
 * @file `len(x)`, `x[key]` and `iter(x)` for datasets and samplers of any kind: objects with `__len__`, `__getitem__`, `__iter__`, and
 * JavaScript's own arrays, typed arrays, Maps, plain objects and iterables.
 * @original CPython's `PyObject_Size`, `PyObject_GetItem`, `PyObject_GetIter`; a list is an array, a dict a Map or a plain object.
 */
import { IndexError, KeyError, TypeError_ } from "#c10/util/Exception";
import { isDict, py_str, python_type, TensorBase } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";

/** A value for which `len` is defined. */
export type Sized =
  | { __len__(): number }
  | { readonly length: number }
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>;

type Method = (...args: unknown[]) => unknown;

/** The method `name` of `obj`, or null. */
export function method_of(obj: unknown, name: string | symbol): Method | null {
  if (obj === null || obj === undefined) return null;
  const found = (obj as Record<string | symbol, unknown>)[name];
  return typeof found === "function" ? (found as Method) : null;
}

/** `len(obj)`. */
export function len(obj: unknown): number {
  const own = method_of(obj, "__len__");
  if (own !== null) return Number(own.call(obj));
  if (obj instanceof Map || obj instanceof Set) return obj.size;
  if (typeof obj === "string" || Array.isArray(obj)) return obj.length;
  if (isDict(obj)) return Object.keys(obj).length;
  const length = typeof obj === "object" ? (obj as { length?: unknown } | null)?.length : undefined;
  if (typeof length === "number") return length;
  throw new TypeError_(`object of type '${python_type(obj)}' has no len()`);
}

/** `obj[key]`. */
export function get_item(obj: unknown, key: unknown): unknown {
  if (obj instanceof TensorBase) return (obj as Tensor).at(key as number);
  const own = method_of(obj, "__getitem__");
  if (own !== null) return own.call(obj, key);
  if (obj instanceof Map) {
    if (obj.has(key)) return obj.get(key);
    throw new KeyError(py_str(key));
  }
  if (Array.isArray(obj) || ArrayBuffer.isView(obj) || typeof obj === "string")
    return element(obj as unknown as ArrayLike<unknown>, key);
  if (isDict(obj)) {
    if (Object.hasOwn(obj, key as PropertyKey)) return obj[key as string];
    throw new KeyError(py_str(key));
  }
  throw new TypeError_(`'${python_type(obj)}' object is not subscriptable`);
}

/** An element of a list; a negative index counts from the end. */
function element(list: ArrayLike<unknown>, key: unknown): unknown {
  const type = python_type(list);
  if (python_type(key) !== "int")
    throw new TypeError_(`${type} indices must be integers or slices, not ${python_type(key)}`);
  const index = Number(key);
  const at = index < 0 ? index + list.length : index;
  if (at < 0 || at >= list.length)
    throw new IndexError(`${type === "str" ? "string" : Array.isArray(list) ? "list" : type} index out of range`);
  return list[at];
}

/** `iter(obj)`; for a dict, its keys. An object with only `__getitem__` is read from index 0 until it raises an IndexError. */
export function iter<T = unknown>(obj: unknown): Iterator<T> {
  const own = method_of(obj, "__iter__");
  if (own !== null) {
    const made = own.call(obj);
    const again = method_of(made, Symbol.iterator);
    return (again === null ? made : again.call(made)) as Iterator<T>;
  }
  if (obj instanceof Map) return obj.keys() as Iterator<T>;
  const iterator = method_of(obj, Symbol.iterator);
  if (iterator !== null) return iterator.call(obj) as Iterator<T>;
  if (method_of(obj, "__getitem__") !== null) return items_of<T>(obj);
  if (isDict(obj)) return Object.keys(obj)[Symbol.iterator]() as Iterator<never>;
  throw new TypeError_(`'${python_type(obj)}' object is not iterable`);
}

/**
 * The items of a sequence, read by index. Python stops at an IndexError. Here the length, if there is one, also ends it, because reading
 * past the end of an array is no error in JavaScript.
 */
export function* items_of<T>(obj: unknown): Generator<T> {
  const end = method_of(obj, "__len__") === null ? Number.POSITIVE_INFINITY : len(obj);
  for (let i = 0; i < end; i++) {
    let item: unknown;
    try {
      item = get_item(obj, i);
    } catch (error) {
      if ((error as Error | null)?.name === "IndexError") return; // perhaps the user's own class
      throw error;
    }
    yield item as T;
  }
}
