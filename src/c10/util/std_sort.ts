/**
 * @file `std::sort` by a comparison function, for elements that have no key of their own.
 * @original std::sort in the steps that libstdc++ (bits/stl_algo.h) takes. A comparison that contradicts itself, as one
 * of rows with NaN does, leaves the same order as in PyTorch's builds.
 * @differs Where the range falls apart badly, libstdc++ sorts the rest by a heap; ours sorts it by insertion.
 * @see std_algorithm.ts (the same for elements with a key, which is much faster)
 */

/** Whether element `a` comes before element `b`. */
export type Less = (a: number, b: number) => boolean;

/** Shorter ranges are sorted by insertion. */
const THRESHOLD = 16;

function swap(at: Int32Array, i: number, j: number): void {
  const number = at[i];
  at[i] = at[j];
  at[j] = number;
}

/** Inserts the element at `last` into the sorted range in front of it; `first` bounds what a contradiction can reach. */
function linear_insert(at: Int32Array, last: number, less: Less, first: number): void {
  const number = at[last];
  let to = last;
  while (to > first && less(number, at[to - 1])) {
    at[to] = at[to - 1];
    to--;
  }
  at[to] = number;
}

function insertion_sort(at: Int32Array, last: number, less: Less): void {
  for (let i = 1; i < last; i++) {
    if (less(at[i], at[0])) {
      const number = at[i];
      at.copyWithin(1, 0, i);
      at[0] = number;
    } else linear_insert(at, i, less, 0);
  }
}

/** Moves the median of the elements at a, b and c to `result`. */
function move_median_to_first(at: Int32Array, result: number, [a, b, c]: readonly number[], less: Less): void {
  const [x, y, z] = [at[a], at[b], at[c]];
  if (less(x, y)) swap(at, result, less(y, z) ? b : less(x, z) ? c : a);
  else swap(at, result, less(x, z) ? a : less(y, z) ? c : b);
}

/** Partitions by the pivot; returns where the part that is not less than the pivot begins. */
function partition_pivot(at: Int32Array, first: number, last: number, less: Less): number {
  move_median_to_first(at, first, [first + 1, first + ((last - first) >> 1), last - 1], less);
  const pivot = at[first];
  let [i, j] = [first + 1, last];
  for (;;) {
    while (i < at.length && less(at[i], pivot)) i++;
    j--;
    while (j > 0 && less(pivot, at[j])) j--;
    if (i >= j) return i;
    swap(at, i, j);
    i++;
  }
}

/** `depth` bounds the divisions: a comparison that contradicts itself may leave a part as large as it was. */
function introsort_loop(at: Int32Array, first: number, last_: number, less: Less, depth: number): void {
  let last = last_;
  for (let left = depth; left > 0 && last - first > THRESHOLD; left--) {
    const cut = partition_pivot(at, first, last, less);
    introsort_loop(at, cut, last, less, left - 1);
    last = cut;
  }
}

/** Sorts the numbers of elements. */
export function sort_by(at: Int32Array, less: Less): void {
  introsort_loop(at, 0, at.length, less, 2 * (31 - Math.clz32(at.length)));
  insertion_sort(at, Math.min(THRESHOLD, at.length), less);
  for (let i = THRESHOLD; i < at.length; i++) linear_insert(at, i, less, 0);
}
