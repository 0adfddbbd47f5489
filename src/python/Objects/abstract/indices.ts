/**
 * @file Numbers that stand for places in a sequence.
 * @mirrors Objects/abstract.c#PyNumber_AsSsize_t (CPython 3.11)
 */
import { type Exception, IndexError, TypeError_ } from "../exceptions.ts";
import { clipped } from "../sliceobject.ts";
import { type_of } from "../typeobject.ts";
import { index_of, is_index } from "./numbers.ts";

/** A place or count as a JavaScript number; `too_large` is the class of the error for what no sequence can have. */
export function as_size(value: unknown, too_large: new (message: string) => Exception = IndexError): number {
  const index = index_of(value);
  if (typeof index === "number") return index;
  throw new too_large(`cannot fit '${type_of(value).name}' into an index-sized integer`);
}

/** A bound of a slice; it may be too large for any sequence. */
export function bound_of(value: unknown): number | bigint {
  if (is_index(value)) return index_of(value);
  throw new TypeError_("slice indices must be integers or have an __index__ method");
}

/** Start and end of a search in `list.index(value, start, stop)`: outside of the sequence they are moved to its edge. */
export function search_bounds(start: unknown, stop: unknown, length: number): readonly [number, number] {
  return [
    clipped(bound_of(start), length, 0, length),
    stop === undefined ? length : clipped(bound_of(stop), length, 0, length),
  ];
}
