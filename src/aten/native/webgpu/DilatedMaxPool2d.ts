/**
 * @file Kernels of max pooling over images. An image is a volume of depth 1.
 * @mirrors aten/src/ATen/native/Pool.h
 * @see DilatedMaxPool3d.ts (the kernels)
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { max_pool2d_kernel, structured_max_pool2d_with_indices_backward } from "#aten/native/DilatedMaxPool2d";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { contiguously, type Images, images_of, type Window2d, window2d } from "#aten/native/Pool/index";
import { flat_window, volumes_of_images } from "#aten/native/Pool/Pool3d";
import { max_pool3d, max_pool3d_backward } from "./DilatedMaxPool3d.ts";

function max_pool2d(output: Tensor, indices: Tensor, input: Tensor, window: Window2d, images: Images): void {
  max_pool3d(output, indices, input, flat_window(window), volumes_of_images(images));
}

REGISTER_PRIVATEUSE1_DISPATCH(max_pool2d_kernel, max_pool2d, "max_pool2d_kernel_webgpu");

// max_pool2d_with_indices_backward.grad_input
export abstract class structured_max_pool2d_with_indices_backward_out extends structured_max_pool2d_with_indices_backward {
  impl(
    gradOutput: Tensor,
    input: Tensor,
    kernel_size: number[],
    stride: number[],
    padding: number[],
    dilation: number[],
    ceil_mode: boolean,
    indices: Tensor,
    gradInput: Tensor,
  ): void {
    const window = window2d("max_pool2d", kernel_size, stride, padding, dilation);
    const images = images_of(input, window, ceil_mode);
    check_floating_types_and2(gradOutput.scalar_type(), "max_pool2d_backward");
    if (gradInput.numel() === 0) return;
    if (gradOutput.numel() === 0) {
      gradInput.zero_();
      return;
    }
    contiguously([gradInput], ([grad]) => {
      const read = [gradOutput.contiguous(), indices.contiguous()] as const;
      max_pool3d_backward(grad, ...read, flat_window(window), volumes_of_images(images));
    });
  }
}
