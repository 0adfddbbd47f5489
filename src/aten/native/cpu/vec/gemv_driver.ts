/**
 * @file Which products with vectors of numbers run with vectors of lanes: dot, and matrix times vector.
 * @mirrors aten/src/ATen/native/BlasKernel.cpp
 * @differs There BLAS is called for floats; this is the place of that choice.
 * @see BlasKernel.ts (the kernels), ../../BlasKernel.ts (what runs otherwise)
 */
import { address_of, in_heap, workspace } from "#aten/cpu/vec/heap";
import { dot_kernel_impl, dot_stub, gemv_kernel_impl, gemv_stub } from "#aten/native/BlasKernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, type ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl";
import { nothing, traceCall, tracer } from "#c10/util/Trace";
import { WORK_BYTES } from "./BlasKernel.ts";
import { functions_of, vector_loop } from "./driver.ts";
import { BlasKernel_vec } from "./generated/BlasKernel.ts";

/** Multiply-adds from which on vectors run: as for gemm. */
const FEWEST = 1024;

function why_not(dtype: ScalarType, work: number, operands: readonly TensorImpl[]): string | null {
  if (!BlasKernel_vec.has(dtype)) return "a dtype without vectors";
  if (work < FEWEST) return `fewer than ${FEWEST} products`;
  if (heap_memory() === null || workspace(WORK_BYTES) === 0) return "no heap";
  return operands.every(in_heap) ? null : "not in the heap";
}

const dot_vec: typeof dot_kernel_impl = (x, y) => {
  const dtype = x.dtype();
  const n = x.numel();
  const [xs, ys] = [x.strides()[0], y.strides()[0]];
  const why = xs === 1 && ys === 1 ? why_not(dtype, n, [x, y]) : `strides [${xs}, ${ys}]`;
  if (why !== null) return dot_kernel_impl(x, y, why);
  const f = functions_of(BlasKernel_vec, dtype).dot_contiguous;
  const [at_x, at_y] = [address_of(x), address_of(y)];
  if (tracer === null) return f(n, at_x, at_y);
  const data = vector_loop("dot_contiguous", "BlasKernel", BlasKernel_vec, dtype, [n]);
  return traceCall("loop", "at::native::dot_contiguous", f, [n, at_x, at_y], data, nothing);
};

const gemv_vec: typeof gemv_kernel_impl = (a, x, k, alpha, beta, r) => {
  const dtype = a.dtype();
  const size = elementSize(dtype);
  const m = a.sizes()[0];
  const [ars, acs] = [a.strides()[0] * size, a.strides()[1] * size];
  const [xs, rs] = [x.strides()[0] * size, r.strides()[0] * size];
  const by_rows = acs === size && xs === size; // a dot product each
  const by_columns = ars === size && rs === size; // the result is a row of x' A'
  const why = by_rows || by_columns ? why_not(dtype, m * k, [a, x, r]) : "elements apart";
  if (why !== null) {
    gemv_kernel_impl(a, x, k, alpha, beta, r, why);
    return;
  }
  const f = functions_of(BlasKernel_vec, dtype).gemm;
  const [by, old] = [alpha as number, beta as number]; // vectors are of floats
  const work = workspace(WORK_BYTES);
  const [at_a, at_x, at_r] = [address_of(a), address_of(x), address_of(r)];
  const args: Parameters<typeof f> = by_rows
    ? [work, m, 1, k, by, at_a, ars, acs, at_x, xs, 0, old, at_r, rs]
    : [work, 1, m, k, by, at_x, 0, xs, at_a, acs, ars, old, at_r, 0];
  if (tracer === null) f(...args);
  else {
    const data = vector_loop("gemm", "BlasKernel", BlasKernel_vec, dtype, a.sizes());
    traceCall("loop", "at::native::gemm", f, args, data, nothing);
  }
};

REGISTER_ARCH_DISPATCH(dot_stub, CPUCapability.SIMD128, dot_vec, "dot_vec");
REGISTER_ARCH_DISPATCH(gemv_stub, CPUCapability.SIMD128, gemv_vec, "gemv_vec");
