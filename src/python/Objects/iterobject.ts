/**
 * @file Iteration: the base of all built-in iterators, and how `for` and built-in functions take values from anything.
 * @mirrors Objects/iterobject.c (CPython 3.11)
 */
import { call, call_special, has_special } from "./call.ts";
import { IndexError, StopIteration, TypeError_ } from "./exceptions.ts";
import { define_methods, is_builtin } from "./methodobject.ts";
import { type PyTuple, tuple } from "./tupleobject.ts";
import { builtin_type, type TypeObject, type_of } from "./typeobject.ts";

/**
 * Base of every built-in iterator, generators included. `step` gives the next value, or undefined at the end, so that a loop needs no exception
 * to end. JavaScript sees an iterator of its own.
 */
export abstract class PyIterator {
  /** The next value; undefined at the end. */
  abstract step(): unknown;

  /** How `pickle` and `copy` make this iterator again, for those that allow it. */
  reduced?(): Reduced;

  /** Moves a new iterator to the place that was reduced. */
  set_state?(state: unknown): void;

  /** The value that `return` in a generator gave; `yield from` takes it. */
  get result(): unknown {
    return null;
  }

  next(): IteratorResult<unknown> {
    const value = this.step();
    return value === undefined ? { done: true, value: this.result } : { done: false, value };
  }

  [Symbol.iterator](): this {
    return this;
  }
}

/** A built-in function by its name, or null for the iterator's own class; its arguments; the state if there is one. */
export type Reduced = readonly [maker: "iter" | "reversed" | null, args: readonly unknown[], state?: unknown];
/** The functions that make iterators; builtins/index.ts sets them. */
export const makers: Record<string, unknown> = {};

/** Base type of built-in iterators; it is not among Python's names. */
const iterator_base = builtin_type("iterator", { cls: PyIterator });
define_methods(iterator_base, {
  "__iter__(self, /)": (self: PyIterator) => self,
  "__next__(self, /)": (self: PyIterator) => {
    const value = self.step();
    if (value !== undefined) return value;
    throw self.result === null ? new StopIteration() : new StopIteration(self.result);
  },
});

/** The type of a class of iterators, under its name in CPython: `list_iterator`. */
export function iterator_type(name: string, cls: abstract new (...args: never[]) => PyIterator): TypeObject {
  const type = builtin_type(name, { bases: [iterator_base], cls });
  const { prototype } = cls as { prototype: PyIterator };
  define_methods(type, { "__reduce__(self, /)": reduce });
  if (prototype.set_state !== undefined)
    define_methods(type, { "__setstate__(self, state, /)": (self: PyIterator, state) => self.set_state?.(state) });
  return type;
}

function reduce(self: PyIterator): PyTuple {
  const reduced = self.reduced?.();
  if (reduced === undefined) throw new TypeError_(`cannot pickle '${type_of(self).tp_name}' object`);
  const [maker, args, ...state] = reduced;
  return tuple([maker === null ? type_of(self).cls : makers[maker], tuple(args), ...state]);
}

/** A place among `length` values, from the state of an iterator. */
export function place_of(state: unknown, length: number): number {
  if (typeof state !== "number" || !Number.isInteger(state)) throw new TypeError_("an integer is required");
  return Math.max(0, Math.min(state, length));
}

/**
 * An iterator over anything that JavaScript can iterate.
 * @differs Its place is inside a generator of JavaScript, so it is neither pickled nor copied; CPython does both with most tools of `itertools`.
 */
export class NativeIterator extends PyIterator {
  private readonly values: Iterator<unknown>;

  constructor(values: Iterator<unknown>) {
    super();
    this.values = values;
  }

  step(): unknown {
    const { done, value } = this.values.next();
    return done === true ? undefined : value;
  }
}
iterator_type("native_iterator", NativeIterator);

/** Iterates a list or tuple; it sees what is appended while it runs. */
export class SequenceIterator extends PyIterator {
  private values: readonly unknown[] | null;
  private at = 0;

  constructor(values: readonly unknown[]) {
    super();
    this.values = values;
  }

  step(): unknown {
    if (this.values === null) return undefined;
    if (this.at < this.values.length) return this.values[this.at++];
    this.values = null; // an exhausted iterator stays exhausted
    return undefined;
  }

  override reduced(): Reduced {
    return this.values === null ? ["iter", [this.none()]] : ["iter", [this.values], this.at];
  }

  override set_state(state: unknown): void {
    if (this.values !== null) this.at = place_of(state, this.values.length);
  }

  /** The empty list, which an exhausted iterator iterates. */
  protected none(): readonly unknown[] {
    return [];
  }

  /** How many values are left, as `operator.length_hint` asks. */
  get left(): number {
    return this.values === null ? 0 : this.values.length - this.at;
  }
}
define_methods(iterator_type("list_iterator", SequenceIterator), {
  "__length_hint__(self, /)": (self: SequenceIterator) => self.left,
});

/** The old protocol: `__getitem__` with 0, 1, 2, ... until IndexError. */
class IndexIterator extends PyIterator {
  private values: unknown;
  private at = 0;

  constructor(values: unknown) {
    super();
    this.values = values;
  }

  step(): unknown {
    if (this.values === null) return undefined;
    try {
      return call_special(this.values, "__getitem__", this.at++);
    } catch (error) {
      if (!(error instanceof IndexError) && !(error instanceof StopIteration)) throw error;
      this.values = null;
      return undefined;
    }
  }

  override reduced(): Reduced {
    return this.values === null ? ["iter", [tuple([])]] : ["iter", [this.values], this.at];
  }

  override set_state(state: unknown): void {
    this.at = place_of(state, Number.MAX_SAFE_INTEGER);
  }
}
iterator_type("iterator", IndexIterator);

/** `iter(function, sentinel)`. */
class CallIterator extends PyIterator {
  private readonly fn: unknown;
  private readonly ends: (value: unknown) => boolean;
  private done = false;

  constructor(fn: unknown, ends: (value: unknown) => boolean) {
    super();
    this.fn = fn;
    this.ends = ends;
  }

  step(): unknown {
    if (this.done) return undefined;
    try {
      const value = call(this.fn);
      if (!this.ends(value)) return value;
    } catch (error) {
      if (!(error instanceof StopIteration)) throw error;
    }
    this.done = true;
    return undefined;
  }
}
iterator_type("callable_iterator", CallIterator);

/** `iter(fn, sentinel)`, whose end `ends` recognizes. */
export function iterate_calls(fn: unknown, ends: (value: unknown) => boolean): PyIterator {
  return new CallIterator(fn, ends);
}

/** `iter(value)`. */
export function iter(value: unknown): unknown {
  if (value instanceof PyIterator) return value;
  if (Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype) return new SequenceIterator(value);
  const iterator = call_special(value, "__iter__");
  if (iterator !== undefined) {
    if (iterator instanceof PyIterator || has_special(iterator, "__next__")) return iterator;
    throw new TypeError_(`iter() returned non-iterator of type '${type_of(iterator).tp_name}'`);
  }
  const type = type_of(value);
  // Of the types in TypeScript, those that give items by number have an iterator.
  const by_index = type.heap || type.only_prototype !== null;
  if (by_index && type.lookup("__iter__") !== null && has_special(value, "__getitem__"))
    return new IndexIterator(value);
  throw new TypeError_(`'${type.tp_name}' object is not iterable`);
}

/** The next value of an iterator, or undefined at its end. */
export function step(iterator: unknown): unknown {
  if (iterator instanceof PyIterator) return iterator.step();
  try {
    const value = call_special(iterator, "__next__");
    if (value === undefined) throw new TypeError_(`'${type_of(iterator).tp_name}' object is not an iterator`);
    return value;
  } catch (error) {
    if (error instanceof StopIteration) return undefined;
    throw error;
  }
}

/** Values of anything iterable, for a `for` of TypeScript. */
export function each(value: unknown): Iterable<unknown> {
  if (Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype) return value;
  const iterator = iter(value);
  return iterator instanceof PyIterator ? iterator : new NativeIteratorOf(iterator);
}

/** Lets TypeScript iterate an iterator that a program wrote. */
class NativeIteratorOf extends PyIterator {
  private readonly iterator: unknown;

  constructor(iterator: unknown) {
    super();
    this.iterator = iterator;
  }

  step(): unknown {
    return step(this.iterator);
  }
}

/** The values of anything iterable as a new list. */
export function list_from(value: unknown): unknown[] {
  if (Array.isArray(value) && is_builtin(type_of(value).lookup("__iter__"))) return Array.prototype.slice.call(value);
  const result: unknown[] = [];
  for (const element of each(value)) result.push(element);
  return result;
}
