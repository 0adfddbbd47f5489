/**
 * @file Lines that are scanned in WebAssembly, as ../ReduceOpsCumulativeKernel.ts and native/ReduceOpsCummax.ts call them.
 * @original In C++ a kernel calls its own functions.
 * @see ScanKernel.ts, CummaxKernel.ts (the kernels)
 */

import { in_heap } from "#aten/cpu/vec/heap";
import type { InstanceOf } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { cummax_line } from "#aten/native/ReduceOpsCummax";
import { elementSize } from "#c10/core/ScalarType";
import type { cumsum_line } from "../ReduceOpsCumulativeKernel.ts";
import { takes_rows } from "../VecLoops.ts";
import { functions_of } from "./driver.ts";
import { CummaxKernel_vec } from "./generated/CummaxKernel.ts";
import { ScanKernel_vec } from "./generated/ScanKernel.ts";

/** For lines of `n` elements; null where JavaScript has to do it. */
export function line_of(
  kind: "cumsum" | "cumprod",
  result: Tensor,
  self: Tensor,
  n: number,
): InstanceOf<typeof cumsum_line> | null {
  if (!takes_rows(ScanKernel_vec, n, self.impl_, result.impl_)) return null;
  const dtype = self.scalar_type();
  const run = functions_of(ScanKernel_vec, dtype)[`${kind}_line`];
  const size = elementSize(dtype);
  return (_out, to, to_stride, _x, from, from_stride, count) =>
    run(to * size, to_stride * size, from * size, from_stride * size, count);
}

/** The same for extremes and their places. */
export function extreme_line_of(
  kind: "cummax" | "cummin",
  values: Tensor,
  indices: Tensor,
  self: Tensor,
  n: number,
): InstanceOf<typeof cummax_line> | null {
  if (!takes_rows(CummaxKernel_vec, n, self.impl_, values.impl_) || !in_heap(indices.impl_)) return null;
  const dtype = self.scalar_type();
  const run = functions_of(CummaxKernel_vec, dtype)[`${kind}_line`];
  const size = elementSize(dtype);
  return (_v, v, v_stride, _i, i, i_stride, _x, x, x_stride, count) =>
    run(v * size, v_stride * size, i * 8, i_stride * 8, x * size, x_stride * size, count);
}
