/**
 * @file `unique` for elements, or for slices along a dim: of all elements (sorted), or of runs of equal ones
 * (`consecutive`).
 * @mirrors aten/src/ATen/native/Unique.cpp
 * @differs Slices along a dim are compared in memory; PyTorch compares them as tensors, by `equal`.
 */
import { AT_DISPATCH, type data, type int32, load, type scalar_t, store, type TypedArray } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { int32_pairs, load_int64, store_int64 } from "#c10/util/math";
import { run_begins_instances, take_runs_instances } from "./generated/Unique.ts";

type Unique = [output: Tensor, inverse_indices: Tensor, counts: Tensor];

/** `n` contiguous rows of `m` elements; halves are stored as floats. */
class Rows {
  readonly n: number;
  private readonly data: TypedArray;
  private readonly begin: number;
  private readonly m: number;

  constructor(t: Tensor, n: number) {
    const own = t.contiguous();
    const wide = isReducedFloatingType(t.scalar_type()) ? own.to_dtype(ScalarType.Float) : own;
    this.data = wide.data_view();
    this.begin = wide.data_offset();
    this.n = n;
    this.m = n === 0 ? 0 : t.numel() / n;
  }

  /** NaN does not equal NaN. */
  equal(a: number, b: number): boolean {
    const { data, begin, m } = this;
    for (let k = 0; k < m; k++) if (data[begin + a * m + k] !== data[begin + b * m + k]) return false;
    return true;
  }

  /**
   * Compares by the first elements that differ; NaN is the largest. Of equal rows, the one with the lower index comes
   * first.
   */
  readonly compare = (a: number, b: number): number => {
    const { data, begin, m } = this;
    for (let k = 0; k < m; k++) {
      const [x, y] = [data[begin + a * m + k], data[begin + b * m + k]];
      if (x < y || (x === x && y !== y)) return -1;
      if (x > y || (x !== x && y === y)) return 1;
    }
    return a - b;
  };
}

/**
 * Marks each element that differs from the previous one, and returns their number. NaN does not equal NaN.
 * @template unique: Bool, all types and halves, barebones unsigned types
 */
export function run_begins(begins: data<int32>, x: data<scalar_t>, xo: number, n: number): number {
  let runs = 0;
  for (let i = 0; i < n; i++) if (i === 0 || load(x, xo + i) !== load(x, xo + i - 1)) store(begins, runs++, i);
  return runs;
}

/**
 * Copies each element that differs from the previous one, and returns their number.
 * @template unique: Bool, all types and halves, barebones unsigned types
 */
export function take_runs(out: data<scalar_t>, oo: number, x: data<scalar_t>, xo: number, n: number): number {
  let runs = 0;
  for (let i = 0; i < n; i++)
    if (i === 0 || load(x, xo + i) !== load(x, xo + i - 1)) store(out, oo + runs++, load(x, xo + i));
  return runs;
}

/** Groups of equal rows, which are adjacent in a given order; null is the original order. */
class Groups {
  private readonly order_: Int32Array | null;
  /** Start of each group in this order. */
  private readonly begins_: Int32Array;
  private readonly n_: number;

  constructor(order: Int32Array | null, begins: Int32Array, n: number) {
    this.order_ = order;
    this.begins_ = begins;
    this.n_ = n;
  }

  get size(): number {
    return this.begins_.length;
  }

  /** Number of the first row of each group. */
  first(): Int32Array {
    const order = this.order_;
    return order === null ? this.begins_ : this.begins_.map((begin) => order[begin]);
  }

  /** Start of each group in the order. */
  begins(): Int32Array {
    return this.begins_;
  }

  /** Number of rows in each group. */
  counts(): Int32Array {
    return this.begins_.map((begin, group) => this.end(group) - begin);
  }

  /** Group of each row. */
  of(): Int32Array {
    const of = new Int32Array(this.n_);
    for (let group = 0; group < this.size; group++)
      for (let i = this.begins_[group]; i < this.end(group); i++) of[this.order_ === null ? i : this.order_[i]] = group;
    return of;
  }

  private end(group: number): number {
    return group + 1 < this.size ? this.begins_[group + 1] : this.n_;
  }
}

function groups_of_rows(rows: Rows, consecutive: boolean): Groups {
  const { n } = rows;
  const order = Int32Array.from({ length: n }, (_, i) => i);
  if (!consecutive) order.sort(rows.compare);
  const begins: number[] = [];
  for (let i = 0; i < n; i++) if (i === 0 || !rows.equal(order[i - 1], order[i])) begins.push(i);
  return new Groups(order, Int32Array.from(begins), n);
}

/** Groups for the elements of a contiguous vector; `order` are their numbers before they were sorted, if they were. */
function groups_of(flat: Tensor, order: Tensor | null): Groups {
  const [dtype, x, offset, n] = [flat.scalar_type(), flat.data_view(), flat.data_offset(), flat.numel()];
  const begins = new Int32Array(n);
  const runs = AT_DISPATCH(run_begins_instances, dtype)(begins, x, offset, n);
  return new Groups(order === null ? null : read(order), begins.subarray(0, runs), n);
}

/** The elements of a contiguous int64 vector. */
function read(t: Tensor): Int32Array {
  const [pairs, offset] = [int32_pairs(t.data_view() as BigInt64Array), t.data_offset()];
  return Int32Array.from({ length: t.numel() }, (_, i) => load_int64(pairs, offset + i));
}

function write(t: Tensor, values: Int32Array): Tensor {
  const [pairs, offset] = [int32_pairs(t.data_view() as BigInt64Array), t.data_offset()];
  for (let i = 0; i < values.length; i++) store_int64(pairs, offset + i, values[i]);
  return t;
}

function int64_empty(like: Tensor, size: number): Tensor {
  return at.empty_memory_format([size], like.options().dtype(ScalarType.Long));
}

/** Copies the first element of each run into `output`, which has room for all of them, and returns their number. */
function take(output: Tensor, flat: Tensor): number {
  const copy = AT_DISPATCH(take_runs_instances, flat.scalar_type());
  return copy(output.data_view(), output.data_offset(), flat.data_view(), flat.data_offset(), flat.numel());
}

/** PyTorch collects values and counts before it knows their number, in memory for all elements. */
function unique_runs(self: Tensor, return_inverse: boolean, return_counts: boolean): Unique {
  const n = self.numel();
  const output = at.empty_memory_format([n], self.options());
  const [inverse_indices, told] = [int64_empty(self, 0), int64_empty(self, 0)];
  if (return_inverse) inverse_indices.resize_(self.sizes());
  if (n === 0) return [output, inverse_indices, told];
  const flat = as_strided_tensorimpl(self.contiguous(), [n], [1], null);
  output.resize_([take(output, flat)]);
  if (!return_inverse && !return_counts) return [output, inverse_indices, told];
  const groups = groups_of(flat, null);
  if (return_inverse) write(inverse_indices, groups.of());
  if (!return_counts) return [output, inverse_indices, told];
  told.resize_([n]);
  write(told.resize_([groups.size]), groups.counts());
  return [output, inverse_indices, told];
}

/** Equal elements are adjacent after a sort. */
function unique_sorted(self: Tensor, return_inverse: boolean, return_counts: boolean): Unique {
  const n = self.numel();
  const output = at.empty_memory_format([0], self.options());
  const [inverse_indices, told] = [int64_empty(self, 0), int64_empty(self, 0)];
  const unique_index = int64_empty(self, 0); // where each run begins; only counts need it
  if (n === 0) {
    if (return_inverse) inverse_indices.resize_(self.sizes());
    return [output, inverse_indices, told];
  }
  const [sorted, indices] = self.contiguous().flatten_using_ints().sort();
  if (return_inverse) inverse_indices.resize_(self.sizes());
  const groups = groups_of(sorted, indices);
  if (return_inverse) write(inverse_indices, groups.of());
  take(output.resize_([groups.size]), sorted);
  if (!return_counts) return [output, inverse_indices, told];
  write(unique_index.resize_([groups.size]), groups.begins());
  write(told.resize_([groups.size]), groups.counts());
  return [output, inverse_indices, told];
}

/** Size of `dim`, after a check that no other dim is empty. */
export function check_unique_dim(self: Tensor, dim: number): number {
  const num_zero_dims = self.sizes().filter((size) => size === 0).length;
  const size = self.size(dim);
  if (size === 0)
    TORCH_CHECK(num_zero_dims === 1, "Number of zero sized dimensions is more than one, so unique cannot be applied ");
  else
    TORCH_CHECK(
      num_zero_dims === 0,
      "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied",
    );
  return size;
}

/** Moves the first dim back to `dim`. */
export function restored(rows: Tensor, dim: number): Tensor {
  return rows.permute(rows.sizes().map((_, d) => (d === dim ? 0 : d < dim ? d + 1 : d)));
}

/** `unique` along a dim. It always returns inverse and counts. */
function unique_along(self: Tensor, dim_: number, consecutive: boolean): Unique {
  const sizes = self.sizes() as number[];
  const size = check_unique_dim(self, dim_);
  const dim = maybe_wrap_dim(dim_, self.dim());
  if (size === 0) return [at.empty_memory_format(sizes, self.options()), int64_empty(self, 0), int64_empty(self, 0)];
  const others = [...sizes.keys()].filter((d) => d !== dim);
  const rows = self.permute([dim, ...others]);
  const groups = groups_of_rows(new Rows(rows, size), consecutive);
  const chosen = rows.contiguous().index_Tensor([write(int64_empty(self, groups.size), groups.first())]);
  const output = restored(chosen, dim);
  const told = write(at.zeros([size], self.options().dtype(ScalarType.Long)), groups.counts());
  return [output, write(int64_empty(self, size), groups.of()), told.narrow(0, 0, groups.size)];
}

// _unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)   CPU
export function _unique_cpu(self: Tensor, _sorted: boolean, return_inverse: boolean): [Tensor, Tensor] {
  const [output, inverse] = unique_sorted(self, return_inverse, false);
  return [output, inverse];
}

// _unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)   CPU
export function _unique2_cpu(self: Tensor, _sorted: boolean, return_inverse: boolean, return_counts: boolean): Unique {
  return unique_sorted(self, return_inverse, return_counts);
}

// unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)   CPU
export function unique_dim_cpu(
  self: Tensor,
  dim: number,
  _sorted: boolean,
  _return_inverse: boolean,
  _return_counts: boolean,
): Unique {
  return unique_along(self, dim, false);
}

// unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)   CPU
export function unique_dim_consecutive_cpu(
  self: Tensor,
  dim: number,
  _return_inverse: boolean,
  _return_counts: boolean,
): Unique {
  return unique_along(self, dim, true);
}

// unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)   CPU
export function unique_consecutive_cpu(
  self: Tensor,
  return_inverse: boolean,
  return_counts: boolean,
  dim: number | null,
): Unique {
  if (dim === null || (dim === 0 && self.dim() === 1)) return unique_runs(self, return_inverse, return_counts);
  return unique_along(self, dim, true);
}
