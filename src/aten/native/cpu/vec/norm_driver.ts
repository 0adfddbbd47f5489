/**
 * @file Rows whose 2-norms vectors take, as ../ReduceOpsNormKernel.ts calls them.
 * @original In C++ a kernel calls its own functions.
 * @see ReduceOpsNormKernel.ts (the kernel)
 */
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { divup, GRAIN_SIZE } from "#aten/Parallel";
import { parallel_kernel } from "#aten/ParallelNative";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { elementSize } from "#c10/core/ScalarType";
import { takes_rows } from "../VecLoops.ts";
import { functions_of } from "./driver.ts";
import { ReduceOpsNormKernel_vec } from "./generated/ReduceOpsNormKernel.ts";

interface Rows {
  readonly rows: ReturnType<typeof ReduceOpsNormKernel_vec.get>["norm_two_rows"];
  readonly n: number;
  /** Bytes of an element. */
  readonly size: number;
}

function norm_two_loop(operands: readonly OperandInfo[], n0: number, n1: number, { rows, n, size }: Rows): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  const [apart, between] = [out.inner_stride() * size, x.inner_stride() * size];
  for (let j = 0; j < n1; j++) {
    const [to, from] = [out.at(0, j) * size, x.at(0, j) * size];
    parallel_kernel(rows, -1, 0, n0, divup(GRAIN_SIZE, n), (f, begin, end) =>
      f(to + begin * apart, apart, from + begin * between, between, end - begin, n),
    );
  }
}

/** `outputs` walks the norms, each of `n` neighbours. False, and nothing was done, where JavaScript has to do it. */
export function norm_two_vec(outputs: TensorIteratorBase, n: number): boolean {
  const [out, x] = [outputs.tensor(0).impl_, outputs.tensor(1).impl_];
  if (!takes_rows(ReduceOpsNormKernel_vec, n, x, out)) return false;
  const dtype = x.dtype();
  const { norm_two_rows: rows } = functions_of(ReduceOpsNormKernel_vec, dtype);
  outputs.for_each(norm_two_loop, { rows, n, size: elementSize(dtype) });
  return true;
}
