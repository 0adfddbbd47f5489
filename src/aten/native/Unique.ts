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

function int64_tensor(like: Tensor, values: ArrayLike<number>, sizes: readonly number[]): Tensor {
  const t = at.empty_memory_format(sizes as number[], like.options().dtype(ScalarType.Long));
  const [data, offset] = [t.data_view() as BigInt64Array, t.data_offset()];
  for (let i = 0; i < values.length; i++) data[offset + i] = BigInt(values[i]);
  return t;
}

function unique_flat(self: Tensor, consecutive: boolean, return_inverse: boolean, return_counts: boolean): Unique {
  const flat = self.contiguous().view([-1]);
  const { first, of, counts } = groups_of(new Rows(flat, flat.numel()), consecutive);
  const output = flat.index_Tensor([int64_tensor(self, first, [first.length])]);
  const inverse_indices = return_inverse ? int64_tensor(self, of, self.sizes()) : int64_tensor(self, [], [0]);
  const told = return_counts ? int64_tensor(self, counts, [counts.length]) : int64_tensor(self, [], [0]);
  if (!consecutive) return [output, inverse_indices, told];
  return [shrunk(output, flat.numel()), inverse_indices, return_counts ? shrunk(told, flat.numel()) : told];
}

/** In memory for `n` elements, where PyTorch finds the values one by one before it knows how many there are. */
function shrunk(t: Tensor, n: number): Tensor {
  const whole = at.empty_memory_format([n], t.options());
  whole.resize_(t.sizes());
  return whole.copy_(t);
}

/** Inverse and counts are always told here. */
function unique_along(self: Tensor, dim_: number, consecutive: boolean): Unique {
  const dim = maybe_wrap_dim(dim_, self.dim());
  const sizes = self.sizes() as number[];
  const num_zero_dims = sizes.filter((size) => size === 0).length;
  if (self.size(dim) === 0) {
    TORCH_CHECK(num_zero_dims === 1, "Number of zero sized dimensions is more than one, so unique cannot be applied ");
    return [at.empty_memory_format(sizes, self.options()), int64_tensor(self, [], [0]), int64_tensor(self, [], [0])];
  }
  TORCH_CHECK(
    num_zero_dims === 0,
    "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied",
  );
  const others = [...sizes.keys()].filter((d) => d !== dim);
  const rows = self.permute([dim, ...others]);
  const { first, of, counts } = groups_of(new Rows(rows, self.size(dim)), consecutive);
  const chosen = rows.contiguous().index_Tensor([int64_tensor(self, first, [first.length])]);
  const output = chosen.permute(sizes.map((_, d) => (d === dim ? 0 : d < dim ? d + 1 : d)));
  const told = int64_tensor(self, counts, [counts.length]);
  return [output, int64_tensor(self, of, [of.length]), shrunk(told, self.size(dim))];
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
