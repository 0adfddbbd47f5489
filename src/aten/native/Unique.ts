/**
 * @file `unique` for elements, or for slices along a dim: of all elements (sorted), or of runs of equal ones
 * (`consecutive`).
 * @mirrors aten/src/ATen/native/Unique.cpp
 */
import { AT_DISPATCH, type data, type int32, load, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { int32_pairs, load_int64, store_int64 } from "#c10/util/math";
import { sort_by } from "#c10/util/std_sort";
import { run_begins_instances, take_runs_instances } from "./generated/Unique.ts";

type Unique = [output: Tensor, inverse_indices: Tensor, counts: Tensor];

/**
 * Numbers of the rows of a contiguous matrix in ascending order: the first elements that differ decide. NaN differs from
 * nothing, so the order of rows with NaN depends on the steps of the sort.
 */
function sorted_rows(matrix: Tensor): Int32Array {
  const wide = isReducedFloatingType(matrix.scalar_type()) ? matrix.to_dtype(ScalarType.Float) : matrix;
  const [data, begin, m] = [wide.data_view(), wide.data_offset(), wide.size(1)];
  const order = Int32Array.from({ length: wide.size(0) }, (_, i) => i);
  sort_by(order, (a, b) => {
    for (let k = 0; k < m; k++) {
      const [x, y] = [data[begin + a * m + k], data[begin + b * m + k]];
      if (x < y) return true;
      if (x > y) return false;
    }
    return false;
  });
  return order;
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

/** Rows in the order of `order`, copied one by one. */
function in_order(rows: Tensor, order: Int32Array): Tensor {
  const sorted = at.empty_memory_format(rows.sizes() as number[], rows.options());
  for (let i = 0; i < order.length; i++) sorted.select_int(0, i).copy_(rows.select_int(0, order[i]));
  return sorted;
}

/** Groups of equal neighbours; `order` are the numbers of the rows before they were sorted, if they were. */
function groups_of_rows(rows: readonly Tensor[], order: Int32Array | null): Groups {
  const begins = [0];
  for (let i = 1; i < rows.length; i++) if (!at.equal(rows[begins[begins.length - 1]], rows[i])) begins.push(i);
  return new Groups(order, Int32Array.from(begins), rows.length);
}

/** `unique` along a dim. It always returns inverse and counts. */
function unique_along(self: Tensor, dim: number, consecutive: boolean): Unique {
  const sizes = self.sizes() as number[];
  const size = check_unique_dim(self, dim);
  if (size === 0) return [at.empty_memory_format(sizes, self.options()), int64_empty(self, 0), int64_empty(self, 0)];
  const moved = self.moveaxis_int(dim, 0);
  const flat = moved.contiguous().view([size, -1]);
  const order = consecutive ? null : sorted_rows(flat);
  const sorted = order === null ? flat : in_order(flat, order);
  const inverse_indices = int64_empty(self, size);
  const counts = at.zeros([size], self.options().dtype(ScalarType.Long));
  const rows = sorted.unbind_int(0);
  const groups = groups_of_rows(rows, order);
  write(inverse_indices, groups.of());
  const told = write(counts, groups.counts()).narrow(0, 0, groups.size);
  const chosen = at.stack(Array.from(groups.begins(), (begin) => rows[begin]));
  const output = chosen.view((moved.sizes() as number[]).with(0, groups.size)).moveaxis_int(0, dim);
  return [output, inverse_indices, told];
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
