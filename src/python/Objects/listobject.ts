/**
 * @file Python's `list`: a JavaScript array.
 * @mirrors Objects/listobject.c (CPython 3.11)
 */

import { limits } from "../vm/hooks.ts";
import { as_size, search_bounds, slice_indices } from "./abstract/indices.ts";
import { is_index } from "./abstract/numbers.ts";
import { compare_sequences } from "./abstract/sequence_comparison.ts";
import { call } from "./call.ts";
import { IndexError, MemoryError, OverflowError, TypeError_, ValueError } from "./exceptions.ts";
import { iter, iterator_type, list_from, PyIterator, place_of, type Reduced, SequenceIterator } from "./iterobject.ts";
import { define_methods } from "./methodobject.ts";
import { type Comparison, comparison_methods, equal, less, NotImplemented, repr, repr_once, truth } from "./object.ts";
import { PySlice } from "./sliceobject.ts";
import { PyTuple } from "./tupleobject.ts";
import { list_type, type_of } from "./typeobject.ts";
import { is_narrow } from "./unicodeobject/code_points.ts";

/** Whether the value is a list; a tuple is an array, too. */
export function is_list(value: unknown): value is unknown[] {
  return Array.isArray(value) && type_of(value).is_subtype(list_type);
}

// ---- Brackets

/** The place that `index` names, within the sequence. */
function place(index: unknown, length: number, message: string): number {
  const at = as_size(index);
  const from_start = at < 0 ? at + length : at;
  if (from_start < 0 || from_start >= length) throw new IndexError(message);
  return from_start;
}

/** The elements that a slice takes, as a new plain array. */
export function elements_of_slice(values: readonly unknown[], slice: PySlice): unknown[] {
  const { start, step, count } = slice_indices(slice, values.length);
  if (step === 1) return Array.prototype.slice.call(values, start, start + count);
  const result: unknown[] = new Array(count);
  for (let i = 0; i < count; i++) result[i] = values[start + i * step];
  return result;
}

/** `values[index]` of a list or tuple, whose name the messages tell. */
export function subscript(values: readonly unknown[], index: unknown, kind: "list" | "tuple"): unknown {
  if (index instanceof PySlice) return elements_of_slice(values, index);
  if (!is_index(index)) {
    throw new TypeError_(`${kind} indices must be integers or slices, not ${type_of(index).tp_name}`);
  }
  return values[place(index, values.length, `${kind} index out of range`)];
}

const wrong_index = (index: unknown): TypeError_ =>
  new TypeError_(`list indices must be integers or slices, not ${type_of(index).tp_name}`);

/** Exchanges `count` elements from `start` for others. `splice` with many arguments would overflow JavaScript's stack. */
function replace(list: unknown[], start: number, count: number, values: readonly unknown[]): void {
  if (values.length < 10_000) {
    list.splice(start, count, ...values);
    return;
  }
  const tail = list.slice(start + count);
  list.length = start;
  for (const value of values) list.push(value);
  for (const value of tail) list.push(value);
}

function set_slice(list: unknown[], slice: PySlice, value: unknown): void {
  const { start, step, count } = slice_indices(slice, list.length);
  if (step === 1) {
    replace(list, start, count, iterable(value, "can only assign an iterable"));
    return;
  }
  const values = iterable(value, "must assign iterable to extended slice");
  if (values.length !== count) {
    throw new ValueError(`attempt to assign sequence of size ${values.length} to extended slice of size ${count}`);
  }
  for (let i = 0; i < count; i++) list[start + i * step] = values[i];
}

/** The elements of an iterable, which may be the list itself; `message` is the error if it is none. */
function iterable(value: unknown, message: string): unknown[] {
  if (Array.isArray(value)) return list_from(value);
  try {
    iter(value);
  } catch (error) {
    if (error instanceof TypeError_) throw new TypeError_(message);
    throw error;
  }
  return list_from(value);
}

function delete_slice(list: unknown[], slice: PySlice): void {
  const { start, step, count } = slice_indices(slice, list.length);
  if (count === 0) return;
  if (step === 1) list.splice(start, count);
  else {
    const gone = new Set(Array.from({ length: count }, (_, i) => start + i * step));
    let kept = 0;
    list.forEach((value, i) => {
      if (!gone.has(i)) list[kept++] = value;
    });
    list.length = kept;
  }
}

/** `list[index] = value`; an undefined value deletes. */
export function assign_subscript(list: unknown[], index: unknown, value: unknown): void {
  if (index instanceof PySlice) {
    if (value === undefined) delete_slice(list, index);
    else set_slice(list, index, value);
    return;
  }
  if (!is_index(index)) throw wrong_index(index);
  const at = place(index, list.length, "list assignment index out of range");
  if (value === undefined) list.splice(at, 1);
  else list[at] = value;
}

// ---- Methods

function extend(list: unknown[], values: unknown): void {
  for (const value of list_from(values)) list.push(value);
}

/** The longest list that is made by `*`; JavaScript's arrays end there. */
const LONGEST = 2 ** 32 - 1;

/** `values * count` as a plain array. */
export function repeated(values: readonly unknown[], count: unknown): unknown[] {
  const times = values.length === 0 ? 0 : Math.max(0, as_size(count, OverflowError));
  if (values.length * times > LONGEST) throw new MemoryError();
  limits.left -= values.length * times;
  const result: unknown[] = [];
  for (let i = 0; i < times; i++) for (const value of values) result.push(value);
  return result;
}

const compare =
  (how: Comparison) =>
  (self: unknown[], other: unknown): unknown =>
    is_list(other) ? compare_sequences(self, other, how) : NotImplemented;

/** The first place of an equal element between two bounds; -1 if there is none. */
export function find(values: readonly unknown[], value: unknown, start: unknown = 0, stop?: unknown): number {
  const [from, to] = search_bounds(start, stop, values.length);
  for (let i = from; i < to && i < values.length; i++) if (equal(values[i], value)) return i;
  return -1;
}

/** How many elements are equal. */
export function count(values: readonly unknown[], value: unknown): number {
  let result = 0;
  for (let i = 0; i < values.length; i++) if (equal(values[i], value)) result++;
  return result;
}

/** Sorts in place. The sort is stable, also in reverse: equal elements keep their order. */
export function sort(list: unknown[], key: unknown, reverse: boolean): void {
  const values: unknown[] = Array.prototype.slice.call(list);
  const keys = key === null ? values : values.map((value) => call(key, value));
  const order = values.map((_, i) => i);
  if (reverse) order.reverse();
  const plain =
    keys.every((it) => typeof it === "number") ||
    keys.every((it) => typeof it === "bigint") ||
    keys.every((it) => typeof it === "string" && is_narrow(it));
  const before = plain
    ? (i: number, k: number): boolean => (keys[i] as number) < (keys[k] as number)
    : (i: number, k: number): boolean => before_key(keys[i], keys[k]);
  // Only `<` is asked, as in CPython; a program's class may define nothing else.
  const sorted = merge_sort(order, before);
  if (reverse) sorted.reverse();
  for (let i = 0; i < sorted.length; i++) list[i] = values[sorted[i] as number];
  list.length = sorted.length;
}

/** `a < b`; two tuples are compared without asking for their method. */
function before_key(a: unknown, b: unknown): boolean {
  if (a instanceof PyTuple && b instanceof PyTuple && is_plain_tuple(a) && is_plain_tuple(b)) {
    return truth(compare_sequences(a, b, "<"));
  }
  return less(a, b);
}
const is_plain_tuple = (value: PyTuple): boolean => Object.getPrototypeOf(value) === PyTuple.prototype;

/** A stable merge sort. JavaScript's own would be enough, but it asks for a three-way comparison, twice as many calls of `__lt__`. */
function merge_sort(order: number[], before: (a: number, b: number) => boolean): number[] {
  let from = order;
  let to = new Array<number>(order.length);
  const n = order.length;
  for (let width = 1; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const middle = Math.min(start + width, n);
      const end = Math.min(start + 2 * width, n);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        const take_right = left >= middle || (right < end && before(from[right] as number, from[left] as number));
        to[at] = (take_right ? from[right++] : from[left++]) as number;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Runs from the last element to the first. */
export class ReversedListIterator extends PyIterator {
  private values: readonly unknown[] | null;
  private at: number;

  constructor(values: readonly unknown[]) {
    super();
    this.values = values;
    this.at = values.length - 1;
  }

  step(): unknown {
    if (this.values === null) return undefined;
    if (this.at >= 0 && this.at < this.values.length) return this.values[this.at--];
    this.values = null;
    return undefined;
  }

  override reduced(): Reduced {
    return this.values === null ? ["iter", [[]]] : ["reversed", [this.values], this.at];
  }

  override set_state(state: unknown): void {
    if (this.values !== null) this.at = place_of(state, this.values.length - 1);
  }

  get left(): number {
    return this.values === null ? 0 : this.at + 1;
  }
}
const reversed_type = iterator_type("list_reverseiterator", ReversedListIterator);
define_methods(reversed_type, { "__length_hint__(self, /)": (self: ReversedListIterator) => self.left });

const plain_list = (values: unknown): unknown[] | null => (is_list(values) ? values : null);

list_type.set("__hash__", null);
define_methods(list_type, {
  "__init__(self, iterable=<unset>, /)": (self: unknown[], values) => {
    const elements = values === undefined ? [] : list_from(values);
    self.length = 0;
    for (const value of elements) self.push(value);
  },
  "__repr__(self, /)": (self: unknown[]) => repr_once(self, "[...]", () => `[${self.map(repr).join(", ")}]`),
  "__iter__(self, /)": (self: unknown[]) => new SequenceIterator(self),
  "__reversed__(self, /)": (self: unknown[]) => new ReversedListIterator(self),
  "__len__(self, /)": (self: unknown[]) => self.length,
  "__contains__(self, key, /)": (self: unknown[], key) => find(self, key) >= 0,
  "__getitem__(self, index, /)": (self: unknown[], index) => subscript(self, index, "list"),
  "__setitem__(self, key, value, /)": (self: unknown[], key, value) => assign_subscript(self, key, value),
  "__delitem__(self, key, /)": (self: unknown[], key) => assign_subscript(self, key, undefined),
  ...comparison_methods(compare),
  "__add__(self, value, /)": (self: unknown[], value) => {
    const other = plain_list(value);
    if (other === null) {
      throw new TypeError_(`can only concatenate list (not "${type_of(value).tp_name}") to list`);
    }
    return [...self, ...other];
  },
  "__iadd__(self, value, /)": (self: unknown[], value) => {
    extend(self, value);
    return self;
  },
  "__mul__(self, value, /)": repeated,
  "__rmul__(self, value, /)": repeated,
  "__imul__(self, value, /)": (self: unknown[], times) => {
    replace(self, 0, self.length, repeated(self, times));
    return self;
  },
  "append(self, object, /)": (self: unknown[], value) => {
    self.push(value);
  },
  "clear(self, /)": (self: unknown[]) => {
    self.length = 0;
  },
  "copy(self, /)": (self: unknown[]) => Array.prototype.slice.call(self),
  "count(self, value, /)": count,
  "extend(self, iterable, /)": extend,
  "index(self, value, start=0, stop=<unset>, /)": (self: unknown[], value, start, stop) => {
    const at = find(self, value, start, stop);
    if (at < 0) throw new ValueError(`${repr(value)} is not in list`);
    return at;
  },
  "insert(self, index, object, /)": (self: unknown[], index, value) => {
    self.splice(as_size(index, null), 0, value);
  },
  "pop(self, index=-1, /)": (self: unknown[], index) => {
    const at = as_size(index, null);
    if (self.length === 0) throw new IndexError("pop from empty list");
    if (at === -1) return self.pop();
    return self.splice(place(at, self.length, "pop index out of range"), 1)[0];
  },
  "remove(self, value, /)": (self: unknown[], value) => {
    const at = find(self, value);
    if (at < 0) throw new ValueError("list.remove(x): x not in list");
    self.splice(at, 1);
  },
  "reverse(self, /)": (self: unknown[]) => {
    self.reverse();
  },
  "sort(self, /, *, key=None, reverse=False)": (self: unknown[], key, reverse) => sort(self, key, flag(reverse)),
});

/** An argument that CPython reads as a C int. */
export function flag(value: unknown): boolean {
  return as_size(value) !== 0;
}
