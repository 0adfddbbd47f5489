/**
 * @file Python's `set` and `frozenset`: the keys of a dict, and a table that tells their order.
 * @mirrors Objects/setobject.c (CPython 3.11)
 * @differs A set that holds anything but numbers, and tuples and frozensets of numbers, keeps the order in which its elements were added. In CPython it changes from run to run.
 */
import { PyComplex } from "./complexobject.ts";
import { PyDict } from "./dictobject.ts";
import { FloatValue } from "./floatobject.ts";
import { hash_key, hash_of } from "./hashing.ts";
import { SetTable } from "./setobject/table.ts";
import { PyTuple } from "./tupleobject.ts";
import { builtin_type, type TypeObject } from "./typeobject.ts";

// Note [Order of a set]
// ~~~~~~~~~~~~~~~~~~~~~
// CPython's order follows from hashes and from all that ever happened to the set. The hashes of numbers are the same in every run, so programs
// print sets of numbers in the same order each time, and we must, too: `table` repeats what happens in CPython. Hashes of strings change from run
// to run, and those of objects are their addresses. A set that gets such an element gives up its table.

/** The elements stand under symbols, because a subclass may have an attribute of any name. */
export const ELEMENTS: unique symbol = Symbol("elements");
const TABLE: unique symbol = Symbol("table");

/** Whether the element's hash is the same in every run of CPython. */
function has_fixed_hash(element: unknown): boolean {
  switch (typeof element) {
    case "number":
    case "bigint":
    case "boolean":
      return true;
  }
  if (element instanceof FloatValue || element instanceof PyComplex) return true;
  if (element instanceof PyTuple) return element.every(has_fixed_hash);
  return element instanceof PyFrozenSet && element[TABLE] !== null;
}

/** Base of both: what JavaScript's `Set` offers for reading. */
abstract class AnySet {
  readonly [ELEMENTS] = new PyDict();
  [TABLE]: SetTable | null = new SetTable();

  constructor(elements: Iterable<unknown> = []) {
    if (elements instanceof AnySet) take(this, elements);
    else for (const element of elements) put(this, element);
  }

  /** The elements in their order. */
  get elements(): readonly unknown[] {
    return [...elements_of(this)];
  }

  get size(): number {
    return this[ELEMENTS].size;
  }

  has(element: unknown): boolean {
    return this[ELEMENTS].has(element);
  }

  [Symbol.iterator](): IterableIterator<unknown> {
    return elements_of(this);
  }
}

// These are functions, because a subclass of a program may have methods of the same names.

function elements_of(set: AnySet): IterableIterator<unknown> {
  return set[TABLE]?.[Symbol.iterator]() ?? set[ELEMENTS].keys();
}

function put(set: AnySet, element: unknown): void {
  const before = set[ELEMENTS].size;
  set[ELEMENTS].set(element, true);
  if (set[ELEMENTS].size === before || set[TABLE] === null) return;
  if (has_fixed_hash(element)) set[TABLE].add(element, hash_of(element));
  else set[TABLE] = null;
}

function remove(set: AnySet, element: unknown): boolean {
  if (!set[ELEMENTS].delete(element)) return false;
  if (set[TABLE] === null) return true;
  const key = hash_key(element);
  set[TABLE].remove(hash_of(element), (other) => other === element || hash_key(other) === key);
  return true;
}

function clear(set: AnySet): void {
  set[ELEMENTS].clear();
  set[TABLE] = set[TABLE]?.emptied() ?? new SetTable();
}

/** Adds all elements of another set. */
function take(set: AnySet, other: AnySet): void {
  if (other === set || other[ELEMENTS].size === 0) return;
  set[TABLE]?.reserve(other[ELEMENTS].size);
  if (set[TABLE]?.is_new === true && other[TABLE] !== null) {
    set[TABLE].take(other[TABLE]);
    for (const element of other[ELEMENTS].keys()) set[ELEMENTS].set(element, true);
    return;
  }
  for (const element of elements_of(other)) put(set, element);
}

export class PySet extends AnySet {
  add(element: unknown): this {
    put(this, element);
    return this;
  }

  delete(element: unknown): boolean {
    return remove(this, element);
  }

  clear(): void {
    clear(this);
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

/** Adds all elements of anything that can be iterated; a set or dict makes room for all of them first. */
export function set_update(set: PySet, values: Iterable<unknown>, count: number | null = null): void {
  if (is_set(values)) take(set, values);
  else {
    if (count !== null) set[TABLE]?.reserve(count);
    for (const element of values) put(set, element);
  }
}

/** Gives the set the elements of another one that nobody else holds. */
export function set_become(set: PySet, other: PySet): void {
  const elements = [...other[ELEMENTS].keys()];
  set[ELEMENTS].clear();
  for (const element of elements) set[ELEMENTS].set(element, true);
  set[TABLE] = other[TABLE] === null ? null : (set[TABLE]?.handed_on(other[TABLE]) ?? other[TABLE]);
}

/** After many removals the table shrinks. */
export function set_tidy(set: PySet): void {
  set[TABLE]?.tidy();
}

/** The element that `pop` removes; undefined if the set is empty. */
export function set_next_to_pop(set: PySet): unknown {
  if (set[TABLE] !== null) return set[TABLE].next_to_pop();
  for (const element of set[ELEMENTS].keys()) return element;
  return undefined;
}
