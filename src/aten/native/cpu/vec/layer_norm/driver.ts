/**
 * @file Drivers of layer norm with SIMD: rows in parallel, and columns of the parameters' gradients in parallel.
 * @mirrors aten/src/ATen/native/cpu/layer_norm_kernel.cpp
 * @differs Ours gives each thread some columns of the parameters' gradients, so the sums do not depend on the number of
 * threads; PyTorch gives each thread its own sums over rows, so they do.
 */
import { memory_of, region_of, with_addresses, workspace } from "#aten/cpu/vec/heap";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { default_loop } from "#aten/native/cpu/default_loop";
import {
  elements_of,
  LayerNormBackwardKernelImpl,
  LayerNormKernelImpl,
  sums_of_parameters,
  write,
} from "#aten/native/cpu/layer_norm_kernel";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { layer_norm_kernel_vec } from "#aten/native/cpu/vec/generated/layer_norm/kernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { LayerNormBackwardKernel, type LayerNormGradients, LayerNormKernel } from "#aten/native/layer_norm";
import { GRAIN_SIZE } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { traceCall, tracer } from "#c10/util/Trace";

/** Smallest row length for which SIMD is faster. */
const SHORTEST = 16;

/** Size of a vector in bytes; a thread's columns begin at a multiple of it. */
const VECTOR = 16;

/** Reason why rows of `n` elements cannot use SIMD, or null. `tensors` are all operands, which must have one dtype. */
function why_not(dtype: ScalarType, n: number, tensors: readonly TensorImpl[]): string | null {
  if (!layer_norm_kernel_vec.has(dtype)) return "no SIMD kernel for this dtype";
  if (tensors.some((t) => t.dtype() !== dtype)) return "parameters of another dtype";
  if (n < SHORTEST) return `rows of fewer than ${SHORTEST} elements`;
  return heap_memory() === null ? "no heap" : null;
}

/**
 * Runs `vectors`. Runs `plain` instead if there is a reason against SIMD or no scratch memory. A trace records either
 * one as a loop.
 */
function run(
  name: string,
  dtype: ScalarType,
  [M, N]: readonly [number, number],
  operands: readonly TensorImpl[],
  vectors: () => boolean,
  plain: () => void,
): void {
  const why = why_not(dtype, N, operands);
  const loop = (): void => {
    if (why !== null || !vectors()) plain();
  };
  if (tracer === null) loop();
  else {
    const data =
      why === null
        ? vector_loop(name, "layer_norm/kernel", layer_norm_kernel_vec, dtype, [M, N], memory_of(operands))
        : default_loop(name, "layer_norm_kernel", dtype, [M, N], why);
    traceCall("loop", `at::native::${name}`, loop, [], data, told_of_threads);
  }
}

const impls = (tensors: readonly (Tensor | null)[]): TensorImpl[] => tensors.flatMap((t) => t?.impl_ ?? []);

/** Number of rows for which another thread is worth its cost. */
const rows_grain = (N: number): number => Math.max(1, Math.floor(GRAIN_SIZE / (4 * N)));

const LayerNormKernel_vec: typeof LayerNormKernelImpl = (X, gamma, beta, matrix, eps, Y, statistics) => {
  const dtype = X.scalar_type();
  const [M, N] = matrix;
  const size = elementSize(dtype);
  const operands = impls([Y, ...statistics, X, gamma, beta]);
  const rows = (addresses: readonly number[]): void => {
    const [y, mean, rstd, x, ...parameters] = addresses;
    const gamma_at = gamma === null ? 0 : (parameters.shift() as number);
    const beta_at = beta === null ? 0 : (parameters.shift() as number);
    const f = functions_of(layer_norm_kernel_vec, dtype).layer_norm;
    parallel_kernel(f, -1, 0, M, rows_grain(N), (g, begin, end) => {
      const [at, row] = [begin * size, begin * N * size];
      g(y + row, mean + at, rstd + at, x + row, gamma_at, beta_at, end - begin, N, eps);
    });
  };
  const vectors = (): boolean => with_addresses(operands.map(region_of), rows, 3);
  run("layer_norm", dtype, matrix, operands, vectors, () =>
    LayerNormKernelImpl(X, gamma, beta, matrix, eps, Y, statistics),
  );
};

/** Address of `n` ones in scratch memory, or 0 if there is no space. */
function ones_at(n: number, dtype: ScalarType): number {
  const begin = workspace(n * elementSize(dtype));
  if (begin === 0) return 0;
  const { buffer } = heap_memory() as WebAssembly.Memory;
  (dtype === ScalarType.Double ? new Float64Array(buffer, begin, n) : new Float32Array(buffer, begin, n)).fill(1);
  return begin;
}

interface Backward {
  readonly dY: Tensor;
  readonly X: Tensor;
  readonly mean: Tensor;
  readonly rstd: Tensor;
  readonly gamma: Tensor | null;
  readonly matrix: readonly [number, number];
}

/** Computes the gradient of the input. Returns false if there is no scratch memory. */
function rows_of({ dY, X, mean, rstd, gamma, matrix: [M, N] }: Backward, dX: Tensor): boolean {
  const dtype = X.scalar_type();
  const size = elementSize(dtype);
  const ones = gamma === null ? ones_at(N, dtype) : 0;
  if (gamma === null && ones === 0) return false;
  const f = functions_of(layer_norm_kernel_vec, dtype).layer_norm_backward;
  const regions = impls([dX, dY, X, mean, rstd, gamma]).map(region_of);
  return with_addresses(regions, ([dx, dy, x, means, rstds, weights = ones]) =>
    parallel_kernel(f, -1, 0, M, rows_grain(N), (g, begin, end) => {
      const [stat, row] = [begin * size, begin * N * size];
      g(dx + row, dy + row, x + row, weights, means + stat, rstds + stat, end - begin, N);
    }),
  );
}

/** Computes the gradients of the parameters. Returns false if there is no scratch memory. */
function columns_of({ dY, X, mean, rstd, matrix: [M, N] }: Backward, { dgamma, dbeta }: LayerNormGradients): boolean {
  const dtype = X.scalar_type();
  const bytes = N * elementSize(dtype);
  const sums = sums_of_parameters(X, N);
  const f = functions_of(layer_norm_kernel_vec, dtype).layer_norm_parameters;
  const grain = Math.max(VECTOR, Math.floor(GRAIN_SIZE / M));
  const ran = with_addresses(impls([sums, dY, X, mean, rstd]).map(region_of), ([to, dy, x, means, rstds]) =>
    parallel_kernel(
      f,
      -1,
      0,
      bytes,
      grain,
      (g, begin, end) => g(to, to + bytes, dy, x, means, rstds, M, N, begin, end),
      VECTOR,
    ),
  );
  if (ran) {
    write(dgamma, elements_of(sums, 0, N));
    write(dbeta, elements_of(sums, N, N));
  }
  return ran;
}

const LayerNormBackwardKernel_vec: typeof LayerNormBackwardKernelImpl = (dY_, X, mean, rstd, gamma, matrix, grads) => {
  const given: Backward = { dY: dY_.contiguous(), X, mean, rstd, gamma, matrix };
  const { dX, dgamma, dbeta } = grads;
  const vectors = (): boolean =>
    (dX === null || rows_of(given, dX)) && ((dgamma === null && dbeta === null) || columns_of(given, grads));
  run("layer_norm_backward", X.scalar_type(), matrix, impls([given.dY, X, mean, rstd, gamma]), vectors, () =>
    LayerNormBackwardKernelImpl(given.dY, X, mean, rstd, gamma, matrix, grads),
  );
};

REGISTER_ARCH_DISPATCH(LayerNormKernel, CPUCapability.SIMD128, LayerNormKernel_vec, "LayerNormKernel_vec");
REGISTER_ARCH_DISPATCH(
  LayerNormBackwardKernel,
  CPUCapability.SIMD128,
  LayerNormBackwardKernel_vec,
  "LayerNormBackwardKernel_vec",
);
