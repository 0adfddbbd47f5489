/**
 * @file Kernel of `flip`: a copy in which the output runs backwards.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 */
import type { scalar_t } from "#aten/Dispatch";
import { flip_loops } from "#aten/native/cpu/generated/IndexKernel/Flip";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { flipped_with_vectors } from "#aten/native/cpu/vec/copy/flip_driver";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { flip_stub } from "#aten/native/TensorTransformations";
import type { TensorIterator } from "#aten/TensorIterator";

/** The second operand only prevents the iterator from merging dims. @loop flip_cpu: Bool, all types and halves */
export function flip(self: scalar_t, _restrided: scalar_t): scalar_t {
  return self;
}

function flip_kernel(iter: TensorIterator): void {
  if (!flipped_with_vectors(iter)) cpu_kernel(iter, flip_loops);
}

REGISTER_DISPATCH(flip_stub, flip_kernel, "flip_kernel");
