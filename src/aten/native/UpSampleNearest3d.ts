/**
 * @file Nearest-neighbour resampling of volumes.
 * @mirrors aten/src/ATen/native/UpSampleNearest3d.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import {
  check_upsample_grad,
  compute_output_size,
  get_scale_value,
  upsample_nearest_backward_into,
  upsample_nearest_into,
  upsampled,
} from "./UpSample.ts";

// upsample_nearest3d.vec
export function upsample_nearest3d(
  input: Tensor,
  output_size: number[] | null,
  scale_factors: number[] | null,
): Tensor {
  const size = compute_output_size(input.sizes(), output_size, scale_factors);
  return at.upsample_nearest3d(
    input,
    size,
    get_scale_value(scale_factors, 0),
    get_scale_value(scale_factors, 1),
    get_scale_value(scale_factors, 2),
  );
}

export abstract class structured_upsample_nearest3d extends MetaBase {
  meta(
    input: Tensor,
    output_size: number[],
    _scales_d: number | null,
    _scales_h: number | null,
    _scales_w: number | null,
  ): void {
    this.set_output_raw_strided(0, ...upsampled(3, input, output_size), input.options());
  }
}

// upsample_nearest3d.out                                                       CPU
export abstract class structured_upsample_nearest3d_out_cpu extends structured_upsample_nearest3d {
  impl(
    input: Tensor,
    _output_size: number[],
    scales_d: number | null,
    scales_h: number | null,
    scales_w: number | null,
    output: Tensor,
  ): void {
    upsample_nearest_into(output, input, [scales_d, scales_h, scales_w], false);
  }
}

export abstract class structured_upsample_nearest3d_backward extends MetaBase {
  meta(
    grad_output: Tensor,
    output_size: number[],
    input_size: number[],
    _scales_d: number | null,
    _scales_h: number | null,
    _scales_w: number | null,
  ): void {
    check_upsample_grad(3, grad_output, output_size, input_size);
    this.set_output_raw_strided(0, input_size, [], grad_output.options());
  }
}

// upsample_nearest3d_backward.grad_input                                       CPU
export abstract class structured_upsample_nearest3d_backward_out_cpu extends structured_upsample_nearest3d_backward {
  impl(
    grad_output: Tensor,
    _output_size: number[],
    _input_size: number[],
    scales_d: number | null,
    scales_h: number | null,
    scales_w: number | null,
    grad_input: Tensor,
  ): void {
    upsample_nearest_backward_into("upsample_nearest3d", grad_input, grad_output, [scales_d, scales_h, scales_w]);
  }
}

// _upsample_nearest_exact3d.vec
export function _upsample_nearest_exact3d(
  input: Tensor,
  output_size: number[] | null,
  scale_factors: number[] | null,
): Tensor {
  const size = compute_output_size(input.sizes(), output_size, scale_factors);
  return at._upsample_nearest_exact3d(
    input,
    size,
    get_scale_value(scale_factors, 0),
    get_scale_value(scale_factors, 1),
    get_scale_value(scale_factors, 2),
  );
}

export abstract class structured__upsample_nearest_exact3d extends structured_upsample_nearest3d {}

// _upsample_nearest_exact3d.out                                                       CPU
export abstract class structured__upsample_nearest_exact3d_out_cpu extends structured__upsample_nearest_exact3d {
  impl(
    input: Tensor,
    _output_size: number[],
    scales_d: number | null,
    scales_h: number | null,
    scales_w: number | null,
    output: Tensor,
  ): void {
    upsample_nearest_into(output, input, [scales_d, scales_h, scales_w], true);
  }
}

export abstract class structured__upsample_nearest_exact3d_backward extends structured_upsample_nearest3d_backward {}

// _upsample_nearest_exact3d_backward.grad_input                                       CPU
export abstract class structured__upsample_nearest_exact3d_backward_out_cpu extends structured__upsample_nearest_exact3d_backward {
  impl(
    grad_output: Tensor,
    _output_size: number[],
    _input_size: number[],
    scales_d: number | null,
    scales_h: number | null,
    scales_w: number | null,
    grad_input: Tensor,
  ): void {
    upsample_nearest_backward_into("_upsample_nearest_exact3d", grad_input, grad_output, [
      scales_d,
      scales_h,
      scales_w,
    ]);
  }
}
