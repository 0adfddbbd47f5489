/**
 * @file Adaptive max pooling of images: the maximum of each part of an image that is divided into a given number of
 * parts, and its index.
 * @mirrors aten/src/ATen/native/AdaptiveMaxPooling2d.cpp
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MetaBase } from "#aten/TensorMeta";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { max_pool2d_backward_kernel } from "./DilatedMaxPool2d.ts";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { contiguously, pooled_strides } from "./Pool/index.ts";
import { as_images, check_not_empty, type Volumes } from "./Pool/Pool3d.ts";

/** All tensors are contiguous. An index is a position in its volume; an image is a volume of depth 1. */
export const adaptive_max_pool_kernel =
  DEFINE_DISPATCH<(output: Tensor, indices: Tensor, input: Tensor, volumes: Volumes) => void>(
    "adaptive_max_pool_kernel",
  );

/** Sizes of an image as a volume of depth 1. */
export function planes_of(input: Tensor, [oH, oW]: readonly number[]): Volumes {
  const [H, W] = input.sizes().slice(-2);
  return {
    planes: input
      .sizes()
      .slice(0, -2)
      .reduce((n, size) => n * size, 1),
    T: 1,
    H,
    W,
    oT: 1,
    oH,
    oW,
  };
}

/** Checks gradient and indices against the input. `name` is the gradient's name in messages. */
export function check_adaptive_backward(name: string, grad_output: Tensor, input: Tensor, indices: Tensor): void {
  TORCH_CHECK(
    indices.dim() === input.dim(),
    `expected dimensions ${input.dim()} for \`indices\` but got dimensions ${indices.dim()}`,
  );
  TORCH_CHECK(
    grad_output.dtype() === input.dtype(),
    `expected dtype ${typeMetaName(input.dtype())} for \`${name}\` but got dtype ${typeMetaName(grad_output.dtype())}`,
  );
  TORCH_CHECK(
    grad_output.sizes().join() === indices.sizes().join(),
    "expected sizes ",
    indices.sizes(),
    ` for \`${name}\` but got sizes `,
    grad_output.sizes(),
  );
}

export abstract class structured_adaptive_max_pool2d extends MetaBase {
  meta(input: Tensor, output_size: number[]): void {
    const ndim = input.dim();
    TORCH_CHECK(ndim === 3 || ndim === 4, "adaptive_max_pool2d(): Expected 3D or 4D tensor, but got: ", input.sizes());
    check_not_empty("adaptive_max_pool2d", "input", input);
    TORCH_CHECK(output_size.length === 2, "adaptive_max_pool2d(): internal error: output_size.size() must be 2");
    const sizes = [...input.sizes().slice(0, -2), ...output_size];
    const strides = pooled_strides(input, sizes);
    this.set_output_raw_strided(0, sizes, strides, input.options());
    this.set_output_raw_strided(1, sizes, strides, input.options().dtype(ScalarType.Long));
  }
}

// adaptive_max_pool2d.out                                                           CPU
export abstract class structured_adaptive_max_pool2d_out_cpu extends structured_adaptive_max_pool2d {
  impl(input: Tensor, output_size: number[], output: Tensor, indices: Tensor): void {
    check_floating_types_and2(input.scalar_type(), "adaptive_max_pool2d");
    if (output.numel() === 0) return;
    contiguously([output, indices], ([out, index]) =>
      adaptive_max_pool_kernel.call(input.device_type(), out, index, input.contiguous(), planes_of(input, output_size)),
    );
  }
}

export abstract class structured_adaptive_max_pool2d_backward extends MetaBase {
  meta(grad_output: Tensor, input: Tensor, indices: Tensor): void {
    TORCH_CHECK(
      grad_output.dim() === 3 || grad_output.dim() === 4,
      "adaptive_max_pooling2d_backward(): Expected 3D or 4D grad_output, but got: ",
      grad_output.sizes(),
    );
    check_not_empty("adaptive_max_pool2d_backward", "grad_output", grad_output);
    check_adaptive_backward("grad_output", grad_output, input, indices);
    this.set_output_raw_strided(0, input.sizes(), pooled_strides(input, input.sizes()), input.options());
  }
}

// adaptive_max_pool2d_backward.grad_input                                           CPU
export abstract class structured_adaptive_max_pool2d_backward_out_cpu extends structured_adaptive_max_pool2d_backward {
  impl(grad_output: Tensor, input: Tensor, indices: Tensor, grad_input: Tensor): void {
    grad_input.zero_();
    check_floating_types_and2(grad_output.scalar_type(), "adaptive_max_pool2d_backward");
    if (grad_output.numel() === 0) return;
    const images = as_images(planes_of(input, grad_output.sizes().slice(-2)));
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
