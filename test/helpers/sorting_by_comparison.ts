/**
 * @file Sorting, selecting, counting and searching as plainly as it can be written, by functions that compare: what the kernels, which move keys, must
 * agree with, among equals, too.
 * @original The steps of libstdc++ (bits/stl_algo.h) where equals can be told apart; elsewhere the definition.
 */

/** An element: a bigint where a number would not be exact. */
export type Element = number | bigint | boolean;
export type Less = (a: number, b: number) => boolean;

const THRESHOLD = 16;

function swap(at: number[], i: number, j: number): void {
  [at[i], at[j]] = [at[j], at[i]];
}

function lg(n: number): number {
  return 31 - Math.clz32(n);
}

function unguarded_linear_insert(at: number[], last: number, less: Less): void {
  const value = at[last];
  let to = last;
  for (; less(value, at[to - 1]); to--) at[to] = at[to - 1];
  at[to] = value;
}

function insertion_sort(at: number[], first: number, last: number, less: Less): void {
  for (let i = first + 1; i < last; i++) {
    if (less(at[i], at[first])) at.splice(first, 0, ...at.splice(i, 1));
    else unguarded_linear_insert(at, i, less);
  }
}

function adjust_heap(at: number[], first: number, hole: number, length: number, value: number, less: Less): void {
  let [to, child] = [hole, hole];
  while (child < Math.floor((length - 1) / 2)) {
    child = 2 * (child + 1);
    if (less(at[first + child], at[first + child - 1])) child--;
    at[first + to] = at[first + child];
    to = child;
  }
  if (length % 2 === 0 && child === (length - 2) / 2) {
    child = 2 * child + 1;
    at[first + to] = at[first + child];
    to = child;
  }
  for (let parent = (to - 1) >> 1; to > hole && less(at[first + parent], value); parent = (to - 1) >> 1) {
    at[first + to] = at[first + parent];
    to = parent;
  }
  at[first + to] = value;
}

function pop_heap(at: number[], first: number, last: number, result: number, less: Less): void {
  const value = at[result];
  at[result] = at[first];
  adjust_heap(at, first, 0, last - first, value, less);
}

function heap_select(at: number[], first: number, middle: number, last: number, less: Less): void {
  const length = middle - first;
  for (let parent = (length - 2) >> 1; parent >= 0; parent--)
    adjust_heap(at, first, parent, length, at[first + parent], less);
  for (let i = middle; i < last; i++) if (less(at[i], at[first])) pop_heap(at, first, middle, i, less);
}

export function partial_sort(at: number[], first: number, middle: number, last: number, less: Less): void {
  heap_select(at, first, middle, last, less);
  for (let end = middle - 1; end > first; end--) pop_heap(at, first, end, end, less);
}

function partition_pivot(at: number[], first: number, last: number, less: Less): number {
  const [a, b, c] = [first + 1, first + ((last - first) >> 1), last - 1];
  const [x, y, z] = [at[a], at[b], at[c]];
  if (less(x, y)) swap(at, first, less(y, z) ? b : less(x, z) ? c : a);
  else swap(at, first, less(x, z) ? a : less(y, z) ? c : b);
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

function introsort_loop(at: number[], first: number, last: number, depth: number, less: Less): void {
  if (last - first <= THRESHOLD) return;
  if (depth === 0) {
    partial_sort(at, first, last, last, less);
    return;
  }
  const cut = partition_pivot(at, first, last, less);
  introsort_loop(at, cut, last, depth - 1, less);
  introsort_loop(at, first, cut, depth - 1, less);
}

export function sort(at: number[], first: number, last: number, less: Less): void {
  if (first === last) return;
  introsort_loop(at, first, last, 2 * lg(last - first), less);
  insertion_sort(at, first, Math.min(first + THRESHOLD, last), less);
  for (let i = first + THRESHOLD; i < last; i++) unguarded_linear_insert(at, i, less);
}

export function nth_element(at: number[], first_: number, nth: number, last_: number, less: Less): void {
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

export function quick_select(at: number[], k: number, greater: Less): void {
  let [left, right] = [0, at.length - 1];
  const swap_if_greater = (i: number, j: number): void => {
    if (greater(at[i], at[j])) swap(at, i, j);
  };
  while (right > left + 1) {
    swap(at, left + ((right - left) >> 1), left + 1);
    swap_if_greater(left + 1, right);
    swap_if_greater(left, right);
    swap_if_greater(left + 1, left);
    const pivot = at[left];
    let [i, j] = [left + 1, right];
    for (;;) {
      do i++;
      while (greater(pivot, at[i]));
      do j--;
      while (greater(at[j], pivot));
      if (j < i) break;
      swap(at, i, j);
    }
    swap(at, left, j);
    if (j <= k) left = i;
    if (j >= k) right = j - 1;
  }
  if (right === left + 1) swap_if_greater(left, right);
}

export function is_nan(element: Element): boolean {
  return typeof element === "number" && Number.isNaN(element);
}

/** NaN is greater than everything. */
export function ascending(x: readonly Element[]): Less {
  return (a, b) => x[a] < x[b] || (is_nan(x[b]) && !is_nan(x[a]));
}

export function descending(x: readonly Element[]): Less {
  const less = ascending(x);
  return (a, b) => less(b, a);
}

export function numbered(x: readonly Element[]): number[] {
  return x.map((_, i) => i);
}

/** The order of a stable sort: equal elements keep their order. */
export function stably(x: readonly Element[], less: Less): number[] {
  return numbered(x).sort((a, b) => (less(a, b) ? -1 : less(b, a) ? 1 : a - b));
}

/** Numbers of one element of each group, the group of each, and how many a group has: of neighbours in `order` that are alike. */
export function groups(x: readonly Element[], order: readonly number[]): [number[], number[], number[]] {
  const [first, counts]: number[][] = [[], []];
  const of = new Array<number>(x.length);
  for (const [i, at] of order.entries()) {
    if (i === 0 || x[order[i - 1]] !== x[at]) {
      first.push(at);
      counts.push(0);
    }
    of[at] = first.length - 1;
    counts[counts.length - 1]++;
  }
  return [first, of, counts];
}

export function mode(x: readonly Element[]): number {
  const at = numbered(x);
  sort(at, 0, at.length, (a, b) => x[a] < x[b]);
  let [mode, frequency, greatest] = [at[0], 0, 0];
  for (let i = 0; i < at.length; i++) {
    frequency++;
    if (i < at.length - 1 && x[at[i]] === x[at[i + 1]]) continue;
    if (frequency > greatest) [mode, greatest] = [at[i], frequency];
    frequency = 0;
  }
  return mode;
}

export function searchsorted(line: readonly Element[], v: Element, right: boolean): number {
  let [start, end] = [0, line.length];
  while (start < end) {
    const middle = start + Math.floor((end - start) / 2);
    if (right ? !(line[middle] > v) : !(line[middle] >= v)) start = middle + 1;
    else end = middle;
  }
  return start;
}
