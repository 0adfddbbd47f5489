/**
 * @file The arithmetic of heaviside for one element, and its kernel. (Given; PyTorch has it in BinaryOpsKernel.cpp.)
 * @mirrors aten/src/ATen/native/cpu/BinaryOpsKernel.cpp
 */
import type { scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { heaviside_stub } from "#aten/native/Heaviside";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { heaviside_loops } from "./generated/HeavisideKernel.ts";
import { cpu_kernel } from "./Loops/index.ts";

/** @loop heaviside_cpu: Bool, all types and halves */
export function heaviside(self: scalar_t, values: scalar_t): scalar_t {
  return self === 0 ? values : self > 0 ? 1 : 0;
}

function heaviside_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, heaviside_loops);
}

REGISTER_DISPATCH(heaviside_stub, heaviside_kernel, "heaviside_kernel");
