/**
 * @file Average pooling of images: the mean of each window.
 * @mirrors aten/src/ATen/native/AveragePool2d.cpp
 */
import { check_floating_types_and3 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MetaBase } from "#aten/TensorMeta";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import {
  check_result_sizes,
  contiguously,
  type Images,
  images_of,
  output_width,
  pool2d_shape_check,
  pooled_sizes,
  pooled_strides,
  type Window2d,
  window2d,
} from "./Pool/index.ts";

/** Divisor of a window's sum: a given number, or the window's size with or without padding. */
export interface Divisor {
  readonly count_include_pad: boolean;
  /** 0 means none. */
  readonly divisor_override: number;
}

type AvgPool = (output: Tensor, input: Tensor, window: Window2d, images: Images, divisor: Divisor) => void;
/** All tensors are contiguous. */
export const avg_pool2d_kernel = DEFINE_DISPATCH<AvgPool>("avg_pool2d_kernel");
/** Adds the gradient of the result to `grad_input`. */
export const avg_pool2d_backward_kernel = DEFINE_DISPATCH<AvgPool>("avg_pool2d_backward_kernel");

function checked(
  input: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  ceil_mode: boolean,
  divisor_override: number | null,
  is_backward = false,
): [Window2d, Images] {
  const window = window2d("avg_pool2d", kernel_size, stride, padding);
  TORCH_CHECK(divisor_override !== 0, "divisor must be not zero");
  input.size(-3); // throws an IndexError before all other checks
  if (is_backward) output_width(input.size(-1), window, ceil_mode); // the padding is checked first
  const images = images_of(input, window, ceil_mode);
  pool2d_shape_check(input, window, images);
  return [window, images];
}

/** Values that `meta` computes and `impl` reuses. */
export interface avg_pool2d_precompute {
  readonly kH: number;
  readonly kW: number;
  readonly dH: number;
  readonly dW: number;
  readonly padH: number;
  readonly padW: number;
}

export abstract class structured_avg_pool2d extends MetaBase {
  meta(
    input: Tensor,
    kernel_size: number[],
    stride: number[],
    padding: number[],
    ceil_mode: boolean,
    _count_include_pad: boolean,
    divisor_override: number | null,
  ): avg_pool2d_precompute {
    const [window, images] = checked(input, kernel_size, stride, padding, ceil_mode, divisor_override);
    const sizes = pooled_sizes(input, images);
    this.set_output_raw_strided(0, sizes, pooled_strides(input, sizes), input.options());
    return window;
  }
}

// avg_pool2d.out                                                                    CPU
export abstract class structured_avg_pool2d_out_cpu extends structured_avg_pool2d {
  impl(
    input: Tensor,
    kH: number,
    kW: number,
    dH: number,
    dW: number,
    padH: number,
    padW: number,
    ceil_mode: boolean,
    count_include_pad: boolean,
    divisor_override: number | null,
    output: Tensor,
  ): void {
    const window = { kH, kW, dH, dW, padH, padW, dilationH: 1, dilationW: 1 };
    const divisor = { count_include_pad, divisor_override: divisor_override ?? 0 };
    check_floating_types_and3(input.scalar_type(), "avg_pool2d");
    const images = images_of(input, window, ceil_mode);
    contiguously([output], ([out]) =>
      avg_pool2d_kernel.call(input.device_type(), out, input.contiguous(), window, images, divisor),
    );
  }
}

export abstract class structured_avg_pool2d_backward extends MetaBase {
  meta(
    gradOutput: Tensor,
    input: Tensor,
    kernel_size: number[],
    stride: number[],
    padding: number[],
    ceil_mode: boolean,
    _count_include_pad: boolean,
    divisor_override: number | null,
  ): void {
    const [, images] = checked(input, kernel_size, stride, padding, ceil_mode, divisor_override, true);
    check_result_sizes(input, gradOutput, images);
    this.set_output_raw_strided(0, input.sizes(), pooled_strides(input, input.sizes()), input.options());
  }
}

// avg_pool2d_backward.grad_input                                                    CPU
export abstract class structured_avg_pool2d_backward_out_cpu extends structured_avg_pool2d_backward {
  impl(
    gradOutput: Tensor,
    input: Tensor,
    kernel_size: number[],
    stride: number[],
    padding: number[],
    ceil_mode: boolean,
    count_include_pad: boolean,
    divisor_override: number | null,
    gradInput: Tensor,
  ): void {
    const [window, images] = checked(input, kernel_size, stride, padding, ceil_mode, divisor_override);
    const divisor = { count_include_pad, divisor_override: divisor_override ?? 0 };
    check_floating_types_and3(gradOutput.scalar_type(), "avg_pool2d_backward");
    gradInput.zero_();
    contiguously([gradInput], ([grad]) =>
      avg_pool2d_backward_kernel.call(input.device_type(), grad, gradOutput.contiguous(), window, images, divisor),
    );
  }
}
