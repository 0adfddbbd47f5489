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

  // The engine's own methods are slow for a subclass of Array, and shapes are mapped and cut all the time.
  override map<R>(fn: (value: T, index: number, array: T[]) => R, self?: unknown): R[] {
    const { length } = this;
    const result = new Array<R>(length);
    for (let i = 0; i < length; i++) result[i] = fn.call(self, this[i] as T, i, this);
    return result;
  }

  override slice(start?: number, end?: number): T[] {
    const { length } = this;
    const result = new Array<T>(length);
    for (let i = 0; i < length; i++) result[i] = this[i] as T;
    return start === undefined && end === undefined ? result : result.slice(start, end);
  }

  /** Node prints a tuple as the array that it is for a program in TypeScript. */
  [Symbol.for("nodejs.util.inspect.custom")](): unknown {
    return this.slice();
  }
}

/** A tuple with the elements of `values`, which is copied. */
export function tuple<T>(values: ArrayLike<T>): PyTuple<T> {
  const { length } = values;
  const result = new PyTuple<T>(length);
  for (let i = 0; i < length; i++) result[i] = values[i] as T;
  return result;
}

/** A tuple of the same class as `like`, whose constructor is not run. */
export function tuple_like<T extends PyTuple>(like: T, values: readonly unknown[]): T {
  const result = Reflect.construct(PyTuple, [values.length], like.constructor as NewableFunction) as PyTuple;
  for (let i = 0; i < values.length; i++) result[i] = values[i];
  return result as T;
}

/** A tuple of these values, whose TypeScript type knows each position. CPython's `PyTuple_Pack`. */
export function pack<T extends unknown[]>(...values: T): T {
  return tuple(values) as unknown as T;
}

/** A tuple of `fn(value, i)` for each value. */
export function tuple_map<T, R>(values: ArrayLike<T>, fn: (value: T, i: number) => R): PyTuple<R> {
  const { length } = values;
  const result = new PyTuple<R>(length);
  for (let i = 0; i < length; i++) result[i] = fn(values[i] as T, i);
  return result;
}

/** `()`. */
export const EMPTY_TUPLE: PyTuple<never> = new PyTuple<never>();
