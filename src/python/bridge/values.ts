/**
 * @file Values on their way between a program and the library. Most are the same on both sides; the exceptions stand here.
 * @original
 */

import { DictItems, DictKeys, DictValues } from "../Objects/dictobject/views.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { float_value, is_float_value } from "../Objects/floatobject.ts";
import { PyRange } from "../Objects/rangeobject.ts";
import { PySet } from "../Objects/setobject.ts";
import { PyTuple, tuple } from "../Objects/tupleobject.ts";
import { plain_value, TYPE, type TypeObject } from "../Objects/typeobject.ts";
import { positional_dicts, written_keywords } from "./positional_dicts.ts";

/** A dict whose keys are all texts is a plain object in the library; one that has other keys stays a Map. */
function object_of(dict: PyDict): unknown {
  const entries: [string, unknown][] = [];
  for (const [key, value] of dict) {
    if (typeof key !== "string") return dict;
    entries.push([key, to_library(value)]);
  }
  return Object.fromEntries(entries);
}

// Note [No instanceof on the way of a tensor]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Classes of the library answer `instanceof` themselves (`Symbol.hasInstance`: Parameter, the legacy tensor types). Since the engine has seen one such
// class, it looks this method up for every `instanceof`, which takes 20 to 80 ns. A call of an operator would ask ten times. So the way of a tensor
// asks for the prototype or for the type that stands on it instead.

/** Whether an object is an instance of a class of the library itself. It needs no conversion, but a tuple's elements may. */
function is_native(value: object): boolean {
  const type = (value as { readonly [TYPE]?: TypeObject })[TYPE];
  return type !== undefined && type.only_prototype !== null && type.only_prototype === Object.getPrototypeOf(value);
}

/** Whether a value is a plain one of JavaScript or belongs to the library, so that `to_library` would give it back. */
export function crosses_as_it_is(value: unknown): boolean {
  return typeof value !== "object" || value === null || (!Array.isArray(value) && is_native(value));
}

/** Turns a value of a program into the value that the library expects. */
export function to_library(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return list_to_library(value);
  if (is_native(value) || is_float_value(value)) return value;
  if (value instanceof PyDict) return Object.getPrototypeOf(value) === PyDict.prototype ? object_of(value) : value;
  const plain = plain_value(value);
  if (plain !== value) return plain;
  if (value instanceof PySet) return new Set(value);
  if (
    value instanceof PyRange ||
    value instanceof DictKeys ||
    value instanceof DictValues ||
    value instanceof DictItems
  )
    return [...(value as Iterable<unknown>)];
  return value;
}

/** Lists keep their identity unless an element must change: the library may write into them. */
function list_to_library(values: unknown[]): unknown[] {
  let changed: unknown[] | null = null;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== "object" || value === null || is_float_value(value)) continue;
    const other = to_library(value);
    if (other === value) continue;
    changed ??= [...values];
    changed[i] = other;
  }
  if (changed === null) return values;
  return values instanceof PyTuple ? tuple(changed) : changed;
}

const is_dict = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !is_native(value) && value instanceof PyDict;

/** Keywords as the library takes them: one plain object behind the other arguments. */
export function arguments_to_library(args: readonly unknown[], kwnames: readonly string[] | null): unknown[] {
  const positional = args.length - (kwnames?.length ?? 0);
  const result: unknown[] = [];
  for (let i = 0; i < positional; i++) result.push(to_library(args[i]));
  if (kwnames !== null && kwnames.length > 0) {
    const keywords: Record<string, unknown> = {};
    kwnames.forEach((name, k) => {
      keywords[name] = to_library(args[positional + k]);
    });
    written_keywords.add(keywords);
    result.push(keywords);
  } else if (positional > 0 && is_dict(args[positional - 1])) positional_dicts.add(result[positional - 1] as object);
  return result;
}

/** The arguments for a class or function of the library that takes a program's values: only the keywords become one object. */
export function arguments_as_they_are(args: readonly unknown[], kwnames: readonly string[] | null): unknown[] {
  if (kwnames === null || kwnames.length === 0) return [...args];
  const positional = args.length - kwnames.length;
  const keywords = Object.fromEntries(kwnames.map((name, k) => [name, args[positional + k]]));
  written_keywords.add(keywords);
  return [...args.slice(0, positional), keywords];
}

/** Turns a result of the library into a value of a program. */
export function from_library(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "number" && Object.is(value, -0)) return float_value(value);
  return value;
}

/** A number that is a float in Python, whatever its value. */
export function as_float(value: unknown): unknown {
  if (typeof value === "number") return float_value(value);
  if (Array.isArray(value)) return value.map(as_float);
  return value;
}
