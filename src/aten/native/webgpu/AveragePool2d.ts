/**
 * @file Kernels of average pooling over images. An image is a volume of depth 1.
 * @mirrors aten/src/ATen/native/AdaptivePooling.h
 * @mirrors aten/src/ATen/native/Pool.h
 * @see AveragePool3d.ts (the kernels)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { adaptive_avg_pool2d_backward_kernel, adaptive_avg_pool2d_kernel } from "#aten/native/AdaptiveAveragePooling";
import { avg_pool2d_backward_kernel, avg_pool2d_kernel, type Divisor } from "#aten/native/AveragePool2d";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import type { Images, Window2d } from "#aten/native/Pool/index";
import { flat_window, volumes_of_images } from "#aten/native/Pool/Pool3d";
import { adaptive_avg_pool3d, adaptive_avg_pool3d_backward, avg_pool3d, avg_pool3d_backward } from "./AveragePool3d.ts";

type Divided = [window: Window2d, images: Images, divisor: Divisor];
function avg_pool2d(out: Tensor, input: Tensor, ...[window, images, divisor]: Divided): void {
  avg_pool3d(out, input, flat_window(window), volumes_of_images(images), divisor);
}
function avg_pool2d_backward(grad_input: Tensor, grad_output: Tensor, ...[window, images, divisor]: Divided): void {
  avg_pool3d_backward(grad_input, grad_output, flat_window(window), volumes_of_images(images), divisor);
}
function adaptive_avg_pool2d(out: Tensor, input: Tensor, images: Images): void {
  adaptive_avg_pool3d(out, input, volumes_of_images(images));
}
function adaptive_avg_pool2d_backward(grad_input: Tensor, grad_output: Tensor, images: Images): void {
  adaptive_avg_pool3d_backward(grad_input, grad_output, volumes_of_images(images));
}

REGISTER_PRIVATEUSE1_DISPATCH(avg_pool2d_kernel, avg_pool2d, "avg_pool2d_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(avg_pool2d_backward_kernel, avg_pool2d_backward, "avg_pool2d_backward_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(adaptive_avg_pool2d_kernel, adaptive_avg_pool2d, "adaptive_avg_pool2d_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(
  adaptive_avg_pool2d_backward_kernel,
  adaptive_avg_pool2d_backward,
  "adaptive_avg_pool2d_backward_kernel_webgpu",
);
