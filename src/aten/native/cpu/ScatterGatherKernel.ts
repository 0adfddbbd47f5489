/**
 * @file Kernels of `gather`, `scatter` and `scatter_reduce`: one line along the dim at a time, for every position in
 * the other dims of the index.
 * @mirrors aten/src/ATen/native/cpu/ScatterGatherKernel.cpp
 */
import {
  AT_DISPATCH,
  cast,
  type InstanceOf,
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
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  gather_stub,
  scatter_add_stub,
  scatter_multiply_stub,
  scatter_stub,
  size_at,
} from "#aten/native/TensorAdvancedIndexing/Scatter";
import { type ScatterReduction, scatter_reduce_two_stub } from "#aten/native/TensorAdvancedIndexing/ScatterReduce";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { int32_pairs, load_int64 } from "#c10/util/math";
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";
import {
  gather_line_instances,
  gather_opmath_line_instances,
  scatter_add_line_instances,
  scatter_amax_line_instances,
  scatter_amin_line_instances,
  scatter_line_instances,
  scatter_mean_line_instances,
  scatter_multiply_line_instances,
} from "./generated/ScatterGatherKernel.ts";
import { type Moves, move_of, told_of_moves } from "./vec/index/driver.ts";

// Along a line, `index` gives the element of one operand that belongs to element i of the other. `scatter` and similar
// operators write elements of type opmath_t: sums of halves are kept in a buffer of floats and rounded once at the end.

type index_t = number;

/** `to` is the index at `i`. @template gather_scatter index_t: Long */
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

/** @template scatter_gather_tensor_cpu: Bool, all types and halves */
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

/** Gathers into a buffer of floats. @template scatter_gather_tensor_cpu: reduced floating types */
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

/** @template scatter_gather_tensor_cpu: Bool, all types and halves */
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

/** @template scatter_gather_tensor_cpu: Bool, all types and halves */
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

/** @template scatter_gather_tensor_cpu: Bool, all types and halves */
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

/**
 * A NaN wins, whether it is the new value or the old one.
 * @template scatter_gather_tensor_cpu_reduce_amax: Bool, all types and halves
 */
export function scatter_amax_line(
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
    const value = load(src, i);
    if (value !== value || load(self, to) < cast<opmath_t>(value)) store(self, to, cast<opmath_t>(value));
  }
}

/** @template scatter_gather_tensor_cpu_reduce_amin: Bool, all types and halves */
export function scatter_amin_line(
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
    const value = load(src, i);
    if (value !== value || load(self, to) > cast<opmath_t>(value)) store(self, to, cast<opmath_t>(value));
  }
}

/**
 * Sum for the mean; the operator divides afterwards. Bools have no mean.
 * @template scatter_gather_tensor_cpu_reduce_mean: all types and halves
 */
export function scatter_mean_line(
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

function stride_at(t: Tensor, dim: number): number {
  return t.dim() === 0 ? 1 : t.strides()[dim];
}

/** Number of elements of a line that are handled before the next line. */
const PIECE = 64;

/**
 * The operand that is read or written along the dim together with the index. The index selects elements of the other
 * operand.
 */
type Running = "left" | "right";

// Note [Which index out of range is reported]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// PyTorch visits lines in the order of a TensorIterator. Within one of its innermost rows, it takes the first entries
// of all lines, then all second entries (but it goes line by line if the lines run along the last dim). It reports the
// first entry out of range that it finds, and keeps what it has written until then. Here whole lines are handled one
// after the other, which is another order. So if an index is out of range, the entries are visited in PyTorch's order.

/** Whether an entry is out of range for `size` elements. */
function any_outside(index: Tensor, size: number): boolean {
  const strides = index.strides();
  const sizes = index.sizes().map((places, d) => (strides[d] === 0 ? 1 : places)); // a dim with stride 0 has the same entries again
  const last = sizes.length - 1;
  const [n, step] = [sizes[last] ?? 1, strides[last] ?? 0];
  const rows = sizes.reduce((product, places) => product * places, 1) / n;
  const pairs = int32_pairs(index.impl_.data_view() as BigInt64Array);
  const position = new Array<number>(sizes.length).fill(0);
  let at = index.impl_.data_offset();
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < n; i++) {
      const to = load_int64(pairs, at + i * step);
      if (!(to >= 0 && to < size)) return true;
    }
    for (let d = last - 1; d >= 0; d--) {
      at += strides[d];
      if (++position[d] < sizes[d]) break;
      at -= sizes[d] * strides[d];
      position[d] = 0;
    }
  }
  return false;
}

/** Values shared by all lines: strides of their entries, number of entries, and the size of the indexed dim. */
interface Lines {
  readonly line: InstanceOf<typeof gather_line>;
  readonly strides: readonly [left: number, index: number, right: number];
  readonly n: number;
  readonly dim: number;
  readonly size: number;
  readonly running: Running;
}

/** Handles the lines of one innermost row, entry by entry. */
function entries_loop(operands: readonly OperandInfo[], n0: number, n1: number, lines: Lines, by_line: boolean): void {
  const [left, right, index] = operands as readonly [OperandInfo, OperandInfo, OperandInfo];
  const { line, strides, n, dim, size, running } = lines;
  const [l_stride, x_stride, r_stride] = strides;
  const [outer, inner] = by_line ? [n0, n] : [n, n0];
  for (let j = 0; j < n1; j++) {
    for (let at = 0; at < outer * inner; at++) {
      const [o, i] = [Math.floor(at / inner), at % inner];
      const [k, entry] = by_line ? [o, i] : [i, o];
      const l = left.at(k, j) + (running === "left" ? entry * l_stride : 0);
      const r = right.at(k, j) + (running === "right" ? entry * r_stride : 0);
      const x = index.at(k, j) + entry * x_stride;
      line(left.view(), l, l_stride, index.view(), x, x_stride, right.view(), r, r_stride, 1, dim, size);
    }
  }
}

/** Visits entries in PyTorch's order until one is refused and throws. */
function entry_by_entry(left: Tensor, index: Tensor, right: Tensor, lines: Lines): void {
  const { dim } = lines;
  const sizes = index.dim() === 0 ? [1] : [...index.sizes()];
  const lines_of = (t: Tensor): Tensor =>
    as_strided_tensorimpl(t, sizes, t.dim() === 0 ? [0] : t.strides().with(dim, 0), null);
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .declare_static_shape(sizes, [dim])
    .add_output(lines_of(left))
    .add_const_input(lines_of(right))
    .add_const_input(lines_of(index))
    .build();
  iter.for_each(entries_loop, lines, dim === sizes.length - 1);
}

/** The loops for a line: in JavaScript, and the equivalent one in WebAssembly, if any. */
interface LineLoops {
  readonly symbol: string;
  readonly instances: Instantiations<typeof gather_line>;
  readonly vec: "move" | "add" | null;
}

/** Arguments of the WebAssembly loop: runs of `length` elements share an index. */
function moves_of(
  { vec }: LineLoops,
  [left, index, right]: readonly [Tensor, Tensor, Tensor],
  size: number,
  length: number,
): Moves {
  const operands = [left.impl_, right.impl_, index.impl_];
  const against = vec === null ? "no SIMD loop" : null;
  return { kind: vec ?? "move", operands, runs: [index.numel() / length, length], least: 0, size, against };
}

/** The WebAssembly loop for a line, or null if it cannot run. `refuse` throws for an index that is out of range. */
function vec_line(refuse: Lines["line"], moves: Moves, running: Running): Lines["line"] | null {
  const move = move_of(moves);
  if (move === null) return null;
  const { size } = moves;
  const runs = running === "left" ? 1 : 0;
  return (out, l, l_stride, x_data, x, x_stride, from, r, r_stride, n, dim) => {
    const [l_step, r_step] = [runs * l_stride, (1 - runs) * r_stride];
    const inside = move(l, l_step, l_stride - l_step, r, r_step, r_stride - r_step, x, x_stride, n);
    if (inside < n) refuse(out, l, l_stride, x_data, x + inside * x_stride, x_stride, from, r, r_stride, 1, dim, size);
  };
}

/** Whether every column has the same contiguous indices; PyTorch then copies whole rows, without a buffer. */
function can_use_expanded_index_path(dim: number, index: Tensor): boolean {
  const strides = index.strides();
  return dim === 0 && strides[0] === 1 && strides.every((s, d) => d === 0 || s === 0 || index.size(d) === 1);
}

/** Number of elements that share an index and are contiguous in both tensors. */
function run_length(dim: number, [left, index, right]: readonly [Tensor, Tensor, Tensor]): number {
  const sizes = index.sizes();
  const as_wide = (t: Tensor): boolean =>
    t.is_contiguous() && t.sizes().every((size, d) => d === 0 || size === sizes[d]);
  return can_use_expanded_index_path(dim, index) && as_wide(left) && as_wide(right) ? index.numel() / sizes[0] : 1;
}

/**
 * Runs a line's loop for each position of `index` in the dims other than `dim`. In those dims, `left` and `right` have
 * the same position as `index`. Along `dim`, the index selects elements of one of them (with the extent `size`), and
 * the other is visited in order.
 */
function for_each_line(
  loops: LineLoops,
  left: Tensor,
  index: Tensor,
  right: Tensor,
  dim: number,
  size: number,
  running: Running,
): void {
  const operands = [left, index, right] as const;
  const length = run_length(dim, operands);
  const moves = moves_of(loops, operands, size, length);
  const line = AT_DISPATCH(loops.instances, right.scalar_type());
  const vec = vec_line(line, moves, running);
  const strides = [stride_at(left, dim), stride_at(index, dim), stride_at(right, dim)] as const;
  const lines: Lines = { line, strides, n: index.dim() === 0 ? 1 : index.size(dim), dim, size, running };
  if (tracer === null) run_lines(operands, lines, vec, length);
  else callSlow(operands, lines, vec, length, told_of_moves(moves, loops.symbol, "ScatterGatherKernel"));
}

type Operands = readonly [left: Tensor, index: Tensor, right: Tensor];

function callSlow(operands: Operands, lines: Lines, vec: Lines["line"] | null, length: number, told: TraceData): void {
  traceCall("loop", told["scalar"] as string, run_lines, [operands, lines, vec, length], told);
}

/** `vec` is the WebAssembly loop, or null; if it runs, `length` elements share an index. */
function run_lines(operands: Operands, lines: Lines, vec: Lines["line"] | null, length: number): void {
  const [left, index, right] = operands;
  const { strides, n, dim, size, running } = lines;
  const [l_stride, x_stride, r_stride] = strides;
  const sizes = index.dim() === 0 ? [1] : index.sizes();
  // Row by row is the iterator's own order.
  const in_order = dim === sizes.length - 1 && left.is_contiguous();
  if (!in_order && any_outside(index, size)) {
    entry_by_entry(left, index, right, lines);
    return;
  }
  const [l_data, x_data, r_data] = [left.impl_.data_view(), index.impl_.data_view(), right.impl_.data_view()];
  const [l_step, r_step] = running === "left" ? [l_stride, 0] : [0, r_stride];
  const line = vec ?? lines.line;
  if (vec !== null && length > 1) {
    const [l, x, r] = operands.map((t) => t.impl_.data_offset());
    vec(l_data, l, l_stride, x_data, x, x_stride, r_data, r, r_stride, n, dim, size);
    return;
  }
  const count_of_lines = index.numel() / n;
  // Neighbouring lines share cache lines, so only a piece of each line is handled before the next one.
  const most = in_order ? n : PIECE;
  for (let i = 0; i < n; i += most) {
    const count = Math.min(most, n - i);
    const position = new Array<number>(sizes.length).fill(0);
    let l = left.impl_.data_offset() + i * l_step;
    let x = index.impl_.data_offset() + i * x_stride;
    let r = right.impl_.data_offset() + i * r_step;
    for (let k = 0; k < count_of_lines; k++) {
      line(l_data, l, l_stride, x_data, x, x_stride, r_data, r, r_stride, count, dim, size);
      for (let d = sizes.length - 1; d >= 0; d--) {
        if (d === dim) continue;
        const back = ++position[d] < sizes[d] ? 1 : 1 - sizes[d];
        l += back * stride_at(left, d);
        x += back * stride_at(index, d);
        r += back * stride_at(right, d);
        if (back === 1) break;
        position[d] = 0;
      }
    }
  }
}

const gather_loops: LineLoops = { symbol: "gather_line", instances: gather_line_instances, vec: "move" };
const gather_opmath_loops: LineLoops = {
  symbol: "gather_opmath_line",
  instances: gather_opmath_line_instances,
  vec: null,
};
const scatter_loops: LineLoops = { symbol: "scatter_line", instances: scatter_line_instances, vec: "move" };
const reduce_loops: Readonly<Record<ScatterReduction, LineLoops>> = {
  sum: { symbol: "scatter_add_line", instances: scatter_add_line_instances, vec: "add" },
  prod: { symbol: "scatter_multiply_line", instances: scatter_multiply_line_instances, vec: null },
  mean: { symbol: "scatter_mean_line", instances: scatter_mean_line_instances, vec: "add" },
  amax: { symbol: "scatter_amax_line", instances: scatter_amax_line_instances, vec: null },
  amin: { symbol: "scatter_amin_line", instances: scatter_amin_line_instances, vec: null },
};

function gather_kernel(result: Tensor, self: Tensor, dim: number, index: Tensor): void {
  const size = size_at(self, dim);
  if (!isReducedFloatingType(result.scalar_type()) || can_use_expanded_index_path(dim, index)) {
    for_each_line(gather_loops, result, index, self, dim, size, "left");
  } else with_buffer(result, (out) => for_each_line(gather_opmath_loops, out, index, self, dim, size, "left"));
}

/** Calls `run(self)`. Halves go through a buffer of floats, even if nothing is added. */
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

function scatter_lines(loops: LineLoops, self: Tensor, dim: number, index: Tensor, src: Tensor): void {
  const size = size_at(self, dim);
  with_buffer(self, (out) => for_each_line(loops, out, index, src, dim, size, "right"));
}

function scatter_kernel(self: Tensor, dim: number, index: Tensor, src: Tensor): void {
  scatter_lines(scatter_loops, self, dim, index, src);
}
function scatter_add_kernel(self: Tensor, dim: number, index: Tensor, src: Tensor): void {
  scatter_lines(reduce_loops.sum, self, dim, index, src);
}
function scatter_multiply_kernel(self: Tensor, dim: number, index: Tensor, src: Tensor): void {
  scatter_lines(reduce_loops.prod, self, dim, index, src);
}

function scatter_reduce_two_kernel(
  self: Tensor,
  dim: number,
  index: Tensor,
  src: Tensor,
  reduce: ScatterReduction,
): void {
  scatter_lines(reduce_loops[reduce], self, dim, index, src);
}

REGISTER_DISPATCH(gather_stub, gather_kernel, "gather_cpu_kernel");
REGISTER_DISPATCH(scatter_stub, scatter_kernel, "scatter_cpu_kernel");
REGISTER_DISPATCH(scatter_add_stub, scatter_add_kernel, "scatter_add_cpu_kernel");
REGISTER_DISPATCH(scatter_multiply_stub, scatter_multiply_kernel, "scatter_reduce_cpu_kernel");
REGISTER_DISPATCH(scatter_reduce_two_stub, scatter_reduce_two_kernel, "scatter_reduce_two_cpu_kernel");
