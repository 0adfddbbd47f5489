/**
 * @file Values of a Python program as JSON has them, for comparison with what a recorder wrote.
 */
import { FloatValue } from "#python/Objects/floatobject";
import type { Any } from "./recorded.ts";

/** Dicts become objects, tuples become arrays, floats become numbers. */
export function plain(value: unknown): Any {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]));
  if (Array.isArray(value)) return [...value].map(plain);
  return value instanceof FloatValue ? Number(value) : value;
}
