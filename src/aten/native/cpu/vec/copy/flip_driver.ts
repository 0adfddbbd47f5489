/**
 * @file Driver of `flip` with SIMD, called by ../../IndexKernel/Flip.ts: a copy with negative strides.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts (the kernel)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { is_short_row } from "#aten/native/cpu/Loops/VecLoops";
import { lanes_for, vector_loop } from "#aten/native/cpu/vec/driver";
import { CopyKernel_vec } from "#aten/native/cpu/vec/generated/copy/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import type { TensorIterator } from "#aten/TensorIterator";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";
import { copy_tile, type Tile } from "./driver.ts";

function flip_loop([out, self]: readonly OperandInfo[], n: number, m: number, size: number): void {
  const tile_of = (x: OperandInfo): Tile => [x.at(0, 0) * size, x.inner_stride() * size, x.outer_stride() * size];
  copy_tile(tile_of(out), tile_of(self), n, m, size);
}

/** Copies with SIMD. Returns false, without writing anything, if SIMD cannot be used. */
export function flipped_with_vectors(iter: TensorIterator): boolean {
  if (get_cpu_capability() === CPUCapability.DEFAULT || is_short_row(iter.numel())) return false;
  if (!in_heap(iter.tensor(0).impl_) || !in_heap(iter.tensor(1).impl_)) return false;
  const dtype = iter.dtype();
  const size = elementSize(dtype);
  const run = (): void => iter.for_each(flip_loop, size);
  if (tracer === null) run();
  else {
    const module = lanes_for(size) ?? ScalarType.Float;
    const told = vector_loop("copy_tile", "copy/kernel", CopyKernel_vec, dtype, iter.shape(), "heap", module);
    traceCall("loop", "at::native::copy_tile", run, [], told);
  }
  return true;
}
