/**
 * @file Pooling along one dim, as pooling of images with height 1; `max_pool2d` and `max_pool3d`.
 * @mirrors aten/src/ATen/native/Pooling.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { check_not_empty } from "./Pool/Pool3d.ts";

function check_dim_range(function_name: string, t: Tensor): void {
  TORCH_CHECK(
    t.dim() >= 2 && t.dim() < 4,
    `Expected 2 to 3 dimensions, but got ${t.dim()}-dimensional tensor for argument #1 'self' `,
    `(while checking arguments for ${function_name})`,
  );
}

function check1d(function_name: string, argument_name: string, x: readonly number[]): void {
  TORCH_CHECK(
    x.length === 1,
    `${function_name}() argument '${argument_name}' should contain one int (got ${x.length})`,
  );
}

// adaptive_avg_pool1d                                                               CompositeImplicitAutograd
export function adaptive_avg_pool1d(self: Tensor, output_size: number[]): Tensor {
  check_dim_range("adaptive_avg_pool1d", self);
  check1d("adaptive_avg_pool1d", "output_size", output_size);
  return at.adaptive_avg_pool2d(self.unsqueeze(-2), [1, output_size[0]]).squeeze_dim(-2);
}

// adaptive_max_pool1d                                                               CompositeImplicitAutograd
export function adaptive_max_pool1d(self: Tensor, output_size: number[]): [Tensor, Tensor] {
  check_dim_range("adaptive_max_pool1d", self);
  check1d("adaptive_max_pool1d", "output_size", output_size);
  check_not_empty("adaptive_max_pool1d", "input", self);
  const [output, indices] = at.adaptive_max_pool2d(self.unsqueeze(-2), [1, output_size[0]]);
  return [output.squeeze_dim(-2), indices.squeeze_dim(-2)];
}

// avg_pool1d                                                                        CompositeImplicitAutograd
export function avg_pool1d(
  self: Tensor,
  kernel_size: number[],
  stride_: number[],
  padding: number[],
  ceil_mode: boolean,
  count_include_pad: boolean,
): Tensor {
  const stride = stride_.length === 0 ? kernel_size : stride_;
  check_dim_range("avg_pool1d", self);
  check1d("avg_pool1d", "kernel_size", kernel_size);
  check1d("avg_pool1d", "stride", stride);
  check1d("avg_pool1d", "padding", padding);
  const images = self.unsqueeze(-2);
  return at
    .avg_pool2d(images, [1, kernel_size[0]], [1, stride[0]], [0, padding[0]], ceil_mode, count_include_pad)
    .squeeze_dim(-2);
}

// max_pool1d_with_indices                                                           CompositeImplicitAutograd
export function max_pool1d_with_indices(
  self: Tensor,
  kernel_size: number[],
  stride_: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
): [Tensor, Tensor] {
  const stride = stride_.length === 0 ? kernel_size : stride_;
  check_dim_range("max_pool1d", self);
  check1d("max_pool1d", "kernel_size", kernel_size);
  check1d("max_pool1d", "stride", stride);
  check1d("max_pool1d", "padding", padding);
  check1d("max_pool1d", "dilation", dilation);
  const [output, indices] = at.max_pool2d_with_indices(
    self.unsqueeze(-2),
    [1, kernel_size[0]],
    [1, stride[0]],
    [0, padding[0]],
    [1, dilation[0]],
    ceil_mode,
  );
  return [output.squeeze_dim(-2), indices.squeeze_dim(-2)];
}

// max_pool2d                                                                        CompositeImplicitAutograd
export function max_pool2d(
  self: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
): Tensor {
  return at.max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0];
}

// max_pool3d                                                                        CompositeImplicitAutograd
export function max_pool3d(
  self: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
): Tensor {
  return at.max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0];
}
