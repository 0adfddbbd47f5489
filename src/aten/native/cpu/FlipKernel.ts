/**
 * @file `flip`'s copy, in which the output runs backwards.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 */
import type { scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { flip_stub } from "#aten/native/TensorTransformations";
import type { TensorIterator } from "#aten/TensorIterator";
import { flip_loops } from "./generated/FlipKernel.ts";
import { cpu_kernel } from "./Loops.ts";
import { flipped_with_vectors } from "./vec/flip_driver.ts";

/** The second operand only keeps dims apart. @loop flip_cpu: Bool, all types and halves */
export function flip(self: scalar_t, _restrided: scalar_t): scalar_t {
  return self;
}

function flip_kernel(iter: TensorIterator): void {
  if (!flipped_with_vectors(iter)) cpu_kernel(iter, flip_loops);
}

REGISTER_DISPATCH(flip_stub, flip_kernel, "flip_kernel");
