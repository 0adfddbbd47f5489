/**
 * @file Driver of matrix products with SIMD: decides when SIMD runs, in which order, and finds the addresses.
 * @mirrors aten/src/ATen/native/CPUBlas.cpp
 * @differs Ours chooses its SIMD kernel here; PyTorch calls a BLAS library here if it can.
 * @see kernel.ts (the kernels), halves.ts (halves are multiplied as floats), ../../BlasKernel.ts (the fallback)
 */
import { memory_of, type Region, with_addresses, workspace } from "#aten/cpu/vec/heap";
import { gemm_stub, type Matrix } from "#aten/native/CPUBlas";
import { cpublas_gemm_impl } from "#aten/native/cpu/BlasKernel";
import { default_loop } from "#aten/native/cpu/default_loop";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { SPARE } from "#aten/native/cpu/vec/functions";
import { HalfMatrixKernel_vec } from "#aten/native/cpu/vec/generated/blas/halves";
import { BlasKernel_vec } from "#aten/native/cpu/vec/generated/blas/kernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { divup } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import { cpu_heap, heap_memory } from "#c10/core/CPUHeap";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";
import { WIDTH, WORK_BYTES } from "./kernel.ts";

/**
 * Smallest number of multiply-adds for which SIMD runs. A smaller product costs no more when it is summed in double,
 * and the result is then nearer to PyTorch's, which rounds only once per multiply-add.
 */
export const FEWEST = 1024;
/** Number of multiply-adds for which another thread is worth its cost. In PyTorch, BLAS decides this. */
export const WORTH_A_THREAD = 65536;
/** Smallest number of rows in a thread's part: for fewer, packing the other operand again costs too much. */
const FEWEST_ROWS = 12;
/** Parts begin at multiples of this many rows, and of this many columns (whole SIMD vectors). */
const WHOLE_ROWS = 4;
export const WHOLE_COLUMNS = 32;
/** Position of the scratch-memory parameter in the kernel's signature. */
export const WORK_PARAMETER = 0;

type Gemm = typeof cpublas_gemm_impl;

/** The layout of a matrix, in elements. */
export type Layout = Pick<Matrix, "rowStride" | "columnStride" | "batchStride">;

/** Arguments of a product: m, n, k, alpha, A, B, beta, C. For int64, alpha and beta are bigints at run time. */
export type Product = [number, number, number, number, Layout, Layout, number, Layout];

const gemm_vec: Gemm = (dtype, m, n, k, alpha, a, b, beta, c, batch) => {
  const why = why_not(m * n * k, c);
  const run = why === null ? vectors_of(dtype) : cpublas_gemm_impl;
  if (tracer === null) run(dtype, m, n, k, alpha, a, b, beta, c, batch);
  else callSlow(run, why, dtype, m, n, k, alpha, a, b, beta, c, batch);
};

/** Dtype whose kernel does the multiplication. */
function lanes_of(dtype: ScalarType): ScalarType {
  if (HalfMatrixKernel_vec.has(dtype)) return ScalarType.Float;
  return is_small_integer(dtype) ? ScalarType.Int : dtype;
}

function is_small_integer(dtype: ScalarType): boolean {
  return dtype === ScalarType.Char || dtype === ScalarType.Byte || dtype === ScalarType.Short;
}

function vectors_of(dtype: ScalarType): Gemm {
  if (HalfMatrixKernel_vec.has(dtype)) return halves;
  return is_small_integer(dtype) ? small_integers : vectors;
}

function why_not(work: number, c: Matrix): string | null {
  if (work < FEWEST) return `m n k < ${FEWEST}`;
  if (c.columnStride !== 1 && c.rowStride !== 1) return `strides of the result [${c.rowStride}, ${c.columnStride}]`;
  return heap_memory() === null || workspace(WORK_BYTES) === 0 ? "no heap" : null;
}

function callSlow(run: Gemm, why: string | null, ...args: Parameters<Gemm>): void {
  const [dtype, m, n, k, , a, b, , c] = args;
  const memory = memory_of([a.tensor, b.tensor, c.tensor]);
  const data =
    why === null
      ? vector_loop("gemm", "blas/kernel", BlasKernel_vec, dtype, [m, n, k], memory, lanes_of(dtype))
      : default_loop("gemm_core", "BlasKernel", dtype, [m, n, k], why);
  traceCall("loop", data["scalar"] as string, run, args, data, told_of_threads);
}

function vectors(...args: Parameters<Gemm>): void {
  const [dtype, m, n, k, alpha, a, b, beta, c, batch] = args;
  const operands: Product = [m, n, k, alpha as number, a, b, beta as number, c];
  const regions = [region(c, m, n, batch), region(a, m, k, batch), region(b, k, n, batch)];
  if (!with_addresses(regions, (addresses) => gemm_at(dtype, operands, batch, addresses))) cpublas_gemm_impl(...args);
}

/**
 * Converts A and B to floats, multiplies, and rounds the result to halves. The floats are in a block that is freed
 * after the product.
 */
function halves(...args: Parameters<Gemm>): void {
  const [dtype, m, n, k, alpha, a, b, beta, c, batch] = args;
  if (c.columnStride !== 1) {
    halves(dtype, n, m, k, alpha, transposed(b), transposed(a), beta, transposed(c), batch);
    return;
  }
  const bytes_a = 4 * times(a, batch) * m * k;
  const bytes_b = 4 * times(b, batch) * k * n;
  const room = cpu_heap()?.allocate(bytes_a + bytes_b + 4 * batch * m * n + SPARE, "kernel") ?? null;
  const regions = [region(c, m, n, batch), region(a, m, k, batch), region(b, k, n, batch)];
  const ran =
    room !== null &&
    with_addresses(regions, ([at_c, at_a, at_b]) => {
      const floats = [room.begin + bytes_a + bytes_b, room.begin, room.begin + bytes_a];
      widen(dtype, floats[1], at_a, a, m, k, batch);
      widen(dtype, floats[2], at_b, b, k, n, batch);
      const operands: Product = [m, n, k, alpha as number, wide(a, m, k), wide(b, k, n), 0, wide(c, m, n)];
      gemm_at(ScalarType.Float, operands, batch, floats);
      const { narrow_rows } = functions_of(HalfMatrixKernel_vec, dtype);
      for (let i = 0; i < batch; i++)
        narrow_rows(at_c + 2 * i * c.batchStride, floats[0] + 4 * i * m * n, m, n, 2 * c.rowStride, beta as number);
    });
  if (room !== null) cpu_heap()?.free(room);
  if (!ran) cpublas_gemm_impl(...args);
}

/** Converts the halves of `x` at address `from` to floats at address `to`, in the layout that `wide` describes. */
function widen(
  dtype: ScalarType,
  to: number,
  from: number,
  x: Matrix,
  rows: number,
  columns: number,
  batch: number,
): void {
  const f = functions_of(HalfMatrixKernel_vec, dtype).widen_rows;
  for (let i = 0; i < times(x, batch); i++) {
    const [at, at_x] = [to + 4 * i * rows * columns, from + 2 * i * x.batchStride];
    if (x.columnStride === 1) f(at, at_x, rows, columns, 2 * x.rowStride, 2);
    else f(at, at_x, columns, rows, 2 * x.columnStride, 2 * x.rowStride);
  }
}

/**
 * Multiplies int8, uint8 and int16 as int32: the lowest bits of sums and products are the same. The int32 numbers are in a
 * block that is freed after the product.
 */
function small_integers(...args: Parameters<Gemm>): void {
  const [, m, n, k, alpha, a, b, beta, c, batch] = args;
  const room = cpu_heap()?.allocate(4 * batch * (m * k + k * n + m * n) + WIDTH, "kernel") ?? null;
  if (room === null) {
    cpublas_gemm_impl(...args);
    return;
  }
  const [in_a, in_b] = [0, batch * m * k];
  const in_c = in_b + batch * k * n;
  const ints = new Int32Array(room.buffer as ArrayBuffer, room.begin, in_c + batch * m * n);
  for (let i = 0; i < batch; i++) {
    widen_integers(ints, in_a + i * m * k, a, m, k, i);
    widen_integers(ints, in_b + i * k * n, b, k, n, i);
    if (beta !== 0) widen_integers(ints, in_c + i * m * n, c, m, n, i);
  }
  const rows = (height: number, width: number): Layout => ({
    rowStride: width,
    columnStride: 1,
    batchStride: height * width,
  });
  const operands: Product = [m, n, k, alpha as number, rows(m, k), rows(k, n), beta as number, rows(m, n)];
  const addresses = [in_c, in_a, in_b].map((at) => room.begin + 4 * at);
  gemm_at(ScalarType.Int, operands, batch, addresses);
  for (let i = 0; i < batch; i++) narrow_integers(ints, in_c + i * m * n, c, m, n, i);
  cpu_heap()?.free(room);
}

/** Copies matrix `item` of a batch to contiguous rows. */
function widen_integers(to: Int32Array, at: number, x: Matrix, rows: number, columns: number, item: number): void {
  const data = x.data as Int8Array;
  for (let i = 0; i < rows; i++) {
    let from = x.offset + item * x.batchStride + i * x.rowStride;
    for (let j = 0; j < columns; j++, from += x.columnStride) to[at++] = data[from];
  }
}

/** Copies contiguous rows to matrix `item` of a batch; typed arrays keep the lowest bits. */
function narrow_integers(from: Int32Array, at: number, x: Matrix, rows: number, columns: number, item: number): void {
  const data = x.data as Int8Array;
  for (let i = 0; i < rows; i++) {
    let to = x.offset + item * x.batchStride + i * x.rowStride;
    for (let j = 0; j < columns; j++, to += x.columnStride) data[to] = from[at++];
  }
}

/** Number of copies of a matrix in memory: a matrix that is expanded over the batch is stored once. */
function times(x: Matrix, batch: number): number {
  return x.batchStride === 0 ? 1 : batch;
}

/** Layout of the matrix after its conversion to floats: without gaps, in the original order. */
function wide(x: Matrix, rows: number, columns: number): Layout {
  const [rowStride, columnStride] = x.columnStride === 1 ? [columns, 1] : [1, rows];
  return { rowStride, columnStride, batchStride: x.batchStride === 0 ? 0 : rows * columns };
}

function region(x: Matrix, rows: number, columns: number, batch: number): Region {
  const last = (batch - 1) * x.batchStride + (rows - 1) * x.rowStride + (columns - 1) * x.columnStride;
  return { tensor: x.tensor, begin: x.offset, count: last + 1 };
}

const transposed = ({ tensor, data, offset, rowStride, columnStride, batchStride }: Matrix): Matrix => ({
  tensor,
  data,
  offset,
  rowStride: columnStride,
  columnStride: rowStride,
  batchStride,
});

const turned = ({ rowStride, columnStride, batchStride }: Layout): Layout => ({
  rowStride: columnStride,
  columnStride: rowStride,
  batchStride,
});

/**
 * The product of matrices at `addresses`, which are those of c, a, b. Precondition: `workspace(WORK_BYTES)` was requested
 * before the addresses were taken; see Note [Addresses last until memory is wanted].
 */
export function gemm_at(dtype: ScalarType, operands: Product, batch: number, addresses: readonly number[]): void {
  const [m, n, k, alpha, a, b, beta, c] = operands;
  const [at_c, at_a, at_b] = addresses;
  if (c.columnStride !== 1) {
    // The rows of C are contiguous, so compute C' = B' A'.
    const others: Product = [n, m, k, alpha, turned(b), turned(a), beta, turned(c)];
    gemm_at(dtype, others, batch, [at_c, at_b, at_a]);
    return;
  }
  const { gemm } = functions_of(BlasKernel_vec, dtype);
  const work = workspace(WORK_BYTES);
  const size = elementSize(dtype);
  const [ars, as, a_apart] = [a.rowStride * size, a.columnStride * size, a.batchStride * size];
  const [bs, bcs, b_apart] = [b.rowStride * size, b.columnStride * size, b.batchStride * size];
  const [crs, c_apart] = [c.rowStride * size, c.batchStride * size];
  const part = (f: typeof gemm, i: number, top: number, bottom: number, left: number, right: number): void =>
    // biome-ignore format: one operand group per line
    f(
      work, m, n, bottom - top, right - left, k, alpha,
      at_a + i * a_apart + top * ars, ars, as,
      at_b + i * b_apart + left * bcs, bs, bcs,
      beta, at_c + i * c_apart + top * crs + left * size, crs,
    );
  /** Number of items in a thread's part if one item costs `each` multiply-adds. */
  const grain = (each: number): number => divup(WORTH_A_THREAD, Math.max(1, each));
  if (batch > 1)
    parallel_kernel(gemm, WORK_PARAMETER, 0, batch, grain(m * n * k), (f, begin, end) => {
      for (let i = begin; i < end; i++) part(f, i, 0, m, 0, n);
    });
  else if (m > 2 * FEWEST_ROWS) {
    const rows = Math.max(grain(n * k), FEWEST_ROWS);
    parallel_kernel(gemm, WORK_PARAMETER, 0, m, rows, (f, top, bottom) => part(f, 0, top, bottom, 0, n), WHOLE_ROWS);
  } else
    parallel_kernel(
      gemm,
      WORK_PARAMETER,
      0,
      n,
      grain(m * k),
      (f, left, right) => part(f, 0, 0, m, left, right),
      WHOLE_COLUMNS,
    );
}

REGISTER_ARCH_DISPATCH(gemm_stub, CPUCapability.SIMD128, gemm_vec, "gemm_vec");
