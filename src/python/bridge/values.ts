/**
 * @file Values on their way between a program and the library. Most are the same on both sides; the exceptions stand here.
 * @original
 */

import { DictItems, DictKeys, DictValues } from "../Objects/dictobject/views.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { FloatValue, float_value } from "../Objects/floatobject.ts";
import { PyRange } from "../Objects/rangeobject.ts";
import { PySet } from "../Objects/setobject.ts";
import { PyTuple, tuple } from "../Objects/tupleobject.ts";
import { plain_value } from "../Objects/typeobject.ts";
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

/** Turns a value of a program into the value that the library expects. */
export function to_library(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof PyDict) return Object.getPrototypeOf(value) === PyDict.prototype ? object_of(value) : value;
  if (Array.isArray(value)) return list_to_library(value);
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
    if (typeof value !== "object" || value === null || value instanceof FloatValue) continue;
    const other = to_library(value);
    if (other === value) continue;
    changed ??= [...values];
    changed[i] = other;
  }
  if (changed === null) return values;
  return values instanceof PyTuple ? tuple(changed) : changed;
}

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
  } else if (positional > 0 && args[positional - 1] instanceof PyDict)
    positional_dicts.add(result[positional - 1] as object);
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
