/**
 * @file `torch.deepcopy`: a copy that shares no mutable object with the original.
 * @original Replaces Python's `copy.deepcopy`; JavaScript's `structuredClone` does not support classes.
 */
import { PyTuple, tuple_like } from "#python/Objects/tupleobject";
import { having, isDict, isFloat, refuse_sparse } from "#torch/_C";
import { explained } from "./_inner_errors.ts";

/** Original -> copy. An object that is referenced twice is copied once, and a cycle ends. */
export type Memo = Map<unknown, unknown>;

type Copyable = { __deepcopy__?: (memo: Memo) => unknown };

/** A copy of a list, map, set or array of bytes, with its elements copied; null for other kinds of objects. */
function copy_elements(value: object, memo: Memo): object | null {
  if (value instanceof PyTuple) {
    const items = value.map((each) => copy_of(each, memo));
    return items.every((item, i) => item === value[i]) ? value : tuple_like(value, items);
  }
  if (Array.isArray(value)) {
    refuse_sparse(value);
    const list: unknown[] = [];
    memo.set(value, list);
    for (const each of value) list.push(copy_of(each, memo));
    return list;
  }
  if (value instanceof Map) {
    // The dict of a Python program names itself so; this file does not load its class.
    const constructor = value.constructor as MapConstructor & { readonly __name__?: unknown };
    const map: Map<unknown, unknown> = constructor.__name__ === "dict" ? new constructor() : new Map();
    memo.set(value, map);
    for (const [key, each] of value) map.set(copy_of(key, memo), copy_of(each, memo));
    return map;
  }
  if (value instanceof Set) {
    const set = new Set();
    memo.set(value, set);
    for (const each of value) set.add(copy_of(each, memo));
    return set;
  }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return (value as Uint8Array).slice();
  return value instanceof ArrayBuffer ? value.slice(0) : null;
}

/**
 * A copy of `x` and of everything in it. An object with a method `__deepcopy__(memo)` makes its own copy, as tensors and modules do;
 * functions and frozen objects are shared.
 */
export function deepcopy<T>(x: T, memo?: Memo): T {
  try {
    return copy_of(x, memo ?? new Map());
  } catch (error) {
    throw explained(error, [x], []);
  }
}

function copy_of<T>(x: T, memo: Memo): T {
  if (x === null || (typeof x !== "object" && typeof x !== "function")) return x;
  const known = having(memo, "get").get(x);
  if (known !== undefined) return known as T;
  const { __deepcopy__ } = x as Copyable;
  if (typeof __deepcopy__ === "function") {
    const copy = __deepcopy__.call(x, memo);
    memo.set(x, copy);
    return copy as T;
  }
  if (typeof x === "function" || isFloat(x) || (Object.isFrozen(x) && !Array.isArray(x) && !isDict(x))) return x;
  const filled = copy_elements(x, memo);
  if (filled !== null) {
    memo.set(x, filled);
    return filled as T;
  }
  const copy = Object.create(Object.getPrototypeOf(x)) as Record<PropertyKey, unknown>;
  memo.set(x, copy);
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(x)))
    Object.defineProperty(
      copy,
      key,
      "value" in property ? { ...property, value: copy_of(property.value, memo) } : property,
    );
  return copy as T;
}
