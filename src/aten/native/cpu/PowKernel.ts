/**
 * @file Kernels of powers: tensor to tensor, and tensor to a number. Small exponents become multiplications.
 * @mirrors aten/src/ATen/native/cpu/PowKernel.cpp
 */

import type { captured, scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { pow_tensor_scalar_stub, pow_tensor_tensor_stub } from "#aten/native/Pow";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { isIntegralType, isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { pow, powi$integral as powi } from "#c10/util/math";
import {
  pow_cube_loops,
  pow_inverse_square_loops,
  pow_scalar_loops,
  pow_square_loops,
  pow_tensor_loops,
} from "./generated/PowKernel.ts";
import { cpu_kernel } from "./Loops/index.ts";
import { reciprocal_kernel, rsqrt_kernel, sqrt_kernel } from "./UnaryOpsKernel/index.ts";

/** @loop pow: all types and halves */
export function pow_tensor(base: scalar_t, exponent: scalar_t): scalar_t {
  return pow(base, exponent);
}
export function pow_tensor$integral(base: scalar_t, exponent: scalar_t): scalar_t {
  return powi(base, exponent);
}

/**
 * The exponent is a double, as in PyTorch's float loops; for halves it is rounded to a half.
 * @loop pow: all types and halves
 */
export function pow_scalar(base: scalar_t, exponent: captured<number>): scalar_t {
  return pow(base, exponent);
}
export function pow_scalar$integral(base: scalar_t, exponent: captured): scalar_t {
  return powi(base, exponent);
}

/** @loop pow: all types and halves */
export function pow_square(base: scalar_t): scalar_t {
  return base * base;
}
/** @loop pow: all types and halves */
export function pow_cube(base: scalar_t): scalar_t {
  return base * base * base;
}
/** @loop pow: floating types and halves */
export function pow_inverse_square(base: scalar_t): scalar_t {
  return 1 / (base * base);
}

function pow_tensor_tensor_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, pow_tensor_loops);
}

function pow_tensor_scalar_kernel(iter: TensorIteratorBase, exp_scalar: Scalar): void {
  const dtype = iter.common_dtype();
  const integral = isIntegralType(dtype, true);
  const rounded = integral || isReducedFloatingType(dtype); // to the dtype
  const by_root = !integral && dtype !== ScalarType.Half;
  if (by_root && exp_scalar.equal(0.5)) sqrt_kernel(iter);
  else if (by_root && exp_scalar.equal(-0.5)) rsqrt_kernel(iter);
  else if (by_root && exp_scalar.equal(-1)) reciprocal_kernel(iter);
  else if (exp_scalar.equal(2)) cpu_kernel(iter, pow_square_loops);
  else if (exp_scalar.equal(3)) cpu_kernel(iter, pow_cube_loops);
  else if (exp_scalar.equal(-2) && !integral) cpu_kernel(iter, pow_inverse_square_loops);
  else cpu_kernel(iter, pow_scalar_loops, rounded ? exp_scalar.to(dtype) : exp_scalar.toDouble());
}

REGISTER_DISPATCH(pow_tensor_tensor_stub, pow_tensor_tensor_kernel, "pow_tensor_tensor_kernel");
REGISTER_DISPATCH(pow_tensor_scalar_stub, pow_tensor_scalar_kernel, "pow_tensor_scalar_kernel");
