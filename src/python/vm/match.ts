/**
 * @file Pattern matching: what the instructions of `match` ask a value.
 * @mirrors Python/ceval.c#match_class (CPython 3.11)
 */

import { isinstance } from "../Objects/abstract/isinstance.ts";
import { getitem } from "../Objects/abstract/sequences.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { AttributeError, KeyError, TypeError_ } from "../Objects/exceptions.ts";
import { getattr, getattr_or_undefined } from "../Objects/object.ts";
import { PyTuple, tuple } from "../Objects/tupleobject.ts";
import { info_of, type_of } from "../Objects/typeobject.ts";

/** Types that a pattern `[a, b]` or `{...}` takes; their subclasses follow. */
const SEQUENCES = ["list", "tuple", "range", "deque", "Sequence", "array"];
const MAPPINGS = ["dict", "mappingproxy", "Mapping"];
const is_of = (value: unknown, names: readonly string[]): boolean =>
  typeof value === "object" && value !== null && type_of(value).mro.some((base) => names.includes(base.name));

export function match_sequence(value: unknown): boolean {
  return is_of(value, SEQUENCES);
}

export function match_mapping(value: unknown): boolean {
  return value instanceof PyDict || is_of(value, MAPPINGS);
}

/** The values of these keys as a tuple, or None if one is missing. */
export function match_keys(mapping: unknown, keys: readonly unknown[]): PyTuple | null {
  const values: unknown[] = [];
  for (const key of keys) {
    if (mapping instanceof PyDict) {
      const value = mapping.get(key);
      if (value === undefined) return null;
      values.push(value);
      continue;
    }
    try {
      values.push(getitem(mapping, key));
    } catch (error) {
      if (error instanceof KeyError) return null;
      throw error;
    }
  }
  return tuple(values);
}

/** Types whose one positional pattern is the value itself. */
export const SELF_MATCHING: ReadonlySet<string> = new Set([
  "bool",
  "bytearray",
  "bytes",
  "dict",
  "float",
  "frozenset",
  "int",
  "list",
  "set",
  "str",
  "tuple",
]);

/** The attributes that a class pattern names, as a tuple; None if the value is no instance or lacks one. */
export function match_class(
  value: unknown,
  cls: unknown,
  positional: number,
  names: readonly string[],
): PyTuple | null {
  const info = info_of(cls);
  if (info === undefined && typeof cls !== "function") throw new TypeError_("called match pattern must be a type");
  if (!isinstance(value, cls)) return null;
  const values: unknown[] = [];
  const seen = new Set<string>();
  const take = (name: string): boolean => {
    if (seen.has(name))
      throw new TypeError_(`${info?.name ?? "class"}() got multiple sub-patterns for attribute '${name}'`);
    seen.add(name);
    try {
      values.push(getattr(value, name));
      return true;
    } catch (error) {
      if (error instanceof AttributeError) return false;
      throw error;
    }
  };
  if (positional > 0) {
    const match_args = getattr_or_undefined(cls, "__match_args__");
    if (match_args === undefined) {
      const self = info?.mro.some((base) => SELF_MATCHING.has(base.name)) ?? false;
      const most = self ? 1 : 0;
      if (positional > most) throw too_many(info?.name ?? "class", most, positional);
      values.push(value);
    } else {
      if (!(match_args instanceof PyTuple))
        throw new TypeError_(`${info?.name}.__match_args__ must be a tuple (got ${type_of(match_args).tp_name})`);
      if (positional > match_args.length) throw too_many(info?.name ?? "class", match_args.length, positional);
      for (let i = 0; i < positional; i++) {
        const name = match_args[i];
        if (typeof name !== "string")
          throw new TypeError_(`__match_args__ elements must be strings (got ${type_of(name).tp_name})`);
        if (!take(name)) return null;
      }
    }
  }
  for (const name of names) if (!take(name)) return null;
  return tuple(values);
}

function too_many(name: string, most: number, given: number): TypeError_ {
  return new TypeError_(`${name}() accepts ${most} positional sub-pattern${most === 1 ? "" : "s"} (${given} given)`);
}
