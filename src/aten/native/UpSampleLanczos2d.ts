/**
 * @file Lanczos resampling of images.
 * @mirrors aten/src/ATen/native/UpSampleLanczos2d.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { compute_output_size, get_scale_value, upsample_backward_into, upsample_into } from "./UpSample.ts";
import { structured_upsample_bicubic2d, structured_upsample_bicubic2d_backward } from "./UpSampleBicubic2d.ts";

const ANTIALIASED = { filter: "lanczos", antialias: true } as const;

// _upsample_lanczos2d_aa.vec
export function _upsample_lanczos2d_aa(
  input: Tensor,
  output_size: number[] | null,
  align_corners: boolean,
  scale_factors: number[] | null,
): Tensor {
  const size = compute_output_size(input.sizes(), output_size, scale_factors);
  return at._upsample_lanczos2d_aa(
    input,
    size,
    align_corners,
    get_scale_value(scale_factors, 0),
    get_scale_value(scale_factors, 1),
  );
}

export abstract class structured__upsample_lanczos2d_aa extends structured_upsample_bicubic2d {}

// _upsample_lanczos2d_aa.out                                                       CPU
export abstract class structured__upsample_lanczos2d_aa_out_cpu extends structured__upsample_lanczos2d_aa {
  impl(
    input: Tensor,
    _output_size: number[],
    align_corners: boolean,
    scales_h: number | null,
    scales_w: number | null,
    output: Tensor,
  ): void {
    upsample_into("_upsample_lanczos2d_aa", output, input, {
      ...ANTIALIASED,
      align_corners,
      scales: [scales_h, scales_w],
    });
  }
}

export abstract class structured__upsample_lanczos2d_aa_backward extends structured_upsample_bicubic2d_backward {}

// _upsample_lanczos2d_aa_backward.grad_input                                       CPU
export abstract class structured__upsample_lanczos2d_aa_backward_out_cpu extends structured__upsample_lanczos2d_aa_backward {
  impl(
    grad_output: Tensor,
    _output_size: number[],
    _input_size: number[],
    align_corners: boolean,
    scales_h: number | null,
    scales_w: number | null,
    grad_input: Tensor,
  ): void {
    upsample_backward_into("_upsample_lanczos2d_aa", grad_input, grad_output, {
      ...ANTIALIASED,
      align_corners,
      scales: [scales_h, scales_w],
    });
  }
}
