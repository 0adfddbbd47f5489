/**
 * @file Python's `range`: an arithmetic sequence that is computed when it is asked.
 * @mirrors Objects/rangeobject.c (CPython 3.11)
 */
import { index_of, is_index } from "./abstract/numbers.ts";
import { define_attributes } from "./descrobject.ts";
import { IndexError, OverflowError, TypeError_, ValueError } from "./exceptions.ts";
import { hash_of } from "./hashing.ts";
import { iterator_type, PyIterator, place_of, type Reduced } from "./iterobject.ts";
import { type Int, int_value } from "./longobject.ts";
import { define_methods, define_static_methods } from "./methodobject.ts";
import { equal, NotImplemented, repr } from "./object.ts";
import { PySlice } from "./sliceobject.ts";
import { tuple } from "./tupleobject.ts";
import { builtin_type, type_of } from "./typeobject.ts";

/** Numbers below this bound can be added and multiplied by a step without leaving JavaScript's exact integers. */
const SMALL = 2 ** 50;
const is_small = (value: Int): value is number => typeof value === "number" && Math.abs(value) < SMALL;

export class PyRange {
  readonly start: Int;
  readonly stop: Int;
  readonly step: Int;
  readonly length: Int;

  constructor(start: Int, stop: Int, step: Int) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.length = count(start, stop, step);
  }

  /** The element at a place that is known to exist. */
  at(place: Int): Int {
    const { start, step } = this;
    if (is_small(start) && is_small(step) && is_small(place)) {
      const value = start + place * step;
      if (Number.isSafeInteger(value)) return value;
    }
    return int_value(BigInt(start) + BigInt(place) * BigInt(step));
  }

  /** The place of a value, or -1. */
  place_of(value: Int): Int {
    const { start, stop, step } = this;
    if (step > 0 ? value < start || value >= stop : value > start || value <= stop) return -1;
    if (is_small(start) && is_small(step) && is_small(value)) {
      return (value - start) % step === 0 ? (value - start) / step + 0 : -1;
    }
    const distance = BigInt(value) - BigInt(start);
    return distance % BigInt(step) === 0n ? int_value(distance / BigInt(step)) : -1;
  }

  *[Symbol.iterator](): Generator<Int> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

function count(start: Int, stop: Int, step: Int): Int {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  if (is_small(start) && is_small(stop) && is_small(step)) {
    return Math.floor((step > 0 ? stop - start - 1 : start - stop - 1) / Math.abs(step)) + 1;
  }
  const by = BigInt(step);
  const distance = BigInt(stop) - BigInt(start);
  return int_value(by > 0n ? (distance - 1n) / by + 1n : (-distance - 1n) / -by + 1n);
}

class RangeIterator extends PyIterator {
  private at: number;
  private readonly by: number;
  private readonly length: number;
  left: number;

  constructor(start: number, step: number, length: number) {
    super();
    this.at = start;
    this.by = step;
    this.length = length;
    this.left = length;
  }

  override reduced(): Reduced {
    const place = this.length - this.left;
    const start = this.at - place * this.by;
    return ["iter", [new PyRange(start, start + this.length * this.by, this.by)], place];
  }

  override set_state(state: unknown): void {
    const place = place_of(state, this.length);
    this.at += (place - (this.length - this.left)) * this.by;
    this.left = this.length - place;
  }

  step(): unknown {
    if (this.left <= 0) return undefined;
    this.left--;
    const value = this.at;
    this.at += this.by;
    return value;
  }
}

class LongRangeIterator extends PyIterator {
  private readonly range: PyRange;
  private place: Int = 0;

  constructor(range: PyRange) {
    super();
    this.range = range;
  }

  step(): unknown {
    if (this.place >= this.range.length) return undefined;
    const value = this.range.at(this.place);
    this.place = int_value(BigInt(this.place) + 1n);
    return value;
  }

  override reduced(): Reduced {
    return ["iter", [this.range], this.place];
  }

  override set_state(state: unknown): void {
    this.place = place_of(state, Number.MAX_SAFE_INTEGER);
  }

  get left(): Int {
    return int_value(BigInt(this.range.length) - BigInt(this.place));
  }
}
for (const [name, cls] of [
  ["range_iterator", RangeIterator],
  ["longrange_iterator", LongRangeIterator],
] as const) {
  define_methods(iterator_type(name, cls), {
    "__length_hint__(self, /)": (self: RangeIterator | LongRangeIterator) => self.left,
  });
}

function iterate(range: PyRange): PyIterator {
  const { start, stop, step, length } = range;
  return is_small(start) && is_small(stop) && is_small(step) && is_small(length)
    ? new RangeIterator(start, step, length)
    : new LongRangeIterator(range);
}

const negative = (value: Int): Int => int_value(-BigInt(value));
const plus = (a: Int, b: Int): Int => int_value(BigInt(a) + BigInt(b));
const times = (a: Int, b: Int): Int => int_value(BigInt(a) * BigInt(b));

function reversed(range: PyRange): PyRange {
  const { start, step, length } = range;
  if (length === 0) return new PyRange(start, start, negative(step));
  return new PyRange(range.at(plus(length, -1)), plus(start, negative(step)), negative(step));
}

/** A bound of a slice of a range, which may be a bigint; a negative one counts from the end. */
function clamp(value: unknown, length: Int, least: Int, most: Int): Int {
  if (!is_index(value)) throw new TypeError_("slice indices must be integers or None or have an __index__ method");
  const given = index_of(value);
  const at = given < 0 ? plus(given, length) : given;
  if (given < 0) return at < least ? least : at;
  return at > most ? most : at;
}

/** `range(...)[slice]` is a range. */
function slice_of(range: PyRange, slice: PySlice): PyRange {
  const { length } = range;
  const by = slice.step === null ? 1 : clamp_step(slice.step);
  if (by === 0) throw new ValueError("slice step cannot be zero");
  const least: Int = by < 0 ? -1 : 0;
  const most: Int = by < 0 ? plus(length, -1) : length;
  const from = slice.start === null ? (by < 0 ? most : least) : clamp(slice.start, length, least, most);
  const to = slice.stop === null ? (by < 0 ? least : most) : clamp(slice.stop, length, least, most);
  const value_at = (place: Int): Int => plus(range.start, times(place, range.step));
  return new PyRange(value_at(from), value_at(to), times(range.step, by));
}
function clamp_step(value: unknown): Int {
  if (!is_index(value)) throw new TypeError_("slice indices must be integers or None or have an __index__ method");
  return index_of(value);
}

function getitem(range: PyRange, index: unknown): unknown {
  if (index instanceof PySlice) return slice_of(range, index);
  if (!is_index(index)) {
    throw new TypeError_(`range indices must be integers or slices, not ${type_of(index).tp_name}`);
  }
  const given = index_of(index);
  const place = given < 0 ? plus(given, range.length) : given;
  if (place < 0 || place >= range.length) throw new IndexError("range object index out of range");
  return range.at(place);
}

const is_int = (value: unknown): value is Int | boolean =>
  typeof value === "bigint" || typeof value === "boolean" || (typeof value === "number" && Number.isInteger(value));

/** The place of any value; a value that is no int is compared with each element. */
function find(range: PyRange, value: unknown): Int {
  if (is_int(value)) return range.place_of(typeof value === "boolean" ? Number(value) : value);
  let place = 0;
  for (const element of range) {
    if (equal(element, value)) return place;
    place++;
  }
  return -1;
}

/** Two ranges are equal if they have the same elements. */
function same_elements(a: PyRange, b: PyRange): boolean {
  if (a.length !== b.length) return false;
  if (a.length === 0) return true;
  return a.start === b.start && (a.length === 1 || a.step === b.step);
}

export const range_type = builtin_type("range", { cls: PyRange });

define_static_methods(range_type, {
  "__new__(cls, start, stop=<unset>, step=<unset>, /)": (_cls, start: unknown, stop: unknown, step: unknown) => {
    if (stop === undefined) return new PyRange(0, index_of(start), 1);
    const [from, to, by] = [index_of(start), index_of(stop), step === undefined ? 1 : index_of(step)];
    if (by === 0) throw new ValueError("range() arg 3 must not be zero");
    return new PyRange(from, to, by);
  },
});
define_attributes(range_type, {
  start: (self: PyRange) => self.start,
  stop: (self: PyRange) => self.stop,
  step: (self: PyRange) => self.step,
});
define_methods(range_type, {
  "__repr__(self, /)": ({ start, stop, step }: PyRange) =>
    step === 1 ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`,
  "__iter__(self, /)": iterate,
  "__reversed__(self, /)": (self: PyRange) => iterate(reversed(self)),
  "__len__(self, /)": ({ length }: PyRange) => {
    if (typeof length === "bigint") throw new OverflowError("Python int too large to convert to C ssize_t");
    return length;
  },
  "__bool__(self, /)": (self: PyRange) => self.length !== 0,
  "__contains__(self, key, /)": (self: PyRange, key) => find(self, key) !== -1,
  "__getitem__(self, key, /)": getitem,
  "__eq__(self, value, /)": (self: PyRange, other: unknown) =>
    other instanceof PyRange ? same_elements(self, other) : NotImplemented,
  "__ne__(self, value, /)": (self: PyRange, other: unknown) =>
    other instanceof PyRange ? !same_elements(self, other) : NotImplemented,
  "__hash__(self, /)": ({ length, start, step }: PyRange) =>
    hash_of(tuple([length, length === 0 ? null : start, length === 0 || length === 1 ? null : step])),
  "count(self, value, /)": (self: PyRange, value) => (find(self, value) === -1 ? 0 : 1),
  "index(self, value, /)": (self: PyRange, value) => {
    const place = find(self, value);
    if (place !== -1) return place;
    if (is_int(value)) throw new ValueError(`${repr(value)} is not in range`);
    throw new ValueError("sequence.index(x): x not in sequence");
  },
});
