/**
 * @file Python's `set` and `frozenset`: the keys of a dict.
 * @mirrors Objects/setobject.c (CPython 3.11)
 * @differs A set keeps the order in which its elements were added; CPython's order follows from their hashes.
 */
import { PyDict } from "./dictobject.ts";
import { builtin_type, type TypeObject } from "./typeobject.ts";

/** The elements stand under a symbol, because a subclass may have an attribute of any name. */
export const ELEMENTS: unique symbol = Symbol("elements");

/** Base of both: what JavaScript's `Set` offers for reading. */
abstract class AnySet {
  readonly [ELEMENTS] = new PyDict();

  constructor(elements: Iterable<unknown> = []) {
    for (const element of elements) this[ELEMENTS].set(element, true);
  }

  /** The elements in their order. */
  get elements(): readonly unknown[] {
    return [...this[ELEMENTS].keys()];
  }

  get size(): number {
    return this[ELEMENTS].size;
  }

  has(element: unknown): boolean {
    return this[ELEMENTS].has(element);
  }

  [Symbol.iterator](): IterableIterator<unknown> {
    return this[ELEMENTS].keys();
  }
}

export class PySet extends AnySet {
  add(element: unknown): this {
    this[ELEMENTS].set(element, true);
    return this;
  }

  delete(element: unknown): boolean {
    return this[ELEMENTS].delete(element);
  }

  clear(): void {
    this[ELEMENTS].clear();
  }
}

/** Invariant: its elements are never changed after it was handed out. */
export class PyFrozenSet extends AnySet {}

export const set_type: TypeObject = builtin_type("set", {
  cls: PySet,
  reserves_names: true,
  tp_alloc: (cls) => Reflect.construct(PySet, [], cls) as object,
});
export const frozenset_type: TypeObject = builtin_type("frozenset", {
  cls: PyFrozenSet,
  reserves_names: true,
  tp_alloc: (cls) => Reflect.construct(PyFrozenSet, [], cls) as object,
});

export function is_set(value: unknown): value is PySet | PyFrozenSet {
  return value instanceof PySet || value instanceof PyFrozenSet;
}
