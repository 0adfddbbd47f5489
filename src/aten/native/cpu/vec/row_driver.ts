/**
 * @file Rows that a kernel takes whole: whether vectors take them, and what a recording says of that.
 * @original In C++ the compiler settles which loops become vectors, and PyTorch has no trace events.
 * @see reduce/norm_driver.ts, scan/driver.ts, ../RangeFactoriesKernel/index.ts (who ask)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import type { VecModules } from "#aten/cpu/vec/modules";
import { is_short_row } from "#aten/native/cpu/Loops/VecLoops";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import type { TraceData } from "#c10/util/Trace";
import { default_loop } from "../default_loop.ts";
import { vector_loop } from "./driver.ts";

/** Rows of `n` elements. Vectors take them if all tensors are of the dtype of the first, and in the heap. */
export interface Rows {
  readonly n: number;
  readonly tensors: readonly TensorImpl[];
}

/** What keeps them from WebAssembly; null: nothing. */
function why_not(modules: VecModules<unknown>, { n, tensors }: Rows): string | null {
  const dtype = tensors[0].dtype();
  if (!modules.has(dtype) || tensors.some((t) => t.dtype() !== dtype)) return "a dtype without vectors";
  if (is_short_row(n)) return "too few elements";
  return tensors.every(in_heap) ? null : "no heap";
}

export function takes_rows(modules: VecModules<unknown>, rows: Rows): boolean {
  return get_cpu_capability() !== CPUCapability.DEFAULT && why_not(modules, rows) === null;
}

/** A loop that is there twice: `symbol` of `cpu/vec/FILE.ts`, and `plain`, which is of `cpu/FILE.ts`. */
export interface RowLoop {
  readonly modules: VecModules<unknown>;
  readonly symbol: string;
  readonly file: string;
  readonly plain: readonly [symbol: string, file: string];
}

/** What a recording says of it, over all rows together, which are of this shape. `why`: what else the caller knows against vectors. */
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
