/** @file Values as a program in TypeScript sees them printed: tuples and sizes are arrays there. */
import { PyTuple } from "#python/Objects/tupleobject";
import { THPSize } from "#torch/csrc-equivalent/Size";

/** The value with lists for tuples and sizes, also inside lists and dicts. Named tuples stay. */
export function with_lists(value: unknown): unknown {
  if (Array.isArray(value) && [Array, PyTuple, THPSize].includes(value.constructor as never))
    return Array.from(value, with_lists);
  if (value === null || typeof value !== "object" || value.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, with_lists(item)]));
}
