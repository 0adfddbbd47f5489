/**
 * @file Nearest-neighbour resampling of images.
 * @mirrors aten/src/ATen/native/UpSampleNearest2d.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import {
  check_upsample_grad,
  compute_output_size,
  get_scale_value,
  strides_like,
  upsample_nearest_backward_into,
  upsample_nearest_into,
  upsampled,
} from "./UpSample.ts";

// upsample_nearest2d.vec
export function upsample_nearest2d(
  input: Tensor,
  output_size: number[] | null,
  scale_factors: number[] | null,
): Tensor {
  const size = compute_output_size(input.sizes(), output_size, scale_factors);
  return at.upsample_nearest2d(input, size, get_scale_value(scale_factors, 0), get_scale_value(scale_factors, 1));
}

export abstract class structured_upsample_nearest2d extends MetaBase {
  meta(input: Tensor, output_size: number[], _scales_h: number | null, _scales_w: number | null): void {
    this.set_output_raw_strided(0, ...upsampled(2, input, output_size), input.options());
  }
}

// upsample_nearest2d.out                                                       CPU
export abstract class structured_upsample_nearest2d_out_cpu extends structured_upsample_nearest2d {
  impl(input: Tensor, _output_size: number[], scales_h: number | null, scales_w: number | null, output: Tensor): void {
    upsample_nearest_into(output, input, [scales_h, scales_w], false);
  }
}

export abstract class structured_upsample_nearest2d_backward extends MetaBase {
  meta(
    grad_output: Tensor,
    output_size: number[],
    input_size: number[],
    _scales_h: number | null,
    _scales_w: number | null,
  ): void {
    check_upsample_grad(2, grad_output, output_size, input_size);
    this.set_output_raw_strided(0, input_size, strides_like(grad_output, input_size), grad_output.options());
  }
}

// upsample_nearest2d_backward.grad_input                                       CPU
export abstract class structured_upsample_nearest2d_backward_out_cpu extends structured_upsample_nearest2d_backward {
  impl(
    grad_output: Tensor,
    _output_size: number[],
    _input_size: number[],
    scales_h: number | null,
    scales_w: number | null,
    grad_input: Tensor,
  ): void {
    upsample_nearest_backward_into("upsample_nearest2d", grad_input, grad_output, [scales_h, scales_w]);
  }
}

// _upsample_nearest_exact2d.vec
export function _upsample_nearest_exact2d(
  input: Tensor,
  output_size: number[] | null,
  scale_factors: number[] | null,
): Tensor {
  const size = compute_output_size(input.sizes(), output_size, scale_factors);
  return at._upsample_nearest_exact2d(
    input,
    size,
    get_scale_value(scale_factors, 0),
    get_scale_value(scale_factors, 1),
  );
}

export abstract class structured__upsample_nearest_exact2d extends structured_upsample_nearest2d {}

// _upsample_nearest_exact2d.out                                                       CPU
export abstract class structured__upsample_nearest_exact2d_out_cpu extends structured__upsample_nearest_exact2d {
  impl(input: Tensor, _output_size: number[], scales_h: number | null, scales_w: number | null, output: Tensor): void {
    upsample_nearest_into(output, input, [scales_h, scales_w], true);
  }
}

export abstract class structured__upsample_nearest_exact2d_backward extends structured_upsample_nearest2d_backward {}

// _upsample_nearest_exact2d_backward.grad_input                                       CPU
export abstract class structured__upsample_nearest_exact2d_backward_out_cpu extends structured__upsample_nearest_exact2d_backward {
  impl(
    grad_output: Tensor,
    _output_size: number[],
    _input_size: number[],
    scales_h: number | null,
    scales_w: number | null,
    grad_input: Tensor,
  ): void {
    upsample_nearest_backward_into("_upsample_nearest_exact2d", grad_input, grad_output, [scales_h, scales_w]);
  }
}
