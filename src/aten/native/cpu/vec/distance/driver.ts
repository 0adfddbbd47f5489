/**
 * @file Drivers of distances with SIMD, called by ../../DistanceOpsKernel.ts.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts (the kernels)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { DistanceOpsKernel_vec } from "#aten/native/cpu/vec/generated/distance/kernel";
import { type RowLoop, type Rows, takes_rows, told_of_rows } from "#aten/native/cpu/vec/row_driver";
import { elementSize } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";

/**
 * Writes the distances of row `x` from `count` rows, the first at `from`, to out[to...]. Rows have `m` elements;
 * positions are in elements.
 */
export type RowDistances = (to: number, x: number, from: number, count: number, m: number) => void;

type Kernels = ReturnType<typeof DistanceOpsKernel_vec.get>;

/** Name of the kernel for `p`, or null if there is none. */
function symbol_for(p: number): keyof Kernels | null {
  if (p === 0) return "distances_zero";
  if (p === 1) return "distances_one";
  if (p === 2) return "distances_two";
  return p === Infinity ? "distances_inf" : null;
}

function rows_of(result: Tensor, x1: Tensor, x2: Tensor): Rows {
  return { n: result.numel() * x1.size(-1), tensors: [result.impl_, x1.impl_, x2.impl_] };
}

/**
 * The function that measures distances between rows of `x1` and rows of `x2`, all contiguous. Returns null if
 * JavaScript must do it.
 */
function row_distances_of(result: Tensor, x1: Tensor, x2: Tensor, p: number): RowDistances | null {
  const symbol = symbol_for(p);
  if (symbol === null || !takes_rows(DistanceOpsKernel_vec, rows_of(result, x1, x2))) return null;
  const dtype = result.scalar_type();
  const size = elementSize(dtype);
  const kernel = functions_of(DistanceOpsKernel_vec, dtype)[symbol];
  return (to, x, from, count, m) => kernel(to * size, x * size, from * size, count, m * size);
}

function loop_of(p: number): RowLoop {
  return {
    modules: DistanceOpsKernel_vec,
    symbol: symbol_for(p) ?? "row_distance",
    file: "distance/kernel",
    plain: ["row_distance", "DistanceOpsKernel"],
  };
}

/**
 * Calls `walk` with the SIMD function that measures distances, or with `plain` (from ../DistanceOpsKernel.ts) as the
 * fallback.
 */
export function distance_loop(
  result: Tensor,
  x1: Tensor,
  x2: Tensor,
  p: number,
  plain: RowDistances,
  walk: (distances: RowDistances) => void,
): void {
  const distances = row_distances_of(result, x1, x2, p) ?? plain;
  if (tracer === null) walk(distances);
  else {
    const why = symbol_for(p) === null ? "no SIMD kernel for this p" : null;
    const told = told_of_rows(loop_of(p), rows_of(result, x1, x2), result.sizes(), why);
    traceCall("loop", told["scalar"] as string, walk, [distances], told);
  }
}
