/**
 * @file Drivers of `bincount` in WebAssembly, called by native/SummaryOps.ts.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts (the kernels)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import type { InstanceOf } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { is_short_row } from "#aten/native/cpu/Loops/VecLoops";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { SummaryOpsKernel_vec } from "#aten/native/cpu/vec/generated/summary/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import type { add_weights, count } from "#aten/native/SummaryOps";
import { elementSize, ScalarType } from "#c10/core/ScalarType";

/** Whether WebAssembly can run: tensors are contiguous, the input is int64, and the output is small enough. */
function takes(x: Tensor, output: Tensor, weights: Tensor | null): boolean {
  if (get_cpu_capability() === CPUCapability.DEFAULT || x.scalar_type() !== ScalarType.Long) return false;
  if (is_short_row(x.numel()) || output.numel() * 8 >= 2 ** 31) return false;
  return in_heap(x.impl_) && in_heap(output.impl_) && (weights === null || in_heap(weights.impl_));
}

/** The counting function, or null if JavaScript must run instead. */
export function count_of(x: Tensor, output: Tensor): InstanceOf<typeof count> | null {
  if (!takes(x, output, null)) return null;
  const run = functions_of(SummaryOpsKernel_vec, ScalarType.Long).count;
  return (_out, to, _x, from, n) => run(to * 8, from * 8, n);
}

export function add_weights_of(x: Tensor, output: Tensor, weights: Tensor): InstanceOf<typeof add_weights> | null {
  if (!takes(x, output, weights)) return null;
  const dtype = output.scalar_type();
  const size = elementSize(dtype);
  const run = functions_of(SummaryOpsKernel_vec, dtype).add_weights;
  return (_out, to, _x, from, _w, w, n) => run(to * size, from * 8, w * size, n);
}
