/**
 * @file Helpers that convert a line of elements to pairs of keys and indices, which can be sorted, and that write the
 * elements in the sorted order.
 * @mirrors aten/src/ATen/native/cpu/SortingKernel.cpp
 * @differs Ours sorts indices together with keys made for the comparison; PyTorch sorts elements and indices together,
 * behind one iterator.
 * @see c10/util/std_algorithm.ts, Note [Keys]
 */
import {
  AT_DISPATCH,
  cast,
  type data,
  type float64,
  highest,
  type int32,
  type int64,
  is_floating,
  load,
  type opmath_t,
  type row,
  type scalar_t,
  scratch,
  store,
  type TypedArray,
} from "#aten/Dispatch";
import {
  new_line_instances,
  read_elements_instances,
  read_keys_instances,
} from "#aten/native/cpu/generated/SortingKernel/Line";
import type { ScalarType } from "#c10/core/ScalarType";
import type { Keyed } from "#c10/util/std_algorithm";

// Note [Keys of elements]
// ~~~~~~~~~~~~~~~~~~~~~~~
// A key is a double such that `<` on keys is the order of the elements. It is nearly always the element itself. NaN,
// the largest element, becomes Infinity; Infinity therefore becomes the largest finite double, which is not a float32.
// For descending order, keys are negative. Doubles cannot distinguish two kinds of elements: integers from 2^53 on, and
// the largest finite float64 next to Infinity. A line that contains one of these gets other keys: each element's rank
// in the line (`rank_line`), found by an ordinary sort.

/** From this number on, doubles cannot represent all integers. */
const MAX_EXACT_INT = 2 ** 53;

/**
 * An array for a line's elements; halves are stored as floats.
 * @template sort_cpu: Bool, all types and halves, barebones unsigned types
 */
export function new_line(_like: data<scalar_t>, n: number): data<opmath_t> {
  return scratch<opmath_t>(n);
}

/** @template sort_cpu: Bool, all types and halves, barebones unsigned types */
export function read_elements(elements: data<opmath_t>, x: row<scalar_t>, n: number): void {
  for (let i = 0; i < n; i++) store(elements, i, cast<opmath_t>(load(x, i)));
}

/**
 * Writes keys of a line's elements times `sign`, `nan` for NaN, and their indices. Returns false if two different
 * elements may have the same key.
 * @template sort_cpu: Bool, all types and halves, barebones unsigned types
 */
export function read_keys(
  keys: data<float64>,
  at: data<int32>,
  x: row<scalar_t>,
  n: number,
  sign: number,
  nan: number,
): boolean {
  let told_apart = true;
  for (let i = 0; i < n; i++) {
    store(at, i, i);
    const key: float64 = cast<float64>(load(x, i));
    if (is_floating<scalar_t>()) {
      if (key < highest<float64>()) store(keys, i, key * sign);
      else {
        if (key === highest<float64>()) told_apart = false;
        store(keys, i, key !== key ? nan : highest<float64>() * sign);
      }
    } else {
      if (key >= MAX_EXACT_INT || key <= -MAX_EXACT_INT) told_apart = false;
      store(keys, i, key * sign);
    }
  }
  return told_apart;
}

/**
 * Writes the first n elements in the order of `at`, and their indices.
 * @template sort_cpu: Bool, all types and halves, barebones unsigned types
 */
export function write_in_order(
  values: row<scalar_t>,
  indices: row<int64>,
  elements: data<opmath_t>,
  at: data<int32>,
  n: number,
): void {
  for (let i = 0; i < n; i++) {
    const from = cast<number>(load(at, i));
    store(values, i, cast<scalar_t>(load(elements, from)));
    store(indices, i, cast<int64>(from));
  }
}

/** Replaces each key by the element's rank: the position of its first equal in the sorted line. */
function rank_line(keys: Float64Array, elements: TypedArray, sign: number, nan: number): void {
  const sorted = elements.slice().sort(); // NaN comes last
  for (let i = 0; i < keys.length; i++) {
    const element = elements[i];
    let [first, last] = [0, keys.length];
    while (first < last) {
      const middle = (first + last) >> 1;
      if (sorted[middle] < element) first = middle + 1;
      else last = middle;
    }
    keys[i] = element !== element ? nan : first * sign;
  }
}

/** Direction of a sort. See Note [Keys of elements]. */
export const Order = {
  ASCENDING: { sign: 1, nan: Number.POSITIVE_INFINITY },
  DESCENDING: { sign: -1, nan: Number.NEGATIVE_INFINITY },
  /** NaN keeps its own key: `<` finds nothing less, greater or equal. */
  NAN_APART: { sign: 1, nan: Number.NaN },
} as const;
export type Order = (typeof Order)[keyof typeof Order];

/** Pairs of key and index for n contiguous elements. */
export function pairs_of(dtype: ScalarType, x: TypedArray, offset: number, n: number, order: Order): Keyed {
  const [keys, at] = [new Float64Array(n), new Int32Array(n)];
  const { sign, nan } = order;
  if (!AT_DISPATCH(read_keys_instances, dtype)(keys, at, x, offset, 1, n, sign, nan))
    rank_line(keys, x.subarray(offset, offset + n), sign, nan);
  return { keys, at };
}

/** Buffers for lines of one length, for any dtype. */
export class Line implements Keyed {
  /** Elements in the order of the line; `keys` and `at` are sorted. */
  readonly elements: TypedArray;
  readonly keys: Float64Array;
  readonly at: Int32Array;
  readonly n: number;
  private readonly order_: Order;
  private readonly read_elements_: ReturnType<typeof read_elements_instances.get>;
  private readonly read_keys_: ReturnType<typeof read_keys_instances.get>;

  constructor(dtype: ScalarType, like: TypedArray, n: number, order: Order) {
    this.elements = AT_DISPATCH(new_line_instances, dtype)(like, n);
    this.keys = new Float64Array(n);
    this.at = new Int32Array(n);
    this.n = n;
    this.order_ = order;
    this.read_elements_ = AT_DISPATCH(read_elements_instances, dtype);
    this.read_keys_ = AT_DISPATCH(read_keys_instances, dtype);
  }

  read(x: TypedArray, offset: number, stride: number): void {
    const { elements, keys, at, n } = this;
    const { sign, nan } = this.order_;
    this.read_elements_(elements, x, offset, stride, n);
    if (!this.read_keys_(keys, at, x, offset, stride, n, sign, nan)) rank_line(keys, elements, sign, nan);
  }
}
