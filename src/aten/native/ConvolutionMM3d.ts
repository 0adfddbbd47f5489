/**
 * @file 3-D convolution without dilation, by columns and a matrix product. It is the only slow convolution that
 * supports groups.
 * @mirrors aten/src/ATen/native/ConvolutionMM3d.cpp
 */
import { check_all_types_and2, check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_type, defined } from "#aten/TensorMethods";
import { check_dim_size } from "#aten/TensorUtils/index";
import { TORCH_CHECK } from "#c10/util/Exception";
import { conv_backward, conv_forward } from "./ConvolutionMM.ts";
import { type ConvArguments, type ConvGradients, conv_output_size, type Steps } from "./ConvUtils.ts";

type MaybeTensor = Tensor | null;

function steps_of(stride: readonly number[], padding: readonly number[]): Steps {
  return { stride, padding, dilation: [1, 1, 1] };
}

function view_weight_5d(weight: Tensor, kernel_size: readonly number[]): Tensor {
  const [kT, kH, kW] = kernel_size;
  return weight.dim() === 5 ? weight : weight.view([weight.size(0), weight.size(1) / (kT * kH * kW), kT, kH, kW]);
}

function slow_conv3d_shape_check(
  input: Tensor,
  weight: Tensor,
  bias: MaybeTensor,
  kernel_size: readonly number[],
  stride: readonly number[],
  padding: readonly number[],
  groups: number,
): void {
  const positive = (list: readonly number[]) => list.every((n) => n > 0);
  TORCH_CHECK(
    positive(kernel_size),
    `kernel size should be greater than zero, but got: ${kernel_size.join(" x ")} (TxHxW)`,
  );
  TORCH_CHECK(positive(stride), `stride should be greater than zero, but got: ${stride.join(" x ")} (TxHxW)`);
  TORCH_CHECK(
    weight.numel() > 0 && (weight.dim() === 2 || weight.dim() === 5),
    "non-empty 2D or 5D weight tensor expected, but got: ",
    weight.sizes(),
  );
  if (bias !== null) check_dim_size(bias, 1, 0, weight.size(0));
  TORCH_CHECK(
    input.dim() === 5 && input.sizes().every((size, d) => size !== 0 || d === 0),
    "non-empty 5D input tensor expected but got: ",
    input.sizes(),
  );
  const padded = input
    .sizes()
    .slice(2)
    .map((size, i) => size + 2 * padding[i]);
  TORCH_CHECK(
    padded.every((size, i) => size >= kernel_size[i]),
    `Calculated padded input size per channel: (${padded.join(" x ")}). Kernel size: (${kernel_size.join(" x ")}). `,
    "Kernel size can't be greater than actual input size",
  );
  // PyTorch leaves out the kernel's depth here.
  const planes = weight.dim() === 2 ? Math.trunc(weight.size(1) / (kernel_size[1] * kernel_size[2])) : weight.size(1);
  TORCH_CHECK(groups > 0, "none zero group size expected");
  check_dim_size(input, 5, 1, planes * groups);
}

function check_length(name: string, list: readonly number[]): void {
  TORCH_CHECK(list.length === 3, `It is expected ${name} equals to 3, but got size ${list.length}`);
}

// slow_conv3d_forward.output                                                        CPU
export function slow_conv3d_forward_out_cpu(
  self: Tensor,
  weight_: Tensor,
  kernel_size: number[],
  bias_opt: MaybeTensor,
  stride: number[],
  padding: number[],
  output: Tensor,
): Tensor {
  const bias = defined(bias_opt);
  check_length("kernel_size", kernel_size);
  check_length("padding", padding);
  check_length("stride", stride);
  const groups = weight_.size(1) > 0 ? Math.trunc(self.size(1) / weight_.size(1)) : 0;
  slow_conv3d_shape_check(self, weight_, bias, kernel_size, stride, padding, groups);
  const weight = view_weight_5d(weight_, kernel_size);
  const steps = steps_of(stride, padding);
  check_all_types_and2(self.scalar_type(), "compute_columns3d");
  check_type(weight, self.scalar_type());
  output.resize_(conv_output_size(self.sizes(), weight.sizes(), steps));
  conv_forward(output, self, weight, bias, steps, groups);
  return output;
}

// slow_conv3d_forward                                                               CPU
export function slow_conv3d_forward_cpu(
  self: Tensor,
  weight: Tensor,
  kernel_size: number[],
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
): Tensor {
  const output = at.empty_memory_format([0], self.options());
  return slow_conv3d_forward_out_cpu(self, weight, kernel_size, bias, stride, padding, output);
}

/** Not an operator: `convolution_backward` calls it. */
export function slow_conv3d_backward_cpu(
  grad_output: Tensor,
  self: Tensor,
  weight: Tensor,
  args: ConvArguments,
  output_mask: readonly boolean[],
): ConvGradients {
  check_floating_types_and2(self.scalar_type(), "slow_conv3d_cpu_grad_input");
  check_type(grad_output, self.scalar_type());
  return conv_backward(self, grad_output, weight, args, output_mask);
}

// slow_conv3d.out                                                                   CompositeImplicitAutograd
export function slow_conv3d_out(
  self: Tensor,
  weight: Tensor,
  kernel_size: number[],
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
  output: Tensor,
): Tensor {
  return at.slow_conv3d_forward_output(self, weight, kernel_size, bias, stride, padding, output);
}

// slow_conv3d                                                                       CompositeImplicitAutograd
export function slow_conv3d(
  self: Tensor,
  weight: Tensor,
  kernel_size: number[],
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
): Tensor {
  return at.slow_conv3d_forward(self, weight, kernel_size, bias, stride, padding);
}
