/**
 * @file `isinstance` and `issubclass`, which metaclasses may answer.
 * @mirrors Objects/abstract.c#PyObject_IsInstance (CPython 3.11)
 */
import { call_unbound } from "../call.ts";
import { TypeError_ } from "../exceptions.ts";
import { is_builtin } from "../methodobject.ts";
import { truth } from "../object.ts";
import { foreign, info_of, type_of, type TypeObject } from "../typeobject.ts";

/** The record of a class of Python or of the library. */
function class_of(value: unknown): TypeObject | null {
  return info_of(value) ?? (typeof value === "function" ? foreign.class_of(value) : null);
}

function ask(cls: unknown, method_name: string, value: unknown): boolean | undefined {
  const type = type_of(cls);
  const method = type.lookup(method_name);
  if (method === undefined || is_builtin(method)) return undefined;
  return truth(call_unbound(method, cls, [value], null, type));
}

/** `isinstance(value, cls)`: `cls` is a class, a tuple of classes, a union, or an object that answers `__instancecheck__`. */
export function isinstance(value: unknown, cls: unknown): boolean {
  if (Array.isArray(cls)) return cls.some((one) => isinstance(value, one));
  const type = class_of(cls);
  if (type !== null && type_of(value) === type) return true;
  const answer = ask(cls, "__instancecheck__", value);
  if (answer !== undefined) return answer;
  if (type !== null) return type_of(value).is_subtype(type) || claims(value, type);
  const own = type_of(cls).lookup("__instancecheck__");
  if (own !== undefined) return truth(call_unbound(own, cls, [value], null, type_of(cls)));
  throw new TypeError_("isinstance() arg 2 must be a type, a tuple of types, or a union");
}

/** An object may name another class in `__class__`, as proxies do. */
function claims(value: unknown, type: TypeObject): boolean {
  const descriptor = type_of(value).lookup("__class__");
  const get = descriptor === undefined || type_of(value).heap === false ? null : type_of(descriptor).tp_descr_get;
  if (get === null) return false;
  const named = info_of(get(descriptor as never, value, type_of(value)));
  return named?.is_subtype(type) ?? false;
}

/** `issubclass(cls, of)`. */
export function issubclass(cls: unknown, of: unknown): boolean {
  if (Array.isArray(of)) return of.some((one) => issubclass(cls, one));
  const answer = ask(of, "__subclasscheck__", cls);
  if (answer !== undefined) return answer;
  const type = class_of(cls);
  const base = class_of(of);
  if (base === null) {
    const own = type_of(of).lookup("__subclasscheck__");
    if (own !== undefined) return truth(call_unbound(own, of, [cls], null, type_of(of)));
    throw new TypeError_("issubclass() arg 2 must be a class, a tuple of classes, or a union");
  }
  if (type === null) throw new TypeError_("issubclass() arg 1 must be a class");
  return type.is_subtype(base);
}
