/**
 * @file Kernels of the incomplete gamma functions.
 * @mirrors aten/src/ATen/native/cpu/BinaryOpsKernel.cpp
 * @see index.ts; native/Math/Igamma.ts
 * @differs Ours computes in double and rounds once; PyTorch computes float32 in float.
 */
import type { scalar_t } from "#aten/Dispatch";
import { igamma_stub, igammac_stub } from "#aten/native/BinaryOps/Igamma";
import { igamma_of_loops, igammac_of_loops } from "#aten/native/cpu/generated/BinaryOpsKernel/Igamma";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { calc_igamma, calc_igammac } from "#aten/native/Math/Igamma";
import type { TensorIteratorBase } from "#aten/TensorIterator";

/** @loop igamma_cpu: floating types and halves */
export function igamma_of(a: scalar_t, x: scalar_t): scalar_t {
  return calc_igamma(a, x);
}

/** @loop igammac_cpu: floating types and halves */
export function igammac_of(a: scalar_t, x: scalar_t): scalar_t {
  return calc_igammac(a, x);
}

function igamma_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, igamma_of_loops);
}
function igammac_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, igammac_of_loops);
}

REGISTER_DISPATCH(igamma_stub, igamma_kernel, "igamma_kernel");
REGISTER_DISPATCH(igammac_stub, igammac_kernel, "igammac_kernel");
