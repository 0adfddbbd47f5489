/**
 * @file The inner loops of matrix products.
 * @mirrors aten/src/ATen/native/cpu/BlasKernel.cpp
 */
import {
  AT_DISPATCH,
  cast,
  type data,
  load,
  type opmath_t,
  round_to,
  type scalar_t,
  scratch,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { dot_stub, gemv_stub, type Vector } from "#aten/native/BlasKernel";
import { gemm_stub, type Matrix } from "#aten/native/CPUBlas";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import type { ScalarType } from "#c10/core/ScalarType";
import { dot_naive_instances, gemm_core_instances, gemv_core_instances } from "./generated/BlasKernel.ts";

// Note [Tiled gemm]
// ~~~~~~~~~~~~~~~~~
// The result is computed in tiles of 4 x 4 that live in sixteen local variables for the whole length k: eight loads feed sixteen
// multiply-adds. For that, rows of A and columns of B are first packed, four abreast, so that the inner loop
// reads both from front to back, whatever the strides were:
//
//   A, rows i ... i+3      pa:  a(i,0) a(i+1,0) a(i+2,0) a(i+3,0)  a(i,1) a(i+1,1) ...
//   B, columns j ... j+3   pb:  b(0,j) b(0,j+1) b(0,j+2) b(0,j+3)  b(1,j) ...
//
// A is packed ROWS_AT_ONCE rows at a time, to stay in cache while B passes by. Sums are held as doubles (integers: in their own type) and
// rounded once, at the end; BLAS libraries round after every step, so results may differ in the last bits.

/** One element of C. @template gemm: all types, Half, BFloat16 */
export function store_c(c: data<scalar_t>, at: number, sum: opmath_t, alpha: opmath_t, beta: opmath_t): void {
  if (beta === 0) store(c, at, cast<scalar_t>(alpha * sum));
  else store(c, at, cast<scalar_t>(beta * cast<opmath_t>(load(c, at)) + alpha * sum));
}

/** Without packing, for products too small to pay for it. @template gemm: all types, Half, BFloat16 */
export function gemm_small(
  m: number,
  n: number,
  k: number,
  alpha: opmath_t,
  a: data<scalar_t>,
  ao: number,
  ars: number,
  acs: number,
  b: data<scalar_t>,
  bo: number,
  brs: number,
  bcs: number,
  beta: opmath_t,
  c: data<scalar_t>,
  co: number,
  crs: number,
  ccs: number,
): void {
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum: opmath_t = 0;
      for (let p = 0; p < k; p++) {
        sum += cast<opmath_t>(load(a, ao + i * ars + p * acs)) * cast<opmath_t>(load(b, bo + p * brs + j * bcs));
      }
      store_c(c, co + i * crs + j * ccs, sum, alpha, beta);
    }
  }
}

/** `count` rows (4 at most, the rest zero) of `k` elements, four abreast. @template gemm: all types, Half, BFloat16 */
export function pack4(
  packed: data<opmath_t>,
  at: number,
  x: data<scalar_t>,
  offset: number,
  rowStride: number,
  stride: number,
  count: number,
  k: number,
): void {
  for (let r = 0; r < 4; r++) {
    if (r < count) {
      for (let p = 0; p < k; p++)
        store(packed, at + p * 4 + r, cast<opmath_t>(load(x, offset + r * rowStride + p * stride)));
    } else {
      for (let p = 0; p < k; p++) store(packed, at + p * 4 + r, 0);
    }
  }
}

/** One tile of C. @template gemm: all types, Half, BFloat16 */
export function tile4x4(
  pa: data<opmath_t>,
  ao: number,
  pb: data<opmath_t>,
  k: number,
  alpha: opmath_t,
  beta: opmath_t,
  c: data<scalar_t>,
  co: number,
  crs: number,
  ccs: number,
  rows: number,
  columns: number,
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
  let ia = ao;
  let ib = 0;
  for (let p = 0; p < k; p++) {
    const a0: opmath_t = load(pa, ia);
    const a1: opmath_t = load(pa, ia + 1);
    const a2: opmath_t = load(pa, ia + 2);
    const a3: opmath_t = load(pa, ia + 3);
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
    ib += 4;
  }
  store_row(c, co, ccs, columns, c00, c01, c02, c03, alpha, beta);
  if (rows > 1) store_row(c, co + crs, ccs, columns, c10, c11, c12, c13, alpha, beta);
  if (rows > 2) store_row(c, co + 2 * crs, ccs, columns, c20, c21, c22, c23, alpha, beta);
  if (rows > 3) store_row(c, co + 3 * crs, ccs, columns, c30, c31, c32, c33, alpha, beta);
}

/** @template gemm: all types, Half, BFloat16 */
export function store_row(
  c: data<scalar_t>,
  co: number,
  ccs: number,
  columns: number,
  s0: opmath_t,
  s1: opmath_t,
  s2: opmath_t,
  s3: opmath_t,
  alpha: opmath_t,
  beta: opmath_t,
): void {
  store_c(c, co, s0, alpha, beta);
  if (columns > 1) store_c(c, co + ccs, s1, alpha, beta);
  if (columns > 2) store_c(c, co + 2 * ccs, s2, alpha, beta);
  if (columns > 3) store_c(c, co + 3 * ccs, s3, alpha, beta);
}

/**
 * C = alpha * A B + beta * C for matrices of any strides; see Note [Tiled gemm].
 * @template gemm: all types, Half, BFloat16
 */
export function gemm_core(
  m: number,
  n: number,
  k: number,
  alpha: opmath_t,
  a: data<scalar_t>,
  ao: number,
  ars: number,
  acs: number,
  b: data<scalar_t>,
  bo: number,
  brs: number,
  bcs: number,
  beta: opmath_t,
  c: data<scalar_t>,
  co: number,
  crs: number,
  ccs: number,
): void {
  if (m * n * k < 512) {
    gemm_small(m, n, k, alpha, a, ao, ars, acs, b, bo, brs, bcs, beta, c, co, crs, ccs);
    return;
  }
  const ROWS_AT_ONCE = 64;
  const pa = scratch<opmath_t>(ROWS_AT_ONCE * k);
  const pb = scratch<opmath_t>(4 * k);
  for (let i0 = 0; i0 < m; i0 += ROWS_AT_ONCE) {
    const rows = Math.min(ROWS_AT_ONCE, m - i0);
    for (let i = 0; i < rows; i += 4) pack4(pa, i * k, a, ao + (i0 + i) * ars, ars, acs, Math.min(4, rows - i), k);
    for (let j = 0; j < n; j += 4) {
      const columns = Math.min(4, n - j);
      pack4(pb, 0, b, bo + j * bcs, bcs, brs, columns, k);
      for (let i = 0; i < rows; i += 4) {
        tile4x4(
          pa,
          i * k,
          pb,
          k,
          alpha,
          beta,
          c,
          co + (i0 + i) * crs + j * ccs,
          crs,
          ccs,
          Math.min(4, rows - i),
          columns,
        );
      }
    }
  }
}

function cpublas_gemm_impl(
  dtype: ScalarType,
  m: number,
  n: number,
  k: number,
  alpha: number | bigint,
  a: Matrix,
  b: Matrix,
  beta: number | bigint,
  c: Matrix,
): void {
  const core = AT_DISPATCH(gemm_core_instances, dtype);
  core(
    m,
    n,
    k,
    alpha as number,
    a.data,
    a.offset,
    a.rowStride,
    a.columnStride,
    b.data,
    b.offset,
    b.rowStride,
    b.columnStride,
    beta as number,
    c.data,
    c.offset,
    c.rowStride,
    c.columnStride,
  );
}
REGISTER_DISPATCH(gemm_stub, cpublas_gemm_impl, "cpublas_gemm_impl");

/** Four sums side by side, so that one addition need not wait for the last. @template dot: all types, Half, BFloat16 */
export function dot_naive(
  n: number,
  x: data<scalar_t>,
  xo: number,
  xs: number,
  y: data<scalar_t>,
  yo: number,
  ys: number,
): opmath_t {
  let s0: opmath_t = 0;
  let s1: opmath_t = 0;
  let s2: opmath_t = 0;
  let s3: opmath_t = 0;
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += cast<opmath_t>(load(x, xo + i * xs)) * cast<opmath_t>(load(y, yo + i * ys));
    s1 += cast<opmath_t>(load(x, xo + (i + 1) * xs)) * cast<opmath_t>(load(y, yo + (i + 1) * ys));
    s2 += cast<opmath_t>(load(x, xo + (i + 2) * xs)) * cast<opmath_t>(load(y, yo + (i + 2) * ys));
    s3 += cast<opmath_t>(load(x, xo + (i + 3) * xs)) * cast<opmath_t>(load(y, yo + (i + 3) * ys));
  }
  for (; i < n; i++) s0 += cast<opmath_t>(load(x, xo + i * xs)) * cast<opmath_t>(load(y, yo + i * ys));
  return round_to<opmath_t>(s0 + s1 + (s2 + s3));
}

function dot_kernel(dtype: ScalarType, n: number, x: Vector, y: Vector): number | bigint {
  return AT_DISPATCH(dot_naive_instances, dtype)(n, x.data, x.offset, x.stride, y.data, y.offset, y.stride);
}
REGISTER_DISPATCH(dot_stub, dot_kernel, "dot_naive");

/** result = alpha * mat @ vec + beta * result, a dot product for each row. @template gemv: all types, Half, BFloat16 */
export function gemv_core(
  m: number,
  k: number,
  a: data<scalar_t>,
  ao: number,
  ars: number,
  acs: number,
  x: data<scalar_t>,
  xo: number,
  xs: number,
  alpha: opmath_t,
  beta: opmath_t,
  r: data<scalar_t>,
  ro: number,
  rs: number,
): void {
  for (let i = 0; i < m; i++) {
    let s0: opmath_t = 0;
    let s1: opmath_t = 0;
    const row = ao + i * ars;
    let p = 0;
    for (; p + 2 <= k; p += 2) {
      s0 += cast<opmath_t>(load(a, row + p * acs)) * cast<opmath_t>(load(x, xo + p * xs));
      s1 += cast<opmath_t>(load(a, row + (p + 1) * acs)) * cast<opmath_t>(load(x, xo + (p + 1) * xs));
    }
    if (p < k) s0 += cast<opmath_t>(load(a, row + p * acs)) * cast<opmath_t>(load(x, xo + p * xs));
    store_gemv(r, ro + i * rs, s0 + s1, alpha, beta);
  }
}

/** @template gemv: all types, Half, BFloat16 */
export function store_gemv(r: data<scalar_t>, at: number, sum: opmath_t, alpha: opmath_t, beta: opmath_t): void {
  if (beta === 0) store(r, at, cast<scalar_t>(alpha * sum));
  else store(r, at, cast<scalar_t>(beta * cast<opmath_t>(load(r, at)) + alpha * sum));
}

function gemv_kernel(
  dtype: ScalarType,
  mat: Tensor,
  vec: Vector,
  alpha: number | bigint,
  beta: number | bigint,
  result: Vector,
): void {
  const impl = mat.unsafeGetTensorImpl();
  const [m, k] = mat.sizes() as [number, number];
  const [rowStride, columnStride] = mat.strides() as [number, number];
  AT_DISPATCH(gemv_core_instances, dtype)(
    m,
    k,
    impl.data_view(),
    impl.data_offset(),
    rowStride,
    columnStride,
    vec.data,
    vec.offset,
    vec.stride,
    alpha as number,
    beta as number,
    result.data,
    result.offset,
    result.stride,
  );
}
REGISTER_DISPATCH(gemv_stub, gemv_kernel, "gemv");
