/**
 * @file Kernels of advanced indexing: `index`, `index_put_`, and `index_put_` with accumulation.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 */
import {
  AT_DISPATCH,
  cast,
  type data,
  type float64,
  type InstanceOf,
  load,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import {
  index_instances,
  index_put_accumulate_instances,
  index_put_instances,
} from "#aten/native/cpu/generated/IndexKernel/index";
import { inside_loop, type Move, type Moves, move_of, told_of_moves } from "#aten/native/cpu/vec/index/driver";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { indices_inside_stub } from "#aten/native/TensorAdvancedIndexing/IndexSelect";
import { index_put_stub, index_stub } from "#aten/native/TensorAdvancedIndexing/index";
import type { TensorIterator, TensorIteratorBase } from "#aten/TensorIterator";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { IndexError, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { int32_pairs, load_int64 } from "#c10/util/math";
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";

/** Number of operands before the index tensors: the destination and the source. */
const FIRST_INDEX = 2;

/** Number of elements in a row whose indices are read together. */
const PIECE = 1024;
const offsets = new Float64Array(PIECE);

/**
 * Converts the values of the index tensors, a piece of a row at a time, to `offsets` (in elements) along the indexed
 * dimensions.
 */
export class Indexer {
  private readonly sizes_: readonly number[];
  private readonly strides_: readonly number[];

  constructor(sizes: readonly number[], strides: readonly number[]) {
    this.sizes_ = sizes;
    this.strides_ = strides;
  }

  /**
   * Reads the indices of `n` elements from (i, j) of a tile on. Returns the number of elements before the first index
   * that is out of range.
   */
  read(operands: readonly OperandInfo[], i: number, j: number, n: number): number {
    let inside = n;
    offsets.fill(0, 0, n);
    for (let k = 0; k < operands.length - FIRST_INDEX; k++)
      inside = this.add(operands[k + FIRST_INDEX], k, i, j, inside);
    return inside;
  }

  private add(index: OperandInfo, k: number, i: number, j: number, n: number): number {
    const pairs = int32_pairs(index.view() as BigInt64Array);
    const begin = index.at(i, j);
    const step = index.inner_stride();
    const size = this.sizes_[k];
    const stride = this.strides_[k];
    for (let e = 0; e < n; e++) {
      const value = load_int64(pairs, begin + e * step);
      if (!(value >= -size && value < size)) return e;
      offsets[e] += (value < 0 ? value + size : value) * stride;
    }
    return n;
  }

  /** Throws for the element at (i, j), which has an index out of range. */
  refuse(operands: readonly OperandInfo[], i: number, j: number): never {
    const values = operands.slice(FIRST_INDEX).map((index) => (index.view() as BigInt64Array)[index.at(i, j)]);
    const k = values.findIndex((value, d) => value < -this.sizes_[d] || value >= this.sizes_[d]);
    throw new IndexError(`index ${values[k]} is out of bounds for dimension ${k} with size ${this.sizes_[k]}`);
  }
}

/** Whether all elements of a row share one index, so that whole rows are read or written. */
function is_constant(operands: readonly OperandInfo[]): boolean {
  return operands.every((op, k) => k < FIRST_INDEX || op.inner_stride() === 0);
}

/** @template index_cpu: Bool, all types and halves, barebones unsigned types */
export function index(dst: row<scalar_t>, src: row<scalar_t>, n: number, offsets: data<float64>): void {
  for (let i = 0; i < n; i++) {
    store(dst, i, load(src.view, src.offset + i * src.stride + cast<number>(load(offsets, i))));
  }
}

/** @template index_put: Bool, all types and halves */
export function index_put(dst: row<scalar_t>, src: row<scalar_t>, n: number, offsets: data<float64>): void {
  for (let i = 0; i < n; i++) {
    store(dst.view, dst.offset + i * dst.stride + cast<number>(load(offsets, i)), load(src, i));
  }
}

/** If a place is indexed twice, both values are added. @template index_put: Bool, all types and halves */
export function index_put_accumulate(dst: row<scalar_t>, src: row<scalar_t>, n: number, offsets: data<float64>): void {
  for (let i = 0; i < n; i++) {
    const to = dst.offset + i * dst.stride + cast<number>(load(offsets, i));
    store(dst.view, to, cast<scalar_t>(load(dst.view, to) + load(src, i)));
  }
}

type Tile = InstanceOf<typeof index>;

/** Values shared by all tiles. */
interface IndexContext {
  readonly fn: Tile;
  readonly indexer: Indexer;
  /** The WebAssembly loop, or null if it cannot run. */
  readonly move: Move | null;
  /** Stride between the places of two consecutive indices, in the destination and in the source. */
  readonly each: readonly [to: number, from: number];
}

/** Smallest number of elements for which `TypedArray.set` is faster than a loop. */
const WORTH_A_COPY = 32;

function index_tile(operands: readonly OperandInfo[], n: number, m: number, { fn, indexer }: IndexContext): void {
  const [dst, src] = operands as readonly [OperandInfo, OperandInfo]; // the index tensors follow
  const [s0, s1] = [dst.inner_stride(), src.inner_stride()];
  for (let j = 0; j < m; j++) {
    for (let i = 0; i < n; i += PIECE) {
      const count = Math.min(PIECE, n - i);
      const inside = indexer.read(operands, i, j, count);
      fn(dst.view(), dst.at(i, j), s0, src.view(), src.at(i, j), s1, inside, offsets);
      if (inside < count) indexer.refuse(operands, i + inside, j);
    }
  }
}

/** Copies whole rows if a row has one index and is contiguous on both sides; otherwise like index_tile. */
function index_rows(operands: readonly OperandInfo[], n: number, m: number, context: IndexContext): void {
  const [dst, src] = operands as readonly [OperandInfo, OperandInfo];
  const { indexer } = context;
  const copies = n >= WORTH_A_COPY && dst.inner_stride() === 1 && src.inner_stride() === 1 && is_constant(operands);
  if (!copies) {
    index_tile(operands, n, m, context);
    return;
  }
  const [to, from] = [dst.view() as Float64Array, src.view() as Float64Array]; // the actual type may be another typed array
  for (let j = 0; j < m; j++) {
    if (indexer.read(operands, 0, j, 1) === 0) indexer.refuse(operands, 0, j);
    const begin = src.at(0, j) + offsets[0];
    to.set(from.subarray(begin, begin + n), dst.at(0, j));
  }
}

/** Runs the WebAssembly loop for one index tensor, element by element. */
function move_tile(operands: readonly OperandInfo[], n: number, m: number, context: IndexContext): void {
  const [dst, src, index] = operands as readonly [OperandInfo, OperandInfo, OperandInfo];
  const { indexer, each } = context;
  const move = context.move as Move;
  const [s0, s1, s2] = [dst.inner_stride(), src.inner_stride(), index.inner_stride()];
  for (let j = 0; j < m; j++) {
    const inside = move(dst.at(0, j), s0, each[0], src.at(0, j), s1, each[1], index.at(0, j), s2, n);
    if (inside < n) indexer.refuse(operands, inside, j);
  }
}

/** Runs the WebAssembly loop for one index tensor, row by row. */
function move_rows(operands: readonly OperandInfo[], _n: number, m: number, context: IndexContext): void {
  const [dst, src, index] = operands as readonly [OperandInfo, OperandInfo, OperandInfo];
  const { indexer, each } = context;
  const move = context.move as Move;
  const [t0, t1, t2] = [dst.outer_stride(), src.outer_stride(), index.outer_stride()];
  const inside = move(dst.offset, t0, each[0], src.offset, t1, each[1], index.offset, t2, m);
  if (inside < m) indexer.refuse(operands, 0, inside);
}

/** Whether a row has one index and is contiguous on both sides. */
function are_rows(operands: readonly OperandInfo[]): boolean {
  return operands[0].inner_stride() === 1 && operands[1].inner_stride() === 1 && is_constant(operands);
}

/**
 * An operator's use of the loops: the JavaScript loop for the dtype, the kind of WebAssembly loop, and the side that is
 * indexed.
 */
interface Use {
  readonly symbol: string;
  readonly fn: Tile;
  readonly kind: "move" | "add";
  readonly names: "dst" | "src";
}

function cpu_index_kernel(
  iter: TensorIteratorBase,
  index_size: readonly number[],
  index_stride: readonly number[],
  { symbol, fn, kind, names }: Use,
): void {
  if (iter.numel() === 0) return;
  // If no index tensor is left (`x[torch.tensor(True)]` as an operator call), PyTorch asserts too.
  TORCH_INTERNAL_ASSERT(iter.ntensors() > FIRST_INDEX, "ntensor >= 3");
  const indexer = new Indexer(index_size, index_stride);
  const operands = iter.iter_.operands();
  const rows = are_rows(operands);
  const length = rows ? iter.shape()[0] : 1;
  const tensors = operands.map((op) => op.tensor().impl_);
  const [size] = index_size;
  const moves: Moves = { kind, operands: tensors, runs: [iter.numel() / length, length], least: -size, size };
  const move = move_of(moves);
  const [stride] = index_stride;
  const each = names === "src" ? ([0, stride] as const) : ([stride, 0] as const);
  const loop = move !== null ? (rows ? move_rows : move_tile) : names === "src" ? index_rows : index_tile;
  const context = { fn, indexer, move, each };
  if (tracer === null) iter.for_each(loop, context);
  else callSlow(iter, loop, context, told_of_moves(moves, symbol, "IndexKernel/index"));
}

type Loop = (operands: readonly OperandInfo[], n: number, m: number, context: IndexContext) => void;

function callSlow(iter: TensorIteratorBase, loop: Loop, context: IndexContext, told: TraceData): void {
  const for_each = iter.for_each.bind(iter) as (loop: Loop, context: IndexContext) => void;
  traceCall("loop", told["scalar"] as string, for_each, [loop, context], told);
}

function index_kernel(iter: TensorIteratorBase, index_size: readonly number[], index_stride: readonly number[]): void {
  const fn = AT_DISPATCH(index_instances, iter.dtype(0));
  cpu_index_kernel(iter, index_size, index_stride, { symbol: "index", fn, kind: "move", names: "src" });
}

// If an index occurs twice without `accumulate`, one of the values stays; here it is the last one.
function index_put_kernel(
  iter: TensorIterator,
  index_size: readonly number[],
  index_stride: readonly number[],
  accumulate: boolean,
): void {
  const fn = AT_DISPATCH(accumulate ? index_put_accumulate_instances : index_put_instances, iter.dtype(0));
  const symbol = accumulate ? "index_put_accumulate" : "index_put";
  cpu_index_kernel(iter, index_size, index_stride, { symbol, fn, kind: accumulate ? "add" : "move", names: "dst" });
}

function inside(index: TensorImpl, step: number, n: number, least: number, size: number): number {
  const pairs = int32_pairs(index.data_view() as BigInt64Array);
  const begin = index.data_offset();
  for (let i = 0; i < n; i++) {
    const value = load_int64(pairs, begin + i * step);
    if (!(value >= least && value < size)) return i;
  }
  return n;
}

function indices_inside_kernel(index: Tensor, size: number, least: number): number {
  return inside_loop(index, least, size, inside);
}

REGISTER_DISPATCH(indices_inside_stub, indices_inside_kernel, "indices_inside_kernel");
REGISTER_DISPATCH(index_stub, index_kernel, "index_kernel");
REGISTER_DISPATCH(index_put_stub, index_put_kernel, "index_put_kernel");
