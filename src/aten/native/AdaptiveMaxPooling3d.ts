/**
 * @file Adaptive max pooling of volumes: the maximum of each part of a volume that is divided into a given number of
 * parts, and its index.
 * @mirrors aten/src/ATen/native/AdaptiveMaxPooling3d.cpp
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MetaBase } from "#aten/TensorMeta";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { adaptive_max_pool_kernel, check_adaptive_backward } from "./AdaptiveMaxPooling2d.ts";
import { max_pool2d_backward_kernel } from "./DilatedMaxPool2d.ts";
import { contiguously } from "./Pool/index.ts";
import { adaptive_volumes_of, as_images, check_not_empty } from "./Pool/Pool3d.ts";

export abstract class structured_adaptive_max_pool3d extends MetaBase {
  meta(input: Tensor, output_size: number[]): void {
    const ndim = input.dim();
    TORCH_CHECK(ndim === 4 || ndim === 5, "adaptive_max_pool3d(): Expected 4D or 5D tensor, but got: ", input.sizes());
    check_not_empty("adaptive_max_pool3d", "input", input);
    TORCH_CHECK(output_size.length === 3, "adaptive_max_pool3d(): internal error: output_size.size() must be 3");
    const sizes = [...input.sizes().slice(0, -3), ...output_size];
    this.set_output_raw_strided(0, sizes, [], input.options());
    this.set_output_raw_strided(1, sizes, [], input.options().dtype(ScalarType.Long));
  }
}

// adaptive_max_pool3d.out                                                           CPU
export abstract class structured_adaptive_max_pool3d_out_cpu extends structured_adaptive_max_pool3d {
  impl(input: Tensor, output_size: number[], output: Tensor, indices: Tensor): void {
    check_floating_types_and2(input.scalar_type(), "adaptive_max_pool3d_cpu");
    if (output.numel() === 0) return;
    contiguously([output, indices], ([out, index]) =>
      adaptive_max_pool_kernel.call(
        input.device_type(),
        out,
        index,
        input.contiguous(),
        adaptive_volumes_of(input, output_size),
      ),
    );
  }
}

export abstract class structured_adaptive_max_pool3d_backward extends MetaBase {
  meta(grad_output: Tensor, input: Tensor, indices: Tensor): void {
    TORCH_CHECK(
      grad_output.dim() === 4 || grad_output.dim() === 5,
      "adaptive_max_pool3d_backward(): Expected 4D or 5D gradOutput, but got: ",
      grad_output.sizes(),
    );
    check_not_empty("adaptive_max_pool3d_backward", "grad_output", grad_output);
    check_adaptive_backward("gradOutput", grad_output, input, indices);
    this.set_output_raw_strided(0, input.sizes(), [], input.options());
  }
}

// adaptive_max_pool3d_backward.grad_input                                           CPU
export abstract class structured_adaptive_max_pool3d_backward_out_cpu extends structured_adaptive_max_pool3d_backward {
  impl(grad_output: Tensor, input: Tensor, indices: Tensor, grad_input: Tensor): void {
    grad_input.zero_();
    check_floating_types_and2(grad_output.scalar_type(), "adaptive_max_pool3d_backward");
    if (grad_output.numel() === 0) return;
    const images = as_images(adaptive_volumes_of(input, grad_output.sizes().slice(-3)));
    contiguously([grad_input], ([grad]) =>
      max_pool2d_backward_kernel.call(
        input.device_type(),
        grad,
        grad_output.contiguous(),
        indices.contiguous(),
        images,
      ),
    );
  }
}
