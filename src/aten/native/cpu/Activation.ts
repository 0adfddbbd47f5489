/**
 * @file Activations that are loops of their own: threshold (under relu's backward), prelu and its backward.
 * @mirrors aten/src/ATen/native/cpu/Activation.cpp
 */
import type { captured, captured_opmath, scalar_t } from "#aten/Dispatch";
import { prelu_backward_stub, prelu_stub, threshold_stub } from "#aten/native/Activation";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { prelu_backward_loops, prelu_loops, threshold_loops } from "./generated/Activation.ts";
import { cpu_kernel, cpu_kernel_multiple_outputs } from "./Loops.ts";

/** `other` is x itself in `threshold`, the gradient in its backward; halves meet the threshold as it is. @loop threshold_cpu: all types and halves */
export function threshold(x: scalar_t, other: scalar_t, threshold: captured_opmath, value: captured): scalar_t {
  return x <= threshold ? value : other;
}

/** @loop prelu_cpu: floating types and halves */
export function prelu(input: scalar_t, weight: scalar_t): scalar_t {
  return input > 0 ? input : weight * input;
}

/** Gradients for input and weight at once. @loop prelu_backward_cpu: floating types and halves */
export function prelu_backward(input: scalar_t, weight: scalar_t, grad: scalar_t): [scalar_t, scalar_t] {
  const positive = input > 0;
  return [positive ? grad : weight * grad, positive ? 0 : input * grad];
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

REGISTER_DISPATCH(threshold_stub, threshold_kernel, "threshold_kernel");
REGISTER_DISPATCH(prelu_stub, prelu_kernel, "prelu_kernel");
REGISTER_DISPATCH(prelu_backward_stub, prelu_backward_kernel, "prelu_backward_kernel");
