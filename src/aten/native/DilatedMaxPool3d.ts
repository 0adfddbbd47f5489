/**
 * @file Max pooling of volumes: the maximum of each window, and its index.
 * @mirrors aten/src/ATen/native/DilatedMaxPool3d.cpp
 */
import { check_all_types_and2, check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { max_pool2d_backward_kernel } from "./DilatedMaxPool2d.ts";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { contiguously } from "./Pool/index.ts";
import {
  adaptive_volumes_of,
  as_images,
  check_volume_sizes,
  pool3d_shape_check,
  pooled_volume_sizes,
  type Volumes,
  volumes_of,
  type Window3d,
  window3d,
} from "./Pool/Pool3d.ts";

/** All tensors are contiguous. An index is a position in its volume. */
export const max_pool3d_kernel =
  DEFINE_DISPATCH<(output: Tensor, indices: Tensor, input: Tensor, window: Window3d, volumes: Volumes) => void>(
    "max_pool3d_kernel",
  );

// max_pool3d_with_indices.out                                                       CPU
export function max_pool3d_with_indices_out_cpu(
  input: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
  output: Tensor,
  indices: Tensor,
): [Tensor, Tensor] {
  const window = window3d("max_pool3d", "must either be", kernel_size, stride, padding, dilation);
  const volumes = volumes_of(input, window, ceil_mode);
  pool3d_shape_check("max_pool3d_with_indices_out_cpu_template()", input, window, volumes, false);
  const format = input.suggest_memory_format();
  for (const t of [output, indices]) t.resize_(pooled_volume_sizes(input, volumes), input.dim() === 5 ? format : null);
  check_all_types_and2(input.scalar_type(), "max_pool3d");
  if (input.numel() === 0) return [output, indices];
  const batch = as_batch(input);
  contiguously([output, indices], ([out, index]) =>
    max_pool3d_kernel.call(input.device_type(), out, index, batch.contiguous(), window, volumes),
  );
  return [output, indices];
}

/** A volume without a batch dim gets one. */
function as_batch(volumes: Tensor): Tensor {
  return volumes.dim() === 4 ? volumes.unsqueeze(0) : volumes;
}

// max_pool3d_with_indices                                                           CPU
export function max_pool3d_with_indices_cpu(
  input: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
): [Tensor, Tensor] {
  const output = at.empty_memory_format([0], input.options());
  const indices = at.empty_memory_format([0], input.options().dtype(ScalarType.Long));
  return max_pool3d_with_indices_out_cpu(input, kernel_size, stride, padding, dilation, ceil_mode, output, indices);
}

interface Reached {
  readonly window: Window3d;
  readonly volumes: Volumes;
}

export function check_max_pool3d_backward(
  gradOutput: Tensor,
  input: Tensor,
  sizes: readonly [kernel_size: number[], stride: number[], padding: number[], dilation: number[]],
  ceil_mode: boolean,
  indices: Tensor,
): Reached {
  const window = window3d("max_pool3d", "must either be", ...sizes);
  TORCH_CHECK(
    input.dtype() === gradOutput.dtype(),
    `expected dtype ${typeMetaName(input.dtype())} for \`gradOutput\` but got dtype ${typeMetaName(gradOutput.dtype())}`,
  );
  volumes_of(input, window, ceil_mode);
  const spatial = gradOutput.sizes().slice(-3);
  const volumes = adaptive_volumes_of(input, spatial);
  pool3d_shape_check("max_pool3d_with_indices_backward_out_cpu_template()", input, window, volumes, false);
  check_volume_sizes(input, gradOutput, spatial);
  check_volume_sizes(input, indices, spatial);
  return { window, volumes };
}

// max_pool3d_with_indices_backward.grad_input                                       CPU
export function max_pool3d_with_indices_backward_out_cpu(
  gradOutput: Tensor,
  input: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
  indices: Tensor,
  gradInput: Tensor,
): Tensor {
  const sizes = [kernel_size, stride, padding, dilation] as const;
  const { volumes } = check_max_pool3d_backward(gradOutput, input, sizes, ceil_mode, indices);
  gradInput.resize_(input.sizes().slice(), input.dim() === 5 ? input.suggest_memory_format() : null);
  gradInput.zero_();
  check_floating_types_and2(input.scalar_type(), "max_pool3d_backward");
  if (gradOutput.numel() === 0) return gradInput;
  contiguously([as_batch(gradInput)], ([grad]) =>
    max_pool2d_backward_kernel.call(
      input.device_type(),
      grad,
      gradOutput.contiguous(),
      indices.contiguous(),
      as_images(volumes),
    ),
  );
  return gradInput;
}

// max_pool3d_with_indices_backward                                                  CPU
export function max_pool3d_with_indices_backward_cpu(
  gradOutput: Tensor,
  input: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
  indices: Tensor,
): Tensor {
  return max_pool3d_with_indices_backward_out_cpu(
    gradOutput,
    input,
    kernel_size,
    stride,
    padding,
    dilation,
    ceil_mode,
    indices,
    at.empty_memory_format([0], input.options()),
  );
}
