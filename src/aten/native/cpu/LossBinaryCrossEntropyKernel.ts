/**
 * @file Cross entropy between two probabilities, and its gradient.
 * @mirrors aten/src/ATen/native/Loss.cpp
 * @differs In PyTorch the lambdas stand in Loss.cpp itself; kernel text has its folder here.
 */
import { round_to, type scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { binary_cross_entropy_backward_loop, binary_cross_entropy_loop } from "#aten/native/LossBinaryCrossEntropy";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { TORCH_CHECK } from "#c10/util/Exception";
import { log, log1p } from "#c10/util/math";
import {
  binary_cross_entropy_backward_loops,
  binary_cross_entropy_loops,
} from "./generated/LossBinaryCrossEntropyKernel.ts";
import { cpu_kernel } from "./Loops.ts";

/** 1e-12 as a float. */
const EPSILON = 9.999999960041972e-13;

/** A logarithm of 0 counts as -100, so that a sure mistake costs much and not everything. @loop binary_cross_entropy: floating types and halves */
export function binary_cross_entropy(x: scalar_t, target: scalar_t): scalar_t {
  TORCH_CHECK(x >= 0 && x <= 1, "all elements of input should be between 0 and 1");
  TORCH_CHECK(target >= 0 && target <= 1, "all elements of target should be between 0 and 1");
  const log_of_rest = round_to<scalar_t>(log1p(-x));
  const log_of_x = round_to<scalar_t>(log(x));
  const rest = round_to<scalar_t>(round_to<scalar_t>(target - 1) * (log_of_rest < -100 ? -100 : log_of_rest));
  return rest - round_to<scalar_t>(target * (log_of_x < -100 ? -100 : log_of_x));
}

/** @loop binary_cross_entropy_backward: floating types and halves */
export function binary_cross_entropy_backward(grad: scalar_t, x: scalar_t, target: scalar_t): scalar_t {
  const variance = round_to<scalar_t>(round_to<scalar_t>(1 - x) * x);
  const slope = round_to<scalar_t>(grad * round_to<scalar_t>(x - target));
  return slope / (variance < EPSILON ? EPSILON : variance);
}

function binary_cross_entropy_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, binary_cross_entropy_loops);
}
function binary_cross_entropy_backward_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, binary_cross_entropy_backward_loops);
}

REGISTER_DISPATCH(binary_cross_entropy_loop, binary_cross_entropy_kernel, "binary_cross_entropy_kernel");
REGISTER_DISPATCH(
  binary_cross_entropy_backward_loop,
  binary_cross_entropy_backward_kernel,
  "binary_cross_entropy_backward_kernel",
);
