/**
 * @file Lines that are scanned in WebAssembly, as ../ReduceOpsCumulativeKernel.ts calls them.
 * @original In C++ a kernel calls its own functions.
 * @see ScanKernel.ts (the kernels)
 */
import type { InstanceOf } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { elementSize } from "#c10/core/ScalarType";
import type { cumsum_line } from "../ReduceOpsCumulativeKernel.ts";
import { takes_rows } from "../VecLoops.ts";
import { functions_of } from "./driver.ts";
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
