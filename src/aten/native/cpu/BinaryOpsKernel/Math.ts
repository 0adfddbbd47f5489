/**
 * @file Kernels of binary mathematical functions: angles and lengths, remainders, logarithms of sums, signs, divisors.
 * @mirrors aten/src/ATen/native/cpu/BinaryOpsKernel.cpp
 * @see index.ts
 */
import { type captured, round_to, type scalar_t } from "#aten/Dispatch";
import {
  atan2_stub,
  copysign_stub,
  fmax_stub,
  fmin_stub,
  fmod_stub,
  gcd_stub,
  hypot_stub,
  lcm_stub,
  logaddexp_stub,
  logaddexp2_stub,
  logit_backward_stub,
  remainder_stub,
  xlog1py_stub,
  xlogy_stub,
} from "#aten/native/BinaryOps/Math";
import {
  atan2_of_loops,
  copysign_of_loops,
  fmax_of_loops,
  fmin_of_loops,
  fmod_loops,
  gcd_loops,
  hypot_of_loops,
  lcm_loops,
  logaddexp_loops,
  logaddexp2_loops,
  logit_backward_clamped_loops,
  logit_backward_loops,
  remainder_loops,
  xlog1py_loops,
  xlogy_loops,
} from "#aten/native/cpu/generated/BinaryOpsKernel/Math";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { calc_gcd, calc_lcm } from "#aten/native/Math/index";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, type ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  abs,
  atan2,
  copysign,
  exp,
  exp2,
  fmax,
  fmin,
  hypot,
  isinf,
  isnan,
  log,
  log1p,
  max_propagate_nan,
} from "#c10/util/math";
import { maximum_kernel, minimum_kernel } from "./index.ts";

/** @loop atan2_cpu: floating types and halves */
export function atan2_of(self: scalar_t, other: scalar_t): scalar_t {
  return atan2(self, other);
}

/** @loop hypot_cpu: floating types and halves */
export function hypot_of(self: scalar_t, other: scalar_t): scalar_t {
  return hypot(self, other);
}

/** @loop copysign_cpu: floating types and halves */
export function copysign_of(self: scalar_t, other: scalar_t): scalar_t {
  return copysign(self, other);
}

// ---- remainders: `fmod` has the sign of the dividend, `remainder` the sign of the divisor

/** @loop fmod_cpu: all types and halves */
export function fmod(self: scalar_t, other: scalar_t): scalar_t {
  return self % other;
}
export function fmod$integral(self: scalar_t, other: scalar_t): scalar_t {
  TORCH_CHECK(other !== 0, "ZeroDivisionError");
  return self % other;
}

/** @loop remainder_cpu: all types and halves */
export function remainder(self: scalar_t, other: scalar_t): scalar_t {
  const mod = self % other;
  return mod !== 0 && other < 0 !== mod < 0 ? mod + other : mod;
}
export function remainder$integral(self: scalar_t, other: scalar_t): scalar_t {
  TORCH_CHECK(other !== 0, "ZeroDivisionError");
  const mod = self % other;
  return mod !== 0 && other < 0 !== mod < 0 ? mod + other : mod;
}

// ---- extremes that ignore NaN

/** @loop fmax_cpu: floating types and halves */
export function fmax_of(self: scalar_t, other: scalar_t): scalar_t {
  return fmax(self, other);
}

/** @loop fmin_cpu: floating types and halves */
export function fmin_of(self: scalar_t, other: scalar_t): scalar_t {
  return fmin(self, other);
}

// ---- logarithms

/**
 * log(e^a + e^b): the larger value, plus the contribution of the smaller. Equal infinities are handled separately,
 * because their difference is NaN.
 * @loop logaddexp_cpu: floating types and halves
 */
export function logaddexp(self: scalar_t, other: scalar_t): scalar_t {
  if (isinf(self) && self === other) return self;
  return max_propagate_nan(self, other) + log1p(exp(-abs(self - other)));
}

/** 1 / ln 2 */
const INV_LOG_2 = Math.LOG2E;

/** @loop logaddexp2_cpu: floating types and halves */
export function logaddexp2(self: scalar_t, other: scalar_t): scalar_t {
  if (isinf(self) && self === other) return self;
  return max_propagate_nan(self, other) + log1p(exp2(-abs(self - other))) * INV_LOG_2;
}

/** 0 times any logarithm is 0. @loop xlogy_cpu: floating types and halves */
export function xlogy(x: scalar_t, y: scalar_t): scalar_t {
  if (isnan(y)) return y;
  return x === 0 ? 0 : x * round_to<scalar_t>(log(y));
}

/** @loop xlog1py_cpu: floating types and halves */
export function xlog1py(x: scalar_t, y: scalar_t): scalar_t {
  if (isnan(y)) return y;
  return x === 0 ? 0 : x * round_to<scalar_t>(log1p(y));
}

/**
 * Infinite at both ends, for either sign of zero in the product; NaN outside [0, 1].
 * @loop logit_backward_cpu: floating types and halves
 */
export function logit_backward(grad: scalar_t, x: scalar_t): scalar_t {
  const slope = x === 0 || x === 1 ? grad * Infinity : grad / round_to<scalar_t>(x * round_to<scalar_t>(1 - x));
  return x < 0 || x > 1 ? NaN : slope;
}

/** 0 if the input was clamped. @loop logit_backward_cpu: floating types and halves */
export function logit_backward_clamped(grad: scalar_t, x: scalar_t, lo: captured, hi: captured): scalar_t {
  const slope = x === 0 || x === 1 ? grad * Infinity : grad / round_to<scalar_t>(x * round_to<scalar_t>(1 - x));
  return x < lo || x > hi ? 0 : slope;
}

// ---- greatest common divisor, least common multiple

/** @loop gcd_cpu: integral types */
export function gcd(self: scalar_t, other: scalar_t): scalar_t {
  return calc_gcd(self, other);
}

/** @loop lcm_cpu: integral types */
export function lcm(self: scalar_t, other: scalar_t): scalar_t {
  return calc_lcm(self, other);
}

// ---- kernels

function atan2_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, atan2_of_loops);
}
function hypot_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, hypot_of_loops);
}
function copysign_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, copysign_of_loops);
}
function fmod_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, fmod_loops);
}
function remainder_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, remainder_loops);
}
function fmax_kernel(iter: TensorIteratorBase): void {
  if (isFloatingType(iter.common_dtype())) cpu_kernel(iter, fmax_of_loops);
  else maximum_kernel(iter);
}
function fmin_kernel(iter: TensorIteratorBase): void {
  if (isFloatingType(iter.common_dtype())) cpu_kernel(iter, fmin_of_loops);
  else minimum_kernel(iter);
}
function logaddexp_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, logaddexp_loops);
}
function logaddexp2_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, logaddexp2_loops);
}
function xlogy_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, xlogy_loops);
}
function xlog1py_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, xlog1py_loops);
}
/** 1 - eps, where eps is rounded to the dtype. `logit` uses it as a bound, too. */
export function one_less(eps: Scalar, dtype: ScalarType): Scalar {
  return Scalar.fromDouble(1 - Number(eps.to(dtype)));
}
function logit_backward_kernel(iter: TensorIteratorBase, eps: Scalar): void {
  if (eps.toDouble() < 0) cpu_kernel(iter, logit_backward_loops);
  else cpu_kernel(iter, logit_backward_clamped_loops, eps, one_less(eps, iter.dtype()));
}
function gcd_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, gcd_loops);
}
function lcm_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, lcm_loops);
}

REGISTER_DISPATCH(atan2_stub, atan2_kernel, "atan2_kernel");
REGISTER_DISPATCH(hypot_stub, hypot_kernel, "hypot_kernel");
REGISTER_DISPATCH(copysign_stub, copysign_kernel, "copysign_kernel");
REGISTER_DISPATCH(fmod_stub, fmod_kernel, "fmod_kernel");
REGISTER_DISPATCH(remainder_stub, remainder_kernel, "remainder_kernel");
REGISTER_DISPATCH(fmax_stub, fmax_kernel, "fmax_kernel");
REGISTER_DISPATCH(fmin_stub, fmin_kernel, "fmin_kernel");
REGISTER_DISPATCH(logaddexp_stub, logaddexp_kernel, "logaddexp_kernel");
REGISTER_DISPATCH(logaddexp2_stub, logaddexp2_kernel, "logaddexp2_kernel");
REGISTER_DISPATCH(xlogy_stub, xlogy_kernel, "xlogy_kernel");
REGISTER_DISPATCH(xlog1py_stub, xlog1py_kernel, "xlog1py_kernel");
REGISTER_DISPATCH(logit_backward_stub, logit_backward_kernel, "logit_backward_kernel");
REGISTER_DISPATCH(gcd_stub, gcd_kernel, "gcd_kernel");
REGISTER_DISPATCH(lcm_stub, lcm_kernel, "lcm_kernel");
