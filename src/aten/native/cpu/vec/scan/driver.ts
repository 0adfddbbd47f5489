/**
 * @file Drivers of scans (cumulative operations) in WebAssembly, called by ../../ReduceOpsKernel/Cumulative.ts and
 * native/ReduceOps/Cummax.ts.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts, cummax.ts (the kernels)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import type { InstanceOf } from "#aten/Dispatch";
import type { cumsum_line } from "#aten/native/cpu/ReduceOpsKernel/Cumulative";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { CummaxKernel_vec } from "#aten/native/cpu/vec/generated/scan/cummax";
import { ScanKernel_vec } from "#aten/native/cpu/vec/generated/scan/kernel";
import { type RowLoop, type Rows, takes_rows, told_of_rows } from "#aten/native/cpu/vec/row_driver";
import type { cummax_line } from "#aten/native/ReduceOps/Cummax";
import { elementSize } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import type { TraceData } from "#c10/util/Trace";

export type Scanned = "cumsum" | "cumprod";
export type Extreme = "cummax" | "cummin";

/** The function for lines of `n` elements, or null if JavaScript must run instead. */
export function line_of(kind: Scanned, rows: Rows): InstanceOf<typeof cumsum_line> | null {
  if (!takes_rows(ScanKernel_vec, rows)) return null;
  const dtype = rows.tensors[0].dtype();
  const run = functions_of(ScanKernel_vec, dtype)[`${kind}_line`];
  const size = elementSize(dtype);
  return (_out, to, to_stride, _x, from, from_stride, count) =>
    run(to * size, to_stride * size, from * size, from_stride * size, count);
}

/** Trace event of a scan over all lines of a tensor of this shape. `symbol` is the JavaScript loop. */
export function told_of_scan(symbol: string, kind: Scanned | null, rows: Rows, shape: readonly number[]): TraceData {
  const loop: RowLoop = {
    modules: ScanKernel_vec,
    symbol,
    file: "scan/kernel",
    plain: [symbol, "ReduceOpsKernel/Cumulative"],
  };
  return told_of_rows(loop, rows, shape, kind === null ? "no SIMD loop" : null);
}

/** The function for `cummax` or `cummin`, which also write `indices`; null if JavaScript must run instead. */
export function extreme_line_of(kind: Extreme, rows: Rows, indices: TensorImpl): InstanceOf<typeof cummax_line> | null {
  if (!takes_rows(CummaxKernel_vec, rows) || !in_heap(indices)) return null;
  const dtype = rows.tensors[0].dtype();
  const run = functions_of(CummaxKernel_vec, dtype)[`${kind}_line`];
  const size = elementSize(dtype);
  return (_v, v, v_stride, _i, i, i_stride, _x, x, x_stride, count) =>
    run(v * size, v_stride * size, i * 8, i_stride * 8, x * size, x_stride * size, count);
}

export function told_of_extremes(kind: Extreme, rows: Rows, indices: TensorImpl, shape: readonly number[]): TraceData {
  const symbol = `${kind}_line`;
  const loop: RowLoop = {
    modules: CummaxKernel_vec,
    symbol,
    file: "scan/cummax",
    plain: [symbol, "../ReduceOps/Cummax"],
  };
  return told_of_rows(loop, rows, shape, in_heap(indices) ? null : "not in the heap");
}
