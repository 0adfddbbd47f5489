/**
 * @file What indices name, moved or added: the loops of `gather`, `scatter`, `index_select`, `x[index]` and their kin.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 * @see index_driver.ts (who calls)
 * @vec IndexKernel: float32, float64
 */
import {
  type int,
  load,
  load_byte,
  load_int,
  load_one,
  type ptr,
  type scalar_t,
  sizeof,
  store,
  store_byte,
  store_one,
} from "#aten/cpu/vec/Vec";

// Runs of `nbytes` bytes, often of one element. Where run i is written, and where it is read: `step` goes with the indices, `each` is how
// far apart lies what they name.
//
//     to + i * to_step + index[i] * to_each   <-   from + i * from_step + index[i] * from_each
//
// An index is an int64 from `least` to before `size`; a negative one counts from the end. All distances are in bytes. What a function
// returns is how many runs come before the first whose index is outside: those are done.

/** What the index at `at` names, or -1: one that is negative, or outside. */
function odd_index_at(at: ptr, least: int, size: int): int {
  const low = load_int(at);
  if (low >= 0 || low < least || load_int(at + 4) !== -1) return -1;
  return low + size;
}

/** What the index at `at` names, or -1. @inline */
function index_at(at: ptr, least: int, size: int): int {
  let k = load_int(at);
  const unsigned: ptr = k;
  const end: ptr = size;
  if (unsigned >= end || load_int(at + 4) !== 0) k = odd_index_at(at, least, size);
  return k;
}

/** How many of `n` indices come before the first that is outside. */
export function inside(index: ptr, index_step: int, n: int, least: int, size: int): int {
  for (let i = 0; i < n; i++) if (index_at(index + i * index_step, least, size) < 0) return i;
  return n;
}

/** Of values that are only moved the bytes count: float32 stands for whatever has four of them, float64 for whatever has eight. */
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
    for (let i = 0; i < n; i++) {
      const k = index_at(at, least, size);
      if (k < 0) return i;
      store_one(t + k * to_each, load_one(f + k * from_each));
      t += to_step;
      f += from_step;
      at += index_step;
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
