/**
 * @file `copy_`'s loops: one text per pair of dtypes, and whole runs of bytes where nothing has to be converted.
 * @mirrors aten/src/ATen/native/cpu/CopyKernel.cpp
 */
import { cast } from "#aten/Dispatch";
import { copy_stub } from "#aten/native/Copy";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";
import { ScalarType } from "#c10/core/ScalarType";
import { convert_loops } from "./generated/CopyKernel.ts";
import { cpu_kernel } from "./Loops.ts";
import { neg_kernel } from "./UnaryOpsKernel.ts";

type dst_t = number;
type src_t = number;

/** @loop copy_ dst_t: Bool, all types and halves, barebones unsigned types; src_t: Bool, all types and halves, barebones unsigned types */
export function convert(src: src_t): dst_t {
  return cast<dst_t>(src);
}

/** From this many elements on, `TypedArray.set` beats the loop. */
const LEAST_RUN = 32;

/** Same dtype. A bool is not moved as a byte: what is not 0 becomes 1. */
function direct_copy_kernel(iter: TensorIteratorBase): void {
  const n = iter.numel();
  if (n < LEAST_RUN || iter.dtype(0) === ScalarType.Bool || !iter.is_contiguous()) {
    cpu_kernel(iter, convert_loops);
    return;
  }
  const from = iter.data_offset(1);
  const source = iter.data_view(1) as Float64Array;
  (iter.data_view(0) as Float64Array).set(source.subarray(from, from + n), iter.data_offset(0));
}

function copy_same_dtype(iter: TensorIteratorBase, requires_neg: boolean): void {
  if (requires_neg) neg_kernel(iter);
  else direct_copy_kernel(iter);
}

// One thread and one memory: whether the caller would wait makes no difference.
function copy_kernel(iter: TensorIterator, _non_blocking: boolean): void {
  const requires_neg = iter.tensor(0).is_neg() !== iter.tensor(1).is_neg();
  if (iter.dtype(0) === iter.dtype(1)) {
    copy_same_dtype(iter, requires_neg);
    return;
  }
  cpu_kernel(iter, convert_loops);
  if (requires_neg) {
    const self = iter.tensor(0);
    copy_same_dtype(TensorIterator.unary_op(self, self), requires_neg);
  }
}

REGISTER_DISPATCH(copy_stub, copy_kernel, "copy_kernel");
