/**
 * @file Kernels that move or add elements selected by indices: the loops of `gather`, `scatter`, `index_select`,
 * `x[index]` and similar operators.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 * @see driver.ts (the caller)
 * @vec IndexKernel: float32, float64
 */
import {
  any,
  evens,
  type IntVec,
  type int,
  load,
  load_byte,
  load_int,
  load_one,
  min,
  odds,
  type ptr,
  type scalar_t,
  sizeof,
  splat_int,
  store,
  store_byte,
  store_one,
  to_bits,
  type Vec,
} from "#aten/cpu/vec/Vec";

// A run has `nbytes` bytes, often one element. Run i is read and written at these addresses:
//
//     to + i * to_step + index[i] * to_each   <-   from + i * from_step + index[i] * from_each
//
// `step` is the stride between runs, and `each` is the stride between the places that an index selects. All strides are
// in bytes. An index is an int64 with `least` <= index < `size`; a negative index counts from the end. Each function
// returns the number of runs before the first index that is out of range; these runs are done.

/** Place selected by the index at `at`, for an index that is negative or out of range; -1 if it is out of range. */
function odd_index_at(at: ptr, least: int, size: int): int {
  const low = load_int(at);
  if (low >= 0 || low < least || load_int(at + 4) !== -1) return -1;
  return low + size;
}

/** Place selected by the index at `at`, or -1 if it is out of range. @inline */
function index_at(at: ptr, least: int, size: int): int {
  let k = load_int(at);
  const unsigned: ptr = k;
  const end: ptr = size;
  if (unsigned >= end || load_int(at + 4) !== 0) k = odd_index_at(at, least, size);
  return k;
}

/** Number of indices that are checked together. */
const BLOCK = 16;

/** 1 if each of BLOCK contiguous indices satisfies 0 <= index < `size`, else 0. @inline */
function are_inside(at: ptr, size: int): int {
  const last: IntVec = splat_int(size - 1);
  let outside: IntVec = 0; // its sign bit is set if an index is negative or too large
  let high: IntVec = 0;
  for (let b = 0; b < 8 * BLOCK; b += 32) {
    const x: Vec = load(at + b);
    const y: Vec = load(at + b + 16);
    if (sizeof<scalar_t>() === 4) {
      const low: IntVec = to_bits(evens(x, y));
      high = high | to_bits(odds(x, y));
      outside = outside | low | (last - low);
    } else outside = outside | to_bits(x) | (last - to_bits(x)) | to_bits(y) | (last - to_bits(y));
  }
  return any(outside < 0 || high !== 0) ? 0 : 1;
}

/** Number of indices, out of `n`, before the first one that is out of range. */
export function inside(index: ptr, index_step: int, n: int, least: int, size: int): int {
  let i = 0;
  while (i < n) {
    const until = min(n, i + BLOCK);
    if (index_step === 8 && i + BLOCK <= n) {
      if (are_inside(index, size) === 1) {
        index += 8 * BLOCK;
        i = until;
      }
    }
    for (; i < until; i++) {
      if (index_at(index, least, size) < 0) return i;
      index += index_step;
    }
  }
  return n;
}

/**
 * Moves runs. Only the size of an element matters: the float32 module moves any dtype of four bytes, the float64 module
 * any dtype of eight.
 */
export function move(
  to: ptr,
  to_step: int,
  to_each: int,
  from: ptr,
  from_step: int,
  from_each: int,
  index: ptr,
  index_step: int,
  n: int,
  nbytes: int,
  least: int,
  size: int,
): int {
  if (nbytes === sizeof<scalar_t>()) {
    let t = to;
    let f = from;
    let at = index;
    let i = 0;
    while (i < n) {
      const until = min(n, i + BLOCK);
      if (to_each === 0 && index_step === 8 && i + BLOCK <= n) {
        if (are_inside(at, size) === 1) {
          for (; i < until; i += 4) {
            const f1 = f + from_step;
            const f2 = f1 + from_step;
            const f3 = f2 + from_step;
            const t1 = t + to_step;
            const t2 = t1 + to_step;
            const t3 = t2 + to_step;
            store_one(t, load_one(f + load_int(at) * from_each));
            store_one(t1, load_one(f1 + load_int(at + 8) * from_each));
            store_one(t2, load_one(f2 + load_int(at + 16) * from_each));
            store_one(t3, load_one(f3 + load_int(at + 24) * from_each));
            t = t3 + to_step;
            f = f3 + from_step;
            at += 32;
          }
        }
      }
      for (; i < until; i++) {
        const k = index_at(at, least, size);
        if (k < 0) return i;
        store_one(t + k * to_each, load_one(f + k * from_each));
        t += to_step;
        f += from_step;
        at += index_step;
      }
    }
    return n;
  }
  const vectors = nbytes & -16;
  for (let i = 0; i < n; i++) {
    const k = index_at(index + i * index_step, least, size);
    if (k < 0) return i;
    const t = to + i * to_step + k * to_each;
    const f = from + i * from_step + k * from_each;
    for (let b = 0; b < vectors; b += 16) store(t + b, load(f + b));
    for (let b = vectors; b < nbytes; b++) store_byte(t + b, load_byte(f + b));
  }
  return n;
}

export function add(
  to: ptr,
  to_step: int,
  to_each: int,
  from: ptr,
  from_step: int,
  from_each: int,
  index: ptr,
  index_step: int,
  n: int,
  nbytes: int,
  least: int,
  size: int,
): int {
  if (nbytes === sizeof<scalar_t>()) {
    for (let i = 0; i < n; i++) {
      const k = index_at(index + i * index_step, least, size);
      if (k < 0) return i;
      const t = to + i * to_step + k * to_each;
      const f = from + i * from_step + k * from_each;
      store_one(t, load_one(t) + load_one(f));
    }
    return n;
  }
  const vectors = nbytes & -16;
  for (let i = 0; i < n; i++) {
    const k = index_at(index + i * index_step, least, size);
    if (k < 0) return i;
    const t = to + i * to_step + k * to_each;
    const f = from + i * from_step + k * from_each;
    for (let b = 0; b < vectors; b += 16) store(t + b, load(t + b) + load(f + b));
    for (let b = vectors; b < nbytes; b += sizeof<scalar_t>()) store_one(t + b, load_one(t + b) + load_one(f + b));
  }
  return n;
}
