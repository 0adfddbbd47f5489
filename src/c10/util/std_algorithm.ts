/**
 * @file Sorting as the C++ library of PyTorch's builds does it: which of equal elements comes first can be seen in indices.
 * @original std::sort, std::stable_sort, std::partial_sort and std::nth_element, in the steps that libstdc++ (bits/stl_algo.h) takes.
 */

// All of them put numbers of elements, `at`, in order; `less(a, b)` compares the elements of these numbers.

export type Less = (a: number, b: number) => boolean;

/** Fewer are sorted by insertion. */
const THRESHOLD = 16;

function swap(at: Int32Array, i: number, j: number): void {
  const held = at[i];
  at[i] = at[j];
  at[j] = held;
}

/** The greatest power of two in n, as an exponent. */
function lg(n: number): number {
  return 31 - Math.clz32(n);
}

// Insertion ----------------------------------------------------------------------------------------------------------------

/** Precondition: something in front of `last` is not greater. */
function unguarded_linear_insert(at: Int32Array, last: number, less: Less): void {
  const value = at[last];
  let to = last;
  while (less(value, at[to - 1])) {
    at[to] = at[to - 1];
    to--;
  }
  at[to] = value;
}

function insertion_sort(at: Int32Array, first: number, last: number, less: Less): void {
  for (let i = first + 1; i < last; i++) {
    if (less(at[i], at[first])) {
      const value = at[i];
      at.copyWithin(first + 1, first, i);
      at[first] = value;
    } else unguarded_linear_insert(at, i, less);
  }
}

// Heaps --------------------------------------------------------------------------------------------------------------------

/** Puts `value` into the hole of a heap of `length`, whose greatest stands at `first`: down to a leaf, then up. */
function adjust_heap(at: Int32Array, first: number, hole: number, length: number, value: number, less: Less): void {
  const top = hole;
  let to = hole;
  let child = hole;
  while (child < Math.floor((length - 1) / 2)) {
    child = 2 * (child + 1);
    if (less(at[first + child], at[first + child - 1])) child--;
    at[first + to] = at[first + child];
    to = child;
  }
  if ((length & 1) === 0 && child === (length - 2) / 2) {
    child = 2 * child + 1;
    at[first + to] = at[first + child];
    to = child;
  }
  for (let parent = (to - 1) >> 1; to > top && less(at[first + parent], value); parent = (to - 1) >> 1) {
    at[first + to] = at[first + parent];
    to = parent;
  }
  at[first + to] = value;
}

function pop_heap(at: Int32Array, first: number, last: number, result: number, less: Less): void {
  const value = at[result];
  at[result] = at[first];
  adjust_heap(at, first, 0, last - first, value, less);
}

/** The least of [first, last) into a heap at [first, middle). */
function heap_select(at: Int32Array, first: number, middle: number, last: number, less: Less): void {
  const length = middle - first;
  for (let parent = (length - 2) >> 1; parent >= 0; parent--)
    adjust_heap(at, first, parent, length, at[first + parent], less);
  for (let i = middle; i < last; i++) if (less(at[i], at[first])) pop_heap(at, first, middle, i, less);
}

/** The least of [first, last), in order, into [first, middle). */
export function partial_sort(at: Int32Array, first: number, middle: number, last: number, less: Less): void {
  heap_select(at, first, middle, last, less);
  for (let end = middle - 1; end > first; end--) pop_heap(at, first, end, end, less);
}

// Partitions ---------------------------------------------------------------------------------------------------------------

/** Of the elements at a, b and c the middle one comes to `result`. */
function move_median_to_first(at: Int32Array, result: number, a: number, b: number, c: number, less: Less): void {
  const [x, y, z] = [at[a], at[b], at[c]];
  if (less(x, y)) swap(at, result, less(y, z) ? b : less(x, z) ? c : a);
  else swap(at, result, less(x, z) ? a : less(y, z) ? c : b);
}

/** Where the part of what is not less than the pivot begins. */
function partition_pivot(at: Int32Array, first: number, last: number, less: Less): number {
  move_median_to_first(at, first, first + 1, first + ((last - first) >> 1), last - 1, less);
  const pivot = at[first];
  let [i, j] = [first + 1, last];
  for (;;) {
    while (less(at[i], pivot)) i++;
    j--;
    while (less(pivot, at[j])) j--;
    if (i >= j) return i;
    swap(at, i, j);
    i++;
  }
}

function introsort_loop(at: Int32Array, first: number, last_: number, depth_: number, less: Less): void {
  let [last, depth] = [last_, depth_];
  while (last - first > THRESHOLD) {
    if (depth === 0) {
      partial_sort(at, first, last, last, less);
      return;
    }
    depth--;
    const cut = partition_pivot(at, first, last, less);
    introsort_loop(at, cut, last, depth, less);
    last = cut;
  }
}

export function sort(at: Int32Array, first: number, last: number, less: Less): void {
  if (first === last) return;
  introsort_loop(at, first, last, 2 * lg(last - first), less);
  insertion_sort(at, first, Math.min(first + THRESHOLD, last), less);
  for (let i = first + THRESHOLD; i < last; i++) unguarded_linear_insert(at, i, less);
}

/** What would stand at `nth` if all were sorted stands there; nothing in front of it is greater, nothing behind it less. */
export function nth_element(at: Int32Array, first_: number, nth: number, last_: number, less: Less): void {
  let [first, last] = [first_, last_];
  if (first === last || nth === last) return;
  for (let depth = 2 * lg(last - first); last - first > 3; depth--) {
    if (depth === 0) {
      heap_select(at, first, nth + 1, last, less);
      swap(at, first, nth);
      return;
    }
    const cut = partition_pivot(at, first, last, less);
    if (cut <= nth) first = cut;
    else last = cut;
  }
  insertion_sort(at, first, last, less);
}

// Merging ------------------------------------------------------------------------------------------------------------------

/** Of equal elements the one that stood in front stays there: any method gives the same. `spare` is as long as `at`. */
export function stable_sort(at: Int32Array, spare: Int32Array, n: number, less: Less): void {
  for (let begin = 0; begin < n; begin += THRESHOLD) insertion_sort(at, begin, Math.min(begin + THRESHOLD, n), less);
  let [from, to] = [at, spare];
  for (let width = THRESHOLD; width < n; width *= 2) {
    for (let begin = 0; begin < n; begin += 2 * width) {
      const middle = Math.min(begin + width, n);
      const end = Math.min(begin + 2 * width, n);
      let [i, j] = [begin, middle];
      for (let k = begin; k < end; k++)
        to[k] = i < middle && (j >= end || !less(from[j], from[i])) ? from[i++] : from[j++];
    }
    [from, to] = [to, from];
  }
  if (from !== at) at.set(from.subarray(0, n));
}

/** What `holds` comes in front; where the rest begins. */
export function partition(at: Int32Array, first_: number, last_: number, holds: (a: number) => boolean): number {
  let [first, last] = [first_, last_];
  for (;;) {
    while (first !== last && holds(at[first])) first++;
    if (first === last) return first;
    last--;
    while (first !== last && !holds(at[last])) last--;
    if (first === last) return first;
    swap(at, first, last);
    first++;
  }
}
