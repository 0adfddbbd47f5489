/**
 * @file Scalar functions of one element, and the kernels that run them.
 * @mirrors aten/src/ATen/native/cpu/UnaryOpsKernel.cpp
 */
import { cast, type scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  abs_stub,
  bitwise_not_stub,
  exp_stub,
  log_stub,
  logical_not_stub,
  neg_stub,
  reciprocal_stub,
  rsqrt_stub,
  sigmoid_stub,
  sign_stub,
  sqrt_stub,
  tanh_stub,
} from "#aten/native/UnaryOps";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { abs, exp, log, sqrt, tanh } from "#c10/util/math";
import {
  abs_of_loops,
  bitwise_not_loops,
  exp_of_loops,
  log_of_loops,
  logical_not_loops,
  neg_loops,
  reciprocal_loops,
  rsqrt_loops,
  sigmoid_loops,
  sign_loops,
  sqrt_of_loops,
  tanh_of_loops,
} from "./generated/UnaryOpsKernel.ts";
import { cpu_kernel } from "./Loops.ts";

/** @loop abs_cpu: all types and halves */
export function abs_of(a: scalar_t): scalar_t {
  return abs(a);
}

/** @loop neg_cpu: all types and halves */
export function neg(a: scalar_t): scalar_t {
  return -a;
}

/** 0 for NaN: it is neither above nor below. @loop sign_cpu: Bool, all types and halves */
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

/** @loop rsqrt_cpu: floating types and halves */
export function rsqrt(a: scalar_t): scalar_t {
  return 1 / sqrt(a);
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

function abs_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, abs_of_loops);
}
/** Also what `copy_` runs where only one side is negated. */
export function neg_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, neg_loops);
}
function bitwise_not_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, bitwise_not_loops);
}
function logical_not_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, logical_not_loops);
}
function exp_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, exp_of_loops);
}
function log_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, log_of_loops);
}
/** Also what `pow` runs for the exponents 0.5, -0.5 and -1. */
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

REGISTER_DISPATCH(abs_stub, abs_kernel, "abs_kernel");
REGISTER_DISPATCH(neg_stub, neg_kernel, "neg_kernel");
REGISTER_DISPATCH(bitwise_not_stub, bitwise_not_kernel, "bitwise_not_kernel");
REGISTER_DISPATCH(logical_not_stub, logical_not_kernel, "logical_not_kernel");
REGISTER_DISPATCH(exp_stub, exp_kernel, "exp_kernel");
REGISTER_DISPATCH(log_stub, log_kernel, "log_kernel");
REGISTER_DISPATCH(sqrt_stub, sqrt_kernel, "sqrt_kernel");
REGISTER_DISPATCH(rsqrt_stub, rsqrt_kernel, "rsqrt_kernel");
REGISTER_DISPATCH(reciprocal_stub, reciprocal_kernel, "reciprocal_kernel");
REGISTER_DISPATCH(sigmoid_stub, sigmoid_kernel, "sigmoid_kernel");
REGISTER_DISPATCH(sign_stub, sign_kernel, "sign_kernel");
REGISTER_DISPATCH(tanh_stub, tanh_kernel, "tanh_kernel");
