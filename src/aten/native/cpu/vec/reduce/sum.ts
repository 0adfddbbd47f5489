/**
 * @file Kernels and driver of sums of floats with SIMD. They add in the same order as ../../SumKernel.ts, so the
 * results have the same bits.
 * @mirrors aten/src/ATen/native/cpu/SumKernel.cpp
 * @see ../../SumKernel.ts, Note [Cascade sum] (the levels)
 * @vec SumKernel: float32, float64, float16, bfloat16
 */

import { in_heap, workspace } from "#aten/cpu/vec/heap";
import {
  clz,
  type float,
  type int,
  lane,
  lanes,
  load,
  load_one,
  load_one_opmath,
  load_opmath,
  max,
  type ptr,
  type scalar_t,
  sizeof,
  store_one,
  store_opmath,
  type Vec,
  vec_bytes,
} from "#aten/cpu/vec/Vec";
import type { TypedArray } from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import type { Loop2d } from "#aten/iterator/TensorIteratorState";
import { default_loop } from "#aten/native/cpu/default_loop";
import { clear_sum, type Tile, tile_loop, tile_of } from "#aten/native/cpu/SumKernel";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { SumKernel_vec } from "#aten/native/cpu/vec/generated/reduce/sum";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { sum_stub } from "#aten/native/ReduceOps/index";
import { divup, GRAIN_SIZE } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import type { TensorIterator } from "#aten/TensorIterator";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";
import { integer_sum_vec } from "./driver.ts";

// LANES of the Note are 32 bytes in the dtype of the sum: two of our vectors. A block of four times LANES columns is
// eight vectors, one register each.

/** Size of `acc` in bytes: eight sums, and the three upper levels of these eight. */
export const ACC_BYTES = 512;

/** First vector of columns at `x`. If `folds` is 1 (halves), it is the sum of two vectors, 16 bytes apart. @inline */
function first(x: ptr, folds: int): Vec {
  return folds === 1 ? load(x) + load(x + 16) : load(x);
}

/** Second vector of columns at `x`. @inline */
function second(x: ptr, folds: int): Vec {
  return folds === 1 ? load(x + 8) + load(x + 24) : load(x + vec_bytes<scalar_t>());
}

/**
 * Sums eight vectors of columns as one cascade into acc[0 ... 128): two from each of four pointers that are `between`
 * apart. Rows are `stride` bytes apart.
 * @inline
 */
function eight_sums(acc: ptr, x: ptr, between: int, stride: int, n: int, folds: int): void {
  const level_power = max(4, (n <= 1 ? 0 : 32 - clz(n - 1)) >> 2);
  const step = 1 << level_power;
  const mask = step - 1;
  for (let k = 128; k < ACC_BYTES; k += 16) store_opmath(acc + k, 0);
  let x0 = x;
  let x1 = x + between;
  let x2 = x1 + between;
  let x3 = x2 + between;
  let s0: Vec = 0;
  let s1: Vec = 0;
  let s2: Vec = 0;
  let s3: Vec = 0;
  let s4: Vec = 0;
  let s5: Vec = 0;
  let s6: Vec = 0;
  let s7: Vec = 0;
  let i = 0;
  while (i < n) {
    const until = i + step;
    const rows = until <= n ? until : n;
    for (; i < rows; i++) {
      s0 += first(x0, folds);
      s1 += second(x0, folds);
      s2 += first(x1, folds);
      s3 += second(x1, folds);
      s4 += first(x2, folds);
      s5 += second(x2, folds);
      s6 += first(x3, folds);
      s7 += second(x3, folds);
      x0 += stride;
      x1 += stride;
      x2 += stride;
      x3 += stride;
    }
    if (i < until) break; // elements after the last whole step stay in level 0
    let level = acc + 128;
    store_opmath(level, load_opmath(level) + s0);
    store_opmath(level + 16, load_opmath(level + 16) + s1);
    store_opmath(level + 32, load_opmath(level + 32) + s2);
    store_opmath(level + 48, load_opmath(level + 48) + s3);
    store_opmath(level + 64, load_opmath(level + 64) + s4);
    store_opmath(level + 80, load_opmath(level + 80) + s5);
    store_opmath(level + 96, load_opmath(level + 96) + s6);
    store_opmath(level + 112, load_opmath(level + 112) + s7);
    s0 = 0;
    s1 = 0;
    s2 = 0;
    s3 = 0;
    s4 = 0;
    s5 = 0;
    s6 = 0;
    s7 = 0;
    let full = mask << level_power;
    while ((i & full) === 0 && level < acc + 384) {
      for (let k = 0; k < 8; k++) {
        store_opmath(level + 128, load_opmath(level + 128) + load_opmath(level));
        store_opmath(level, 0);
        level += 16;
      }
      full = full << level_power;
    }
  }
  store_opmath(acc, s0 + load_opmath(acc + 128) + load_opmath(acc + 256) + load_opmath(acc + 384));
  store_opmath(acc + 16, s1 + load_opmath(acc + 144) + load_opmath(acc + 272) + load_opmath(acc + 400));
  store_opmath(acc + 32, s2 + load_opmath(acc + 160) + load_opmath(acc + 288) + load_opmath(acc + 416));
  store_opmath(acc + 48, s3 + load_opmath(acc + 176) + load_opmath(acc + 304) + load_opmath(acc + 432));
  store_opmath(acc + 64, s4 + load_opmath(acc + 192) + load_opmath(acc + 320) + load_opmath(acc + 448));
  store_opmath(acc + 80, s5 + load_opmath(acc + 208) + load_opmath(acc + 336) + load_opmath(acc + 464));
  store_opmath(acc + 96, s6 + load_opmath(acc + 224) + load_opmath(acc + 352) + load_opmath(acc + 480));
  store_opmath(acc + 112, s7 + load_opmath(acc + 240) + load_opmath(acc + 368) + load_opmath(acc + 496));
}

function multi_row_sum(acc: ptr, x: ptr, between: int, stride: int, n: int): void {
  eight_sums(acc, x, between, stride, n, 0);
}

function multi_row_sum_folded(acc: ptr, x: ptr, between: int, stride: int, n: int): void {
  eight_sums(acc, x, between, stride, n, 1);
}

/** Sums two vectors of columns, each as four interleaved cascades, into acc[0 ... 32). @inline */
function two_sums(acc: ptr, x: ptr, stride: int, n: int, folds: int): void {
  const quarter = n >> 2;
  if (folds === 1) multi_row_sum_folded(acc, x, stride, stride << 2, quarter);
  else multi_row_sum(acc, x, stride, stride << 2, quarter);
  let s0: Vec = load_opmath(acc);
  let s1: Vec = load_opmath(acc + 16);
  let from = x + stride * (quarter << 2);
  for (let i = quarter << 2; i < n; i++) {
    s0 += first(from, folds);
    s1 += second(from, folds);
    from += stride;
  }
  store_opmath(acc, s0 + load_opmath(acc + 32) + load_opmath(acc + 64) + load_opmath(acc + 96));
  store_opmath(acc + 16, s1 + load_opmath(acc + 48) + load_opmath(acc + 80) + load_opmath(acc + 112));
}

/** Sum of `n` contiguous elements. Precondition: they take at least 32 bytes. */
function inner_row(acc: ptr, x: ptr, n: int): float {
  const vectors = (n * sizeof<scalar_t>()) >> 5;
  two_sums(acc, x, 32, vectors, sizeof<scalar_t>() === 2 ? 1 : 0);
  let sum: float = 0;
  const end = x + n * sizeof<scalar_t>();
  for (let p = x + (vectors << 5); p < end; p += sizeof<scalar_t>()) sum += load_one(p);
  for (let k = 0; k < 32; k += 16) {
    const v: Vec = load_opmath(acc + k);
    sum += lane(v, 0);
    sum += lane(v, 1);
    if (lanes<scalar_t>() === 4) {
      sum += lane(v, lanes<scalar_t>() - 2);
      sum += lane(v, lanes<scalar_t>() - 1);
    }
  }
  return sum;
}

/** out[j] += sum of row j of x, whose `n` elements are contiguous. Strides are in bytes. */
export function sum_inner(acc: ptr, out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  let to = out;
  let from = x;
  for (let j = 0; j < count; j++) {
    store_one(to, load_one(to) + inner_row(acc, from, n));
    to += between_out;
    from += between;
  }
}

/** out[j] += sum of column j of x. Columns are contiguous, rows `stride` bytes apart. */
export function sum_outer(acc: ptr, out: ptr, between_out: int, x: ptr, stride: int, columns: int, n: int): void {
  const bytes = columns * sizeof<scalar_t>();
  const two = 2 * vec_bytes<scalar_t>();
  let to = out;
  let done = 0;
  while (done < bytes) {
    let ready = two;
    if (done + 4 * two <= bytes) {
      multi_row_sum(acc, x + done, two, stride, n);
      ready = 4 * two;
    } else two_sums(acc, x + done, stride, n, 0);
    // Vectors may read past the last column; these lanes are not used.
    let sum = acc;
    for (let k = 0; k < ready && done + k < bytes; k += sizeof<scalar_t>()) {
      store_one(to, load_one(to) + load_one_opmath(sum));
      to += between_out;
      sum += 16 / lanes<scalar_t>();
    }
    done += ready;
  }
}

// Driver
// ------------------------------------------------------------------------------------------------------------------

/** Position of the scratch-memory parameter in both kernels' signatures. */
const ACC_PARAMETER = 0;
/** Threads split the columns at multiples of this many bytes; then each sum is added in the same order. */
const WHOLE_BYTES = 128;

interface VecTile {
  readonly f: ReturnType<typeof SumKernel_vec.get>;
  readonly acc: ptr;
  /** Size of an element in bytes. */
  readonly size: number;
  /** Fallback for tiles in which neither inputs nor outputs are contiguous. */
  readonly plain: Tile;
  /** A small result is in an ArrayBuffer outside the heap if the heap was full when it was allocated. */
  readonly out_elsewhere: boolean;
}

/** Limit, in bytes, for sums outside the heap that are computed in scratch memory. */
const MOST_SUMS = 65536;

interface Way {
  readonly name: "inner" | "outer" | "plain";
  /** The output is the same along a row; there is one sum per column. Strides are in elements. */
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
  readonly between_out: number;
}

/**
 * Chooses the kernel: "inner" if the inputs of a sum are contiguous, "outer" if the sums are; either needs at least 32
 * bytes.
 */
function way_of(os: readonly number[], xs: readonly number[], n0: number, n1: number, size: number): Way {
  const first = os[0] === 0;
  const [row, column] = first ? xs : [xs[1], xs[0]];
  const [rows, columns] = first ? [n0, n1] : [n1, n0];
  const reduces = first || os[1] === 0;
  const inner = reduces && row === 1 && rows * size >= 32;
  const outer = reduces && column === 1 && columns * size >= 32;
  const name = inner ? "inner" : outer ? "outer" : "plain";
  return { name, row, column, rows, columns, between_out: first ? os[1] : os[0] };
}

function vec_tile_loop(operands: readonly OperandInfo[], n0: number, n1: number, tile: VecTile): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  const { f, acc, size } = tile;
  const xs = [x.inner_stride(), x.outer_stride()];
  const way = way_of([out.inner_stride(), out.outer_stride()], xs, n0, n1, size);
  const [to, from, between] = [out.offset * size, x.offset * size, way.between_out * size];
  if (way.name === "plain" || (tile.out_elsewhere && way.columns * size > MOST_SUMS)) {
    tile_loop(operands, n0, n1, tile.plain);
    return;
  }
  const sums = tile.out_elsewhere ? acc + ACC_BYTES : to;
  const apart = tile.out_elsewhere ? size : between;
  if (tile.out_elsewhere) move_sums(out, way, x.view(), sums / size, true);
  const n = tile.out_elsewhere ? Number.POSITIVE_INFINITY : divup(GRAIN_SIZE, way.rows); // number of sums for which another thread is worth its cost
  if (way.name === "inner" && apart === 0)
    f.sum_inner(acc, sums, 0, from, way.column * size, way.columns, way.rows); // one sum, whose order must not change
  else if (way.name === "inner")
    parallel_kernel(f.sum_inner, ACC_PARAMETER, 0, way.columns, n, (sum_inner, begin, end) =>
      sum_inner(
        acc,
        sums + begin * apart,
        apart,
        from + begin * way.column * size,
        way.column * size,
        end - begin,
        way.rows,
      ),
    );
  else
    parallel_kernel(
      f.sum_outer,
      ACC_PARAMETER,
      0,
      way.columns,
      n,
      (sum_outer, begin, end) =>
        sum_outer(acc, sums + begin * apart, apart, from + begin * size, way.row * size, end - begin, way.rows),
      WHOLE_BYTES / size,
    );
  if (tile.out_elsewhere) move_sums(out, way, x.view(), sums / size, false);
}

/** Copies sums from outside the heap into scratch memory, or back. `heap` is a view of the whole heap. */
function move_sums(out: OperandInfo, way: Way, heap: TypedArray, at: number, into: boolean): void {
  const view = out.view();
  for (let j = 0; j < way.columns; j++) {
    const place = out.offset + j * way.between_out;
    if (into) heap[at + j] = view[place];
    else view[place] = heap[at + j];
  }
}

function sum_kernel_vec(iter: TensorIterator): void {
  const dtype = iter.dtype(0);
  if (isIntegralType(dtype, false)) {
    integer_sum_vec(iter);
    return;
  }
  const has = SumKernel_vec.has(dtype);
  const memory = has ? heap_memory() : null;
  const acc = memory === null ? 0 : workspace(ACC_BYTES + MOST_SUMS);
  clear_sum(iter);
  if (memory === null || acc === 0 || !in_heap(iter.tensor(1).impl_)) {
    if (tracer === null) iter.for_each(tile_loop, tile_of(dtype));
    else callSlow(iter, has ? "not in the heap" : "no SIMD kernel for this dtype", tile_loop, tile_of(dtype));
    return;
  }
  const f = functions_of(SumKernel_vec, dtype);
  const out_elsewhere = !in_heap(iter.output().impl_);
  const tile = { f, acc, size: elementSize(dtype), plain: tile_of(dtype), out_elsewhere };
  if (tracer === null) iter.for_each(vec_tile_loop, tile);
  else callSlow(iter, null, vec_tile_loop, tile);
}

function callSlow<T>(iter: TensorIterator, refusal: string | null, loop: Loop2d<[T]>, tile: T): void {
  const dtype = iter.dtype(0);
  const shape = iter.shape();
  const pair = (strides: readonly number[]): number[] => [strides[0] ?? 0, strides[1] ?? 0];
  const [os, xs] = [pair(iter.strides(0)), pair(iter.strides(1))];
  const { name } = way_of(os, xs, shape[0] ?? 1, shape[1] ?? 1, elementSize(dtype));
  const why = refusal ?? (name === "plain" ? `no 32 contiguous bytes: strides [${xs}]` : null);
  const data =
    why === null
      ? vector_loop(`sum_${name}`, "reduce/sum", SumKernel_vec, dtype, shape)
      : default_loop(dtype === ScalarType.Bool ? "bool_sum" : "sum_cascade", "SumKernel", dtype, shape, why);
  traceCall(
    "loop",
    data["scalar"] as string,
    iter.for_each.bind(iter),
    [loop as Loop2d<[unknown]>, tile],
    data,
    told_of_threads,
  );
}
REGISTER_ARCH_DISPATCH(sum_stub, CPUCapability.SIMD128, sum_kernel_vec, "sum_kernel_vec");
