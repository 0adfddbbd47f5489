/**
 * @file The type `tuple` and its methods.
 * @mirrors Objects/tupleobject.c (CPython 3.11)
 */
import { compare_sequences } from "../abstract/sequence_comparison.ts";
import { TypeError_, ValueError } from "../exceptions.ts";
import { hash_of } from "../hashing.ts";
import { iterator_type, list_from, SequenceIterator } from "../iterobject.ts";
import { count, find, repeated, subscript } from "../listobject.ts";
import { define_methods, define_static_methods } from "../methodobject.ts";
import { type Comparison, comparison_methods, NotImplemented, repr, repr_once } from "../object.ts";
import { PySlice } from "../sliceobject.ts";
import { EMPTY_TUPLE, PyTuple, tuple } from "../tupleobject.ts";
import { builtin_type, info_of, type PyClass, type_of } from "../typeobject.ts";

export const tuple_type = builtin_type("tuple", {
  cls: PyTuple,
  reserves_names: true,
  tp_alloc: (cls) => Reflect.construct(PyTuple, [], cls) as object,
});

class TupleIterator extends SequenceIterator {
  protected override none(): PyTuple {
    return EMPTY_TUPLE;
  }
}
const tuple_iterator_type = iterator_type("tuple_iterator", TupleIterator);
define_methods(tuple_iterator_type, { "__length_hint__(self, /)": (self: TupleIterator) => self.left });

/** A tuple of the elements of anything iterable; a tuple itself is not copied. */
export function tuple_from(values: unknown): PyTuple {
  if (values instanceof PyTuple && type_of(values) === tuple_type) return values;
  const elements = list_from(values);
  return elements.length === 0 ? EMPTY_TUPLE : tuple(elements);
}

/** An instance of a subclass of `tuple`. */
export function tuple_of_class(cls: PyClass, elements: readonly unknown[]): PyTuple {
  const result = Reflect.construct(PyTuple, [elements.length], cls) as PyTuple;
  for (let i = 0; i < elements.length; i++) result[i] = elements[i];
  return result;
}

const compare =
  (how: Comparison) =>
  (self: PyTuple, other: unknown): unknown =>
    other instanceof PyTuple ? compare_sequences(self, other, how) : NotImplemented;

const times = (self: PyTuple, count: unknown): PyTuple => tuple(repeated(self, count));

define_static_methods(tuple_type, {
  "__new__(cls, iterable=<unset>, /)": (cls: PyClass, values) => {
    const elements = values === undefined ? EMPTY_TUPLE : tuple_from(values);
    return info_of(cls) === tuple_type ? elements : tuple_of_class(cls, elements);
  },
});
define_methods(tuple_type, {
  "__repr__(self, /)": (self: PyTuple) =>
    repr_once(self, "(...)", () => (self.length === 1 ? `(${repr(self[0])},)` : `(${self.map(repr).join(", ")})`)),
  "__iter__(self, /)": (self: PyTuple) => new TupleIterator(self),
  "__len__(self, /)": (self: PyTuple) => self.length,
  "__contains__(self, key, /)": (self: PyTuple, key) => find(self, key) >= 0,
  "__getitem__(self, key, /)": (self: PyTuple, index: unknown) => {
    const found = subscript(self, index, "tuple");
    return index instanceof PySlice ? tuple(found as unknown[]) : found;
  },
  "__hash__(self, /)": (self: PyTuple) => hash_of(self),
  ...comparison_methods(compare),
  "__add__(self, value, /)": (self: PyTuple, value: unknown) => {
    if (value instanceof PyTuple) return tuple([...self, ...value]);
    throw new TypeError_(`can only concatenate tuple (not "${type_of(value).tp_name}") to tuple`);
  },
  "__mul__(self, value, /)": times,
  "__rmul__(self, value, /)": times,
  "__getnewargs__(self, /)": (self: PyTuple) => tuple([tuple(self)]),
  "count(self, value, /)": count,
  "index(self, value, start=0, stop=<unset>, /)": (self: PyTuple, value, start, stop) => {
    const at = find(self, value, start, stop);
    if (at < 0) throw new ValueError("tuple.index(x): x not in tuple");
    return at;
  },
});
