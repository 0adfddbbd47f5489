/**
 * @file Brackets, `in`, `len` and unpacking, for any value: `value[key]`, `value[key] = x`, `del value[key]`.
 * @mirrors Objects/abstract.c (CPython 3.11)
 */
import { call, call_special } from "../call.ts";
import { PyDict } from "../dictobject.ts";
import { KeyError, TypeError_, ValueError } from "../exceptions.ts";
import { generic_alias } from "../genericaliasobject.ts";
import { each, iter, PyIterator, step } from "../iterobject.ts";
import { checked_length, equal, getattr_or_undefined, truth } from "../object.ts";
import { PyTuple } from "../tupleobject.ts";
import { info_of, type TypeObject, type_of, type_type } from "../typeobject.ts";
import { str_getitem } from "../unicodeobject/methods.ts";
import { is_index } from "./numbers.ts";

const is_plain_array = (value: unknown): value is unknown[] => {
  if (!Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Array.prototype || prototype === PyTuple.prototype;
};
const is_plain_dict = (value: unknown): value is PyDict =>
  value instanceof PyDict && Object.getPrototypeOf(value) === PyDict.prototype;

/** `container[key]`. */
export function getitem(container: unknown, key: unknown): unknown {
  if (typeof key === "number" && is_plain_array(container)) {
    const found = container[key < 0 ? key + container.length : key];
    if (found !== undefined) return found;
  } else if (is_plain_dict(container)) {
    const found = container.get(key);
    if (found !== undefined) return found;
    throw new KeyError(key);
  } else if (typeof container === "string") return str_getitem(container, key);
  const result = call_special(container, "__getitem__", key);
  if (result !== undefined) return result;
  const type = info_of(container);
  if (type === undefined) throw new TypeError_(`'${type_of(container).tp_name}' object is not subscriptable`);
  return class_getitem(container, type, key);
}

/** `cls[key]`: `__class_getitem__` answers for a class. */
function class_getitem(cls: unknown, type: TypeObject, key: unknown): unknown {
  if (type === type_type) return generic_alias(cls, key);
  const method = getattr_or_undefined(cls, "__class_getitem__");
  if (method === undefined || method === null) throw new TypeError_(`type '${type.tp_name}' is not subscriptable`);
  return call(method, key);
}

/** `container[key] = value`. */
export function setitem(container: unknown, key: unknown, value: unknown): void {
  if (typeof key === "number" && Array.isArray(container)) {
    if (
      Number.isInteger(key) &&
      key >= 0 &&
      key < container.length &&
      Object.getPrototypeOf(container) === Array.prototype
    ) {
      container[key] = value;
      return;
    }
  } else if (is_plain_dict(container)) {
    container.set(key, value);
    return;
  }
  if (call_special(container, "__setitem__", key, value) !== undefined) return;
  throw new TypeError_(`'${type_of(container).tp_name}' object does not support item assignment`);
}

/** `del container[key]`. */
export function delitem(container: unknown, key: unknown): void {
  if (call_special(container, "__delitem__", key) !== undefined) return;
  const type = type_of(container);
  const how = is_index(key) && sequence_like(type) ? "doesn't" : "does not";
  throw new TypeError_(`'${type.tp_name}' object ${how} support item deletion`);
}

/** CPython words the refusal of `del` by whether the type has methods of sequences; a class of a program has room for them. */
const sequence_like = (type: TypeObject): boolean =>
  type.heap || ["__len__", "__contains__", "__getitem__"].some((name) => type.lookup(name) !== undefined);

/** The iterator of a container that has no `__contains__`. */
function searched(container: unknown): unknown {
  try {
    return iter(container);
  } catch (error) {
    if (error instanceof TypeError_)
      throw new TypeError_(`argument of type '${type_of(container).tp_name}' is not iterable`);
    throw error;
  }
}

/** `item in container`. */
export function contains(container: unknown, item: unknown): boolean {
  if (is_plain_array(container)) {
    for (const element of container) if (equal(element, item)) return true;
    return false;
  }
  if (is_plain_dict(container)) return container.has(item);
  const type = type_of(container);
  if (type.lookup("__contains__") === null) throw new TypeError_(`'${type.tp_name}' object is not a container`);
  const result = call_special(container, "__contains__", item);
  if (result !== undefined) return truth(result);
  for (const element of each(searched(container))) if (equal(element, item)) return true;
  return false;
}

/** `len(value)`. */
export function length(value: unknown): number {
  if (Array.isArray(value) && is_plain_array(value)) return value.length;
  if (is_plain_dict(value)) return value.size;
  const result = call_special(value, "__len__");
  if (result === undefined) throw new TypeError_(`object of type '${type_of(value).tp_name}' has no len()`);
  return checked_length(result);
}

/** The values of an iterable for `a, b = values`: exactly `count` of them. */
export function unpack(values: unknown, count: number): readonly unknown[] {
  if (is_plain_array(values)) {
    if (values.length === count) return values;
    throw values.length > count ? too_many(count) : not_enough(count, values.length);
  }
  const iterator = unpackable(values);
  const result: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const value = step(iterator);
    if (value === undefined) throw not_enough(count, i);
    result.push(value);
  }
  if (step(iterator) !== undefined) throw too_many(count);
  return result;
}

/** Values for `a, *b, c = values`: `before` values, a list of the others, `after` values. */
export function unpack_with_rest(values: unknown, before: number, after: number): readonly unknown[] {
  const iterator = unpackable(values);
  const all: unknown[] = [];
  for (let value = step(iterator); value !== undefined; value = step(iterator)) {
    all.push(value);
  }
  if (all.length < before + after) throw not_enough(before + after, all.length, "at least ");
  const rest = all.splice(before, all.length - before - after);
  return [...all.slice(0, before), rest, ...all.slice(before)];
}

function unpackable(values: unknown): unknown {
  const type = type_of(values);
  if (
    !(values instanceof PyIterator) &&
    type.lookup("__iter__") === undefined &&
    type.lookup("__getitem__") === undefined
  ) {
    throw new TypeError_(`cannot unpack non-iterable ${type.tp_name} object`);
  }
  return iter(values);
}

const too_many = (count: number): ValueError => new ValueError(`too many values to unpack (expected ${count})`);
const not_enough = (count: number, given: number, how = ""): ValueError =>
  new ValueError(`not enough values to unpack (expected ${how}${count}, got ${given})`);
