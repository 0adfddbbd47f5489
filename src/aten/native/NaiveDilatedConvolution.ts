/**
 * @file Dilated convolutions: the kernels have gaps.
 * @mirrors aten/src/ATen/native/NaiveDilatedConvolution.cpp
 */
import { check_floating_types_and3 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_type, defined } from "#aten/TensorMethods";
import { TORCH_CHECK } from "#c10/util/Exception";
import { conv_backward, conv_forward } from "./ConvolutionMM.ts";
import {
  type ConvBackward,
  conv_output_size,
  type Steps,
  slow_conv_dilated2d_backward_stub,
  slow_conv_dilated3d_backward_stub,
  thnn_conv_suggest_memory_format,
} from "./ConvUtils.ts";
import { REGISTER_DISPATCH } from "./DispatchStub.ts";

type MaybeTensor = Tensor | null;

/** Output sizes of the spatial dims. */
function get_output_size(dim: number, input: Tensor, kernel_size: readonly number[], steps: Steps): number[] {
  const { stride, padding, dilation } = steps;
  return kernel_size.map((kernel, i) => {
    const size = input.size(i + input.dim() - dim) + 2 * padding[i];
    return Math.trunc((size - (dilation[i] * (kernel - 1) + 1)) / stride[i]) + 1;
  });
}

function check_dim_size(what: string, t: Tensor, dim: number, index: number, size: number): void {
  TORCH_CHECK(
    t.dim() === dim && t.size(index) === size,
    `Need ${what} of dimension ${dim} and ${what}.size[${index}] == ${size} but got input to be of shape `,
    t.sizes(),
  );
}

function slow_conv_dilated_shape_check(
  dim: number,
  input: Tensor,
  weight: Tensor,
  bias: MaybeTensor,
  kernel_size: readonly number[],
  steps: Steps,
): void {
  const { stride, padding, dilation } = steps;
  const check_length = (list: readonly number[], name: string) =>
    TORCH_CHECK(list.length === dim, `${name} length should be ${dim}, but got ${list.length}`);
  check_length(kernel_size, "kernel sizes");
  check_length(stride, "strides");
  check_length(dilation, "dilations");
  check_length(padding, "pads");
  const check_positive = (list: readonly number[], name: string) =>
    TORCH_CHECK(
      list.every((n) => n > 0),
      `${name} should be greater than zero, but got `,
      list,
    );
  check_positive(kernel_size, "kernel size");
  check_positive(stride, "stride");
  check_positive(dilation, "dilation");
  const is_batch = input.dim() === dim + 2;
  TORCH_CHECK(is_batch || input.dim() === dim + 1, `input must be 4D or 5D tensor but got ${input.dim()}D tensor`);
  const output_size = get_output_size(dim, input, kernel_size, steps);
  TORCH_CHECK(
    output_size.every((size) => size >= 0),
    `calculated output size ${output_size.join(" ")} is too small (all sizes must be non-negative)`,
  );
  TORCH_CHECK(weight.dim() === dim + 2, `weight must be ${dim + 2}D tensor but got ${weight.dim()}D tensor dim=${dim}`);
  const kernel = weight.sizes().slice(2);
  TORCH_CHECK(
    kernel.every((size, i) => size === kernel_size[i]),
    "weight[2:] shape ",
    kernel,
    " must be equal to kernel_size ",
    kernel_size,
  );
  check_dim_size("input", input, input.dim(), is_batch ? 1 : 0, weight.size(1));
  if (bias === null) return;
  TORCH_CHECK(bias.dim() === 1, `bias must be 1D tensor but got ${bias.dim()}D tensor`);
  check_dim_size("bias", bias, 1, 0, weight.size(0));
}

function forward(
  dim: number,
  input: Tensor,
  weight: Tensor,
  bias_opt: MaybeTensor,
  kernel_size: readonly number[],
  steps: Steps,
): Tensor {
  const bias = defined(bias_opt);
  const format = thnn_conv_suggest_memory_format(input, weight);
  slow_conv_dilated_shape_check(dim, input, weight, bias, kernel_size, steps);
  const is_batch = input.dim() === dim + 2;
  const input_n = is_batch ? input.contiguous(format) : input.contiguous().unsqueeze(0);
  const sizes = conv_output_size(input_n.sizes(), weight.sizes(), steps);
  check_floating_types_and3(input.scalar_type(), "slow_conv_dilated<>");
  check_type(weight, input.scalar_type());
  const output = at.empty_memory_format(sizes, input.options(), is_batch ? format : null);
  conv_forward(output, input_n, weight, bias, steps, 1);
  return is_batch ? output : output.squeeze_dim(0);
}

// slow_conv_dilated2d                                                               CPU
export function slow_conv_dilated2d_cpu(
  input: Tensor,
  weight: Tensor,
  kernel_size: number[],
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
  dilation: number[],
): Tensor {
  return forward(2, input, weight, bias, kernel_size, { stride, padding, dilation });
}

// slow_conv_dilated3d                                                               CPU
export function slow_conv_dilated3d_cpu(
  input: Tensor,
  weight: Tensor,
  kernel_size: number[],
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
  dilation: number[],
): Tensor {
  return forward(3, input, weight, bias, kernel_size, { stride, padding, dilation });
}

const slow_conv_dilated_backward: ConvBackward = (input, grad_output, weight, args, output_mask) => {
  check_floating_types_and3(input.scalar_type(), "slow_conv_dilated<>");
  check_type(grad_output, input.scalar_type());
  return conv_backward(input, grad_output, weight, args, output_mask);
};

REGISTER_DISPATCH(slow_conv_dilated2d_backward_stub, slow_conv_dilated_backward, "slow_conv_dilated2d_backward_cpu");
REGISTER_DISPATCH(slow_conv_dilated3d_backward_stub, slow_conv_dilated_backward, "slow_conv_dilated3d_backward_cpu");
