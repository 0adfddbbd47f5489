/**
 * @file Attributes by instruction: each remembers the type of its last object and what the search in its classes gave.
 * @mirrors Python/specialize.c (CPython 3.11)
 */

import { is_builtin } from "../Objects/methodobject.ts";
import { getattr, setattr } from "../Objects/object.ts";
import { INFO, object_type, TYPE, type TypeObject, type_of } from "../Objects/typeobject.ts";
import { AttributeCache, type PreparedCode } from "./prepared_code.ts";

/**
 * Whether instances are plain: their attributes are properties of their own, and nothing of JavaScript's or a program's own search stands in the way.
 * Invariant: no prototype of such an object has a property that is not also found in its classes.
 */
function is_plain(type: TypeObject): boolean {
  if (!type.heap || type.tp_getattro !== null || type.tp_setattro !== null) return false;
  for (const base of type.mro) if (!base.heap && base !== object_type) return false;
  const getattribute = type.lookup("__getattribute__");
  return getattribute === undefined || is_builtin(getattribute);
}

function type_of_object(value: unknown): TypeObject | undefined {
  return typeof value === "object" && value !== null ? (value as { readonly [TYPE]?: TypeObject })[TYPE] : undefined;
}

function cache_of(code: PreparedCode, at: number): AttributeCache {
  const known = code.caches[at];
  if (known !== undefined) return known;
  const made = new AttributeCache();
  code.caches[at] = made;
  return made;
}

/** `LOAD_ATTR`. */
export function load_attribute(code: PreparedCode, at: number, name: number, value: unknown): unknown {
  const type = type_of_object(value);
  const cache = cache_of(code, at);
  if (type !== undefined) {
    if (cache.type === type && cache.version === type.version) {
      const found = (value as Record<string, unknown>)[code.keys[name] as string];
      if (found !== undefined) return found;
    } else if (type.lookup(code.names[name] as string) === undefined && is_plain(type)) {
      cache.type = type;
      cache.version = type.version;
    }
  }
  return getattr(value, code.names[name] as string);
}

/** `LOAD_METHOD`: the function that gets the object in front; undefined: the attribute is something else. */
export function load_method(code: PreparedCode, at: number, name: number, value: unknown): unknown {
  if (typeof value === "function" && Object.hasOwn(value, INFO)) return undefined; // a class
  const type = type_of(value);
  const cache = cache_of(code, at);
  if (cache.type === type && cache.version === type.version && !type.shadowed) return cache.value;
  if (type.tp_getattro !== null && type.tp_getattro !== methods_by_class.tp_getattro) return undefined;
  const found = type.lookup(code.names[name] as string);
  if (found === undefined || !type_of(found).is_method_descriptor) return undefined;
  const getattribute = type.lookup("__getattribute__");
  if (getattribute !== undefined && !is_builtin(getattribute)) return undefined;
  if (type.shadowed || type.tp_getattro !== null) {
    if (
      (typeof value === "object" || typeof value === "function") &&
      value !== null &&
      Object.hasOwn(value, code.keys[name] as string)
    )
      return undefined;
    if (type.shadowed) return found;
  }
  cache.type = type;
  cache.version = type.version;
  cache.value = found;
  return found;
}

/** The search of the library's objects, which finds methods in classes as the machine does; the bridge sets it. */
export const methods_by_class: { tp_getattro: unknown } = { tp_getattro: undefined };

/** `STORE_ATTR`. */
export function store_attribute(code: PreparedCode, at: number, name: number, target: unknown, value: unknown): void {
  const type = type_of_object(target);
  if (type !== undefined) {
    const cache = cache_of(code, at);
    if (cache.type === type && cache.version === type.version) {
      (target as Record<string, unknown>)[code.keys[name] as string] = value;
      return;
    }
    const free = type.has_dict || type.slots?.has(code.names[name] as string) === true;
    if (free && type.lookup(code.names[name] as string) === undefined && is_plain(type)) {
      const own = type.lookup("__setattr__");
      if (own === undefined || is_builtin(own)) {
        cache.type = type;
        cache.version = type.version;
      }
    }
  }
  setattr(target, code.names[name] as string, value);
}
