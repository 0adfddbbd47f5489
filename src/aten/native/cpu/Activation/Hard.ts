/**
 * @file Kernels of piecewise linear activations: hardsigmoid, hardswish, hardshrink, softshrink, and the backward of
 * hardtanh.
 * @mirrors aten/src/ATen/native/cpu/Activation.cpp
 */
import type { captured, captured_opmath, scalar_t } from "#aten/Dispatch";
import {
  hardshrink_stub,
  hardsigmoid_backward_stub,
  hardsigmoid_stub,
  hardswish_backward_stub,
  hardswish_stub,
  hardtanh_backward_stub,
  shrink_backward_stub,
  softshrink_stub,
} from "#aten/native/Activation/Hard";
import {
  hardshrink_loops,
  hardsigmoid_backward_loops,
  hardsigmoid_loops,
  hardswish_backward_loops,
  hardswish_loops,
  hardtanh_backward_loops,
  shrink_backward_loops,
  softshrink_loops,
} from "#aten/native/cpu/generated/Activation/Hard";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";

/** 1 / 6 rounded to float, for doubles too, as in PyTorch. */
const ONE_SIXTH = 0.1666666716337204;

/** @loop hardshrink_backward_cpu: floating types and halves */
export function hardtanh_backward(grad: scalar_t, x: scalar_t, min: captured_opmath, max: captured_opmath): scalar_t {
  return x <= min || x >= max ? 0 : grad;
}

/** @loop hardsigmoid_cpu: floating types and halves */
export function hardsigmoid(x: scalar_t): scalar_t {
  const y = x + 3;
  return (y < 0 ? 0 : y > 6 ? 6 : y) / 6;
}
/** @loop hardsigmoid_backward: floating types and halves */
export function hardsigmoid_backward(grad: scalar_t, x: scalar_t): scalar_t {
  return x > -3 && x < 3 ? grad * ONE_SIXTH : 0;
}

/** @loop hardswish_cpu: floating types and halves */
export function hardswish(x: scalar_t): scalar_t {
  const y = x + 3;
  return (x * (y < 0 ? 0 : y > 6 ? 6 : y)) / 6;
}
/** @loop hardswish_backward_cpu: floating types and halves */
export function hardswish_backward(grad: scalar_t, x: scalar_t): scalar_t {
  return x <= -3 ? 0 : x < 3 ? grad * (x / 3 + 0.5) : grad;
}

/** The threshold of halves is rounded to a half, too. @loop hardshrink_cpu: floating types and halves */
export function hardshrink(x: scalar_t, lambd: captured): scalar_t {
  return x >= -lambd && x <= lambd ? 0 : x;
}
/** The threshold of halves is not rounded. `x * 0` keeps a NaN. @loop softshrink_cpu: floating types and halves */
export function softshrink(x: scalar_t, lambd: captured_opmath): scalar_t {
  return x > lambd ? x - lambd : x < -lambd ? x + lambd : x * 0;
}
/** @loop shrink_backward_cpu: floating types and halves */
export function shrink_backward(grad: scalar_t, x: scalar_t, lambd: captured): scalar_t {
  return x >= -lambd && x <= lambd ? 0 : grad;
}

function hardtanh_backward_kernel(iter: TensorIteratorBase, min: Scalar, max: Scalar): void {
  cpu_kernel(iter, hardtanh_backward_loops, min, max);
}
function hardsigmoid_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, hardsigmoid_loops);
}
function hardsigmoid_backward_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, hardsigmoid_backward_loops);
}
function hardswish_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, hardswish_loops);
}
function hardswish_backward_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, hardswish_backward_loops);
}
function hardshrink_kernel(iter: TensorIteratorBase, lambd: Scalar): void {
  cpu_kernel(iter, hardshrink_loops, lambd);
}
function softshrink_kernel(iter: TensorIteratorBase, lambd: Scalar): void {
  cpu_kernel(iter, softshrink_loops, lambd);
}
function shrink_backward_kernel(iter: TensorIteratorBase, lambd: Scalar): void {
  cpu_kernel(iter, shrink_backward_loops, lambd);
}

REGISTER_DISPATCH(hardtanh_backward_stub, hardtanh_backward_kernel, "hardtanh_backward_kernel");
REGISTER_DISPATCH(hardsigmoid_stub, hardsigmoid_kernel, "hardsigmoid_kernel");
REGISTER_DISPATCH(hardsigmoid_backward_stub, hardsigmoid_backward_kernel, "hardsigmoid_backward_kernel");
REGISTER_DISPATCH(hardswish_stub, hardswish_kernel, "hardswish_kernel");
REGISTER_DISPATCH(hardswish_backward_stub, hardswish_backward_kernel, "hardswish_backward_kernel");
REGISTER_DISPATCH(hardshrink_stub, hardshrink_kernel, "hardshrink_kernel");
REGISTER_DISPATCH(softshrink_stub, softshrink_kernel, "softshrink_kernel");
REGISTER_DISPATCH(shrink_backward_stub, shrink_backward_kernel, "shrink_backward_kernel");
