/**
 * @file Kernels of elementwise losses and their gradients: mse, smooth_l1, huber.
 * @mirrors aten/src/ATen/native/cpu/BinaryOpsKernel.cpp
 * @mirrors aten/src/ATen/native/cpu/PointwiseOpsKernel.cpp
 */
import { type captured, type captured_opmath, is_integral, round_to, type scalar_t } from "#aten/Dispatch";
import {
  huber_backward_loops,
  huber_loops,
  mse_backward_loops,
  mse_loops,
  smooth_l1_backward_loops,
  smooth_l1_loops,
} from "#aten/native/cpu/generated/BinaryOpsKernel/Loss";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  huber_backward_stub,
  huber_stub,
  mse_backward_stub,
  mse_stub,
  smooth_l1_backward_stub,
  smooth_l1_stub,
} from "#aten/native/Loss/index";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { abs } from "#c10/util/math";

/** @loop mse_cpu: floating types and halves */
export function mse(x: scalar_t, target: scalar_t): scalar_t {
  const diff = round_to<scalar_t>(x - target);
  return diff * diff;
}
/** `norm` is 2, or 2 / n. @loop mse_backward_cpu_out: all types and halves */
export function mse_backward(x: scalar_t, target: scalar_t, grad: scalar_t, norm: captured): scalar_t {
  return round_to<scalar_t>(norm * round_to<scalar_t>(x - target)) * grad;
}

/**
 * A parabola for differences up to `beta`, and straight lines of slope 1 beyond.
 * @loop smooth_l1_cpu: floating types and halves
 */
export function smooth_l1(x: scalar_t, target: scalar_t, beta: captured_opmath): scalar_t {
  const z = abs(x - target);
  return z < beta ? (0.5 * z * z) / beta : z - 0.5 * beta;
}
/** @loop smooth_l1_backward_cpu_out: all types and halves */
export function smooth_l1_backward(
  x: scalar_t,
  target: scalar_t,
  grad: scalar_t,
  norm: captured_opmath,
  beta: captured_opmath,
): scalar_t {
  const z = is_integral<scalar_t>() ? round_to<scalar_t>(x - target) : x - target;
  return z <= -beta ? -norm * grad : z >= beta ? norm * grad : (norm * z * grad) / beta;
}

/**
 * A parabola for differences up to `delta`, and straight lines of slope `delta` beyond.
 * @loop huber_cpu: floating types and halves
 */
export function huber(x: scalar_t, target: scalar_t, delta: captured_opmath): scalar_t {
  const z = abs(x - target);
  return z < delta ? 0.5 * z * z : delta * (z - 0.5 * delta);
}
/** @loop huber_backward_cpu_out: floating types and halves */
export function huber_backward(
  x: scalar_t,
  target: scalar_t,
  grad: scalar_t,
  norm: captured_opmath,
  delta: captured_opmath,
): scalar_t {
  const z = x - target;
  return z < -delta ? -norm * grad * delta : z > delta ? norm * grad * delta : norm * z * grad;
}

const double = Scalar.fromDouble;
function mse_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, mse_loops);
}
function mse_backward_cpu_kernel(iter: TensorIteratorBase, norm: number): void {
  cpu_kernel(iter, mse_backward_loops, double(norm));
}
function smooth_l1_kernel(iter: TensorIteratorBase, beta: number): void {
  cpu_kernel(iter, smooth_l1_loops, double(beta));
}
function smooth_l1_backward_cpu_kernel(iter: TensorIteratorBase, norm: number, beta: number): void {
  cpu_kernel(iter, smooth_l1_backward_loops, double(norm), double(beta));
}
function huber_kernel(iter: TensorIteratorBase, delta: number): void {
  cpu_kernel(iter, huber_loops, double(delta));
}
function huber_backward_cpu_kernel(iter: TensorIteratorBase, norm: number, delta: number): void {
  cpu_kernel(iter, huber_backward_loops, double(norm), double(delta));
}

REGISTER_DISPATCH(mse_stub, mse_kernel, "mse_kernel");
REGISTER_DISPATCH(mse_backward_stub, mse_backward_cpu_kernel, "mse_backward_cpu_kernel");
REGISTER_DISPATCH(smooth_l1_stub, smooth_l1_kernel, "smooth_l1_kernel");
REGISTER_DISPATCH(smooth_l1_backward_stub, smooth_l1_backward_cpu_kernel, "smooth_l1_backward_cpu_kernel");
REGISTER_DISPATCH(huber_stub, huber_kernel, "huber_kernel");
REGISTER_DISPATCH(huber_backward_stub, huber_backward_cpu_kernel, "huber_backward_cpu_kernel");
