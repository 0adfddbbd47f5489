/**
 * @file Calling what a node holds: functions of programs and of the library, classes, and objects with `__call__`.
 * @original In Python every value is called in one way.
 */
import { call_with_keywords, vectorcall } from "#python/Objects/call";
import { getattr } from "#python/Objects/object";
import { foreign, info_of, type_of } from "#python/Objects/typeobject";

/** `callable(value)`. */
export function is_callable(value: unknown): boolean {
  if (typeof value === "function") return true;
  if (typeof value !== "object" || value === null) return false;
  const type = type_of(value);
  return type.tp_call !== null && type.lookup("__call__") !== undefined;
}

const NONE: ReadonlyMap<string, unknown> = new Map();

/** `fn(*args, **kwargs)`. */
export function call_function(
  fn: unknown,
  args: readonly unknown[],
  kwargs: ReadonlyMap<unknown, unknown> = NONE,
): unknown {
  return kwargs.size === 0
    ? vectorcall(fn, [...args], null)
    : call_with_keywords(fn, args, kwargs as ReadonlyMap<string, unknown>);
}

/** `getattr(value, name)(*args, **kwargs)`. */
export function call_method(
  value: unknown,
  name: string,
  args: readonly unknown[] = [],
  kwargs: ReadonlyMap<unknown, unknown> = NONE,
): unknown {
  return call_function(getattr(value, name), args, kwargs);
}

/** Whether the value is a class, of a program or of the library. */
export function foreign_class(value: unknown): boolean {
  return info_of(value) !== undefined || foreign.class_of(value) !== null;
}
