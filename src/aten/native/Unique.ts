/**
 * @file Elements, or slices along a dim, each once: sorted, or where neighbours are alike (`consecutive`).
 * @mirrors aten/src/ATen/native/Unique.cpp
 */
import type { TypedArray } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { type Less, stable_sort } from "#c10/util/std_algorithm";
import { copy_ } from "./Copy.ts";

type Unique = [output: Tensor, inverse_indices: Tensor, counts: Tensor];

/** `n` rows of `m` elements that stand one behind the other; halves as floats. */
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

  /** NaN is no NaN's equal. */
  equal(a: number, b: number): boolean {
    const { data, begin, m } = this;
    for (let k = 0; k < m; k++) if (data[begin + a * m + k] !== data[begin + b * m + k]) return false;
    return true;
  }

  /** By the first elements that differ; NaN is the greatest. */
  readonly less: Less = (a, b) => {
    const { data, begin, m } = this;
    for (let k = 0; k < m; k++) {
      const [x, y] = [data[begin + a * m + k], data[begin + b * m + k]];
      if (x < y || (x === x && y !== y)) return true;
      if (x > y || (x !== x && y === y)) return false;
    }
    return false;
  };
}

interface Groups {
  /** One row of each group. */
  readonly first: number[];
  /** The group of each row. */
  readonly of: Int32Array;
  /** How many rows a group has. */
  readonly counts: number[];
}

function groups_of(rows: Rows, consecutive: boolean): Groups {
  const { n } = rows;
  const order = Int32Array.from({ length: n }, (_, i) => i);
  if (!consecutive) stable_sort(order, new Int32Array(n), n, rows.less);
  const of = new Int32Array(n);
  const first: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < n; i++) {
    if (i === 0 || !rows.equal(order[i - 1], order[i])) {
      first.push(order[i]);
      counts.push(0);
    }
    of[order[i]] = first.length - 1;
    counts[counts.length - 1]++;
  }
  return { first, of, counts };
}

function write(t: Tensor, values: ArrayLike<number>): Tensor {
  const [data, offset] = [t.data_view() as BigInt64Array, t.data_offset()];
  for (let i = 0; i < values.length; i++) data[offset + i] = BigInt(values[i]);
  return t;
}

function int64_empty(like: Tensor, size: number): Tensor {
  return at.empty_memory_format([size], like.options().dtype(ScalarType.Long));
}

/** Where neighbours count, PyTorch finds values and counts one by one before it knows how many there are: in memory for all. */
function unique_flat(self: Tensor, consecutive: boolean, return_inverse: boolean, return_counts: boolean): Unique {
  const n = self.numel();
  const output = at.empty_memory_format([consecutive ? n : 0], self.options());
  const [inverse_indices, told] = [int64_empty(self, 0), int64_empty(self, 0)];
  if (return_inverse) inverse_indices.resize_(self.sizes());
  if (n === 0) return [output, inverse_indices, told];
  const flat = self.contiguous().view([-1]);
  const { first, of, counts } = groups_of(new Rows(flat, n), consecutive);
  if (return_inverse) write(inverse_indices, of);
  output.resize_([first.length]);
  const rows = write(int64_empty(self, first.length), first);
  copy_(output, flat.index_Tensor([rows]), false); // found one by one in PyTorch, which no dispatcher sees
  if (!return_counts) return [output, inverse_indices, told];
  if (consecutive) told.resize_([n]);
  write(told.resize_([counts.length]), counts);
  return [output, inverse_indices, told];
}

/** The size of `dim`: only this dim may be empty. */
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

/** The first dim comes back to `dim`. */
export function restored(rows: Tensor, dim: number): Tensor {
  return rows.permute(rows.sizes().map((_, d) => (d === dim ? 0 : d < dim ? d + 1 : d)));
}

/** Inverse and counts are always told here. */
function unique_along(self: Tensor, dim_: number, consecutive: boolean): Unique {
  const sizes = self.sizes() as number[];
  const size = check_unique_dim(self, dim_);
  const dim = maybe_wrap_dim(dim_, self.dim());
  if (size === 0) return [at.empty_memory_format(sizes, self.options()), int64_empty(self, 0), int64_empty(self, 0)];
  const others = [...sizes.keys()].filter((d) => d !== dim);
  const rows = self.permute([dim, ...others]);
  const { first, of, counts } = groups_of(new Rows(rows, size), consecutive);
  const chosen = rows.contiguous().index_Tensor([write(int64_empty(self, first.length), first)]);
  const output = restored(chosen, dim);
  const told = write(at.zeros([of.length], self.options().dtype(ScalarType.Long)), counts);
  return [output, write(int64_empty(self, of.length), of), told.narrow(0, 0, counts.length)];
}

// _unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)   CPU
export function _unique_cpu(self: Tensor, _sorted: boolean, return_inverse: boolean): [Tensor, Tensor] {
  const [output, inverse] = unique_flat(self, false, return_inverse, false);
  return [output, inverse];
}

// _unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)   CPU
export function _unique2_cpu(self: Tensor, _sorted: boolean, return_inverse: boolean, return_counts: boolean): Unique {
  return unique_flat(self, false, return_inverse, return_counts);
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
  if (dim === null || (dim === 0 && self.dim() === 1)) return unique_flat(self, true, return_inverse, return_counts);
  return unique_along(self, dim, true);
}
