/**
 * @file Numbers that stand for places: `operator.index`, and what a slice means for a sequence of a certain length.
 * @mirrors Objects/abstract.c, Objects/sliceobject.c (CPython 3.11)
 */
import { call_special } from "../call.ts";
import { type Exception, IndexError, OverflowError, TypeError_, ValueError } from "../exceptions.ts";
import type { PySlice } from "../sliceobject.ts";
import { type_of } from "../typeobject.ts";

/** The int that the value stands for, or undefined if it stands for none. */
function find_index(value: unknown): number | bigint | undefined {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return Number(value);
  const result = call_special(value, "__index__");
  if (result === undefined) return undefined;
  if (typeof result === "number" && Number.isInteger(result)) return result;
  if (typeof result === "bigint") return result;
  if (typeof result === "boolean") return Number(result);
  throw new TypeError_(`__index__ returned non-int (type ${type_of(result).tp_name})`);
}

/** `operator.index(value)`. */
export function as_index(value: unknown): number | bigint {
  const index = find_index(value);
  if (index !== undefined) return index;
  throw new TypeError_(`'${type_of(value).tp_name}' object cannot be interpreted as an integer`);
}

/** Whether `operator.index` accepts the value. */
export function is_index(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value);
  return typeof value === "bigint" || typeof value === "boolean" || type_of(value).lookup("__index__") !== undefined;
}

/** A place or count as a JavaScript number; `too_large` is the class of the error for what no sequence can have, null for the error of a C argument. */
export function as_size(value: unknown, too_large: (new (message: string) => Exception) | null = IndexError): number {
  const index = as_index(value);
  if (typeof index === "number") return index;
  if (too_large === null) throw new OverflowError("Python int too large to convert to C ssize_t");
  throw new too_large(`cannot fit '${type_of(value).tp_name}' into an index-sized integer`);
}

/** A bound of a slice or of `list.index` as a JavaScript number, which may be as large as infinity. */
function bound(value: unknown, or_none = " or None"): number {
  const index = find_index(value);
  if (index === undefined) throw new TypeError_(`slice indices must be integers${or_none} or have an __index__ method`);
  return Number(index);
}

/** The places that a slice takes. */
export interface SliceIndices {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly count: number;
}

/** Moves a bound into `least..most`; a negative one counts from the end. */
function clamp(value: number, length: number, least: number, most: number): number {
  return value < 0 ? Math.max(value + length, least) : Math.min(value, most);
}

/** Places of a slice in a sequence of this length. */
export function slice_indices({ start, stop, step }: PySlice, length: number): SliceIndices {
  const by = step === null ? 1 : Math.max(-Number.MAX_SAFE_INTEGER, Math.min(bound(step), Number.MAX_SAFE_INTEGER));
  if (by === 0) throw new ValueError("slice step cannot be zero");
  const least = by < 0 ? -1 : 0;
  const most = by < 0 ? length - 1 : length;
  const from = start === null ? (by < 0 ? most : least) : clamp(bound(start), length, least, most);
  const to = stop === null ? (by < 0 ? least : most) : clamp(bound(stop), length, least, most);
  const count = by < 0 ? Math.ceil((from - to) / -by) : Math.ceil((to - from) / by);
  return { start: from, stop: to, step: by, count: Math.max(0, count) };
}

/** Start and end of a search in `list.index(value, start, stop)`: outside of the sequence they are moved to its edge. */
export function search_bounds(start: unknown, stop: unknown, length: number): readonly [number, number] {
  const place = (value: unknown): number => clamp(bound(value, ""), length, 0, length);
  return [place(start), stop === undefined ? length : place(stop)];
}
