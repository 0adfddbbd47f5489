/**
 * @file Driver of `equal` with SIMD, called by ../../EqualKernel.ts.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts (the kernel)
 */
import { address_of, in_heap } from "#aten/cpu/vec/heap";
import { is_short_row } from "#aten/native/cpu/Loops/VecLoops";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { EqualKernel_vec } from "#aten/native/cpu/vec/generated/equal/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { elementSize, isIntegralType, ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";

/** Dtype of the module that compares this dtype; integers are compared bit by bit. */
function module_for(dtype: ScalarType): ScalarType | null {
  if (isIntegralType(dtype, true)) return ScalarType.Int;
  return EqualKernel_vec.has(dtype) ? dtype : null;
}

/** Whether two tensors of one dtype and size are equal; null if JavaScript must compare them. */
export function equal_with_vectors(a: TensorImpl, b: TensorImpl): boolean | null {
  if (get_cpu_capability() === CPUCapability.DEFAULT || is_short_row(a.numel())) return null;
  const module = module_for(a.dtype());
  if (module === null || !a.is_contiguous() || !b.is_contiguous() || !in_heap(a) || !in_heap(b)) return null;
  const nbytes = a.numel() * elementSize(a.dtype());
  return functions_of(EqualKernel_vec, module).equal(address_of(a), address_of(b), nbytes) === 1;
}
