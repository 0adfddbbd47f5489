/**
 * @file `collections.deque`, and the counting of `Counter`. The rest is Lib/collections.
 * @mirrors Modules/_collectionsmodule.c (CPython 3.11)
 */

import { define_attributes } from "../Objects/descrobject.ts";
import { OdictItems, OdictKeys, OdictValues } from "../Objects/dictobject/views.ts";
import { IndexError, RuntimeError, TypeError_, ValueError } from "../Objects/exceptions.ts";
import { each, iterator_type, list_from, PyIterator } from "../Objects/iterobject.ts";
import { define_methods, functions } from "../Objects/methodobject.ts";
import {
  type Comparison,
  comparison_methods,
  equal,
  NotImplemented,
  repr,
  repr_once,
  richcompare,
} from "../Objects/object.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { builtin_type, type PyClass, type TypeObject, type_of } from "../Objects/typeobject.ts";
import { int_of, ssize } from "./arguments.ts";
import { binary, getitem, setitem } from "./operations.ts";

/** A list with free places in front, so that both ends move at little cost. */
class Deque {
  // Private, because a subclass may have attributes of any name.
  #values: unknown[] = [];
  #head = 0;
  #maxlen: number | null = null;
  /** Counts changes of length, so that an iterator notices them. */
  #changes = 0;

  get maxlen(): number | null {
    return this.#maxlen;
  }

  get changes(): number {
    return this.#changes;
  }

  /** Empties the deque and sets how many elements it may have. */
  begin(maxlen: number | null): void {
    this.#maxlen = maxlen;
    this.replace([]);
  }

  get length(): number {
    return this.#values.length - this.#head;
  }

  get(at: number): unknown {
    return this.#values[this.#head + at];
  }

  put(at: number, value: unknown): void {
    this.#values[this.#head + at] = value;
  }

  list(): unknown[] {
    return this.#values.slice(this.#head);
  }

  replace(values: unknown[]): void {
    this.#values = values;
    this.#head = 0;
    this.#changes++;
  }

  push(value: unknown): void {
    this.#values.push(value);
    this.#changes++;
    if (this.#maxlen !== null && this.length > this.#maxlen) this.shift();
  }

  unshift(value: unknown): void {
    if (this.#head === 0) {
      this.#head = this.length + 8;
      this.#values = [...new Array<unknown>(this.#head), ...this.#values];
    }
    this.#values[--this.#head] = value;
    this.#changes++;
    if (this.#maxlen !== null && this.length > this.#maxlen) this.#values.pop();
  }

  pop(): unknown {
    this.#changes++;
    return this.#values.pop();
  }

  shift(): unknown {
    const value = this.#values[this.#head];
    this.#values[this.#head++] = undefined;
    this.#changes++;
    if (this.#head > 32 && this.#head > this.length) this.replace(this.list());
    return value;
  }

  /** The place of an index; a negative one counts from the end. */
  place(value: unknown): number {
    const at = ssize(value);
    const place = at < 0 ? at + this.length : at;
    if (place < 0 || place >= this.length) throw new IndexError("deque index out of range");
    return place;
  }
}

class DequeIterator extends PyIterator {
  private readonly deque: Deque;
  private readonly backwards: boolean;
  private readonly changes: number;
  private at = 0;

  constructor(deque: Deque, backwards: boolean) {
    super();
    this.deque = deque;
    this.backwards = backwards;
    this.changes = deque.changes;
  }

  step(): unknown {
    if (this.at >= this.deque.length && this.changes === this.deque.changes) return undefined;
    if (this.changes !== this.deque.changes) throw new RuntimeError("deque mutated during iteration");
    return this.deque.get(this.backwards ? this.deque.length - 1 - this.at++ : this.at++);
  }
}

function nonempty(deque: Deque): Deque {
  if (deque.length === 0) throw new IndexError("pop from an empty deque");
  return deque;
}

function like(deque: Deque, values: unknown[]): Deque {
  const result = Reflect.construct(Deque, [], type_of(deque).cls) as Deque;
  result.begin(deque.maxlen);
  result.replace(cut(values, deque.maxlen));
  return result;
}

const cut = (values: unknown[], most: number | null): unknown[] =>
  most !== null && values.length > most ? values.slice(values.length - most) : values;

function init(self: Deque, iterable: unknown, maxlen: unknown): void {
  if (maxlen !== null && int_of(maxlen) === undefined) throw new TypeError_("an integer is required");
  const most = maxlen === null ? null : ssize(maxlen);
  if (most !== null && most < 0) throw new ValueError("maxlen must be non-negative");
  self.begin(most);
  if (iterable !== undefined) extend(self, iterable);
}

function extend(self: Deque, iterable: unknown): void {
  for (const value of (iterable as unknown) === self ? self.list() : each(iterable)) self.push(value);
}

function rotate(self: Deque, n: unknown): void {
  const { length } = self;
  if (length < 2) return;
  const by = ((ssize(n) % length) + length) % length;
  if (by <= length / 2) for (let i = 0; i < by; i++) self.unshift(self.pop());
  else for (let i = by; i < length; i++) self.push(self.shift());
}

function index_in(self: Deque, value: unknown, start: unknown, stop: unknown): number {
  const bound = (given: unknown): number => {
    const at = Math.max(-self.length, Math.min(self.length, ssize(given)));
    return at < 0 ? at + self.length : at;
  };
  const last = stop === undefined ? self.length : bound(stop);
  const { changes } = self;
  for (let i = bound(start); i < last; i++) {
    if (equal(self.get(i), value)) return i;
    if (changes !== self.changes) throw new RuntimeError("deque mutated during iteration");
  }
  throw new ValueError(`${repr(value)} is not in deque`);
}

function remove(self: Deque, value: unknown): void {
  for (let i = 0; i < self.length; i++)
    if (equal(self.get(i), value)) {
      delete_at(self, i);
      return;
    }
  throw new ValueError("deque.remove(x): x not in deque");
}

function delete_at(self: Deque, at: number): void {
  const values = self.list();
  values.splice(at, 1);
  self.replace(values);
}

function insert(self: Deque, at: unknown, value: unknown): void {
  if (self.maxlen !== null && self.length >= self.maxlen) throw new IndexError("deque already at its maximum size");
  const values = self.list();
  values.splice(ssize(at), 0, value);
  self.replace(values);
}

function compare(how: Comparison): (self: Deque, other: unknown) => unknown {
  return (self, other) => (other instanceof Deque ? richcompare(self.list(), other.list(), how) : NotImplemented);
}

function deque_type(): TypeObject {
  const type = builtin_type("deque", {
    cls: Deque,
    module: "collections",
    tp_alloc: (cls: PyClass) => Reflect.construct(Deque, [], cls) as object,
  });
  iterator_type("_deque_iterator", DequeIterator);
  define_attributes(type, { maxlen: (self: Deque) => self.maxlen });
  define_methods(type, {
    "__init__(self, iterable=<unset>, maxlen=None)": init,
    "append(self, value, /)": (self: Deque, value) => self.push(value),
    "appendleft(self, value, /)": (self: Deque, value) => self.unshift(value),
    "clear(self, /)": (self: Deque) => self.replace([]),
    "copy(self, /)": (self: Deque) => like(self, self.list()),
    "count(self, value, /)": (self: Deque, value) => self.list().filter((it) => equal(it, value)).length,
    "extend(self, iterable, /)": extend,
    "extendleft(self, iterable, /)": (self: Deque, iterable) => {
      for (const value of (iterable as unknown) === self ? self.list() : each(iterable)) self.unshift(value);
    },
    "index(self, value, start=0, stop=<unset>, /)": index_in,
    "insert(self, index, value, /)": insert,
    "pop(self, /)": (self: Deque) => nonempty(self).pop(),
    "popleft(self, /)": (self: Deque) => nonempty(self).shift(),
    "remove(self, value, /)": remove,
    "reverse(self, /)": (self: Deque) => self.replace(self.list().reverse()),
    "rotate(self, n=1, /)": rotate,
    "__len__(self, /)": (self: Deque) => self.length,
    "__iter__(self, /)": (self: Deque) => new DequeIterator(self, false),
    "__reversed__(self, /)": (self: Deque) => new DequeIterator(self, true),
    "__contains__(self, value, /)": (self: Deque, value) => self.list().some((it) => equal(it, value)),
    "__getitem__(self, index, /)": (self: Deque, at) => self.get(self.place(at)),
    "__setitem__(self, index, value, /)": (self: Deque, at, value) => self.put(self.place(at), value),
    "__delitem__(self, index, /)": (self: Deque, at) => delete_at(self, self.place(at)),
    "__add__(self, value, /)": (self: Deque, other) => {
      if (!((other as unknown) instanceof Deque))
        throw new TypeError_(`can only concatenate deque (not "${type_of(other).tp_name}") to deque`);
      return like(self, [...self.list(), ...(other as Deque).list()]);
    },
    "__iadd__(self, value, /)": (self: Deque, other) => {
      extend(self, other);
      return self;
    },
    "__mul__(self, value, /)": (self: Deque, times) => like(self, binary("*", self.list(), times) as unknown[]),
    "__rmul__(self, value, /)": (self: Deque, times) => like(self, binary("*", self.list(), times) as unknown[]),
    "__imul__(self, value, /)": (self: Deque, times) => {
      self.replace(cut(binary("*", self.list(), times) as unknown[], self.maxlen));
      return self;
    },
    "__copy__(self, /)": (self: Deque) => like(self, self.list()),
    "__reduce__(self, /)": (self: Deque) =>
      tuple([
        type_of(self).cls,
        tuple(self.maxlen === null ? [] : [tuple([]), self.maxlen]),
        null,
        new DequeIterator(self, false),
      ]),
    "__repr__(self, /)": (self: Deque) =>
      repr_once(self, "[...]", () => {
        const most = self.maxlen === null ? "" : `, maxlen=${self.maxlen}`;
        return `${type_of(self).name}(${repr(self.list())}${most})`;
      }),
    ...comparison_methods(compare),
  });
  type.set("__hash__", null);
  return type;
}

/** Counts the elements in a mapping. */
function count_elements(mapping: unknown, iterable: unknown): void {
  const plain = mapping instanceof Map;
  for (const element of list_from(iterable)) {
    const before = plain ? (mapping.get(element) ?? 0) : getitem(mapping, element);
    const after = typeof before === "number" ? before + 1 : binary("+", before, 1);
    if (plain) mapping.set(element, after);
    else setitem(mapping, element, after);
  }
}

export function _collections(): Map<string, unknown> {
  const namespace = functions("_collections", {
    "_count_elements(mapping, iterable, /)": count_elements,
    "odict_keys(od, /)": (dict: Map<unknown, unknown>) => new OdictKeys(dict),
    "odict_values(od, /)": (dict: Map<unknown, unknown>) => new OdictValues(dict),
    "odict_items(od, /)": (dict: Map<unknown, unknown>) => new OdictItems(dict),
  });
  namespace.set("deque", deque_type().cls);
  return namespace;
}
