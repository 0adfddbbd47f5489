/**
 * @file `copy_`'s loops: one text per pair of dtypes, and whole runs of bytes where nothing has to be converted.
 * @mirrors aten/src/ATen/native/cpu/CopyKernel.cpp
 */
import { cast } from "#aten/Dispatch";
import { copy_stub } from "#aten/native/Copy";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import type { TensorIterator } from "#aten/TensorIterator";
import { convert_loops } from "./generated/CopyKernel.ts";
import { cpu_kernel } from "./Loops.ts";

type dst_t = number;
type src_t = number;

/** @loop copy_ dst_t: Bool, all types and halves; src_t: Bool, all types and halves */
export function convert(src: src_t): dst_t {
  return cast<dst_t>(src);
}

/** From this many elements on, `TypedArray.set` beats the loop. */
const LEAST_RUN = 32;

/** Same dtype. */
function direct_copy_kernel(iter: TensorIterator): void {
  const n = iter.numel();
  if (n < LEAST_RUN || !iter.is_contiguous()) {
    cpu_kernel(iter, convert_loops);
    return;
  }
  const from = iter.data_offset(1);
  const source = iter.data_view(1) as Float64Array;
  (iter.data_view(0) as Float64Array).set(source.subarray(from, from + n), iter.data_offset(0));
}

// One thread and one memory: whether the caller would wait makes no difference.
function copy_kernel(iter: TensorIterator, _non_blocking: boolean): void {
  if (iter.dtype(0) === iter.dtype(1)) direct_copy_kernel(iter);
  else cpu_kernel(iter, convert_loops);
}

REGISTER_DISPATCH(copy_stub, copy_kernel, "copy_kernel");
