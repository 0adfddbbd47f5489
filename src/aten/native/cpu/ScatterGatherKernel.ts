/**
 * @file The loops of `gather` and `scatter`: one line along the dim at a time, for every position in the other dims of the index.
 * @mirrors aten/src/ATen/native/cpu/ScatterGatherKernel.cpp
 */
import {
  AT_DISPATCH,
  cast,
  type Instantiations,
  type int64,
  load,
  type opmath_t,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  gather_stub,
  scatter_add_stub,
  scatter_multiply_stub,
  scatter_stub,
  size_at,
} from "#aten/native/TensorAdvancedIndexingScatter";
import { isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { int32_pairs, load_int64 } from "#c10/util/math";
import {
  gather_line_instances,
  gather_opmath_line_instances,
  scatter_add_line_instances,
  scatter_line_instances,
  scatter_multiply_line_instances,
} from "./generated/ScatterGatherKernel.ts";

// Along a line, `index` says which element of the one operand meets element i of the other.
// `scatter` and its kin write to elements of type opmath_t: halves gather in a buffer of floats, rounded once at the end.

type index_t = number;

/** `to` is what `index` holds at `i`. @template gather_scatter index_t: Long */
export function check_index(index: row<index_t>, i: number, to: number, dim: number, size: number): void {
  TORCH_CHECK(
    to >= 0 && to < size,
    "index ",
    load(index, i),
    " is out of bounds for dimension ",
    dim,
    " with size ",
    size,
  );
}

/** @template gather_out_cpu: Bool, all types and halves */
export function gather_line(
  out: row<scalar_t>,
  index: row<int64>,
  self: row<scalar_t>,
  n: number,
  dim: number,
  size: number,
): void {
  for (let i = 0; i < n; i++) {
    const to = cast<number>(load(index, i));
    check_index(index, i, to, dim, size);
    store(out, i, load(self, to));
  }
}

/** Into a buffer of floats. @template gather_out_cpu: reduced floating types */
export function gather_opmath_line(
  out: row<opmath_t>,
  index: row<int64>,
  self: row<scalar_t>,
  n: number,
  dim: number,
  size: number,
): void {
  for (let i = 0; i < n; i++) {
    const to = cast<number>(load(index, i));
    check_index(index, i, to, dim, size);
    store(out, i, cast<opmath_t>(load(self, to)));
  }
}

/** @template scatter_cpu: Bool, all types and halves */
export function scatter_line(
  self: row<opmath_t>,
  index: row<int64>,
  src: row<scalar_t>,
  n: number,
  dim: number,
  size: number,
): void {
  for (let i = 0; i < n; i++) {
    const to = cast<number>(load(index, i));
    check_index(index, i, to, dim, size);
    store(self, to, cast<opmath_t>(load(src, i)));
  }
}

/** @template scatter_add_cpu: Bool, all types and halves */
export function scatter_add_line(
  self: row<opmath_t>,
  index: row<int64>,
  src: row<scalar_t>,
  n: number,
  dim: number,
  size: number,
): void {
  for (let i = 0; i < n; i++) {
    const to = cast<number>(load(index, i));
    check_index(index, i, to, dim, size);
    store(self, to, cast<opmath_t>(load(self, to) + cast<opmath_t>(load(src, i))));
  }
}

/** @template scatter_multiply_cpu: Bool, all types and halves */
export function scatter_multiply_line(
  self: row<opmath_t>,
  index: row<int64>,
  src: row<scalar_t>,
  n: number,
  dim: number,
  size: number,
): void {
  for (let i = 0; i < n; i++) {
    const to = cast<number>(load(index, i));
    check_index(index, i, to, dim, size);
    store(self, to, cast<opmath_t>(load(self, to) * cast<opmath_t>(load(src, i))));
  }
}

function stride_at(t: Tensor, dim: number): number {
  return t.dim() === 0 ? 1 : t.strides()[dim];
}

/** Which operand runs with the index along the dim; the other one is addressed by what stands in the index. */
type Running = "left" | "right";

// Note [Where an index is found to be outside]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// PyTorch goes through the index row by row, says which entry it found first, and leaves what it wrote until then. A line along
// another dim than the last comes to the entries in another order; so where one of them is outside, they are taken one by one.

/** The place of the first entry that is no index, counted row by row; `numel` if there is none. */
function first_outside(index: Tensor, size: number): number {
  const [sizes, strides] = [index.sizes(), index.strides()];
  const pairs = int32_pairs(index.impl_.data_view() as BigInt64Array);
  const numel = index.numel();
  const position = new Array<number>(sizes.length).fill(0);
  let at = index.impl_.data_offset();
  for (let k = 0; k < numel; k++) {
    const to = load_int64(pairs, at);
    if (!(to >= 0 && to < size)) return k;
    for (let d = sizes.length - 1; d >= 0; d--) {
      at += strides[d];
      if (++position[d] < sizes[d]) break;
      at -= sizes[d] * strides[d];
      position[d] = 0;
    }
  }
  return numel;
}

/**
 * Runs `line` for each position of `index` in the dims other than `dim`. `left` and `right` stand where `index` does in those dims; along
 * `dim` one of them is addressed by the index (`size` is its extent), the other runs with it.
 */
function for_each_line(
  instances: Instantiations<typeof gather_line>,
  left: Tensor,
  index: Tensor,
  right: Tensor,
  dim: number,
  size: number,
  running: Running,
): void {
  const line = AT_DISPATCH(instances, right.scalar_type());
  const sizes = index.dim() === 0 ? [1] : index.sizes();
  const [l_stride, x_stride, r_stride] = [stride_at(left, dim), stride_at(index, dim), stride_at(right, dim)];
  const [l_data, x_data, r_data] = [left.impl_.data_view(), index.impl_.data_view(), right.impl_.data_view()];
  const outside = dim === sizes.length - 1 ? index.numel() : first_outside(index, size);
  const one_by_one = outside < index.numel();
  const n = one_by_one ? 1 : sizes[dim];
  const lines = one_by_one ? outside + 1 : index.numel() / n; // the last of them throws
  const position = new Array<number>(sizes.length).fill(0);
  let l = left.impl_.data_offset();
  let x = index.impl_.data_offset();
  let r = right.impl_.data_offset();
  for (let k = 0; k < lines; k++) {
    line(l_data, l, l_stride, x_data, x, x_stride, r_data, r, r_stride, n, dim, size);
    for (let d = sizes.length - 1; d >= 0; d--) {
      if (d === dim && !one_by_one) continue;
      const back = ++position[d] < sizes[d] ? 1 : 1 - sizes[d];
      if (d !== dim || running === "left") l += back * stride_at(left, d);
      x += back * stride_at(index, d);
      if (d !== dim || running === "right") r += back * stride_at(right, d);
      if (back === 1) break;
      position[d] = 0;
    }
  }
}

/** Every column has the same indices, one after the other: PyTorch copies whole rows then, without a buffer. */
function can_use_expanded_index_path(dim: number, index: Tensor): boolean {
  const strides = index.strides();
  return dim === 0 && strides[0] === 1 && strides.every((s, d) => d === 0 || s === 0 || index.size(d) === 1);
}

function gather_kernel(result: Tensor, self: Tensor, dim: number, index: Tensor): void {
  const size = size_at(self, dim);
  if (!isReducedFloatingType(result.scalar_type()) || can_use_expanded_index_path(dim, index)) {
    for_each_line(gather_line_instances, result, index, self, dim, size, "left");
  } else with_buffer(result, (out) => for_each_line(gather_opmath_line_instances, out, index, self, dim, size, "left"));
}

/** `run(self)`; halves through a buffer of floats, even where nothing is added up. */
function with_buffer(self: Tensor, run: (out: Tensor) => void): void {
  if (!isReducedFloatingType(self.scalar_type())) {
    run(self);
    return;
  }
  const buffer = at.empty_memory_format(self.sizes(), self.options().dtype(ScalarType.Float));
  buffer.copy_(self);
  run(buffer);
  self.copy_(buffer);
}

function scatter_lines(
  instances: Instantiations<typeof gather_line>,
  self: Tensor,
  dim: number,
  index: Tensor,
  src: Tensor,
): void {
  const size = size_at(self, dim);
  with_buffer(self, (out) => for_each_line(instances, out, index, src, dim, size, "right"));
}

function scatter_kernel(self: Tensor, dim: number, index: Tensor, src: Tensor): void {
  scatter_lines(scatter_line_instances, self, dim, index, src);
}
function scatter_add_kernel(self: Tensor, dim: number, index: Tensor, src: Tensor): void {
  scatter_lines(scatter_add_line_instances, self, dim, index, src);
}
function scatter_multiply_kernel(self: Tensor, dim: number, index: Tensor, src: Tensor): void {
  scatter_lines(scatter_multiply_line_instances, self, dim, index, src);
}

REGISTER_DISPATCH(gather_stub, gather_kernel, "gather_cpu_kernel");
REGISTER_DISPATCH(scatter_stub, scatter_kernel, "scatter_cpu_kernel");
REGISTER_DISPATCH(scatter_add_stub, scatter_add_kernel, "scatter_add_cpu_kernel");
REGISTER_DISPATCH(scatter_multiply_stub, scatter_multiply_kernel, "scatter_reduce_cpu_kernel");
