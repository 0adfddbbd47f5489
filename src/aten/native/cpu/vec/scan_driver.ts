/**
 * @file Lines that are scanned in WebAssembly, as ../ReduceOpsCumulativeKernel.ts calls them.
 * @original In C++ a kernel calls its own functions.
 * @see ScanKernel.ts (the kernels)
 */
import type { InstanceOf } from "#aten/Dispatch";
import { elementSize } from "#c10/core/ScalarType";
import type { TraceData } from "#c10/util/Trace";
import type { cumsum_line } from "../ReduceOpsCumulativeKernel.ts";
import { functions_of } from "./driver.ts";
import { ScanKernel_vec } from "./generated/ScanKernel.ts";
import { type RowLoop, type Rows, takes_rows, told_of_rows } from "./row_driver.ts";

export type Scanned = "cumsum" | "cumprod";

/** For lines of `n` elements; null where JavaScript has to do it. */
export function line_of(kind: Scanned, rows: Rows): InstanceOf<typeof cumsum_line> | null {
  if (!takes_rows(ScanKernel_vec, rows)) return null;
  const dtype = rows.tensors[0].dtype();
  const run = functions_of(ScanKernel_vec, dtype)[`${kind}_line`];
  const size = elementSize(dtype);
  return (_out, to, to_stride, _x, from, from_stride, count) =>
    run(to * size, to_stride * size, from * size, from_stride * size, count);
}

/** What a recording says of the lines of a tensor of this shape. `symbol`: the loop in JavaScript. */
export function told_of_scan(symbol: string, kind: Scanned | null, rows: Rows, shape: readonly number[]): TraceData {
  const loop: RowLoop = {
    modules: ScanKernel_vec,
    symbol,
    file: "ScanKernel",
    plain: [symbol, "ReduceOpsCumulativeKernel"],
  };
  return told_of_rows(loop, rows, shape, kind === null ? "no vector loop" : null);
}
