/**
 * @file Kernels of matrix products without SIMD.
 * @mirrors aten/src/ATen/native/cpu/BlasKernel.cpp
 */
import {
  AT_DISPATCH,
  type captured,
  cast,
  type data,
  load,
  type opmath_t,
  type row,
  row_at,
  row_from,
  type scalar_t,
  scratch,
  store,
} from "#aten/Dispatch";
import { gemm_stub, type Matrix } from "#aten/native/CPUBlas";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import type { ScalarType } from "#c10/core/ScalarType";
import { gemm_core_instances } from "./generated/BlasKernel.ts";

// Note [Tiled gemm]
// ~~~~~~~~~~~~~~~~~
// The result is computed in tiles of 4 x 4. A tile stays in sixteen local variables for the whole length k: eight loads
// feed sixteen multiply-adds. For this, rows of A and columns of B are packed first, four next to each other. The inner
// loop then reads both contiguously, whatever the strides were:
//
//   A, rows i ... i+3      pa:  a(i,0) a(i+1,0) a(i+2,0) a(i+3,0)  a(i,1) a(i+1,1) ...
//   B, columns j ... j+3   pb:  b(0,j) b(0,j+1) b(0,j+2) b(0,j+3)  b(1,j) ...
//
// A is packed ROWS_AT_ONCE rows at a time, so that it stays in cache while B is read. Sums are held as doubles
// (integers: in their own type) and rounded once, at the end. BLAS libraries round after every step, so results may
// differ in the last bits.

/** C is m x n, A m x k, B k x n. */
export interface GemmSize {
  m: number;
  n: number;
  k: number;
}

/** Stores element (i, j) of C. @template gemm: all types and halves */
export function store_c(
  c: row<row<scalar_t>>,
  i: number,
  j: number,
  sum: opmath_t,
  alpha: opmath_t,
  beta: opmath_t,
): void {
  if (beta === 0) store(row_at(c, i), j, cast<scalar_t>(alpha * sum));
  else store(row_at(c, i), j, cast<scalar_t>(beta * cast<opmath_t>(load(row_at(c, i), j)) + alpha * sum));
}

/** Product without packing, for sizes that are too small to pay for it. @template gemm: all types and halves */
export function gemm_small(
  size: captured<GemmSize>,
  alpha: opmath_t,
  a: row<row<scalar_t>>,
  b: row<row<scalar_t>>,
  beta: opmath_t,
  c: row<row<scalar_t>>,
): void {
  const m = cast<number>(size.m);
  const n = cast<number>(size.n);
  const k = cast<number>(size.k);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum: opmath_t = 0;
      for (let p = 0; p < k; p++) {
        sum += cast<opmath_t>(load(row_at(a, i), p)) * cast<opmath_t>(load(row_at(b, p), j));
      }
      store_c(c, i, j, sum, alpha, beta);
    }
  }
}

/**
 * Packs `count` rows (at most 4, missing ones as zeros) of `k` elements, four next to each other.
 * @template gemm: all types and halves
 */
export function pack4(packed: data<opmath_t>, at: number, x: row<row<scalar_t>>, count: number, k: number): void {
  for (let r = 0; r < 4; r++) {
    if (r < count) {
      for (let p = 0; p < k; p++) store(packed, at + p * 4 + r, cast<opmath_t>(load(row_at(x, r), p)));
    } else {
      for (let p = 0; p < k; p++) store(packed, at + p * 4 + r, 0);
    }
  }
}

/**
 * Computes one tile of C, `rows` x `columns` of it. `pa` starts at the tile's rows of A; `pb` holds only the tile's
 * columns of B.
 * @template gemm: all types and halves
 */
export function tile4x4(
  pa: row<opmath_t>,
  pb: data<opmath_t>,
  c: row<row<scalar_t>>,
  rows: number,
  columns: number,
  alpha: opmath_t,
  beta: opmath_t,
): void {
  let c00: opmath_t = 0;
  let c01: opmath_t = 0;
  let c02: opmath_t = 0;
  let c03: opmath_t = 0;
  let c10: opmath_t = 0;
  let c11: opmath_t = 0;
  let c12: opmath_t = 0;
  let c13: opmath_t = 0;
  let c20: opmath_t = 0;
  let c21: opmath_t = 0;
  let c22: opmath_t = 0;
  let c23: opmath_t = 0;
  let c30: opmath_t = 0;
  let c31: opmath_t = 0;
  let c32: opmath_t = 0;
  let c33: opmath_t = 0;
  const end = pb.length;
  let ia = pa.offset;
  for (let ib = 0; ib < end; ib += 4) {
    const a0: opmath_t = load(pa.view, ia);
    const a1: opmath_t = load(pa.view, ia + 1);
    const a2: opmath_t = load(pa.view, ia + 2);
    const a3: opmath_t = load(pa.view, ia + 3);
    const b0: opmath_t = load(pb, ib);
    const b1: opmath_t = load(pb, ib + 1);
    const b2: opmath_t = load(pb, ib + 2);
    const b3: opmath_t = load(pb, ib + 3);
    c00 += a0 * b0;
    c01 += a0 * b1;
    c02 += a0 * b2;
    c03 += a0 * b3;
    c10 += a1 * b0;
    c11 += a1 * b1;
    c12 += a1 * b2;
    c13 += a1 * b3;
    c20 += a2 * b0;
    c21 += a2 * b1;
    c22 += a2 * b2;
    c23 += a2 * b3;
    c30 += a3 * b0;
    c31 += a3 * b1;
    c32 += a3 * b2;
    c33 += a3 * b3;
    ia += 4;
  }
  store_c(c, 0, 0, c00, alpha, beta);
  if (columns > 1) store_c(c, 0, 1, c01, alpha, beta);
  if (columns > 2) store_c(c, 0, 2, c02, alpha, beta);
  if (columns > 3) store_c(c, 0, 3, c03, alpha, beta);
  if (rows <= 1) return;
  store_c(c, 1, 0, c10, alpha, beta);
  if (columns > 1) store_c(c, 1, 1, c11, alpha, beta);
  if (columns > 2) store_c(c, 1, 2, c12, alpha, beta);
  if (columns > 3) store_c(c, 1, 3, c13, alpha, beta);
  if (rows <= 2) return;
  store_c(c, 2, 0, c20, alpha, beta);
  if (columns > 1) store_c(c, 2, 1, c21, alpha, beta);
  if (columns > 2) store_c(c, 2, 2, c22, alpha, beta);
  if (columns > 3) store_c(c, 2, 3, c23, alpha, beta);
  if (rows <= 3) return;
  store_c(c, 3, 0, c30, alpha, beta);
  if (columns > 1) store_c(c, 3, 1, c31, alpha, beta);
  if (columns > 2) store_c(c, 3, 2, c32, alpha, beta);
  if (columns > 3) store_c(c, 3, 3, c33, alpha, beta);
}

/**
 * C = alpha * A B + beta * C for matrices of any strides; see Note [Tiled gemm].
 * @template gemm: all types and halves
 */
export function gemm_core(
  size: captured<GemmSize>,
  alpha: opmath_t,
  a: row<row<scalar_t>>,
  b: row<row<scalar_t>>,
  beta: opmath_t,
  c: row<row<scalar_t>>,
): void {
  const m = cast<number>(size.m);
  const n = cast<number>(size.n);
  const k = cast<number>(size.k);
  if (m * n * k < 512) {
    gemm_small(size, alpha, a, b, beta, c);
    return;
  }
  const ROWS_AT_ONCE = 64;
  const pa = scratch<opmath_t>(ROWS_AT_ONCE * k);
  const pb = scratch<opmath_t>(4 * k);
  for (let i0 = 0; i0 < m; i0 += ROWS_AT_ONCE) {
    const rows = Math.min(ROWS_AT_ONCE, m - i0);
    for (let i = 0; i < rows; i += 4) pack4(pa, i * k, row_from(a, i0 + i), Math.min(4, rows - i), k);
    for (let j = 0; j < n; j += 4) {
      const columns = Math.min(4, n - j);
      // Columns of B are packed like rows of A: the stride between their elements is B's row stride.
      const column: row<scalar_t> = { view: b.view, offset: b.offset, stride: b.stride };
      const from_j = b.offset + j * b.inner.stride;
      pack4(pb, 0, { view: b.view, offset: from_j, stride: b.inner.stride, inner: column }, columns, k);
      for (let i = 0; i < rows; i += 4) {
        const from: row<opmath_t> = { view: pa, offset: i * k, stride: 1 };
        const to = row_from(row_at(c, i0 + i), j);
        const tile: row<row<scalar_t>> = { view: c.view, offset: to.offset, stride: c.stride, inner: to };
        tile4x4(from, pb, tile, Math.min(4, rows - i), columns, alpha, beta);
      }
    }
  }
}

/** Reused by every call; a product never runs inside another one. */
const size: GemmSize = { m: 0, n: 0, k: 0 };

export function cpublas_gemm_impl(
  dtype: ScalarType,
  m: number,
  n: number,
  k: number,
  alpha: number | bigint,
  a: Matrix,
  b: Matrix,
  beta: number | bigint,
  c: Matrix,
  batch: number,
): void {
  const core = AT_DISPATCH(gemm_core_instances, dtype);
  size.m = m;
  size.n = n;
  size.k = k;
  for (let i = 0; i < batch; i++) {
    // biome-ignore format: one operand group per line
    core(
      size, alpha as number,
      a.data, a.offset + i * a.batchStride, a.rowStride, a.columnStride,
      b.data, b.offset + i * b.batchStride, b.rowStride, b.columnStride,
      beta as number,
      c.data, c.offset + i * c.batchStride, c.rowStride, c.columnStride,
    );
  }
}
REGISTER_DEFAULT_DISPATCH(gemm_stub, cpublas_gemm_impl, "cpublas_gemm_impl");
