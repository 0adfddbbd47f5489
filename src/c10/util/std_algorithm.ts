/**
 * @file Sorting in the steps of the C++ library of PyTorch's builds: indices show the order in which equal elements come out.
 * @original std::sort, std::stable_sort, std::partial_sort and std::nth_element, in the steps that libstdc++
 * (bits/stl_algo.h) takes.
 */

// Note [Keys]
// ~~~~~~~~~~~
// These functions sort pairs: a key, and the number of the element it stands for. A key is always a double, chosen so
// that `<` on keys is the wanted order (aten/native/cpu/SortingKernel/Line.ts makes the keys). A comparison is then one
// machine instruction on adjacent memory, not a call that looks up two elements. Because every comparison gives the
// same answer as in C++, the steps are the same, and so is the result, including the order of equal elements.

export interface Keyed {
  readonly keys: Float64Array;
  /** The number that belongs to each key; it moves with the key. */
  readonly at: Int32Array;
}

/** Shorter ranges are sorted by insertion. */
const THRESHOLD = 16;
/** Selection in a longer range takes a sample first. */
const SAMPLED = 600;

export function swap({ keys, at }: Keyed, i: number, j: number): void {
  const [key, number] = [keys[i], at[i]];
  keys[i] = keys[j];
  at[i] = at[j];
  keys[j] = key;
  at[j] = number;
}

/** Floor of log2(n). */
function lg(n: number): number {
  return 31 - Math.clz32(n);
}

// Insertion ----------------------------------------------------------------------------------------------------------------

/** Precondition: some element in front of `last` is not greater than it. */
function unguarded_linear_insert({ keys, at }: Keyed, last: number): void {
  const [key, number] = [keys[last], at[last]];
  let to = last;
  while (key < keys[to - 1]) {
    keys[to] = keys[to - 1];
    at[to] = at[to - 1];
    to--;
  }
  keys[to] = key;
  at[to] = number;
}

function insertion_sort(pairs: Keyed, first: number, last: number): void {
  const { keys, at } = pairs;
  for (let i = first + 1; i < last; i++) {
    if (keys[i] < keys[first]) {
      const [key, number] = [keys[i], at[i]];
      keys.copyWithin(first + 1, first, i);
      at.copyWithin(first + 1, first, i);
      keys[first] = key;
      at[first] = number;
    } else unguarded_linear_insert(pairs, i);
  }
}

// Heaps --------------------------------------------------------------------------------------------------------------------

/** Puts a pair into the hole of a heap of `length` pairs whose greatest stands at `first`: down to a leaf, then up. */
function adjust_heap(
  { keys, at }: Keyed,
  first: number,
  hole: number,
  length: number,
  key: number,
  number: number,
): void {
  const top = hole;
  let to = hole;
  let child = hole;
  while (child < Math.floor((length - 1) / 2)) {
    child = 2 * (child + 1);
    if (keys[first + child] < keys[first + child - 1]) child--;
    keys[first + to] = keys[first + child];
    at[first + to] = at[first + child];
    to = child;
  }
  if ((length & 1) === 0 && child === (length - 2) / 2) {
    child = 2 * child + 1;
    keys[first + to] = keys[first + child];
    at[first + to] = at[first + child];
    to = child;
  }
  for (let parent = (to - 1) >> 1; to > top && keys[first + parent] < key; parent = (to - 1) >> 1) {
    keys[first + to] = keys[first + parent];
    at[first + to] = at[first + parent];
    to = parent;
  }
  keys[first + to] = key;
  at[first + to] = number;
}

function pop_heap(pairs: Keyed, first: number, last: number, result: number): void {
  const { keys, at } = pairs;
  const [key, number] = [keys[result], at[result]];
  keys[result] = keys[first];
  at[result] = at[first];
  adjust_heap(pairs, first, 0, last - first, key, number);
}

/** Moves the smallest pairs of [first, last) into a heap at [first, middle). */
function heap_select(pairs: Keyed, first: number, middle: number, last: number): void {
  const { keys, at } = pairs;
  const length = middle - first;
  for (let parent = (length - 2) >> 1; parent >= 0; parent--)
    adjust_heap(pairs, first, parent, length, keys[first + parent], at[first + parent]);
  let greatest = keys[first];
  for (let i = middle; i < last; i++) {
    if (!(keys[i] < greatest)) continue;
    pop_heap(pairs, first, middle, i);
    greatest = keys[first];
  }
}

/** Moves the smallest pairs of [first, last), in order, into [first, middle). */
export function partial_sort(pairs: Keyed, first: number, middle: number, last: number): void {
  heap_select(pairs, first, middle, last);
  for (let end = middle - 1; end > first; end--) pop_heap(pairs, first, end, end);
}

// Partitions ---------------------------------------------------------------------------------------------------------------

/** Moves the median of the keys at a, b and c to `result`. */
function move_median_to_first(pairs: Keyed, result: number, a: number, b: number, c: number): void {
  const { keys } = pairs;
  const [x, y, z] = [keys[a], keys[b], keys[c]];
  if (x < y) swap(pairs, result, y < z ? b : x < z ? c : a);
  else swap(pairs, result, x < z ? a : y < z ? c : b);
}

/** Partitions by the pivot; returns where the part that is not less than the pivot begins. */
function partition_pivot(pairs: Keyed, first: number, last: number): number {
  move_median_to_first(pairs, first, first + 1, first + ((last - first) >> 1), last - 1);
  const { keys } = pairs;
  const pivot = keys[first];
  let [i, j] = [first + 1, last];
  for (;;) {
    while (keys[i] < pivot) i++;
    j--;
    while (pivot < keys[j]) j--;
    if (i >= j) return i;
    swap(pairs, i, j);
    i++;
  }
}

function introsort_loop(pairs: Keyed, first: number, last_: number, depth_: number): void {
  let [last, depth] = [last_, depth_];
  while (last - first > THRESHOLD) {
    if (depth === 0) {
      partial_sort(pairs, first, last, last);
      return;
    }
    depth--;
    const cut = partition_pivot(pairs, first, last);
    introsort_loop(pairs, cut, last, depth);
    last = cut;
  }
}

export function sort(pairs: Keyed, first: number, last: number): void {
  if (first === last) return;
  introsort_loop(pairs, first, last, 2 * lg(last - first));
  insertion_sort(pairs, first, Math.min(first + THRESHOLD, last));
  for (let i = first + THRESHOLD; i < last; i++) unguarded_linear_insert(pairs, i);
}

/** Moves the pair that sorting would put at `nth` there; nothing in front of it is greater, nothing after it is less. */
export function nth_element(pairs: Keyed, first_: number, nth: number, last_: number): void {
  let [first, last] = [first_, last_];
  if (first === last || nth === last) return;
  for (let depth = 2 * lg(last - first); last - first > 3; depth--) {
    if (depth === 0) {
      heap_select(pairs, first, nth + 1, last);
      swap(pairs, first, nth);
      return;
    }
    const cut = partition_pivot(pairs, first, last);
    if (cut <= nth) first = cut;
    else last = cut;
  }
  insertion_sort(pairs, first, last);
}

// Stable sorting ---------------------------------------------------------------------------------------------------------------

// Note [By digits]
// ~~~~~~~~~~~~~~~~
// In a stable sort equal elements keep their order, so every method gives the same result and we may choose one. This
// is a radix sort: keys are distributed into piles, one for each value, and the piles are joined again. If the keys are
// integers in a small range, one pass suffices. Other keys become 64-bit integers of the same order, in two words each:
// a negative number has all its bits inverted, any other number only its sign bit. They are distributed by their lowest
// digit of eight bits, joined, distributed by the next digit, and so on. A digit that is equal in all keys is skipped:
// with small numbers most digits are.

/** Turns the size of each pile into its start. */
function begins_of(sizes: Int32Array): void {
  for (let pile = 0, begin = 0; pile < sizes.length; pile++) {
    const size = sizes[pile];
    sizes[pile] = begin;
    begin += size;
  }
}

/**
 * Sorts in one pass if the keys are integers and there are at most as many piles as keys; otherwise does nothing and
 * returns false.
 */
function sort_close_integers({ keys, at }: Keyed): boolean {
  const n = keys.length;
  let [least, greatest] = [Infinity, -Infinity];
  for (let i = 0; i < n; i++) {
    const key = keys[i];
    if (Math.floor(key) !== key) return false;
    if (key < least) least = key;
    if (key > greatest) greatest = key;
  }
  if (!(greatest - least < n)) return false;
  const places = new Int32Array(greatest - least + 1);
  for (let i = 0; i < n; i++) places[keys[i] - least]++;
  begins_of(places);
  const numbers = at.slice();
  for (let i = 0; i < n; i++) at[places[keys[i] - least]++] = numbers[i]; // places become ends
  for (let pile = 0, i = 0; pile < places.length; pile++) while (i < places[pile]) keys[i++] = least + pile;
  return true;
}

const DIGIT = 8;
const PILES = 1 << DIGIT;
const NAN_HIGH = 0x7ff80000;

/** Writes the words of each key in integer order; the result has a 1 in each bit that differs among the keys. */
function to_ordered_words(words: Uint32Array, keys: Float64Array, n: number): [low: number, high: number] {
  let [low, high] = [0, 0];
  for (let i = 0; i < n; i++) {
    const key = keys[i] + 0; // -0 is 0
    keys[i] = key;
    if (Number.isNaN(key)) {
      words[2 * i] = 0; // NaN with any bits sorts after Infinity
      words[2 * i + 1] = NAN_HIGH;
    }
    const sign = words[2 * i + 1] >> 31;
    words[2 * i] ^= sign;
    words[2 * i + 1] ^= sign | 0x80000000;
    low |= words[2 * i] ^ words[0];
    high |= words[2 * i + 1] ^ words[1];
  }
  return [low, high];
}

function from_ordered_words(words: Uint32Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const sign = ~words[2 * i + 1] >> 31;
    words[2 * i] ^= sign;
    words[2 * i + 1] ^= sign | 0x80000000;
  }
}

/** Sorts all pairs; NaN is the greatest. See Note [By digits]. */
export function stable_sort(pairs: Keyed): void {
  const { keys, at } = pairs;
  const n = keys.length;
  if (n <= THRESHOLD && !keys.includes(Number.NaN)) {
    insertion_sort(pairs, 0, n);
    return;
  }
  if (sort_close_integers(pairs)) return;
  const words = new Uint32Array(keys.buffer, keys.byteOffset, 2 * n);
  const differ = to_ordered_words(words, keys, n);
  const begins = new Int32Array(PILES);
  let [from, to]: Uint32Array[] = [words, new Uint32Array(2 * n)];
  let [from_at, to_at]: Int32Array[] = [at, new Int32Array(n)];
  for (let digit = 0; digit < 64 / DIGIT; digit++) {
    const half = digit < 32 / DIGIT ? 0 : 1;
    const shift = (digit * DIGIT) & 31;
    if (((differ[half] >>> shift) & (PILES - 1)) === 0) continue;
    begins.fill(0);
    for (let i = half; i < 2 * n; i += 2) begins[(from[i] >>> shift) & (PILES - 1)]++;
    begins_of(begins);
    for (let i = 0; i < n; i++) {
      const place = begins[(from[2 * i + half] >>> shift) & (PILES - 1)]++;
      to[2 * place] = from[2 * i];
      to[2 * place + 1] = from[2 * i + 1];
      to_at[place] = from_at[i];
    }
    [from, to] = [to, from];
    [from_at, to_at] = [to_at, from_at];
  }
  if (from !== words) {
    words.set(from);
    at.set(from_at);
  }
  from_ordered_words(words, n);
}

/**
 * The key that sorting would put at `nth`, by Floyd and Rivest's method: a small sample gives two keys between which
 * the wanted key lies, so most keys are compared once. Precondition: no NaN. Afterwards the keys are in no particular
 * order.
 */
function nth_key(keys: Float64Array, nth: number, first_: number, last_: number): number {
  let [left, right] = [first_, last_ - 1];
  while (left < right) {
    if (right - left > SAMPLED) {
      const [n, rank] = [right - left + 1, nth - left];
      const z = Math.log(n);
      const sample = 0.5 * Math.exp((2 * z) / 3);
      const margin = 0.5 * Math.sqrt((z * sample * (n - sample)) / n) * Math.sign(rank - n / 2);
      const begin = Math.max(left, Math.floor(nth - (rank * sample) / n + margin));
      const end = Math.min(right, Math.floor(nth + ((n - rank) * sample) / n + margin));
      nth_key(keys, nth, begin, end + 1);
    }
    // Partition by the key that is now at `nth`: smaller keys move in front of [j + 1, i), greater ones after it.
    const pivot = keys[nth];
    let [i, j] = [left, right];
    while (i <= j) {
      while (keys[i] < pivot) i++;
      while (pivot < keys[j]) j--;
      if (i > j) break;
      const key = keys[i];
      keys[i++] = keys[j];
      keys[j--] = key;
    }
    if (j < nth) left = i;
    if (nth < i) right = j;
  }
  return keys[nth];
}

/** Number of elements equal to `key` that a sort would put before the one at `nth`. */
function equals_in_front(keys: Float64Array, key: number, nth: number): number {
  let equals = nth;
  for (let i = 0; i < keys.length; i++) if (keys[i] < key) equals--;
  return equals;
}

/** Position of the element that `stable_sort` would move to `nth`. Precondition: no NaN. */
export function stable_nth_element({ keys }: Keyed, nth: number): number {
  const key = nth_key(keys.slice(), nth, 0, keys.length);
  let equals = equals_in_front(keys, key, nth);
  for (let i = 0; ; i++) if (keys[i] === key && equals-- === 0) return i;
}

/** Moves the pairs that `stable_sort` would put into the first k places there. Precondition: no NaN. */
export function stable_partial_sort({ keys, at }: Keyed, k: number): void {
  const key = nth_key(keys.slice(), k - 1, 0, keys.length);
  let equals = equals_in_front(keys, key, k);
  for (let i = 0, to = 0; to < k; i++) {
    if (keys[i] > key || (keys[i] === key && equals-- <= 0)) continue;
    keys[to] = keys[i];
    at[to++] = at[i];
  }
  stable_sort({ keys: keys.subarray(0, k), at: at.subarray(0, k) });
}
