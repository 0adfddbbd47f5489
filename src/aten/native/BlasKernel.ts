/**
 * @file Dot product and matrix-vector product, as `native::dot` and `addmv` use them.
 * @mirrors aten/src/ATen/native/BlasKernel.cpp
 * @differs Ours has no BLAS library: `dot_naive` and `gemv_core` serve every dtype, and SIMD kernels
 * (cpu/vec/blas/kernel.ts) behind two stubs serve floats; PyTorch calls `sdot_`, `sgemv_` and similar functions for
 * floats. It calls oneDNN if `use_mkldnn_matmul` allows it: on the CPU, never for float32 unless requested.
 */
import {
  AT_DISPATCH,
  cast,
  load,
  type opmath_t,
  round_to,
  type row,
  row_at,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { toOpMathType } from "#aten/OpMathType";
import { check_type } from "#aten/TensorMethods";
import { DeviceType } from "#c10/core/DeviceType";
import type { Scalar } from "#c10/core/Scalar";
import { type ScalarType, toString } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { nothing, type TraceData, traceCall, tracer } from "#c10/util/Trace";
import { check_has_product, terms } from "./CPUBlas.ts";
import { DEFINE_DISPATCH, REGISTER_DISPATCH } from "./DispatchStub.ts";
import { dot_naive_instances, gemv_core_instances } from "./generated/BlasKernel.ts";

const FILE = "src/aten/native/BlasKernel.ts";

/** Trace event of a loop in this file; `why` is the reason against SIMD, if SIMD could run. */
function told(symbol: string, dtype: ScalarType, shape: readonly number[], why: string | null): TraceData {
  const data = { dtype: toString(dtype), shape, scalar: `at::native::${symbol}`, file: FILE };
  return why === null ? data : { ...data, capability: "DEFAULT", why };
}

/**
 * Four independent sums, so that an addition need not wait for the previous one.
 * @template dot: all types and halves
 */
export function dot_naive(n: number, x: row<scalar_t>, y: row<scalar_t>): opmath_t {
  let s0: opmath_t = 0;
  let s1: opmath_t = 0;
  let s2: opmath_t = 0;
  let s3: opmath_t = 0;
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += cast<opmath_t>(load(x, i)) * cast<opmath_t>(load(y, i));
    s1 += cast<opmath_t>(load(x, i + 1)) * cast<opmath_t>(load(y, i + 1));
    s2 += cast<opmath_t>(load(x, i + 2)) * cast<opmath_t>(load(y, i + 2));
    s3 += cast<opmath_t>(load(x, i + 3)) * cast<opmath_t>(load(y, i + 3));
  }
  for (; i < n; i++) s0 += cast<opmath_t>(load(x, i)) * cast<opmath_t>(load(y, i));
  return round_to<opmath_t>(s0 + s1 + (s2 + s3));
}

/** Precondition: both are 1-D and have one length and dtype. */
type DotFn = (self: TensorImpl, other: TensorImpl) => number | bigint;
export const dot_stub = DEFINE_DISPATCH<DotFn>("dot_stub");

/** Sum of products. Precondition: both are 1-D and have one length and dtype. */
export function dot_impl(self: Tensor, other: Tensor): number | bigint {
  return dot_stub.call(DeviceType.CPU, self.impl_, other.impl_);
}

/** `why` is the reason, for a trace, why SIMD did not run. */
export function dot_kernel_impl(x: TensorImpl, y: TensorImpl, why: string | null = null): number | bigint {
  const dtype = x.dtype();
  const n = x.numel();
  const fn = AT_DISPATCH(dot_naive_instances, dtype);
  // biome-ignore format: one operand group per line
  const args: Parameters<typeof fn> = [
    n,
    x.data_view(), x.data_offset(), x.strides()[0],
    y.data_view(), y.data_offset(), y.strides()[0],
  ];
  if (tracer !== null)
    return traceCall("loop", "at::native::dot_naive", fn, args, told("dot_naive", dtype, [n], why), nothing);
  return fn(...args);
}
REGISTER_DISPATCH(dot_stub, dot_kernel_impl, "dot_kernel_impl");

/** result = alpha * mat @ vec + beta * result: one dot product per row. @template gemv: all types and halves */
export function gemv_core(
  m: number,
  k: number,
  alpha: opmath_t,
  a: row<row<scalar_t>>,
  x: row<scalar_t>,
  beta: opmath_t,
  r: row<scalar_t>,
): void {
  for (let i = 0; i < m; i++) {
    let s0: opmath_t = 0;
    let s1: opmath_t = 0;
    const from = row_at(a, i);
    let p = 0;
    for (; p + 2 <= k; p += 2) {
      s0 += cast<opmath_t>(load(from, p)) * cast<opmath_t>(load(x, p));
      s1 += cast<opmath_t>(load(from, p + 1)) * cast<opmath_t>(load(x, p + 1));
    }
    if (p < k) s0 += cast<opmath_t>(load(from, p)) * cast<opmath_t>(load(x, p));
    store_gemv(r, i, s0 + s1, alpha, beta);
  }
}

/** @template gemv: all types and halves */
export function store_gemv(r: row<scalar_t>, i: number, sum: opmath_t, alpha: opmath_t, beta: opmath_t): void {
  if (beta === 0) store(r, i, cast<scalar_t>(alpha * sum));
  else store(r, i, cast<scalar_t>(beta * cast<opmath_t>(load(r, i)) + alpha * sum));
}

/** Dot products of `k` terms. The rows or the columns of `mat` are contiguous. */
type GemvFn = (
  mat: TensorImpl,
  vec: TensorImpl,
  k: number,
  alpha: number | bigint,
  beta: number | bigint,
  result: TensorImpl,
  why?: string | null,
) => void;
export const gemv_stub = DEFINE_DISPATCH<GemvFn>("gemv_stub");

/** result = alpha * mat @ vec + beta * result. If beta is 0, the old values are not read. */
export function gemv(name: string, mat: Tensor, vec: Tensor, alpha: Scalar, beta: Scalar, result: Tensor): void {
  const dtype = mat.scalar_type();
  check_has_product(name, dtype);
  check_type(vec, dtype);
  check_type(result, dtype);
  const [rowStride, columnStride] = mat.strides() as [number, number];
  const [m, k] = mat.sizes() as [number, number];
  // BLAS reads contiguous rows or columns; a matrix that has neither is copied.
  const readable =
    (rowStride === 1 && columnStride >= Math.max(1, m)) || (columnStride === 1 && rowStride >= Math.max(1, k));
  const a = readable ? mat : mat.contiguous();
  const opmath = toOpMathType(dtype);
  const [by, old] = [alpha.to(opmath), beta.to(opmath)];
  gemv_stub.call(DeviceType.CPU, a.impl_, vec.impl_, terms(dtype, alpha, k), by, old, result.impl_);
}

export function gemv_kernel_impl(...[a, x, k, alpha, beta, r, why = null]: Parameters<GemvFn>): void {
  const dtype = a.dtype();
  const fn = AT_DISPATCH(gemv_core_instances, dtype);
  // biome-ignore format: one operand group per line
  const args: Parameters<typeof fn> = [
    a.sizes()[0], k, alpha as number,
    a.data_view(), a.data_offset(), a.strides()[0], a.strides()[1],
    x.data_view(), x.data_offset(), x.strides()[0],
    beta as number,
    r.data_view(), r.data_offset(), r.strides()[0],
  ];
  if (tracer === null) fn(...args);
  else traceCall("loop", "at::native::gemv_core", fn, args, told("gemv_core", dtype, a.sizes(), why), nothing);
}
REGISTER_DISPATCH(gemv_stub, gemv_kernel_impl, "gemv_kernel_impl");
