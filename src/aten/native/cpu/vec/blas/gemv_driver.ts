/**
 * @file Drivers of dot products and matrix-vector products with SIMD.
 * @mirrors aten/src/ATen/native/BlasKernel.cpp
 * @differs Ours chooses its SIMD kernel here; PyTorch calls a BLAS library here for floats.
 * @see kernel.ts (the kernels), ../../../BlasKernel.ts (the fallback)
 */
import { memory_of, region_of, with_addresses, workspace } from "#aten/cpu/vec/heap";
import { dot_kernel_impl, dot_stub, gemv_kernel_impl, gemv_stub } from "#aten/native/BlasKernel";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { BlasKernel_vec } from "#aten/native/cpu/vec/generated/blas/kernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { divup } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, type ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { traceCall, tracer } from "#c10/util/Trace";
import { FEWEST, WHOLE_COLUMNS, WORK_PARAMETER, WORTH_A_THREAD } from "./gemm_driver.ts";
import { WORK_BYTES } from "./kernel.ts";

function why_not(dtype: ScalarType, work: number): string | null {
  if (!BlasKernel_vec.has(dtype)) return "no SIMD kernel for this dtype";
  if (work < FEWEST) return `fewer than ${FEWEST} products`;
  return heap_memory() === null || workspace(WORK_BYTES) === 0 ? "no heap" : null;
}

const dot_vec: typeof dot_kernel_impl = (x, y) => {
  const dtype = x.dtype();
  const n = x.numel();
  const [xs, ys] = [x.strides()[0], y.strides()[0]];
  const why = xs === 1 && ys === 1 ? why_not(dtype, n) : `strides [${xs}, ${ys}]`;
  if (why !== null) return dot_kernel_impl(x, y, why);
  const f = functions_of(BlasKernel_vec, dtype).dot_contiguous;
  let sum: number | bigint = 0;
  const product = (): boolean => with_addresses([x, y].map(region_of), ([at_x, at_y]) => (sum = f(n, at_x, at_y)), 0);
  if (!on_record(product, "dot_contiguous", [n], [x, y])) return dot_kernel_impl(x, y, "no scratch memory");
  return sum;
};

const gemv_vec: typeof gemv_kernel_impl = (a, x, k, alpha, beta, r) => {
  const dtype = a.dtype();
  const size = elementSize(dtype);
  const m = a.sizes()[0];
  const [ars, acs] = [a.strides()[0] * size, a.strides()[1] * size];
  const [xs, rs] = [x.strides()[0] * size, r.strides()[0] * size];
  const by_rows = acs === size && xs === size; // one dot product per row
  const by_columns = ars === size && rs === size; // the result is one row: x' A'
  const why = by_rows || by_columns ? why_not(dtype, m * k) : "elements apart";
  if (why !== null) {
    gemv_kernel_impl(a, x, k, alpha, beta, r, why);
    return;
  }
  const f = functions_of(BlasKernel_vec, dtype).gemm;
  const [by, old] = [alpha as number, beta as number]; // SIMD kernels only handle floats
  const work = workspace(WORK_BYTES);
  const product = (): boolean =>
    with_addresses([r, a, x].map(region_of), ([at_r, at_a, at_x]) => {
      if (by_rows)
        parallel_kernel(f, WORK_PARAMETER, 0, m, divup(WORTH_A_THREAD, k), (g, begin, end) =>
          g(work, m, 1, end - begin, 1, k, by, at_a + begin * ars, ars, acs, at_x, xs, 0, old, at_r + begin * rs, rs),
        );
      else
        parallel_kernel(
          f,
          WORK_PARAMETER,
          0,
          m,
          divup(WORTH_A_THREAD, k),
          (g, begin, end) =>
            g(work, 1, m, 1, end - begin, k, by, at_x, 0, xs, at_a + begin * ars, acs, ars, old, at_r + begin * rs, 0),
          WHOLE_COLUMNS,
        );
    });
  if (!on_record(product, "gemm", a.sizes(), [r, a, x])) gemv_kernel_impl(a, x, k, alpha, beta, r, "no scratch memory");
};

/** Calls `product`; a trace records it as a loop of BlasKernel. */
function on_record(
  product: () => boolean,
  symbol: string,
  shape: readonly number[],
  operands: readonly TensorImpl[],
): boolean {
  if (tracer === null) return product();
  const data = vector_loop(symbol, "blas/kernel", BlasKernel_vec, operands[0].dtype(), shape, memory_of(operands));
  return traceCall("loop", `at::native::${symbol}`, product, [], data, told_of_threads);
}

REGISTER_ARCH_DISPATCH(dot_stub, CPUCapability.SIMD128, dot_vec, "dot_vec");
REGISTER_ARCH_DISPATCH(gemv_stub, CPUCapability.SIMD128, gemv_vec, "gemv_vec");
