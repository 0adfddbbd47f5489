/**
 * @file `map`, `filter` and `zip`.
 * @mirrors Python/bltinmodule.c (CPython 3.11)
 */
import { vectorcall } from "../Objects/call.ts";
import { TypeError_, ValueError } from "../Objects/exceptions.ts";
import { iter, iterator_type, PyIterator, type Reduced, step } from "../Objects/iterobject.ts";
import { define_static_methods } from "../Objects/methodobject.ts";
import { truth } from "../Objects/object.ts";
import { tuple } from "../Objects/tupleobject.ts";
import type { PyClass } from "../Objects/typeobject.ts";

class PyMap extends PyIterator {
  private readonly fn: unknown;
  private readonly iterators: readonly unknown[];

  constructor(fn: unknown, iterators: readonly unknown[]) {
    super();
    this.fn = fn;
    this.iterators = iterators;
  }

  step(): unknown {
    const args: unknown[] = [];
    for (const iterator of this.iterators) {
      const value = step(iterator);
      if (value === undefined) return undefined;
      args.push(value);
    }
    return vectorcall(this.fn, args, null);
  }

  override reduced(): Reduced {
    return [null, [this.fn, ...this.iterators]];
  }
}
export const map_type = iterator_type("map", PyMap);
define_static_methods(map_type, {
  "__new__(cls, /, *args)": (cls: PyClass, args: unknown[]) => {
    if (args.length < 2) throw new TypeError_("map() must have at least two arguments.");
    return Reflect.construct(PyMap, [args[0], args.slice(1).map(iter)], cls) as PyMap;
  },
});

class PyFilter extends PyIterator {
  private readonly fn: unknown;
  private readonly values: unknown;

  constructor(fn: unknown, values: unknown) {
    super();
    this.fn = fn;
    this.values = values;
  }

  step(): unknown {
    for (;;) {
      const value = step(this.values);
      if (value === undefined || truth(this.fn === null ? value : vectorcall(this.fn, [value], null))) return value;
    }
  }

  override reduced(): Reduced {
    return [null, [this.fn, this.values]];
  }
}
export const filter_type = iterator_type("filter", PyFilter);
define_static_methods(filter_type, {
  "__new__(cls, function, iterable, /)": (cls: PyClass, fn: unknown, values: unknown) =>
    Reflect.construct(PyFilter, [fn, iter(values)], cls) as PyFilter,
});

class PyZip extends PyIterator {
  private readonly iterators: readonly unknown[];
  private strict: boolean;
  private done: boolean;

  constructor(iterators: readonly unknown[], strict: boolean) {
    super();
    this.iterators = iterators;
    this.strict = strict;
    this.done = iterators.length === 0;
  }

  step(): unknown {
    if (this.done) return undefined;
    const row: unknown[] = [];
    for (const iterator of this.iterators) {
      const value = step(iterator);
      if (value === undefined) {
        if (this.strict) this.check(row.length);
        return undefined;
      }
      row.push(value);
    }
    return tuple(row);
  }

  override reduced(): Reduced {
    return this.strict ? [null, this.iterators, true] : [null, this.iterators];
  }

  override set_state(state: unknown): void {
    this.strict = truth(state);
  }

  /** With `strict` all must end together; the iterator at place `ended` did. */
  private check(ended: number): void {
    const others = (count: number): string => (count === 1 ? "argument 1" : `arguments 1-${count}`);
    if (ended > 0) throw new ValueError(`zip() argument ${ended + 1} is shorter than ${others(ended)}`);
    for (let i = 1; i < this.iterators.length; i++) {
      if (step(this.iterators[i]) !== undefined)
        throw new ValueError(`zip() argument ${i + 1} is longer than ${others(i)}`);
    }
  }
}
export const zip_type = iterator_type("zip", PyZip);
define_static_methods(zip_type, {
  "__new__(cls, /, *iterables, strict=False)": (cls: PyClass, iterables: unknown[], strict: unknown) =>
    Reflect.construct(PyZip, [iterables.map(iter), truth(strict)], cls) as PyZip,
});
