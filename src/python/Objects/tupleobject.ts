/**
 * @file Python's `tuple`. A list is a plain JavaScript array; a tuple is an array of this class, so that everything that takes an array takes both.
 * @mirrors Objects/tupleobject.c (CPython 3.11)
 */

/** Invariant: its elements are never changed after it was handed out. */
export class PyTuple<T = unknown> extends Array<T> {
  /** `map`, `filter` and `slice` give plain arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** A tuple of these values. `new PyTuple(3)` would make three holes, as `Array` does. */
  static override of<T>(...values: T[]): PyTuple<T> {
    return tuple(values);
  }
}

/** A tuple with the elements of `values`, which is copied. */
export function tuple<T>(values: ArrayLike<T>): PyTuple<T> {
  const { length } = values;
  const result = new PyTuple<T>(length);
  for (let i = 0; i < length; i++) result[i] = values[i] as T;
  return result;
}

/** `()`. */
export const EMPTY_TUPLE: PyTuple<never> = new PyTuple<never>();
