/**
 * @file Linear resampling in one dimension.
 * @mirrors aten/src/ATen/native/UpSampleLinear1d.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import {
  check_upsample_grad,
  compute_output_size,
  get_scale_value,
  upsample_backward_into,
  upsample_into,
  upsampled,
} from "./UpSample.ts";

const PLAIN = { filter: "linear", antialias: false } as const;

// upsample_linear1d.vec
export function upsample_linear1d(
  input: Tensor,
  output_size: number[] | null,
  align_corners: boolean,
  scale_factors: number[] | null,
): Tensor {
  const size = compute_output_size(input.sizes(), output_size, scale_factors);
  return at.upsample_linear1d(input, size, align_corners, get_scale_value(scale_factors, 0));
}

export abstract class structured_upsample_linear1d extends MetaBase {
  meta(input: Tensor, output_size: number[], _align_corners: boolean, _scales: number | null): void {
    this.set_output_raw_strided(0, ...upsampled(1, input, output_size), input.options());
  }
}

// upsample_linear1d.out                                                       CPU
export abstract class structured_upsample_linear1d_out_cpu extends structured_upsample_linear1d {
  impl(input: Tensor, _output_size: number[], align_corners: boolean, scales: number | null, output: Tensor): void {
    upsample_into("upsample_linear1d", output, input, { ...PLAIN, align_corners, scales: [scales] });
  }
}

export abstract class structured_upsample_linear1d_backward extends MetaBase {
  meta(
    grad_output: Tensor,
    output_size: number[],
    input_size: number[],
    _align_corners: boolean,
    _scales: number | null,
  ): void {
    check_upsample_grad(1, grad_output, output_size, input_size);
    this.set_output_raw_strided(0, input_size, [], grad_output.options());
  }
}

// upsample_linear1d_backward.grad_input                                       CPU
export abstract class structured_upsample_linear1d_backward_out_cpu extends structured_upsample_linear1d_backward {
  impl(
    grad_output: Tensor,
    _output_size: number[],
    _input_size: number[],
    align_corners: boolean,
    scales: number | null,
    grad_input: Tensor,
  ): void {
    upsample_backward_into("upsample_linear1d", grad_input, grad_output, { ...PLAIN, align_corners, scales: [scales] });
  }
}
