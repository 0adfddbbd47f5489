/**
 * @file `dict.keys()`, `values()` and `items()`: views that follow the dict, and their iterators.
 * @mirrors Objects/dictobject.c (CPython 3.11)
 */

import { define_attributes } from "../descrobject.ts";
import { RuntimeError } from "../exceptions.ts";
import { each, iterator_type, PyIterator, type Reduced } from "../iterobject.ts";
import { MappingProxy } from "../mappingproxy.ts";
import { define_methods } from "../methodobject.ts";
import { equal, NotImplemented, repr, repr_once } from "../object.ts";
import { remove_all, toggle_all, update } from "../setobject/methods.ts";
import { is_set, PyFrozenSet, PySet } from "../setobject.ts";
import { PyTuple, tuple } from "../tupleobject.ts";
import { builtin_type, type_of } from "../typeobject.ts";

type Entries = ReadonlyMap<unknown, unknown>;

/** Base of the iterators over a dict. They refuse to go on if the dict grew or shrank meanwhile. */
abstract class DictIterator extends PyIterator {
  private dict: Entries | null;
  private readonly entries: Iterator<[unknown, unknown]>;
  private readonly size: number;
  private left_: number;

  constructor(dict: Entries, entries: Iterable<[unknown, unknown]> = dict.entries()) {
    super();
    this.dict = dict;
    this.entries = entries[Symbol.iterator]();
    this.size = dict.size;
    this.left_ = dict.size;
  }

  protected abstract pick(entry: [unknown, unknown]): unknown;

  step(): unknown {
    if (this.dict === null) return undefined;
    if (this.dict.size !== this.size) throw new RuntimeError("dictionary changed size during iteration");
    const next = this.entries.next();
    if (next.done === true) {
      this.dict = null;
      return undefined;
    }
    if (this.left_ === 0) throw new RuntimeError("dictionary keys changed during iteration");
    this.left_--;
    return this.pick(next.value);
  }

  /** All entries in the order of this iterator. */
  protected all(dict: Entries): [unknown, unknown][] {
    return [...dict.entries()];
  }

  override reduced(): Reduced {
    const { dict } = this;
    if (dict === null) return ["iter", [[]]];
    const rest = this.all(dict).slice(this.size - this.left_);
    return ["iter", [rest.map((entry) => this.pick(entry))]];
  }

  get left(): number {
    return this.dict !== null && this.dict.size === this.size ? this.left_ : 0;
  }
}

class KeyIterator extends DictIterator {
  protected pick([key]: [unknown, unknown]): unknown {
    return key;
  }
}
class ValueIterator extends DictIterator {
  protected pick([, value]: [unknown, unknown]): unknown {
    return value;
  }
}
class ItemIterator extends DictIterator {
  protected pick(entry: [unknown, unknown]): unknown {
    return tuple(entry);
  }
}
const backwards = (dict: Entries): [unknown, unknown][] => [...dict.entries()].reverse();

class ReversedKeyIterator extends KeyIterator {
  protected override all(dict: Entries): [unknown, unknown][] {
    return backwards(dict);
  }
}
class ReversedValueIterator extends ValueIterator {
  protected override all(dict: Entries): [unknown, unknown][] {
    return backwards(dict);
  }
}
class ReversedItemIterator extends ItemIterator {
  protected override all(dict: Entries): [unknown, unknown][] {
    return backwards(dict);
  }
}

for (const [name, cls] of [
  ["dict_keyiterator", KeyIterator],
  ["dict_valueiterator", ValueIterator],
  ["dict_itemiterator", ItemIterator],
  ["dict_reversekeyiterator", ReversedKeyIterator],
  ["dict_reversevalueiterator", ReversedValueIterator],
  ["dict_reverseitemiterator", ReversedItemIterator],
] as const)
  define_methods(iterator_type(name, cls), { "__length_hint__(self, /)": (self: DictIterator) => self.left });

export const iterate_keys = (dict: Entries): PyIterator => new KeyIterator(dict);
export const iterate_reversed_keys = (dict: Entries): PyIterator => new ReversedKeyIterator(dict, backwards(dict));

/** Base of the views. */
abstract class DictView {
  readonly dict: Entries;

  constructor(dict: Entries) {
    this.dict = dict;
  }

  abstract iterate(): PyIterator;
  abstract iterate_reversed(): PyIterator;
}

export class DictKeys extends DictView {
  iterate(): PyIterator {
    return new KeyIterator(this.dict);
  }

  iterate_reversed(): PyIterator {
    return new ReversedKeyIterator(this.dict, backwards(this.dict));
  }

  has(value: unknown): boolean {
    return this.dict.has(value);
  }
}

export class DictValues extends DictView {
  iterate(): PyIterator {
    return new ValueIterator(this.dict);
  }

  iterate_reversed(): PyIterator {
    return new ReversedValueIterator(this.dict, backwards(this.dict));
  }
}

export class DictItems extends DictView {
  iterate(): PyIterator {
    return new ItemIterator(this.dict);
  }

  iterate_reversed(): PyIterator {
    return new ReversedItemIterator(this.dict, backwards(this.dict));
  }

  has(value: unknown): boolean {
    if (!(value instanceof PyTuple) || value.length !== 2) return false;
    const found = this.dict.get(value[0]);
    return found !== undefined && equal(found, value[1]);
  }
}

/** The views of an OrderedDict differ in their names. */
export class OdictKeys extends DictKeys {}
export class OdictValues extends DictValues {}
export class OdictItems extends DictItems {}

export const keys_type = builtin_type("dict_keys", { cls: DictKeys });
export const values_type = builtin_type("dict_values", { cls: DictValues });
export const items_type = builtin_type("dict_items", { cls: DictItems });
for (const type of [keys_type, values_type, items_type]) {
  define_methods(type, {
    "__iter__(self, /)": (self: DictView) => self.iterate(),
    "__reversed__(self, /)": (self: DictView) => self.iterate_reversed(),
    "__len__(self, /)": (self: DictView) => self.dict.size,
    "__repr__(self, /)": (self: DictView) =>
      repr_once(self, "...", () => `${type_of(self).name}([${[...self.iterate()].map(repr).join(", ")}])`),
  });
  define_attributes(type, { mapping: (self: DictView) => new MappingProxy(self.dict) });
}

builtin_type("odict_keys", { cls: OdictKeys, bases: [keys_type] });
builtin_type("odict_values", { cls: OdictValues, bases: [values_type] });
builtin_type("odict_items", { cls: OdictItems, bases: [items_type] });

// ---- Keys and items are sets

type SetView = DictKeys | DictItems;

/** Sets and the two views that behave as sets can be compared with each other. */
function is_set_like(value: unknown): value is SetView | PySet | PyFrozenSet {
  return is_set(value) || value instanceof DictKeys || value instanceof DictItems;
}

type SetLike = SetView | PySet | PyFrozenSet;
const size_of = (value: SetLike): number => (is_set(value) ? value.size : value.dict.size);

/** Whether every element of `a` is in `b`. */
function within(a: SetLike, b: SetLike): boolean {
  for (const value of each(a)) if (!b.has(value)) return false;
  return true;
}

const comparison =
  (decide: (a: SetLike, b: SetLike) => boolean) =>
  (self: SetView, other: unknown): unknown =>
    is_set_like(other) ? decide(self, other) : NotImplemented;

const as_set = (values: unknown): PySet => {
  const result = new PySet();
  update(result, values instanceof DictKeys ? values.dict : values); // a dict tells how much room its keys need
  return result;
};

/** An operator of a view, from the change of a set of its elements. */
const operation =
  (change: (set: PySet, other: unknown) => void) =>
  (self: unknown, other: unknown): PySet => {
    const result = as_set(self);
    change(result, other);
    return result;
  };
const union = operation(update);
const difference = operation(remove_all);
const symmetric_difference = operation(toggle_all);

/** Elements of both: CPython walks through the other operand, unless a larger set or view can be asked. */
function intersection(self: SetView, other: unknown): PySet {
  if (is_set_like(other) && !(other instanceof PyFrozenSet) && self.dict.size <= size_of(other)) {
    if (other instanceof PySet || self.dict.size < size_of(other)) return common(self, other);
  }
  return common(other, self);
}
function common(walked: unknown, asked: SetLike): PySet {
  const result = new PySet();
  for (const value of each(walked)) if (asked.has(value)) result.add(value);
  return result;
}
const reflected =
  (operate: (a: unknown, b: unknown) => unknown) =>
  (self: unknown, other: unknown): unknown =>
    operate(other, self);

for (const type of [keys_type, items_type]) {
  type.set("__hash__", null);
  define_methods(type, {
    "__contains__(self, key, /)": (self: SetView, key) => self.has(key),
    "__eq__(self, value, /)": comparison((a, b) => size_of(a) === size_of(b) && within(a, b)),
    "__ne__(self, value, /)": comparison((a, b) => !(size_of(a) === size_of(b) && within(a, b))),
    "__lt__(self, value, /)": comparison((a, b) => size_of(a) < size_of(b) && within(a, b)),
    "__le__(self, value, /)": comparison((a, b) => size_of(a) <= size_of(b) && within(a, b)),
    "__gt__(self, value, /)": comparison((a, b) => size_of(a) > size_of(b) && within(b, a)),
    "__ge__(self, value, /)": comparison((a, b) => size_of(a) >= size_of(b) && within(b, a)),
    "__or__(self, value, /)": union,
    "__ror__(self, value, /)": reflected(union),
    "__and__(self, value, /)": intersection,
    "__rand__(self, value, /)": intersection,
    "__sub__(self, value, /)": difference,
    "__rsub__(self, value, /)": reflected(difference),
    "__xor__(self, value, /)": symmetric_difference,
    "__rxor__(self, value, /)": reflected(symmetric_difference),
    "isdisjoint(self, other, /)": (self: SetView, other) => {
      for (const value of each(other)) if (self.has(value)) return false;
      return true;
    },
  });
}
