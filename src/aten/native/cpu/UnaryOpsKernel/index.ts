/**
 * @file Kernels of unary operators: the scalar functions, and the kernels that run them.
 * @mirrors aten/src/ATen/native/cpu/UnaryOpsKernel.cpp
 */
import { cast, round_to, type scalar_t } from "#aten/Dispatch";
import {
  abs_of_loops,
  acos_of_loops,
  acosh_of_loops,
  asin_of_loops,
  asinh_of_loops,
  atan_of_loops,
  atanh_of_loops,
  bitwise_not_loops,
  ceil_of_loops,
  cos_of_loops,
  cosh_of_loops,
  erf_of_loops,
  erfc_of_loops,
  exp_of_loops,
  exp2_of_loops,
  expm1_of_loops,
  floor_of_loops,
  log_of_loops,
  log1p_of_loops,
  log2_of_loops,
  log10_of_loops,
  logical_not_loops,
  neg_loops,
  reciprocal_loops,
  rsqrt_loops,
  sigmoid_loops,
  sign_loops,
  sin_of_loops,
  sinh_of_loops,
  sqrt_of_loops,
  tan_of_loops,
  tanh_of_loops,
  trunc_of_loops,
} from "#aten/native/cpu/generated/UnaryOpsKernel/index";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  abs_stub,
  acos_stub,
  acosh_stub,
  asin_stub,
  asinh_stub,
  atan_stub,
  atanh_stub,
  bitwise_not_stub,
  ceil_stub,
  cos_stub,
  cosh_stub,
  erf_stub,
  erfc_stub,
  exp_stub,
  exp2_stub,
  expm1_stub,
  floor_stub,
  log_stub,
  log1p_stub,
  log2_stub,
  log10_stub,
  logical_not_stub,
  neg_stub,
  reciprocal_stub,
  rsqrt_stub,
  sigmoid_stub,
  sign_stub,
  sin_stub,
  sinh_stub,
  sqrt_stub,
  tan_stub,
  tanh_stub,
  trunc_stub,
} from "#aten/native/UnaryOps/index";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import {
  abs,
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atanh,
  ceil,
  cos,
  cosh,
  erf,
  erfc,
  exp,
  exp2,
  expm1,
  floor,
  log,
  log1p,
  log2,
  log10,
  sin,
  sinh,
  sqrt,
  tan,
  tanh,
  trunc,
} from "#c10/util/math";

/** @loop abs_cpu: all types and halves */
export function abs_of(a: scalar_t): scalar_t {
  return abs(a);
}

/** @loop neg_cpu: all types and halves */
export function neg(a: scalar_t): scalar_t {
  return -a;
}

/** The sign of NaN is 0, because it is neither positive nor negative. @loop sign_cpu: Bool, all types and halves */
export function sign(a: scalar_t): scalar_t {
  return a > 0 ? 1 : a < 0 ? -1 : 0;
}

/** @loop bitwise_not_cpu: Bool, integral types */
export function bitwise_not(a: scalar_t): scalar_t {
  return ~a;
}
export function bitwise_not$bool(a: scalar_t): scalar_t {
  return a === 0 ? 1 : 0;
}

type out_t = number;
type self_t = number;
/** @loop logical_not_cpu self_t: Bool, all types and halves; out_t: Bool, all types and halves */
export function logical_not(a: self_t): out_t {
  return cast<out_t>(a === 0);
}

/** @loop ceil_vml_cpu: floating types and halves */
export function ceil_of(a: scalar_t): scalar_t {
  return ceil(a);
}

/** @loop exp_vml_cpu: floating types and halves */
export function exp_of(a: scalar_t): scalar_t {
  return exp(a);
}

/** @loop log_vml_cpu: floating types and halves */
export function log_of(a: scalar_t): scalar_t {
  return log(a);
}

/** @loop sqrt_vml_cpu: floating types and halves */
export function sqrt_of(a: scalar_t): scalar_t {
  return sqrt(a);
}

/** The root of a half is rounded to a half. @loop rsqrt_cpu: floating types and halves */
export function rsqrt(a: scalar_t): scalar_t {
  return 1 / round_to<scalar_t>(sqrt(a));
}

/** @loop reciprocal_cpu: floating types and halves */
export function reciprocal(a: scalar_t): scalar_t {
  return 1 / a;
}

/** @loop sigmoid_cpu: floating types and halves */
export function sigmoid(a: scalar_t): scalar_t {
  return 1 / (1 + exp(-a));
}

/** @loop tanh_vml_cpu: floating types and halves */
export function tanh_of(a: scalar_t): scalar_t {
  return tanh(a);
}

/** @loop sin_vml_cpu: floating types and halves */
export function sin_of(a: scalar_t): scalar_t {
  return sin(a);
}

/** @loop cos_vml_cpu: floating types and halves */
export function cos_of(a: scalar_t): scalar_t {
  return cos(a);
}

/** @loop tan_vml_cpu: floating types and halves */
export function tan_of(a: scalar_t): scalar_t {
  return tan(a);
}

/** @loop asin_vml_cpu: floating types and halves */
export function asin_of(a: scalar_t): scalar_t {
  return asin(a);
}

/** @loop acos_vml_cpu: floating types and halves */
export function acos_of(a: scalar_t): scalar_t {
  return acos(a);
}

/** @loop atan_vml_cpu: floating types and halves */
export function atan_of(a: scalar_t): scalar_t {
  return atan(a);
}

/** @loop sinh_vml_cpu: floating types and halves */
export function sinh_of(a: scalar_t): scalar_t {
  return sinh(a);
}

/** @loop cosh_vml_cpu: floating types and halves */
export function cosh_of(a: scalar_t): scalar_t {
  return cosh(a);
}

/** @loop asinh_vml_cpu: floating types and halves */
export function asinh_of(a: scalar_t): scalar_t {
  return asinh(a);
}

/** @loop acosh_vml_cpu: floating types and halves */
export function acosh_of(a: scalar_t): scalar_t {
  return acosh(a);
}

/** @loop atanh_vml_cpu: floating types and halves */
export function atanh_of(a: scalar_t): scalar_t {
  return atanh(a);
}

/** @loop erf_vml_cpu: floating types and halves */
export function erf_of(a: scalar_t): scalar_t {
  return erf(a);
}

/** @loop erfc_vml_cpu: floating types and halves */
export function erfc_of(a: scalar_t): scalar_t {
  return erfc(a);
}

/** @loop exp2_vml_cpu: floating types and halves */
export function exp2_of(a: scalar_t): scalar_t {
  return exp2(a);
}

/** @loop expm1_vml_cpu: floating types and halves */
export function expm1_of(a: scalar_t): scalar_t {
  return expm1(a);
}

/** @loop log2_vml_cpu: floating types and halves */
export function log2_of(a: scalar_t): scalar_t {
  return log2(a);
}

/** @loop log10_vml_cpu: floating types and halves */
export function log10_of(a: scalar_t): scalar_t {
  return log10(a);
}

/** @loop log1p_vml_cpu: floating types and halves */
export function log1p_of(a: scalar_t): scalar_t {
  return log1p(a);
}

/** @loop floor_vml_cpu: floating types and halves */
export function floor_of(a: scalar_t): scalar_t {
  return floor(a);
}

/** @loop trunc_vml_cpu: floating types and halves */
export function trunc_of(a: scalar_t): scalar_t {
  return trunc(a);
}

function abs_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, abs_of_loops);
}
/** `copy_` also calls this, if only one side has the negative bit. */
export function neg_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, neg_loops);
}
function bitwise_not_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, bitwise_not_loops);
}
function logical_not_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, logical_not_loops);
}
function ceil_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, ceil_of_loops);
}
function exp_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, exp_of_loops);
}
function log_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, log_of_loops);
}
/** `pow` also calls this kernel, or the two like it, for the exponents 0.5, -0.5 and -1. */
export function sqrt_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, sqrt_of_loops);
}
export function rsqrt_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, rsqrt_loops);
}
export function reciprocal_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, reciprocal_loops);
}
function sign_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, sign_loops);
}
function sigmoid_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, sigmoid_loops);
}
function tanh_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, tanh_of_loops);
}
function sin_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, sin_of_loops);
}
function cos_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, cos_of_loops);
}
function tan_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, tan_of_loops);
}
function asin_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, asin_of_loops);
}
function acos_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, acos_of_loops);
}
function atan_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, atan_of_loops);
}
function sinh_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, sinh_of_loops);
}
function cosh_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, cosh_of_loops);
}
function asinh_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, asinh_of_loops);
}
function acosh_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, acosh_of_loops);
}
function atanh_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, atanh_of_loops);
}
function erf_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, erf_of_loops);
}
function erfc_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, erfc_of_loops);
}
function exp2_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, exp2_of_loops);
}
function expm1_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, expm1_of_loops);
}
function log2_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, log2_of_loops);
}
function log10_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, log10_of_loops);
}
function log1p_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, log1p_of_loops);
}
function floor_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, floor_of_loops);
}
function trunc_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, trunc_of_loops);
}

REGISTER_DISPATCH(abs_stub, abs_kernel, "abs_kernel");
REGISTER_DISPATCH(neg_stub, neg_kernel, "neg_kernel");
REGISTER_DISPATCH(bitwise_not_stub, bitwise_not_kernel, "bitwise_not_kernel");
REGISTER_DISPATCH(logical_not_stub, logical_not_kernel, "logical_not_kernel");
REGISTER_DISPATCH(ceil_stub, ceil_kernel, "ceil_kernel");
REGISTER_DISPATCH(exp_stub, exp_kernel, "exp_kernel");
REGISTER_DISPATCH(log_stub, log_kernel, "log_kernel");
REGISTER_DISPATCH(sqrt_stub, sqrt_kernel, "sqrt_kernel");
REGISTER_DISPATCH(rsqrt_stub, rsqrt_kernel, "rsqrt_kernel");
REGISTER_DISPATCH(reciprocal_stub, reciprocal_kernel, "reciprocal_kernel");
REGISTER_DISPATCH(sigmoid_stub, sigmoid_kernel, "sigmoid_kernel");
REGISTER_DISPATCH(sign_stub, sign_kernel, "sign_kernel");
REGISTER_DISPATCH(tanh_stub, tanh_kernel, "tanh_kernel");
REGISTER_DISPATCH(sin_stub, sin_kernel, "sin_kernel");
REGISTER_DISPATCH(cos_stub, cos_kernel, "cos_kernel");
REGISTER_DISPATCH(tan_stub, tan_kernel, "tan_kernel");
REGISTER_DISPATCH(asin_stub, asin_kernel, "asin_kernel");
REGISTER_DISPATCH(acos_stub, acos_kernel, "acos_kernel");
REGISTER_DISPATCH(atan_stub, atan_kernel, "atan_kernel");
REGISTER_DISPATCH(sinh_stub, sinh_kernel, "sinh_kernel");
REGISTER_DISPATCH(cosh_stub, cosh_kernel, "cosh_kernel");
REGISTER_DISPATCH(asinh_stub, asinh_kernel, "asinh_kernel");
REGISTER_DISPATCH(acosh_stub, acosh_kernel, "acosh_kernel");
REGISTER_DISPATCH(atanh_stub, atanh_kernel, "atanh_kernel");
REGISTER_DISPATCH(erf_stub, erf_kernel, "erf_kernel");
REGISTER_DISPATCH(erfc_stub, erfc_kernel, "erfc_kernel");
REGISTER_DISPATCH(exp2_stub, exp2_kernel, "exp2_kernel");
REGISTER_DISPATCH(expm1_stub, expm1_kernel, "expm1_kernel");
REGISTER_DISPATCH(log2_stub, log2_kernel, "log2_kernel");
REGISTER_DISPATCH(log10_stub, log10_kernel, "log10_kernel");
REGISTER_DISPATCH(log1p_stub, log1p_kernel, "log1p_kernel");
REGISTER_DISPATCH(floor_stub, floor_kernel, "floor_kernel");
REGISTER_DISPATCH(trunc_stub, trunc_kernel, "trunc_kernel");
