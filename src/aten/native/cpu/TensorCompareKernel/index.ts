/**
 * @file Kernels of selection and clamping: where, clamp, isposinf, isneginf.
 * @mirrors aten/src/ATen/native/cpu/TensorCompareKernel.cpp
 */
import type { bool, captured, scalar_t } from "#aten/Dispatch";
import {
  clamp_loops,
  clamp_max_scalar_loops,
  clamp_min_scalar_loops,
  clamp_scalar_loops,
  isneginf_loops,
  isposinf_loops,
  where_loops,
} from "#aten/native/cpu/generated/TensorCompareKernel/index";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  clamp_max_scalar_stub,
  clamp_min_scalar_stub,
  clamp_scalar_stub,
  clamp_stub,
  isneginf_stub,
  isposinf_stub,
  where_kernel,
} from "#aten/native/TensorCompare/index";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { isnan } from "#c10/util/math";

/** @loop where_cpu: all types and halves, barebones unsigned types */
export function where(condition: bool, self: scalar_t, other: scalar_t): scalar_t {
  return condition ? self : other;
}

/**
 * NaN wins in every operand. If the lower bound is above the upper one, the result is the upper bound.
 * @loop clamp_cpu: all types and halves
 */
export function clamp(a: scalar_t, min: scalar_t, max: scalar_t): scalar_t {
  if (isnan(a)) return a;
  if (isnan(min)) return min;
  if (isnan(max)) return max;
  const raised = a < min ? min : a;
  return max < raised ? max : raised;
}
export function clamp$integral(a: scalar_t, min: scalar_t, max: scalar_t): scalar_t {
  const raised = a < min ? min : a;
  return max < raised ? max : raised;
}

/** A NaN element is kept, because every comparison with it is false. @loop clamp_scalar_cpu: all types and halves */
export function clamp_scalar(a: scalar_t, min: captured, max: captured): scalar_t {
  const raised = a < min ? min : a;
  return max < raised ? max : raised;
}

/** @loop clamp_max_scalar_cpu: all types and halves */
export function clamp_max_scalar(a: scalar_t, max: captured): scalar_t {
  return isnan(max) || max < a ? max : a;
}
export function clamp_max_scalar$integral(a: scalar_t, max: captured): scalar_t {
  return max < a ? max : a;
}

/** @loop clamp_min_scalar_cpu: all types and halves */
export function clamp_min_scalar(a: scalar_t, min: captured): scalar_t {
  return isnan(min) || a < min ? min : a;
}
export function clamp_min_scalar$integral(a: scalar_t, min: captured): scalar_t {
  return a < min ? min : a;
}

type self_t = number;
/** @loop isposinf_cpu self_t: floating types and halves */
export function isposinf(a: self_t): bool {
  return a === Infinity;
}
/** @loop isneginf_cpu self_t: floating types and halves */
export function isneginf(a: self_t): bool {
  return a === -Infinity;
}

/** Bools are selected as bytes: a byte that is neither 0 nor 1 is kept. */
const where_bool_loops = where_loops.taking(ScalarType.Bool, ScalarType.Byte);

function where_kernel_impl(iter: TensorIteratorBase): void {
  cpu_kernel(iter, iter.dtype() === ScalarType.Bool ? where_bool_loops : where_loops);
}
function clamp_kernel_impl(iter: TensorIteratorBase): void {
  cpu_kernel(iter, clamp_loops);
}
function clamp_scalar_kernel_impl(iter: TensorIteratorBase, min: Scalar, max: Scalar): void {
  cpu_kernel(iter, clamp_scalar_loops, min, max);
}
function clamp_max_scalar_kernel_impl(iter: TensorIteratorBase, max: Scalar): void {
  cpu_kernel(iter, clamp_max_scalar_loops, max);
}
function clamp_min_scalar_kernel_impl(iter: TensorIteratorBase, min: Scalar): void {
  cpu_kernel(iter, clamp_min_scalar_loops, min);
}
function isposinf_kernel_impl(iter: TensorIteratorBase): void {
  cpu_kernel(iter, isposinf_loops);
}
function isneginf_kernel_impl(iter: TensorIteratorBase): void {
  cpu_kernel(iter, isneginf_loops);
}

REGISTER_DISPATCH(where_kernel, where_kernel_impl, "where_kernel_impl");
REGISTER_DISPATCH(clamp_stub, clamp_kernel_impl, "clamp_kernel_impl");
REGISTER_DISPATCH(clamp_scalar_stub, clamp_scalar_kernel_impl, "clamp_scalar_kernel_impl");
REGISTER_DISPATCH(clamp_max_scalar_stub, clamp_max_scalar_kernel_impl, "clamp_max_scalar_kernel_impl");
REGISTER_DISPATCH(clamp_min_scalar_stub, clamp_min_scalar_kernel_impl, "clamp_min_scalar_kernel_impl");
REGISTER_DISPATCH(isposinf_stub, isposinf_kernel_impl, "isposinf_kernel_impl");
REGISTER_DISPATCH(isneginf_stub, isneginf_kernel_impl, "isneginf_kernel_impl");
