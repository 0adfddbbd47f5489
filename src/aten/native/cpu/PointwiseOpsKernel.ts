/**
 * @file Kernels of `addcmul` and `addcdiv`.
 * @mirrors aten/src/ATen/native/cpu/PointwiseOpsKernel.cpp
 */
import type { captured_opmath, scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { addcdiv_stub, addcmul_stub } from "#aten/native/PointwiseOps";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { addcdiv_loops, addcmul_loops } from "./generated/PointwiseOpsKernel.ts";
import { cpu_kernel } from "./Loops/index.ts";

/** @loop addcmul_cpu_out: all types and halves */
export function addcmul(self: scalar_t, tensor1: scalar_t, tensor2: scalar_t, value: captured_opmath): scalar_t {
  return self + value * tensor1 * tensor2;
}

/** @loop addcdiv_cpu_out: all types and halves */
export function addcdiv(self: scalar_t, tensor1: scalar_t, tensor2: scalar_t, value: captured_opmath): scalar_t {
  return self + (value * tensor1) / tensor2;
}

function addcmul_cpu_kernel(iter: TensorIteratorBase, value: Scalar): void {
  cpu_kernel(iter, addcmul_loops, value);
}
function addcdiv_cpu_kernel(iter: TensorIteratorBase, value: Scalar): void {
  cpu_kernel(iter, addcdiv_loops, value);
}

REGISTER_DISPATCH(addcmul_stub, addcmul_cpu_kernel, "addcmul_cpu_kernel");
REGISTER_DISPATCH(addcdiv_stub, addcdiv_cpu_kernel, "addcdiv_cpu_kernel");
