/**
 * @file Kernels of activations with loops of their own: threshold (used by relu's backward), prelu, gelu, silu,
 * leaky_relu, and their backward.
 * @mirrors aten/src/ATen/native/cpu/Activation.cpp
 * @differs Ours computes gelu with tanh by one exponential; PyTorch calls tanh, and 1 + tanh then becomes 0 for very
 * negative numbers, although the exact value is not 0.
 * @differs Ours gives infinity for gelu of infinity; PyTorch calls oneDNN for a contiguous float32 or bfloat16 tensor,
 * whose erf gives NaN.
 */
import type { captured, captured_opmath, scalar_t } from "#aten/Dispatch";
import {
  GeluBackwardKernel,
  GeluKernel,
  GeluType,
  leaky_relu_backward_stub,
  leaky_relu_stub,
  prelu_backward_stub,
  prelu_stub,
  silu_backward_stub,
  silu_stub,
  threshold_stub,
} from "#aten/native/Activation/index";
import {
  gelu_backward_loops,
  gelu_loops,
  gelu_tanh_backward_loops,
  gelu_tanh_loops,
  leaky_relu_backward_loops,
  leaky_relu_loops,
  prelu_backward_loops,
  prelu_loops,
  silu_backward_loops,
  silu_loops,
  threshold_loops,
} from "#aten/native/cpu/generated/Activation/index";
import { cpu_kernel, cpu_kernel_multiple_outputs } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { exp, normal_cdf } from "#c10/util/math";

/**
 * `other` is x itself in `threshold`, and the gradient in its backward. For halves, the threshold is not rounded.
 * @loop threshold_cpu: all types and halves
 */
export function threshold(x: scalar_t, other: scalar_t, threshold: captured_opmath, value: captured): scalar_t {
  return x <= threshold ? value : other;
}

/** @loop prelu_cpu: floating types and halves */
export function prelu(input: scalar_t, weight: scalar_t): scalar_t {
  return input > 0 ? input : weight * input;
}

/** Gradients of input and weight. @loop prelu_backward_cpu: floating types and halves */
export function prelu_backward(input: scalar_t, weight: scalar_t, grad: scalar_t): [scalar_t, scalar_t] {
  const positive = input > 0;
  return [positive ? grad : weight * grad, positive ? 0 : input * grad];
}

/** 1 / sqrt(2 pi), the normal density at 0. */
const DENSITY = 0.3989422804014327;
/** sqrt(2 / pi) */
const BETA = 0.7978845608028654;
const KAPPA = 0.044715;

/** @loop GeluKernelImpl: floating types and halves */
export function gelu(x: scalar_t): scalar_t {
  return x * normal_cdf(x);
}
/**
 * (1 + tanh u) / 2 is 1 / (1 + e^-2u). It costs half as much and has no cancellation for very negative u.
 * @loop GeluKernelImpl: floating types and halves
 */
export function gelu_tanh(x: scalar_t): scalar_t {
  return x / (1 + exp(-2 * BETA * (x + KAPPA * x * x * x)));
}
/**
 * Derivative of x Phi(x): the normal distribution function at x, plus x times the density at x.
 * @loop GeluBackwardKernelImpl: floating types and halves
 */
export function gelu_backward(dy: scalar_t, x: scalar_t): scalar_t {
  const pdf = DENSITY * exp(x * x * -0.5);
  return dy * (normal_cdf(x) + x * pdf);
}
/** @loop GeluBackwardKernelImpl: floating types and halves */
export function gelu_tanh_backward(dy: scalar_t, x: scalar_t): scalar_t {
  const share = 1 / (1 + exp(-2 * BETA * (x + KAPPA * x * x * x)));
  const slope = 2 * BETA * (1 + 3 * KAPPA * x * x);
  return dy * (share + x * share * (1 - share) * slope);
}

/** @loop silu_cpu: floating types and halves */
export function silu(x: scalar_t): scalar_t {
  return x / (1 + exp(-x));
}
/** @loop silu_backward_cpu: floating types and halves */
export function silu_backward(dy: scalar_t, x: scalar_t): scalar_t {
  const sigmoid = 1 / (1 + exp(-x));
  return dy * sigmoid * (1 + x * (1 - sigmoid));
}

/** @loop leaky_relu_cpu: floating types and halves */
export function leaky_relu(x: scalar_t, negative_slope: captured_opmath): scalar_t {
  return x > 0 ? x : x * negative_slope;
}
/** `x` is the input or the result: both have the same sign. @loop leaky_relu_backward_cpu: floating types and halves */
export function leaky_relu_backward(x: scalar_t, grad: scalar_t, negative_slope: captured_opmath): scalar_t {
  return x > 0 ? grad : grad * negative_slope;
}

function threshold_kernel(iter: TensorIteratorBase, threshold: Scalar, value: Scalar): void {
  cpu_kernel(iter, threshold_loops, threshold, value);
}
function prelu_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, prelu_loops);
}
function prelu_backward_kernel(iter: TensorIteratorBase): void {
  cpu_kernel_multiple_outputs(iter, prelu_backward_loops);
}
function GeluKernelImpl(iter: TensorIteratorBase, approximate: GeluType): void {
  cpu_kernel(iter, approximate === GeluType.Tanh ? gelu_tanh_loops : gelu_loops);
}
function GeluBackwardKernelImpl(iter: TensorIteratorBase, approximate: GeluType): void {
  cpu_kernel(iter, approximate === GeluType.Tanh ? gelu_tanh_backward_loops : gelu_backward_loops);
}
function silu_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, silu_loops);
}
function silu_backward_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, silu_backward_loops);
}
function leaky_relu_kernel(iter: TensorIteratorBase, negative_slope: Scalar): void {
  cpu_kernel(iter, leaky_relu_loops, negative_slope);
}
function leaky_relu_backward_kernel(iter: TensorIteratorBase, negative_slope: Scalar): void {
  cpu_kernel(iter, leaky_relu_backward_loops, negative_slope);
}

REGISTER_DISPATCH(threshold_stub, threshold_kernel, "threshold_kernel");
REGISTER_DISPATCH(prelu_stub, prelu_kernel, "prelu_kernel");
REGISTER_DISPATCH(prelu_backward_stub, prelu_backward_kernel, "prelu_backward_kernel");
REGISTER_DISPATCH(GeluKernel, GeluKernelImpl, "GeluKernelImpl");
REGISTER_DISPATCH(GeluBackwardKernel, GeluBackwardKernelImpl, "GeluBackwardKernelImpl");
REGISTER_DISPATCH(silu_stub, silu_kernel, "silu_kernel");
REGISTER_DISPATCH(silu_backward_stub, silu_backward_kernel, "silu_backward_kernel");
REGISTER_DISPATCH(leaky_relu_stub, leaky_relu_kernel, "leaky_relu_kernel");
REGISTER_DISPATCH(leaky_relu_backward_stub, leaky_relu_backward_kernel, "leaky_relu_backward_kernel");
