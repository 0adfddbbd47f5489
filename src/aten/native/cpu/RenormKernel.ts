/**
 * @file Kernel of `renorm`: the factor by which a slice is multiplied so that its norm is at most `maxnorm`.
 * @mirrors aten/src/ATen/native/cpu/RenormKernel.cpp
 */
import type { captured_opmath, scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { renorm_scale_factor_stub } from "#aten/native/Normalization/Renorm";
import type { TensorIterator } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { renorm_scale_factor_loops } from "./generated/RenormKernel.ts";
import { cpu_kernel } from "./Loops/index.ts";

/** @loop renorm_scale_factor_cpu: floating types */
export function renorm_scale_factor(norm: scalar_t, maxnorm: captured_opmath): scalar_t {
  return norm > maxnorm ? maxnorm / (norm + 1e-7) : 1;
}

function renorm_scale_factor_impl(iter: TensorIterator, maxnorm: number): void {
  cpu_kernel(iter, renorm_scale_factor_loops, Scalar.fromDouble(maxnorm));
}

REGISTER_DISPATCH(renorm_scale_factor_stub, renorm_scale_factor_impl, "renorm_scale_factor_impl");
