/**
 * @file Kernels of `unique` for elements, or for slices along a dim: sort, compare neighbours, sum up group numbers.
 * The host asks the device for the number of groups.
 * @mirrors aten/src/ATen/native/cuda/UniqueCub.cuh
 * @see native/Unique.ts (the CPU version)
 * @differs Slices with NaN come after the others; on the CPU their order follows the steps of its sort.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_unique_dim } from "#aten/native/Unique";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { GpuKernel, type KernelContext, view_of } from "./KernelText.ts";
import { cumsum } from "./ScanKernels.ts";
import { empty_keys, sort_rows } from "./SortUtils.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

type Unique = [output: Tensor, inverse_indices: Tensor, counts: Tensor];

function no_places(t: Tensor): Tensor {
  return at.empty_memory_format([0], t.options().dtype(ScalarType.Long));
}

/**
 * WGSL functions on rows. `differ(i, j)`: whether rows differ; NaN differs from NaN. `is_less(i, j)`: order by the
 * first elements that differ; NaN is the largest.
 */
function comparisons(context: KernelContext): string {
  const type = context.type("rows");
  const less = type === "vec2<u32>" ? "i64_lt(x, y)" : "x < y";
  const equal = type === "f32" ? "(x == y) && !isnan_f32(x) && !isnan_f32(y)" : "all(x == y)";
  const nan_is_greatest = `    if (isnan_f32(x) != isnan_f32(y)) {
      return isnan_f32(y);
    }
    if (isnan_f32(x)) {
      continue;
    }
`;
  return `fn differ(i: u32, j: u32) -> bool {
  for (var k = 0u; k < p.m; k++) {
    let x = load_rows(i * p.m + k);
    let y = load_rows(j * p.m + k);
    if (!(${equal})) {
      return true;
    }
  }
  return false;
}
fn is_less(i: u32, j: u32) -> bool {
  for (var k = 0u; k < p.m; k++) {
    let x = load_rows(i * p.m + k);
    let y = load_rows(j * p.m + k);
${type === "f32" ? nan_is_greatest : ""}    if (!all(x == y)) {
      return ${less};
    }
  }
  return false;
}`;
}

/** Merges sorted parts of rows in pairs, as in SortUtils.ts. In the beginning each part is one row. */
const merge_rows = new GpuKernel("unique_dim_merge", {
  reads: ["rows", "places"],
  writes: ["to_places"],
  fields: ["n: u32", "m: u32", "span: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => ({
    declarations: comparisons(context),
    main: `${strided_indices(1)}
  let run = i / p.span;
  let other = run ^ 1u;
  let begin = min(other * p.span, p.n);
  let own = u32(load_places(i));
  var low = begin;
  var high = min(begin + p.span, p.n);
  while (low < high) {
    let middle = (low + high) / 2u;
    let there = u32(load_places(middle));
    if (is_less(there, own) || ((other < run) && !is_less(own, there))) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  store_to_places((run / 2u) * 2u * p.span + i % p.span + low - begin, i32(own));`,
  }),
});

/** 1 if a row differs from the previous one in sorted order. */
const mark_firsts = new GpuKernel("unique_adjacent_difference", {
  reads: ["rows", "places"],
  writes: ["marks"],
  fields: ["n: u32", "m: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => ({
    declarations: comparisons(context),
    main: `${strided_indices(1)}
  let before = u32(load_places(max(i, 1u) - 1u));
  store_marks(i, select(0i, 1i, (i > 0u) && differ(before, u32(load_places(i)))));`,
  }),
});

/** Start of each group in sorted order, and the group of each row. */
const write_groups = new GpuKernel("unique_groups", {
  reads: ["groups_in_order", "places"],
  writes: ["starts", "inverse"],
  fields: ["n: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: () => ({
    main: `${strided_indices(1)}
  let own = load_groups_in_order(i);
  if ((i == 0u) || (own != load_groups_in_order(max(i, 1u) - 1u))) {
    store_starts(u32(own), i32(i));
  }
  store_inverse(u32(load_places(i)), vec2<u32>(u32(own), 0u));`,
  }),
});

/** Number of rows in each group, and the group's first row. */
const write_counts = new GpuKernel("unique_counts", {
  reads: ["starts", "places"],
  writes: ["counts", "firsts"],
  fields: ["n: u32", "rows: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: () => ({
    main: `${strided_indices(1)}
  let begin = load_starts(i);
  let end = select(i32(p.rows), load_starts(min(i + 1u, p.n - 1u)), i + 1u < p.n);
  store_counts(i, vec2<u32>(u32(end - begin), 0u));
  store_firsts(i, load_places(u32(begin)));`,
  }),
});

interface Groups {
  /** Index of one row of each group. */
  readonly first: Tensor;
  /** Group of each row. */
  readonly of: Tensor;
  /** Number of rows in each group. */
  readonly counts: Tensor;
}

/** Row numbers in sorted order, for contiguous `rows` (n, m). */
function order_of(rows: Tensor, n: number, m: number, consecutive: boolean): Tensor {
  let places = empty_keys(n);
  if (consecutive || m !== 1) at.arange_start_out(Scalar.ZERO, Scalar.fromInt(n), Scalar.ONE, places);
  if (consecutive) return places;
  if (m === 1) {
    sort_rows({ self: rows, rows: 1, n, k: n, descending: false }, at.empty_like(rows), places);
    return places;
  }
  for (let span = 1; span < n; span *= 2) {
    const to = empty_keys(n);
    merge_rows.launch(0, [rows, places, to].map(view_of), [n, m, span], ...strided_groups(n), 1);
    places = to;
  }
  return places;
}

/** Groups of equal rows. Precondition: there are rows, and they have elements. */
function groups(rows: Tensor, n: number, consecutive: boolean): Groups {
  const m = rows.numel() / n;
  const places = order_of(rows, n, m, consecutive);
  const marks = empty_keys(n);
  mark_firsts.launch(0, [rows, places, marks].map(view_of), [n, m], ...strided_groups(n), 1);
  const in_order = empty_keys(n);
  cumsum(in_order, marks, 0);
  const count =
    1 +
    Number(
      in_order
        .select_int(0, n - 1)
        .item()
        .toNumber(),
    );
  const starts = empty_keys(count);
  const of = at.empty_memory_format([n], no_places(rows).options());
  write_groups.launch(0, [in_order, places, starts, of].map(view_of), [n], ...strided_groups(n), 1);
  const counts = at.empty_memory_format([count], of.options());
  const first = empty_keys(count);
  write_counts.launch(0, [starts, places, counts, first].map(view_of), [count, n], ...strided_groups(count), 1);
  return { first, of, counts };
}

function unique_flat(self: Tensor, consecutive: boolean, return_inverse: boolean, return_counts: boolean): Unique {
  const none = no_places(self);
  if (self.numel() === 0) {
    const inverse = return_inverse ? at.empty_memory_format([...self.sizes()], none.options()) : none;
    return [at.empty_memory_format([0], self.options()), inverse, none];
  }
  const flat = self.contiguous().view([-1]);
  const { first, of, counts } = groups(flat, flat.numel(), consecutive);
  const output = flat.index_select(0, first);
  return [output, return_inverse ? of.view([...self.sizes()]) : none, return_counts ? counts : none];
}

/** `unique` along a dim. It always returns inverse and counts. */
function unique_along(self: Tensor, dim_: number, consecutive: boolean): Unique {
  const size = check_unique_dim(self, dim_);
  const none = no_places(self);
  if (size === 0) return [at.empty_memory_format([...self.sizes()], self.options()), none, none];
  const dim = maybe_wrap_dim(dim_, self.dim());
  const rows = at.movedim_int(self, dim, 0).contiguous();
  const { first, of, counts } = groups(rows, size, consecutive);
  return [rows.index_select(0, first).moveaxis_int(0, dim), of, counts];
}

// _unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)
export function _unique(self: Tensor, _sorted: boolean, return_inverse: boolean): [Tensor, Tensor] {
  const [output, inverse] = unique_flat(self, false, return_inverse, false);
  return [output, inverse];
}

// _unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)
export function _unique2(self: Tensor, _sorted: boolean, return_inverse: boolean, return_counts: boolean): Unique {
  return unique_flat(self, false, return_inverse, return_counts);
}

// unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)
export function unique_dim(
  self: Tensor,
  dim: number,
  _sorted: boolean,
  _return_inverse: boolean,
  _return_counts: boolean,
): Unique {
  return unique_along(self, dim, false);
}

// unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)
export function unique_dim_consecutive(
  self: Tensor,
  dim: number,
  _return_inverse: boolean,
  _return_counts: boolean,
): Unique {
  return unique_along(self, dim, true);
}

// unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)
export function unique_consecutive(
  self: Tensor,
  return_inverse: boolean,
  return_counts: boolean,
  dim: number | null,
): Unique {
  if (dim === null || (dim === 0 && self.dim() === 1)) return unique_flat(self, true, return_inverse, return_counts);
  return unique_along(self, dim, true);
}
