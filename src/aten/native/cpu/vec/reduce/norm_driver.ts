/**
 * @file Driver of 2-norms of rows with SIMD, called by ../../ReduceOpsKernel/Norm.ts.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see norm.ts (the kernel)
 */
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { ReduceOpsNormKernel_vec } from "#aten/native/cpu/vec/generated/reduce/norm";
import { type RowLoop, type Rows, takes_rows, told_of_rows } from "#aten/native/cpu/vec/row_driver";
import { divup, GRAIN_SIZE } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { elementSize } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";

interface RowsTile {
  readonly rows: ReturnType<typeof ReduceOpsNormKernel_vec.get>["norm_two_rows"];
  readonly n: number;
  /** Size of an element in bytes. */
  readonly size: number;
}

function norm_two_loop(operands: readonly OperandInfo[], n0: number, n1: number, { rows, n, size }: RowsTile): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  const [apart, between] = [out.inner_stride() * size, x.inner_stride() * size];
  for (let j = 0; j < n1; j++) {
    const [to, from] = [out.at(0, j) * size, x.at(0, j) * size];
    parallel_kernel(rows, -1, 0, n0, divup(GRAIN_SIZE, n), (f, begin, end) =>
      f(to + begin * apart, apart, from + begin * between, between, end - begin, n),
    );
  }
}

/** Computes the norm of `n` contiguous elements for each output that `outputs` iterates over. */
export type NormRows = (outputs: TensorIteratorBase, n: number) => void;

const norms_with_vectors: NormRows = (outputs, n) => {
  const dtype = outputs.dtype(1);
  const { norm_two_rows: rows } = functions_of(ReduceOpsNormKernel_vec, dtype);
  outputs.for_each(norm_two_loop, { rows, n, size: elementSize(dtype) });
};

const loop: RowLoop = {
  modules: ReduceOpsNormKernel_vec,
  symbol: "norm_two_rows",
  file: "reduce/norm",
  plain: ["norm_two_row", "ReduceOpsKernel/Norm"],
};

/** Runs the SIMD kernel, or `plain` (from ../../ReduceOpsKernel/Norm.ts) as the fallback. */
export function norm_two_rows_loop(outputs: TensorIteratorBase, n: number, plain: NormRows): void {
  const rows = { n, tensors: [outputs.tensor(1).impl_, outputs.tensor(0).impl_] };
  const run = takes_rows(ReduceOpsNormKernel_vec, rows) ? norms_with_vectors : plain;
  if (tracer === null) run(outputs, n);
  else callSlow(run, outputs, rows);
}

function callSlow(run: NormRows, outputs: TensorIteratorBase, rows: Rows): void {
  const told = told_of_rows(loop, rows, outputs.shape().with(0, rows.n));
  traceCall("loop", told["scalar"] as string, run, [outputs, rows.n], told, told_of_threads);
}
