/**
 * @file The methods and operators of `set` and `frozenset`.
 * @mirrors Objects/setobject.c (CPython 3.11)
 */
import { dict_type, PyDict } from "../dictobject.ts";
import { KeyError, RuntimeError } from "../exceptions.ts";
import { hash_of } from "../hashing.ts";
import { each, iterator_type, PyIterator, type Reduced } from "../iterobject.ts";
import { int_value } from "../longobject.ts";
import { define_methods, define_static_methods } from "../methodobject.ts";
import { NotImplemented, repr, repr_once } from "../object.ts";
import {
  frozenset_type,
  is_set,
  PyFrozenSet,
  PySet,
  set_become,
  set_next_to_pop,
  set_tidy,
  set_type,
  set_update,
} from "../setobject.ts";
import { info_of, type PyClass, type_of } from "../typeobject.ts";

type AnySet = PySet | PyFrozenSet;

class SetIterator extends PyIterator {
  private set: AnySet | null;
  private readonly values: Iterator<unknown>;
  private readonly size: number;
  private left_: number;

  constructor(set: AnySet) {
    super();
    this.set = set;
    this.values = set[Symbol.iterator]();
    this.size = set.size;
    this.left_ = set.size;
  }

  step(): unknown {
    if (this.set === null) return undefined;
    if (this.set.size !== this.size) throw new RuntimeError("Set changed size during iteration");
    const { done, value } = this.values.next();
    if (done === true || this.left_ === 0) {
      this.set = null;
      return undefined;
    }
    this.left_--;
    return value;
  }

  override reduced(): Reduced {
    return ["iter", [this.set === null ? [] : [...this.set].slice(this.size - this.left_)]];
  }

  get left(): number {
    return this.set !== null && this.set.size === this.size ? this.left_ : 0;
  }
}
define_methods(iterator_type("set_iterator", SetIterator), {
  "__length_hint__(self, /)": (self: SetIterator) => self.left,
});

/** The elements of any iterable, in the form in which a set is asked for them. */
const as_set = (values: unknown): AnySet => (is_set(values) ? values : new_set(values));

/** Adds what an iterable gives, as CPython does: a set or dict makes room first. */
export function update(set: PySet, values: unknown): void {
  if (is_set(values)) set_update(set, values);
  else set_update(set, each(values), is_dict(values) ? values.size : null);
}
const is_dict = (values: unknown): values is PyDict => values instanceof PyDict && type_of(values) === dict_type;

function new_set(values: unknown): PySet {
  const result = new PySet();
  update(result, values);
  return result;
}

/** A set of the kind of `self`: a subclass's operation gives the built-in type. */
const like = (self: AnySet, result: PySet): AnySet => (self instanceof PySet ? result : new PyFrozenSet(result));

// The order of a result follows from how it is made, so each operation goes CPython's way.

function union(a: AnySet, ...others: unknown[]): PySet {
  const result = new PySet(a);
  for (const other of others) if (other !== a) update(result, other);
  return result;
}

function intersection(a: AnySet, b: unknown): PySet {
  if (a === b) return new PySet(a);
  const result = new PySet();
  if (is_set(b)) {
    // CPython walks through the smaller one; the result shows it by its order, and by 1 or True.
    const [few, many] = b.size > a.size ? [a, b] : [b, a];
    for (const element of few) if (many.has(element)) result.add(element);
  } else for (const element of each(b)) if (a.has(element)) result.add(element);
  return result;
}

function difference(a: AnySet, b: unknown): PySet {
  const has_size = is_set(b) || is_dict(b);
  if (!has_size || Math.floor(a.size / 4) > b.size) {
    const result = new PySet(a);
    remove_all(result, b === a ? result : b);
    return result;
  }
  const result = new PySet();
  for (const element of a) if (!b.has(element)) result.add(element);
  return result;
}

function symmetric_difference(a: AnySet, b: unknown): PySet {
  const result = new_set(b);
  toggle_all(result, a);
  return result;
}

const within = (a: AnySet, b: AnySet): boolean => a.size <= b.size && a.elements.every((it) => b.has(it));

/** `a | b` takes sets only; the method `union` takes any iterables. */
const operator =
  (combine: (a: AnySet, b: AnySet) => PySet) =>
  (self: AnySet, other: unknown): unknown =>
    is_set(self) && is_set(other) ? like(self, combine(self, other)) : NotImplemented;
const reflected = (combine: (a: AnySet, b: AnySet) => PySet) => {
  const forwards = operator(combine);
  return (self: AnySet, other: unknown): unknown => forwards(other as AnySet, self);
};
const comparison =
  (decide: (a: AnySet, b: AnySet) => boolean) =>
  (self: AnySet, other: unknown): unknown =>
    is_set(other) ? decide(self, other) : NotImplemented;

function set_repr(self: AnySet): string {
  const { name } = type_of(self);
  if (self.size === 0) return `${name}()`;
  return repr_once(self, `${name}(...)`, () => {
    const elements = `{${self.elements.map(repr).join(", ")}}`;
    return type_of(self) === set_type ? elements : `${name}(${elements})`;
  });
}

/** CPython lets a set be searched for a set: the set counts as the frozenset of its elements. */
function as_element(value: unknown): unknown {
  return value instanceof PySet ? new PyFrozenSet(value) : value;
}

for (const type of [set_type, frozenset_type]) {
  define_methods(type, {
    "__repr__(self, /)": set_repr,
    "__iter__(self, /)": (self: AnySet) => new SetIterator(self),
    "__len__(self, /)": (self: AnySet) => self.size,
    "__contains__(self, key, /)": (self: AnySet, key) => self.has(as_element(key)),
    "__eq__(self, value, /)": comparison((a, b) => a.size === b.size && within(a, b)),
    "__ne__(self, value, /)": comparison((a, b) => !(a.size === b.size && within(a, b))),
    "__lt__(self, value, /)": comparison((a, b) => a.size < b.size && within(a, b)),
    "__le__(self, value, /)": comparison(within),
    "__gt__(self, value, /)": comparison((a, b) => a.size > b.size && within(b, a)),
    "__ge__(self, value, /)": comparison((a, b) => within(b, a)),
    "__or__(self, value, /)": operator(union),
    "__ror__(self, value, /)": reflected(union),
    "__and__(self, value, /)": operator(intersection),
    "__rand__(self, value, /)": reflected(intersection),
    "__sub__(self, value, /)": operator(difference),
    "__rsub__(self, value, /)": reflected(difference),
    "__xor__(self, value, /)": operator(symmetric_difference),
    "__rxor__(self, value, /)": reflected(symmetric_difference),
    "union(self, /, *others)": (self: AnySet, others: unknown[]) => like(self, union(self, ...others)),
    "intersection(self, /, *others)": (self: AnySet, others: unknown[]) =>
      like(self, others.length === 0 ? new PySet(self) : (others.reduce<AnySet>(intersection, self) as PySet)),
    "difference(self, /, *others)": (self: AnySet, [first, ...others]: unknown[]) => {
      const result = first === undefined ? new PySet(self) : difference(self, first);
      for (const other of others) remove_all(result, other);
      return like(self, result);
    },
    "symmetric_difference(self, other, /)": (self: AnySet, other) => like(self, symmetric_difference(self, other)),
    "issubset(self, other, /)": (self: AnySet, other: unknown) => within(self, as_set(other)),
    "issuperset(self, other, /)": (self: AnySet, other: unknown) => within(as_set(other), self),
    "isdisjoint(self, other, /)": (self: AnySet, other) => {
      for (const value of each(other)) if (self.has(value)) return false;
      return true;
    },
  });
}

// ---- frozenset

const UINT64 = (1n << 64n) - 1n;

/** Order does not matter: each hash is spread over the bits and all are joined with `^`. */
function frozenset_hash(self: PyFrozenSet): number | bigint {
  let hash = 0n;
  for (const element of self) {
    const own = BigInt(hash_of(element)) & UINT64;
    hash ^= ((own ^ 89869747n ^ (own << 16n)) * 3644798167n) & UINT64;
  }
  hash ^= ((BigInt(self.size) + 1n) * 1927868237n) & UINT64;
  hash ^= (hash >> 11n) ^ (hash >> 25n);
  hash = (hash * 69069n + 907133923n) & UINT64;
  if (hash === UINT64) hash = 590923713n;
  return int_value(BigInt.asIntN(64, hash));
}

define_static_methods(frozenset_type, {
  "__new__(cls, iterable=<unset>, /)": (cls: PyClass, values: unknown) => {
    const type = info_of(cls);
    if (type === frozenset_type && values instanceof PyFrozenSet && type_of(values) === type) return values;
    return Reflect.construct(PyFrozenSet, values === undefined ? [] : [as_set(values)], cls) as PyFrozenSet;
  },
});
define_methods(frozenset_type, {
  "__hash__(self, /)": frozenset_hash,
  "copy(self, /)": (self: PyFrozenSet) => (type_of(self) === frozenset_type ? self : new PyFrozenSet(self)),
});

// ---- set

/** `a |= b` and so on. */
const in_place =
  (change: (self: PySet, other: AnySet) => void) =>
  (self: PySet, other: unknown): unknown => {
    if (!is_set(other)) return NotImplemented;
    change(self, other);
    return self;
  };

export function remove_all(self: PySet, values: unknown): void {
  if (values === self) self.clear();
  else {
    for (const element of each(values)) self.delete(element);
    set_tidy(self);
  }
}

/** Removes what is there and adds what is not. */
export function toggle_all(self: PySet, values: unknown): void {
  if (values === self) {
    self.clear();
    return;
  }
  const others = is_set(values) || is_dict(values) ? values : new_set(values);
  for (const element of each(others)) if (!self.delete(element)) self.add(element);
}

const for_each_of =
  (change: (self: PySet, other: unknown) => void) =>
  (self: PySet, others: readonly unknown[]): void => {
    for (const other of others) change(self, other);
  };

set_type.set("__hash__", null);
define_methods(set_type, {
  "__init__(self, iterable=<unset>, /)": (self: PySet, values: unknown) => {
    const elements = values === self ? new PySet(self) : values;
    self.clear();
    if (elements !== undefined) update(self, elements);
  },
  "__ior__(self, value, /)": in_place(update),
  "__iand__(self, value, /)": in_place((self, other) => set_become(self, intersection(self, other))),
  "__isub__(self, value, /)": in_place(remove_all),
  "__ixor__(self, value, /)": in_place(toggle_all),
  "add(self, element, /)": (self: PySet, element) => {
    self.add(element);
  },
  "clear(self, /)": (self: PySet) => self.clear(),
  "copy(self, /)": (self: PySet) => new PySet(self),
  "discard(self, element, /)": (self: PySet, element) => {
    self.delete(as_element(element));
  },
  "remove(self, element, /)": (self: PySet, element) => {
    if (!self.delete(as_element(element))) throw new KeyError(element);
  },
  "pop(self, /)": (self: PySet) => {
    const element = set_next_to_pop(self);
    if (element === undefined) throw new KeyError("pop from an empty set");
    self.delete(element);
    return element;
  },
  "update(self, /, *others)": for_each_of(update),
  "difference_update(self, /, *others)": for_each_of(remove_all),
  "intersection_update(self, /, *others)": for_each_of((self, other) => set_become(self, intersection(self, other))),
  "symmetric_difference_update(self, other, /)": toggle_all,
});
