/**
 * @file Max pooling of images: the maximum of each window, and its index.
 * @mirrors aten/src/ATen/native/DilatedMaxPool2d.cpp
 */
import { check_all_types_and2, check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MetaBase } from "#aten/TensorMeta";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import {
  check_pool2d_format,
  check_result_sizes,
  contiguous_copy,
  contiguously,
  type Images,
  images_of,
  in_contiguous_memory,
  pool2d_shape_check,
  pooled_sizes,
  pooled_strides,
  type Window2d,
  window2d,
} from "./Pool/index.ts";

/** All tensors are contiguous. An index is a position in its plane. */
export const max_pool2d_kernel =
  DEFINE_DISPATCH<(output: Tensor, indices: Tensor, input: Tensor, window: Window2d, images: Images) => void>(
    "max_pool2d_kernel",
  );
/** Adds to `grad_input`. */
export const max_pool2d_backward_kernel =
  DEFINE_DISPATCH<(grad_input: Tensor, grad_output: Tensor, indices: Tensor, images: Images) => void>(
    "max_pool2d_backward_kernel",
  );

function checked(
  input: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
): [Window2d, Images] {
  const window = window2d("max_pool2d", kernel_size, stride, padding, dilation);
  check_pool2d_format(input);
  const images = images_of(input, window, ceil_mode);
  pool2d_shape_check(input, window, images);
  return [window, images];
}

export abstract class structured_max_pool2d_with_indices extends MetaBase {
  meta(
    input: Tensor,
    kernel_size: number[],
    stride: number[],
    padding: number[],
    dilation: number[],
    ceil_mode: boolean,
  ): void {
    const [, images] = checked(input, kernel_size, stride, padding, dilation, ceil_mode);
    const sizes = pooled_sizes(input, images);
    const strides = pooled_strides(input, sizes);
    this.set_output_raw_strided(0, sizes, strides, input.options());
    this.set_output_raw_strided(1, sizes, strides, input.options().dtype(ScalarType.Long));
  }
}

// max_pool2d_with_indices.out                                                       CPU
export abstract class structured_max_pool2d_with_indices_out_cpu extends structured_max_pool2d_with_indices {
  impl(
    input: Tensor,
    kernel_size: number[],
    stride: number[],
    padding: number[],
    dilation: number[],
    ceil_mode: boolean,
    output: Tensor,
    indices: Tensor,
  ): void {
    const [window, images] = checked(input, kernel_size, stride, padding, dilation, ceil_mode);
    check_all_types_and2(input.scalar_type(), "max_pool2d");
    in_contiguous_memory([output, indices], ([out, index]) =>
      max_pool2d_kernel.call(input.device_type(), out, index, contiguous_copy(input), window, images),
    );
  }
}

export abstract class structured_max_pool2d_with_indices_backward extends MetaBase {
  meta(
    gradOutput: Tensor,
    input: Tensor,
    kernel_size: number[],
    stride: number[],
    padding: number[],
    dilation: number[],
    ceil_mode: boolean,
    indices: Tensor,
  ): void {
    const window = window2d("max_pool2d", kernel_size, stride, padding, dilation);
    TORCH_CHECK(
      input.dtype() === gradOutput.dtype(),
      `expected dtype ${typeMetaName(input.dtype())} for \`gradOutput\` but got dtype ${typeMetaName(gradOutput.dtype())}`,
    );
    check_pool2d_format(input);
    const images = images_of(input, window, ceil_mode);
    pool2d_shape_check(input, window, images);
    check_result_sizes(input, gradOutput, images);
    check_result_sizes(input, indices, images);
    this.set_output_raw_strided(0, input.sizes(), pooled_strides(input, input.sizes()), input.options());
  }
}

// max_pool2d_with_indices_backward.grad_input                                       CPU
export abstract class structured_max_pool2d_with_indices_backward_out_cpu extends structured_max_pool2d_with_indices_backward {
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
    const images = images_of(input, window2d("max_pool2d", kernel_size, stride, padding, dilation), ceil_mode);
    check_floating_types_and2(gradOutput.scalar_type(), "max_pool2d_backward");
    gradInput.zero_();
    contiguously([gradInput], ([grad]) =>
      max_pool2d_backward_kernel.call(input.device_type(), grad, gradOutput.contiguous(), indices.contiguous(), images),
    );
  }
}
