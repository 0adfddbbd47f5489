/**
 * @file Kernels of smooth activations and their backward: elu, softplus, mish, log_sigmoid, glu.
 * @mirrors aten/src/ATen/native/cpu/Activation.cpp
 */
import type { captured_opmath, scalar_t } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import {
  elu_backward_stub,
  elu_stub,
  log_sigmoid_backward_stub,
  log_sigmoid_cpu_stub,
  mish_backward_stub,
  mish_stub,
  softplus_backward_stub,
  softplus_stub,
} from "#aten/native/Activation/Smooth";
import {
  elu_backward_loops,
  elu_backward_of_result_loops,
  elu_loops,
  glu_backward_loops,
  glu_loops,
  log_sigmoid_backward_loops,
  log_sigmoid_loops,
  mish_backward_loops,
  mish_loops,
  softplus_backward_loops,
  softplus_loops,
} from "#aten/native/cpu/generated/Activation/Smooth";
import { cpu_kernel, cpu_kernel_multiple_outputs } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { glu_backward_stub, glu_stub } from "#aten/native/GatedLinearUnit";
import { type TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { check_type } from "#aten/TensorMethods";
import type { Scalar } from "#c10/core/Scalar";
import { exp, expm1, log1p, tanh } from "#c10/util/math";

/** @loop elu_cpu: floating types and halves */
export function elu(
  x: scalar_t,
  alpha: captured_opmath,
  scale: captured_opmath,
  input_scale: captured_opmath,
): scalar_t {
  return x < 0 ? expm1(x * input_scale) * (alpha * scale) : x * scale;
}
/** @loop elu_backward_cpu: floating types and halves */
export function elu_backward(
  grad: scalar_t,
  x: scalar_t,
  alpha: captured_opmath,
  scale: captured_opmath,
  input_scale: captured_opmath,
): scalar_t {
  return x <= 0 ? grad * input_scale * (alpha * scale) * exp(x * input_scale) : grad * scale;
}
/** Computed from the result alone, which contains the exponential. @loop elu_backward_cpu: floating types and halves */
export function elu_backward_of_result(
  grad: scalar_t,
  result: scalar_t,
  alpha: captured_opmath,
  scale: captured_opmath,
  input_scale: captured_opmath,
): scalar_t {
  return result <= 0 ? grad * input_scale * (result + alpha * scale) : grad * scale;
}

/**
 * Beyond the threshold, softplus equals x except for a negligible difference.
 * @loop softplus_cpu: floating types and halves
 */
export function softplus(x: scalar_t, beta: captured_opmath, threshold: captured_opmath): scalar_t {
  return x * beta > threshold ? x : log1p(exp(x * beta)) / beta;
}
/** @loop softplus_backward_cpu: floating types and halves */
export function softplus_backward(
  grad: scalar_t,
  x: scalar_t,
  beta: captured_opmath,
  threshold: captured_opmath,
): scalar_t {
  const z = exp(x * beta);
  return x * beta > threshold ? grad : (grad * z) / (z + 1);
}

/** @loop mish_cpu: floating types and halves */
export function mish(x: scalar_t): scalar_t {
  return x * tanh(log1p(exp(x)));
}
/** @loop mish_backward_cpu: floating types and halves */
export function mish_backward(grad: scalar_t, x: scalar_t): scalar_t {
  const sigmoid = 1 / (1 + exp(-x));
  const t = tanh(log1p(exp(x)));
  return grad * (t + x * sigmoid * (1 - t * t));
}

/**
 * Returns the result, and exp(-|x|) for backward. If output and buffer share memory, this order of writing matters.
 * @loop log_sigmoid_cpu: floating types and halves
 */
export function log_sigmoid(x: scalar_t): [scalar_t, scalar_t] {
  const negative = x < 0;
  const buffer = exp(negative ? x : -x);
  return [buffer, (negative ? x : 0) - log1p(buffer)];
}
/** @loop log_sigmoid_backward_cpu: floating types and halves */
export function log_sigmoid_backward(x: scalar_t, buffer: scalar_t, grad: scalar_t): scalar_t {
  const share = buffer / (1 + buffer);
  return (x < 0 ? 1 - share : share) * grad;
}

/** @loop glu_cpu: floating types and halves */
export function glu(first: scalar_t, second: scalar_t): scalar_t {
  return first * (1 / (1 + exp(-second)));
}
/** Gradient of the second half. @loop glu_backward_cpu: floating types and halves */
export function glu_backward(sigmoid: scalar_t, first: scalar_t, grad: scalar_t): scalar_t {
  return (1 - sigmoid) * sigmoid * first * grad;
}

function elu_kernel(iter: TensorIteratorBase, alpha: Scalar, scale: Scalar, input_scale: Scalar): void {
  cpu_kernel(iter, elu_loops, alpha, scale, input_scale);
}
function elu_backward_kernel(
  iter: TensorIteratorBase,
  alpha: Scalar,
  scale: Scalar,
  input_scale: Scalar,
  is_result: boolean,
): void {
  cpu_kernel(iter, is_result ? elu_backward_of_result_loops : elu_backward_loops, alpha, scale, input_scale);
}
function softplus_kernel(iter: TensorIteratorBase, beta: Scalar, threshold: Scalar): void {
  cpu_kernel(iter, softplus_loops, beta, threshold);
}
function softplus_backward_kernel(iter: TensorIteratorBase, beta: Scalar, threshold: Scalar): void {
  cpu_kernel(iter, softplus_backward_loops, beta, threshold);
}
function mish_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, mish_loops);
}
function mish_backward_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, mish_backward_loops);
}
/** All three tensors are contiguous. */
function log_sigmoid_cpu_kernel(output: Tensor, buffer: Tensor, input: Tensor): void {
  log_sigmoid_loops.get(input.scalar_type());
  check_type(output, input.scalar_type());
  check_type(buffer, input.scalar_type());
  const iter = new TensorIteratorConfig().add_output(buffer).add_output(output).add_const_input(input).build();
  cpu_kernel_multiple_outputs(iter, log_sigmoid_loops);
}
function log_sigmoid_backward_cpu_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, log_sigmoid_backward_loops);
}
function glu_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, glu_loops);
}
function glu_backward_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, glu_backward_loops);
}

REGISTER_DISPATCH(elu_stub, elu_kernel, "elu_kernel");
REGISTER_DISPATCH(elu_backward_stub, elu_backward_kernel, "elu_backward_kernel");
REGISTER_DISPATCH(softplus_stub, softplus_kernel, "softplus_kernel");
REGISTER_DISPATCH(softplus_backward_stub, softplus_backward_kernel, "softplus_backward_kernel");
REGISTER_DISPATCH(mish_stub, mish_kernel, "mish_kernel");
REGISTER_DISPATCH(mish_backward_stub, mish_backward_kernel, "mish_backward_kernel");
REGISTER_DISPATCH(log_sigmoid_cpu_stub, log_sigmoid_cpu_kernel, "log_sigmoid_cpu_kernel");
REGISTER_DISPATCH(log_sigmoid_backward_stub, log_sigmoid_backward_cpu_kernel, "log_sigmoid_backward_cpu_kernel");
REGISTER_DISPATCH(glu_stub, glu_kernel, "glu_kernel");
REGISTER_DISPATCH(glu_backward_stub, glu_backward_kernel, "glu_backward_kernel");
