/**
 * @file Kernels of binary cross entropy between probabilities, and of its gradient.
 * @mirrors aten/src/ATen/native/Loss.cpp
 * @differs Ours is in the folder of kernel text; in PyTorch the lambdas are in Loss.cpp.
 */
import { CUDA_KERNEL_ASSERT, cast, round_to, type scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { binary_cross_entropy_backward_loop, binary_cross_entropy_loop } from "#aten/native/Loss/BinaryCrossEntropy";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { TORCH_CHECK } from "#c10/util/Exception";
import { log, log1p } from "#c10/util/math";
import {
  binary_cross_entropy_backward_loops,
  binary_cross_entropy_loops,
} from "./generated/LossBinaryCrossEntropyKernel.ts";
import { cpu_kernel } from "./Loops/index.ts";

/** 1e-12 as a float. */
const EPSILON = 9.999999960041972e-13;

/**
 * The logarithm of 0 counts as -100, so that the loss of a certain but wrong prediction stays finite.
 * @loop binary_cross_entropy: floating types and halves
 */
export function binary_cross_entropy(input_val: scalar_t, target_val: scalar_t): scalar_t {
  const zero = cast<scalar_t>(0);
  const one = cast<scalar_t>(1);
  TORCH_CHECK(input_val >= zero && input_val <= one, "all elements of input should be between 0 and 1");
  TORCH_CHECK(target_val >= zero && target_val <= one, "all elements of target should be between 0 and 1");
  CUDA_KERNEL_ASSERT(input_val >= zero && input_val <= one);
  CUDA_KERNEL_ASSERT(target_val >= zero && target_val <= one);
  const log_1_minus_input_val = round_to<scalar_t>(log1p(-input_val));
  const log_input_val = round_to<scalar_t>(log(input_val));
  const log_of_rest = log_1_minus_input_val < -100 ? -100 : log_1_minus_input_val;
  const rest = round_to<scalar_t>(round_to<scalar_t>(target_val - one) * log_of_rest);
  return rest - round_to<scalar_t>(target_val * (log_input_val < -100 ? -100 : log_input_val));
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
