/**
 * @file Driver of `tril` and `triu` in WebAssembly, called by ../../TriangularOpsKernel.ts.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts (the kernel)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { default_loop } from "#aten/native/cpu/default_loop";
import { is_short_row } from "#aten/native/cpu/Loops/VecLoops";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { TriangularOpsKernel_vec } from "#aten/native/cpu/vec/generated/triangular/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";

/** Strides between matrices, rows and columns. */
export type Strides = readonly [batch: number, row: number, column: number];

/**
 * All matrices of two tensors, and the position of the diagonal: in row i, the first `shift + i` elements are on the
 * lower side.
 */
export interface Triangles {
  readonly result: Tensor;
  readonly self: Tensor;
  readonly inplace: boolean;
  readonly batchsize: number;
  readonly to: Strides;
  readonly from: Strides;
  readonly shift: number;
  readonly lower: boolean;
}

/** Whether rows are contiguous in both tensors, or columns are: dim 2 or dim 1 of the strides, or 0 if neither. */
function contiguous_dim({ to, from }: Triangles): 0 | 1 | 2 {
  if (to[2] === 1 && from[2] === 1) return 2;
  return to[1] === 1 && from[1] === 1 ? 1 : 0;
}

/** Where columns are contiguous, they are the rows of the transposed matrix, whose lower side is the upper one. */
function triangles_with_vectors(triangles: Triangles): void {
  const { result, self, batchsize, to, from, shift, lower } = triangles;
  const rows = contiguous_dim(triangles) === 2;
  const [count, length, apart] = rows ? [self.size(-2), self.size(-1), 1] : [self.size(-1), self.size(-2), 2];
  const [boundary, low] = rows ? [shift, lower] : [1 - shift, !lower];
  const size = self.itemsize();
  const { triangle } = functions_of(TriangularOpsKernel_vec, ScalarType.Float);
  for (let b = 0; b < batchsize; b++) {
    const out = (result.impl_.data_offset() + b * to[0]) * size;
    const x = (self.impl_.data_offset() + b * from[0]) * size;
    triangle(out, to[apart] * size, x, from[apart] * size, count, length * size, size, boundary, low ? 1 : 0);
  }
}

/** Reason why WebAssembly cannot be used, or null. */
function why_not(triangles: Triangles): string | null {
  const { result, self, shift } = triangles;
  if (is_short_row(self.numel())) return "too few elements";
  if (contiguous_dim(triangles) === 0) return "columns apart";
  if ((Math.abs(shift) + 1 + Math.max(self.size(-2), self.size(-1))) * self.itemsize() >= 2 ** 31)
    return "a diagonal too far from the matrix";
  return in_heap(result.impl_) && in_heap(self.impl_) ? null : "not in the heap";
}

/** Runs the WebAssembly kernel, or `plain` (from ../TriangularOpsKernel.ts) as the fallback. */
export function triangles_loop(triangles: Triangles, plain: (triangles: Triangles) => void): void {
  const vectors = get_cpu_capability() !== CPUCapability.DEFAULT;
  const why = vectors ? why_not(triangles) : null;
  const run = vectors && why === null ? triangles_with_vectors : plain;
  if (tracer === null) run(triangles);
  else {
    const { self, lower } = triangles;
    const [dtype, shape] = [self.scalar_type(), self.sizes()];
    const symbol = lower ? "tril_row" : "triu_row";
    const told =
      run === plain
        ? default_loop(symbol, "TriangularOpsKernel", dtype, shape, why)
        : vector_loop("triangle", "triangular/kernel", TriangularOpsKernel_vec, dtype, shape, "heap", ScalarType.Float);
    traceCall("loop", told["scalar"] as string, run, [triangles], told);
  }
}
