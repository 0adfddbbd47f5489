/**
 * @file Bilinear resampling of images.
 * @mirrors aten/src/ATen/native/UpSampleBilinear2d.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import {
  check_upsample_grad,
  compute_output_size,
  get_scale_value,
  strides_like,
  upsample_backward_into,
  upsample_into,
  upsampled,
} from "./UpSample.ts";

const PLAIN = { filter: "linear", antialias: false } as const;
const ANTIALIASED = { filter: "linear", antialias: true } as const;

// upsample_bilinear2d.vec
export function upsample_bilinear2d(
  input: Tensor,
  output_size: number[] | null,
  align_corners: boolean,
  scale_factors: number[] | null,
): Tensor {
  const size = compute_output_size(input.sizes(), output_size, scale_factors);
  return at.upsample_bilinear2d(
    input,
    size,
    align_corners,
    get_scale_value(scale_factors, 0),
    get_scale_value(scale_factors, 1),
  );
}

export abstract class structured_upsample_bilinear2d extends MetaBase {
  meta(
    input: Tensor,
    output_size: number[],
    _align_corners: boolean,
    _scales_h: number | null,
    _scales_w: number | null,
  ): void {
    this.set_output_raw_strided(0, ...upsampled(2, input, output_size), input.options());
  }
}

// upsample_bilinear2d.out                                                       CPU
export abstract class structured_upsample_bilinear2d_out_cpu extends structured_upsample_bilinear2d {
  impl(
    input: Tensor,
    _output_size: number[],
    align_corners: boolean,
    scales_h: number | null,
    scales_w: number | null,
    output: Tensor,
  ): void {
    upsample_into("upsample_bilinear2d", output, input, { ...PLAIN, align_corners, scales: [scales_h, scales_w] });
  }
}

export abstract class structured_upsample_bilinear2d_backward extends MetaBase {
  meta(
    grad_output: Tensor,
    output_size: number[],
    input_size: number[],
    _align_corners: boolean,
    _scales_h: number | null,
    _scales_w: number | null,
  ): void {
    check_upsample_grad(2, grad_output, output_size, input_size);
    this.set_output_raw_strided(0, input_size, strides_like(grad_output, input_size), grad_output.options());
  }
}

// upsample_bilinear2d_backward.grad_input                                       CPU
export abstract class structured_upsample_bilinear2d_backward_out_cpu extends structured_upsample_bilinear2d_backward {
  impl(
    grad_output: Tensor,
    _output_size: number[],
    _input_size: number[],
    align_corners: boolean,
    scales_h: number | null,
    scales_w: number | null,
    grad_input: Tensor,
  ): void {
    upsample_backward_into("upsample_bilinear2d", grad_input, grad_output, {
      ...PLAIN,
      align_corners,
      scales: [scales_h, scales_w],
    });
  }
}

// _upsample_bilinear2d_aa.vec
export function _upsample_bilinear2d_aa(
  input: Tensor,
  output_size: number[] | null,
  align_corners: boolean,
  scale_factors: number[] | null,
): Tensor {
  const size = compute_output_size(input.sizes(), output_size, scale_factors);
  return at._upsample_bilinear2d_aa(
    input,
    size,
    align_corners,
    get_scale_value(scale_factors, 0),
    get_scale_value(scale_factors, 1),
  );
}

export abstract class structured__upsample_bilinear2d_aa extends structured_upsample_bilinear2d {}

// _upsample_bilinear2d_aa.out                                                       CPU
export abstract class structured__upsample_bilinear2d_aa_out_cpu extends structured__upsample_bilinear2d_aa {
  impl(
    input: Tensor,
    _output_size: number[],
    align_corners: boolean,
    scales_h: number | null,
    scales_w: number | null,
    output: Tensor,
  ): void {
    upsample_into("_upsample_bilinear2d_aa", output, input, {
      ...ANTIALIASED,
      align_corners,
      scales: [scales_h, scales_w],
    });
  }
}

export abstract class structured__upsample_bilinear2d_aa_backward extends structured_upsample_bilinear2d_backward {}

// _upsample_bilinear2d_aa_backward.grad_input                                       CPU
export abstract class structured__upsample_bilinear2d_aa_backward_out_cpu extends structured__upsample_bilinear2d_aa_backward {
  impl(
    grad_output: Tensor,
    _output_size: number[],
    _input_size: number[],
    align_corners: boolean,
    scales_h: number | null,
    scales_w: number | null,
    grad_input: Tensor,
  ): void {
    upsample_backward_into("_upsample_bilinear2d_aa", grad_input, grad_output, {
      ...ANTIALIASED,
      align_corners,
      scales: [scales_h, scales_w],
    });
  }
}
