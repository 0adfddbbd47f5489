/**
 * @file Instructions that follow a protocol of objects: unpacking, `with`, `yield from`, identity, names of a class body.
 * @mirrors Python/ceval.c (CPython 3.11)
 */

import { delitem, getitem, setitem } from "../Objects/abstract/sequences.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { KeyError, StopIteration, TypeError_, ValueError } from "../Objects/exceptions.ts";
import { FloatValue } from "../Objects/floatobject.ts";
import { PyGenerator } from "../Objects/genobject.ts";
import { iter, list_from, PyIterator, step } from "../Objects/iterobject.ts";
import { call_method, find_attribute, same } from "../Objects/object.ts";
import { type_of } from "../Objects/typeobject.ts";
import { not_defined } from "./errors.ts";

/**
 * `a is b`.
 * @differs Equal ints, strings and floats are one object here; CPython shares only small ints and interned strings.
 */
export function same_object(a: unknown, b: unknown): boolean {
  return same(a, b) || (a instanceof FloatValue && b instanceof FloatValue && Object.is(a.value, b.value));
}

/** The values of `a, b = value`, of which there must be `count`. */
export function unpack_sequence(value: unknown, count: number): readonly unknown[] {
  let values: unknown[];
  if (Array.isArray(value) && type_of(value).heap === false) values = value;
  else {
    values = [];
    const iterator = iter_to_unpack(value);
    for (;;) {
      const next = step(iterator);
      if (next === undefined) break;
      values.push(next);
      if (values.length > count) break;
    }
  }
  if (values.length === count) return values;
  if (values.length < count)
    throw new ValueError(`not enough values to unpack (expected ${count}, got ${values.length})`);
  throw new ValueError(`too many values to unpack (expected ${count})`);
}

function iter_to_unpack(value: unknown): unknown {
  try {
    return iter(value);
  } catch (error) {
    const type = type_of(value);
    if (
      error instanceof TypeError_ &&
      type.lookup("__iter__") === undefined &&
      type.lookup("__getitem__") === undefined
    )
      throw new TypeError_(`cannot unpack non-iterable ${type.tp_name} object`);
    throw error;
  }
}

/** The values of `a, *b, c = value`, with the list for the starred target in its place. */
export function unpack_ex(value: unknown, before: number, after: number): unknown[] {
  const values = list_from(iter_to_unpack(value));
  if (values.length < before + after)
    throw new ValueError(`not enough values to unpack (expected at least ${before + after}, got ${values.length})`);
  const end = values.length - after;
  return [...values.slice(0, before), values.slice(before, end), ...values.slice(end)];
}

/** `__enter__` or `__exit__` of a context manager, which its type must have. */
export function with_method(manager: unknown, name: "__enter__" | "__exit__"): unknown {
  const type = type_of(manager);
  const found = type.lookup(name) ?? (type.heap ? undefined : find_attribute(manager, name));
  if (found === undefined) {
    const missed = name === "__exit__" && type.lookup("__enter__") !== undefined ? " (missed __exit__ method)" : "";
    throw new TypeError_(`'${type.tp_name}' object does not support the context manager protocol${missed}`);
  }
  const get = type_of(found).tp_descr_get;
  return get === null || type.lookup(name) === undefined ? found : get(found as never, manager, type);
}

/** The iterator from which `yield from` takes its values. */
export function yield_from_iterator(value: unknown): unknown {
  return value instanceof PyGenerator ? value : iter(value);
}

/** Gives a value to an iterator of `yield from`: what it yields, or, at its end, what it returned. */
export function send(receiver: unknown, value: unknown): { done: boolean; value: unknown } {
  if (receiver instanceof PyGenerator) {
    const yielded = receiver.send(value);
    return yielded === undefined ? { done: true, value: receiver.result } : { done: false, value: yielded };
  }
  if (value === null && receiver instanceof PyIterator) {
    const yielded = receiver.step();
    return yielded === undefined ? { done: true, value: receiver.result } : { done: false, value: yielded };
  }
  try {
    return {
      done: false,
      value: value === null ? call_method(receiver, "__next__") : call_method(receiver, "send", value),
    };
  } catch (error) {
    if (error instanceof StopIteration) return { done: true, value: error.value };
    throw error;
  }
}

/** A variable of a class body or of `exec`; its namespace may be any mapping. Undefined if there is none. */
export function lookup_name(namespace: Map<unknown, unknown>, name: string): unknown {
  if (namespace instanceof PyDict) {
    const value = namespace.get(name);
    if (value !== undefined || type_of(namespace).heap === false) return value;
  }
  try {
    return getitem(namespace, name);
  } catch (error) {
    if (error instanceof KeyError) return undefined;
    throw error;
  }
}

/** Sets a variable of a class body or module. */
export function store_name(namespace: Map<unknown, unknown>, name: string, value: unknown): void {
  if (namespace instanceof PyDict && !type_of(namespace).heap) namespace.set(name, value);
  else setitem(namespace, name, value);
}

/** `del name` in a class body or module. */
export function delete_name(namespace: Map<unknown, unknown>, name: string): void {
  if (namespace instanceof PyDict && !type_of(namespace).heap) {
    if (!namespace.delete(name)) throw not_defined(name);
    return;
  }
  try {
    delitem(namespace, name);
  } catch (error) {
    throw error instanceof KeyError ? not_defined(name) : error;
  }
}
