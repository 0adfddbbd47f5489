/**
 * @file Average pooling of volumes: the mean of each window.
 * @mirrors aten/src/ATen/native/AveragePool3d.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MetaBase } from "#aten/TensorMeta";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import type { Divisor } from "./AveragePool2d.ts";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { contiguously } from "./Pool/index.ts";
import {
  check_volume_sizes,
  pool3d_shape_check,
  pooled_volume_sizes,
  type Volumes,
  volumes_of,
  type Window3d,
  window3d,
} from "./Pool/Pool3d.ts";

type AvgPool = (output: Tensor, input: Tensor, window: Window3d, volumes: Volumes, divisor: Divisor) => void;
/** All tensors are contiguous. */
export const avg_pool3d_kernel = DEFINE_DISPATCH<AvgPool>("avg_pool3d_kernel");
/** Adds the gradient of the result to `grad_input`. */
export const avg_pool3d_backward_kernel = DEFINE_DISPATCH<AvgPool>("avg_pool3d_backward_kernel");

function checked(
  name: string,
  input: Tensor,
  sizes: readonly [kernel_size: number[], stride: number[], padding: number[]],
  ceil_mode: boolean,
  divisor_override: number | null,
): [Window3d, Volumes] {
  const window = window3d("avg_pool3d", "must be", ...sizes);
  TORCH_CHECK(divisor_override !== 0, "divisor must be not zero");
  const volumes = volumes_of(input, window, ceil_mode);
  pool3d_shape_check(name, input, window, volumes, true);
  return [window, volumes];
}

/** Same check as AT_DISPATCH_FLOATING_TYPES_AND(kLong, ...). */
function check_dtype(dtype: ScalarType, label: string): void {
  TORCH_CHECK_NOT_IMPLEMENTED(
    dtype === ScalarType.Float || dtype === ScalarType.Double || dtype === ScalarType.Long,
    `"${label}" not implemented for '${toString(dtype)}'`,
  );
}

export abstract class structured_avg_pool3d extends MetaBase {
  meta(
    input: Tensor,
    kernel_size: number[],
    stride: number[],
    padding: number[],
    ceil_mode: boolean,
    _count_include_pad: boolean,
    divisor_override: number | null,
  ): void {
    const [, volumes] = checked("avg_pool3d()", input, [kernel_size, stride, padding], ceil_mode, divisor_override);
    this.set_output_raw_strided(0, pooled_volume_sizes(input, volumes), [], input.options());
  }
}

// avg_pool3d.out                                                                    CPU
export abstract class structured_avg_pool3d_out_cpu extends structured_avg_pool3d {
  impl(
    input: Tensor,
    kernel_size: number[],
    stride: number[],
    padding: number[],
    ceil_mode: boolean,
    count_include_pad: boolean,
    divisor_override: number | null,
    output: Tensor,
  ): void {
    const window = window3d("avg_pool3d", "must be", kernel_size, stride, padding);
    const divisor = { count_include_pad, divisor_override: divisor_override ?? 0 };
    check_dtype(input.scalar_type(), "avg_pool3d_out_frame");
    if (input.numel() === 0) return;
    const volumes = volumes_of(input, window, ceil_mode);
    contiguously([output], ([out]) =>
      avg_pool3d_kernel.call(input.device_type(), out, input.contiguous(), window, volumes, divisor),
    );
  }
}

export abstract class structured_avg_pool3d_backward extends MetaBase {
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
    const sizes = [kernel_size, stride, padding] as const;
    const [, { oT, oH, oW }] = checked("avg_pool3d_backward()", input, sizes, ceil_mode, divisor_override);
    check_volume_sizes(input, gradOutput, [oT, oH, oW]);
    this.set_output_raw_strided(0, input.sizes(), [], input.options());
  }
}

// avg_pool3d_backward.grad_input                                                    CPU
export abstract class structured_avg_pool3d_backward_out_cpu extends structured_avg_pool3d_backward {
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
    const window = window3d("avg_pool3d", "must be", kernel_size, stride, padding);
    const divisor = { count_include_pad, divisor_override: divisor_override ?? 0 };
    gradInput.zero_();
    check_dtype(input.scalar_type(), "avg_pool3d_backward_out_frame");
    if (input.numel() === 0) return;
    const volumes = volumes_of(input, window, ceil_mode);
    contiguously([gradInput], ([grad]) =>
      avg_pool3d_backward_kernel.call(input.device_type(), grad, gradOutput.contiguous(), window, volumes, divisor),
    );
  }
}
