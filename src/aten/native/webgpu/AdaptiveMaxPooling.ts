/**
 * @file Kernels of adaptive max pooling: the maximum of each part of an image or volume that is divided into a given
 * number of parts.
 * @mirrors aten/src/ATen/native/AdaptivePooling.h
 * @see DilatedMaxPool3d.ts (the kernels)
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import {
  adaptive_max_pool_kernel,
  planes_of,
  structured_adaptive_max_pool2d_backward,
} from "#aten/native/AdaptiveMaxPooling2d";
import { structured_adaptive_max_pool3d_backward } from "#aten/native/AdaptiveMaxPooling3d";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { contiguously } from "#aten/native/Pool/index";
import { adaptive_volumes_of, type Volumes } from "#aten/native/Pool/Pool3d";
import { adaptive_max_pool, adaptive_max_pool_backward } from "./DilatedMaxPool3d.ts";

REGISTER_PRIVATEUSE1_DISPATCH(adaptive_max_pool_kernel, adaptive_max_pool, "adaptive_max_pool_kernel_webgpu");

function backward_into(grad_input: Tensor, grad_output: Tensor, indices: Tensor, volumes: Volumes): void {
  if (grad_input.numel() === 0) return;
  if (grad_output.numel() === 0) grad_input.zero_();
  else
    contiguously([grad_input], ([grad]) =>
      adaptive_max_pool_backward(grad, grad_output.contiguous(), indices.contiguous(), volumes),
    );
}

// adaptive_max_pool2d_backward.grad_input
export abstract class structured_adaptive_max_pool2d_backward_out extends structured_adaptive_max_pool2d_backward {
  impl(grad_output: Tensor, input: Tensor, indices: Tensor, grad_input: Tensor): void {
    check_floating_types_and2(grad_output.scalar_type(), "adaptive_max_pool2d_backward");
    backward_into(grad_input, grad_output, indices, planes_of(input, grad_output.sizes().slice(-2)));
  }
}

// adaptive_max_pool3d_backward.grad_input
export abstract class structured_adaptive_max_pool3d_backward_out extends structured_adaptive_max_pool3d_backward {
  impl(grad_output: Tensor, input: Tensor, indices: Tensor, grad_input: Tensor): void {
    check_floating_types_and2(grad_output.scalar_type(), "adaptive_max_pool3d_backward");
    backward_into(grad_input, grad_output, indices, adaptive_volumes_of(input, grad_output.sizes().slice(-3)));
  }
}
