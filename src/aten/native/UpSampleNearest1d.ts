/**
 * @file Nearest-neighbour resampling in one dimension.
 * @mirrors aten/src/ATen/native/UpSampleNearest1d.cpp
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

// upsample_nearest1d.vec
export function upsample_nearest1d(
  input: Tensor,
  output_size: number[] | null,
  scale_factors: number[] | null,
): Tensor {
  const size = compute_output_size(input.sizes(), output_size, scale_factors);
  return at.upsample_nearest1d(input, size, get_scale_value(scale_factors, 0));
}

export abstract class structured_upsample_nearest1d extends MetaBase {
  meta(input: Tensor, output_size: number[], _scales: number | null): void {
    this.set_output_raw_strided(0, ...upsampled(1, input, output_size), input.options());
  }
}

// upsample_nearest1d.out                                                       CPU
export abstract class structured_upsample_nearest1d_out_cpu extends structured_upsample_nearest1d {
  impl(input: Tensor, _output_size: number[], scales: number | null, output: Tensor): void {
    upsample_nearest_into(output, input, [scales], false);
  }
}

export abstract class structured_upsample_nearest1d_backward extends MetaBase {
  meta(grad_output: Tensor, output_size: number[], input_size: number[], _scales: number | null): void {
    check_upsample_grad(1, grad_output, output_size, input_size);
    this.set_output_raw_strided(0, input_size, [], grad_output.options());
  }
}

// upsample_nearest1d_backward.grad_input                                       CPU
export abstract class structured_upsample_nearest1d_backward_out_cpu extends structured_upsample_nearest1d_backward {
  impl(
    grad_output: Tensor,
    _output_size: number[],
    _input_size: number[],
    scales: number | null,
    grad_input: Tensor,
  ): void {
    upsample_nearest_backward_into("upsample_nearest1d", grad_input, grad_output, [scales]);
  }
}

// _upsample_nearest_exact1d.vec
export function _upsample_nearest_exact1d(
  input: Tensor,
  output_size: number[] | null,
  scale_factors: number[] | null,
): Tensor {
  const size = compute_output_size(input.sizes(), output_size, scale_factors);
  return at._upsample_nearest_exact1d(input, size, get_scale_value(scale_factors, 0));
}

export abstract class structured__upsample_nearest_exact1d extends structured_upsample_nearest1d {}

// _upsample_nearest_exact1d.out                                                       CPU
export abstract class structured__upsample_nearest_exact1d_out_cpu extends structured__upsample_nearest_exact1d {
  impl(input: Tensor, _output_size: number[], scales: number | null, output: Tensor): void {
    upsample_nearest_into(output, input, [scales], true);
  }
}

export abstract class structured__upsample_nearest_exact1d_backward extends structured_upsample_nearest1d_backward {}

// _upsample_nearest_exact1d_backward.grad_input                                       CPU
export abstract class structured__upsample_nearest_exact1d_backward_out_cpu extends structured__upsample_nearest_exact1d_backward {
  impl(
    grad_output: Tensor,
    _output_size: number[],
    _input_size: number[],
    scales: number | null,
    grad_input: Tensor,
  ): void {
    upsample_nearest_backward_into("_upsample_nearest_exact1d", grad_input, grad_output, [scales]);
  }
}
