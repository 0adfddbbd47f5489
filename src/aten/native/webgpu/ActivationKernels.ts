/**
 * @file Registration of activation kernels and their backward: the scalar function for each stub.
 * @mirrors aten/src/ATen/native/cuda/Activation.h
 * @differs Ours is one file; CUDA has several files for these kernels.
 */

import type { Tensor } from "#aten/generated/core/TensorBody";
import * as hard from "#aten/native/Activation/Hard";
import * as activation from "#aten/native/Activation/index";
import * as smooth from "#aten/native/Activation/Smooth";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { glu_backward_stub, glu_stub } from "#aten/native/GatedLinearUnit";
import { type TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import * as hard_kernels from "./generated/Activation/Hard.wgsl.ts";
import * as kernels from "./generated/Activation/index.wgsl.ts";
import * as smooth_kernels from "./generated/Activation/Smooth.wgsl.ts";
import { gpu_kernel, REGISTER_POINTWISE, REGISTER_POINTWISE_WITH_SCALARS } from "./Loops.ts";

REGISTER_POINTWISE_WITH_SCALARS(activation.threshold_stub, "threshold_kernel_webgpu", kernels.threshold);
REGISTER_POINTWISE(activation.prelu_stub, "prelu_kernel_webgpu", kernels.prelu);
REGISTER_POINTWISE(activation.prelu_backward_stub, "prelu_backward_kernel_webgpu", kernels.prelu_backward);
REGISTER_POINTWISE(activation.silu_stub, "silu_kernel_webgpu", kernels.silu);
REGISTER_POINTWISE(activation.silu_backward_stub, "silu_backward_kernel_webgpu", kernels.silu_backward);
REGISTER_POINTWISE_WITH_SCALARS(activation.leaky_relu_stub, "leaky_relu_kernel_webgpu", kernels.leaky_relu);
REGISTER_POINTWISE_WITH_SCALARS(
  activation.leaky_relu_backward_stub,
  "leaky_relu_backward_kernel_webgpu",
  kernels.leaky_relu_backward,
);

function GeluWebGPUKernelImpl(iter: TensorIteratorBase, approximate: activation.GeluType): void {
  gpu_kernel(iter, approximate === activation.GeluType.Tanh ? kernels.gelu_tanh : kernels.gelu);
}
function GeluBackwardWebGPUKernelImpl(iter: TensorIteratorBase, approximate: activation.GeluType): void {
  gpu_kernel(iter, approximate === activation.GeluType.Tanh ? kernels.gelu_tanh_backward : kernels.gelu_backward);
}
REGISTER_PRIVATEUSE1_DISPATCH(activation.GeluKernel, GeluWebGPUKernelImpl, "GeluWebGPUKernelImpl");
REGISTER_PRIVATEUSE1_DISPATCH(
  activation.GeluBackwardKernel,
  GeluBackwardWebGPUKernelImpl,
  "GeluBackwardWebGPUKernelImpl",
);

// ---- piecewise linear

REGISTER_POINTWISE_WITH_SCALARS(
  hard.hardtanh_backward_stub,
  "hardtanh_backward_kernel_webgpu",
  hard_kernels.hardtanh_backward,
);
REGISTER_POINTWISE(hard.hardsigmoid_stub, "hardsigmoid_kernel_webgpu", hard_kernels.hardsigmoid);
REGISTER_POINTWISE(
  hard.hardsigmoid_backward_stub,
  "hardsigmoid_backward_kernel_webgpu",
  hard_kernels.hardsigmoid_backward,
);
REGISTER_POINTWISE(hard.hardswish_stub, "hardswish_kernel_webgpu", hard_kernels.hardswish);
REGISTER_POINTWISE(hard.hardswish_backward_stub, "hardswish_backward_kernel_webgpu", hard_kernels.hardswish_backward);
REGISTER_POINTWISE_WITH_SCALARS(hard.hardshrink_stub, "hardshrink_kernel_webgpu", hard_kernels.hardshrink);
REGISTER_POINTWISE_WITH_SCALARS(hard.softshrink_stub, "softshrink_kernel_webgpu", hard_kernels.softshrink);
REGISTER_POINTWISE_WITH_SCALARS(
  hard.shrink_backward_stub,
  "shrink_backward_kernel_webgpu",
  hard_kernels.shrink_backward,
);

// ---- smooth

REGISTER_POINTWISE_WITH_SCALARS(smooth.elu_stub, "elu_kernel_webgpu", smooth_kernels.elu);
REGISTER_POINTWISE_WITH_SCALARS(smooth.softplus_stub, "softplus_kernel_webgpu", smooth_kernels.softplus);
REGISTER_POINTWISE_WITH_SCALARS(
  smooth.softplus_backward_stub,
  "softplus_backward_kernel_webgpu",
  smooth_kernels.softplus_backward,
);
REGISTER_POINTWISE(smooth.mish_stub, "mish_kernel_webgpu", smooth_kernels.mish);
REGISTER_POINTWISE(smooth.mish_backward_stub, "mish_backward_kernel_webgpu", smooth_kernels.mish_backward);
REGISTER_POINTWISE(
  smooth.log_sigmoid_backward_stub,
  "log_sigmoid_backward_kernel_webgpu",
  smooth_kernels.log_sigmoid_backward,
);
REGISTER_POINTWISE(glu_stub, "glu_kernel_webgpu", smooth_kernels.glu);
REGISTER_POINTWISE(glu_backward_stub, "glu_backward_kernel_webgpu", smooth_kernels.glu_backward);

function elu_backward_kernel_webgpu(
  iter: TensorIteratorBase,
  alpha: Scalar,
  scale: Scalar,
  input_scale: Scalar,
  is_result: boolean,
): void {
  const { elu_backward, elu_backward_of_result } = smooth_kernels;
  gpu_kernel(iter, is_result ? elu_backward_of_result : elu_backward, alpha, scale, input_scale);
}
/** All three tensors are contiguous. */
function log_sigmoid_webgpu_kernel(output: Tensor, buffer: Tensor, input: Tensor): void {
  const iter = new TensorIteratorConfig().add_output(buffer).add_output(output).add_const_input(input).build();
  gpu_kernel(iter, smooth_kernels.log_sigmoid);
}
REGISTER_PRIVATEUSE1_DISPATCH(smooth.log_sigmoid_cpu_stub, log_sigmoid_webgpu_kernel, "log_sigmoid_webgpu_kernel");
REGISTER_PRIVATEUSE1_DISPATCH(smooth.elu_backward_stub, elu_backward_kernel_webgpu, "elu_backward_kernel_webgpu");
