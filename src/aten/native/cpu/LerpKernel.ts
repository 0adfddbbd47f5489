/**
 * @file Kernels of `lerp`. They start from the nearer end, because floats are finer there and the end itself is then
 * exact.
 * @mirrors aten/src/ATen/native/cpu/LerpKernel.cpp
 */
import type { captured_opmath, scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { lerp_kernel_scalar_weight, lerp_kernel_tensor_weight } from "#aten/native/Lerp";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { lerp_scalar_loops, lerp_tensor_loops } from "./generated/LerpKernel.ts";
import { cpu_kernel } from "./Loops/index.ts";

/** @loop lerp_kernel_scalar: floating types and halves */
export function lerp_scalar(self: scalar_t, end: scalar_t, weight: captured_opmath): scalar_t {
  return weight < 0.5 && weight > -0.5 ? self + weight * (end - self) : end - (end - self) * (1 - weight);
}

/** @loop lerp_kernel_tensor: floating types and halves */
export function lerp_tensor(self: scalar_t, end: scalar_t, weight: scalar_t): scalar_t {
  return weight < 0.5 && weight > -0.5 ? self + weight * (end - self) : end - (end - self) * (1 - weight);
}

function lerp_scalar_kernel(iter: TensorIteratorBase, weight: Scalar): void {
  cpu_kernel(iter, lerp_scalar_loops, weight);
}
function lerp_tensor_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, lerp_tensor_loops);
}

REGISTER_DISPATCH(lerp_kernel_scalar_weight, lerp_scalar_kernel, "lerp_scalar_kernel");
REGISTER_DISPATCH(lerp_kernel_tensor_weight, lerp_tensor_kernel, "lerp_tensor_kernel");
