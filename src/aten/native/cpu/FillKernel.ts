/**
 * @file Kernel that writes one value into every element.
 * @mirrors aten/src/ATen/native/cpu/FillKernel.cpp
 */
import type { captured, scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { fill_stub } from "#aten/native/Fill";
import type { TensorIterator } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { fill_loops } from "./generated/FillKernel.ts";
import { cpu_kernel } from "./Loops/index.ts";

/** @loop fill_cpu: Bool, all types and halves, barebones unsigned types */
export function fill(value: captured): scalar_t {
  return value;
}

function fill_kernel(iter: TensorIterator, value: Scalar): void {
  cpu_kernel(iter, fill_loops, value);
}

REGISTER_DISPATCH(fill_stub, fill_kernel, "fill_kernel");
