/**
 * @file Calling any value.
 * @mirrors Objects/call.c (CPython 3.11)
 */
import { TypeError_ } from "./exceptions.ts";
import { type BuiltinFunction, call_builtin, method_descriptor_type } from "./methodobject.ts";
import { type TypeObject, type_of } from "./typeobject.ts";

/** Calls with the machine's arguments: positional ones, then the values of `kwnames`. */
export function vectorcall(callable: unknown, args: unknown[], kwnames: readonly string[] | null): unknown {
  const type = type_of(callable);
  if (type.tp_call !== null) return type.tp_call(callable as never, args, kwnames);
  const method = type.lookup("__call__");
  if (method === undefined) throw new TypeError_(`'${type.tp_name}' object is not callable`);
  return call_unbound(method, callable, args, kwnames, type);
}

/** Calls with positional arguments. */
export function call(callable: unknown, ...args: unknown[]): unknown {
  return vectorcall(callable, args, null);
}

/** Calls with positional arguments and keywords. */
export function call_with_keywords(
  callable: unknown,
  args: readonly unknown[],
  keywords: ReadonlyMap<string, unknown>,
): unknown {
  if (keywords.size === 0) return vectorcall(callable, [...args], null);
  return vectorcall(callable, [...args, ...keywords.values()], [...keywords.keys()]);
}

/** Calls what a class holds for a method on an instance. Functions get the instance in front; another descriptor is asked first. */
export function call_unbound(
  method: unknown,
  self: unknown,
  args: readonly unknown[],
  kwnames: readonly string[] | null,
  type: TypeObject,
): unknown {
  const method_type = type_of(method);
  if (method_type.tp_call_on !== null) return method_type.tp_call_on(method as never, self, args, kwnames);
  if (method_type === method_descriptor_type) return call_builtin(method as BuiltinFunction, [self, ...args], kwnames);
  if (method_type.is_method_descriptor && method_type.tp_call !== null)
    return method_type.tp_call(method as never, [self, ...args], kwnames);
  const get = method_type.tp_descr_get;
  return vectorcall(get === null ? method : get(method as never, self, type), [...args], kwnames);
}

/** A Python function carries its record here; see funcobject.ts. */
export const FUNCTION: unique symbol = Symbol("python.function");

/**
 * Calls a special method such as `__len__`, which is looked for in the type alone; `undefined` if the type has none. `None` in the class means
 * that the type refuses.
 */
export function call_special(self: unknown, name: string, ...args: unknown[]): unknown {
  const type = type_of(self);
  const method = type.lookup(name);
  if (method === undefined || method === null) return undefined;
  return call_unbound(method, self, args, null, type);
}

/** Whether the type has a special method. */
export function has_special(value: unknown, name: string): boolean {
  const method = type_of(value).lookup(name);
  return method !== undefined && method !== null;
}
