/**
 * @file Instructions that fill lists, sets, dicts and the arguments of calls with `*` and `**`.
 * @mirrors Python/ceval.c (CPython 3.11)
 */

import { getitem } from "../Objects/abstract/sequences.ts";
import { vectorcall } from "../Objects/call.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { TypeError_ } from "../Objects/exceptions.ts";
import { each, list_from } from "../Objects/iterobject.ts";
import { call_method, find_attribute, getattr_or_undefined, is_callable, str } from "../Objects/object.ts";
import { update } from "../Objects/setobject/methods.ts";
import type { PySet } from "../Objects/setobject.ts";
import { type_of } from "../Objects/typeobject.ts";

/** How messages name a callable: `module.f()`. */
function callable_name(fn: unknown): string {
  const qualname = getattr_or_undefined(fn, "__qualname__");
  if (typeof qualname !== "string") return str(fn);
  const module = getattr_or_undefined(fn, "__module__");
  return typeof module === "string" && module !== "builtins" ? `${module}.${qualname}()` : `${qualname}()`;
}

function not_iterable(value: unknown, error: unknown, message: string): unknown {
  return error instanceof TypeError_ && type_of(value).lookup("__iter__") === undefined
    ? new TypeError_(message)
    : error;
}

/** Entries of a mapping: a dict's own, otherwise those that `keys` and `[]` give. */
function* entries_of(mapping: unknown): Iterable<readonly [unknown, unknown]> {
  if (mapping instanceof PyDict) yield* mapping;
  else for (const key of each(call_method(mapping, "keys"))) yield [key, getitem(mapping, key)];
}

/** `[*values]`. */
export function list_extend(list: unknown[], values: unknown): void {
  try {
    for (const value of each(values)) list.push(value);
  } catch (error) {
    throw not_iterable(values, error, `Value after * must be an iterable, not ${type_of(values).tp_name}`);
  }
}

/** `{*values}`. */
export function set_update(set: PySet, values: unknown): void {
  update(set, values);
}

/** `{**source}`. */
export function dict_update(target: PyDict, source: unknown): void {
  if (!(source instanceof PyDict) && find_attribute(source, "keys") === undefined)
    throw new TypeError_(`'${type_of(source).tp_name}' object is not a mapping`);
  for (const [key, value] of entries_of(source)) target.set(key, value);
}

/** `f(**source)`, whose keywords must be strings and must not repeat. */
export function dict_merge(target: PyDict, source: unknown, fn: unknown): void {
  if (!(source instanceof PyDict) && find_attribute(source, "keys") === undefined)
    throw new TypeError_(`${callable_name(fn)} argument after ** must be a mapping, not ${type_of(source).tp_name}`);
  for (const [key, value] of entries_of(source)) {
    // Only the function itself refuses keys that are no strings.
    if (target.has(key))
      throw new TypeError_(`${callable_name(fn)} got multiple values for keyword argument '${str(key)}'`);
    target.set(key, value);
  }
}

/** `f(*positional, **keywords)`. */
export function call_with_star(callable: unknown, positional: unknown, keywords: PyDict | null): unknown {
  let args: unknown[];
  try {
    args = list_from(positional);
  } catch (error) {
    throw not_iterable(
      positional,
      error,
      `${callable_name(callable)} argument after * must be an iterable, not ${type_of(positional).tp_name}`,
    );
  }
  if (keywords === null || keywords.size === 0) return vectorcall(callable, args, null);
  const names: string[] = [];
  for (const [key, value] of entries_of(keywords)) {
    if (typeof key !== "string") {
      if (!is_callable(callable)) vectorcall(callable, [], null); // which says so
      throw new TypeError_("keywords must be strings");
    }
    names.push(key);
    args.push(value);
  }
  return vectorcall(callable, args, names);
}

/** `__annotations__` from names and values in turn. */
export function annotations_of(flat: readonly unknown[] | PyDict): PyDict {
  if (flat instanceof PyDict) return flat;
  const result = new PyDict();
  for (let i = 0; i < flat.length; i += 2) result.set(flat[i], flat[i + 1]);
  return result;
}
