/**
 * @file Helpers for drivers whose kernels take whole rows: whether SIMD can run, and the trace event.
 * @original In C++ the compiler decides which loops use SIMD, and PyTorch has no trace events.
 * @see reduce/norm_driver.ts, scan/driver.ts, ../RangeFactoriesKernel/index.ts (the callers)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import type { VecModules } from "#aten/cpu/vec/modules";
import { is_short_row } from "#aten/native/cpu/Loops/VecLoops";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import type { TraceData } from "#c10/util/Trace";
import { default_loop } from "../default_loop.ts";
import { vector_loop } from "./driver.ts";

/** Rows of `n` elements. SIMD can run if all tensors have the dtype of the first and are in the heap. */
export interface Rows {
  readonly n: number;
  readonly tensors: readonly TensorImpl[];
}

/** Reason why WebAssembly cannot be used, or null. */
function why_not(modules: VecModules<unknown>, { n, tensors }: Rows): string | null {
  const dtype = tensors[0].dtype();
  if (!modules.has(dtype) || tensors.some((t) => t.dtype() !== dtype)) return "no SIMD kernel for this dtype";
  if (is_short_row(n)) return "too few elements";
  return tensors.every(in_heap) ? null : "not in the heap";
}

export function takes_rows(modules: VecModules<unknown>, rows: Rows): boolean {
  return get_cpu_capability() !== CPUCapability.DEFAULT && why_not(modules, rows) === null;
}

/** A loop that exists twice: `symbol` of `cpu/vec/FILE.ts`, and `plain` of `cpu/FILE.ts`. */
export interface RowLoop {
  readonly modules: VecModules<unknown>;
  readonly symbol: string;
  readonly file: string;
  readonly plain: readonly [symbol: string, file: string];
}

/**
 * Trace event of such a loop, over all rows together; they have this shape. `why` is a reason against SIMD that only
 * the caller knows.
 */
export function told_of_rows(
  loop: RowLoop,
  rows: Rows,
  shape: readonly number[],
  why: string | null = null,
): TraceData {
  const dtype = rows.tensors[0].dtype();
  const { modules, symbol, file, plain } = loop;
  if (get_cpu_capability() === CPUCapability.DEFAULT) return default_loop(...plain, dtype, shape, null);
  const against = why ?? why_not(modules, rows);
  if (against !== null) return default_loop(...plain, dtype, shape, against);
  return vector_loop(symbol, file, modules, dtype, shape);
}
