/**
 * @file 2-D convolution without dilation or groups, by columns and a matrix product.
 * @mirrors aten/src/ATen/native/ConvolutionMM2d.cpp
 * @differs Columns and results are kept in other tensors than PyTorch's, which a profile shows.
 */
import { check_all_types_and2, check_floating_types_and2 } from "#aten/Dispatch";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_type, defined } from "#aten/TensorMethods";
import { check_dim_size } from "#aten/TensorUtils/index";
import { TORCH_CHECK } from "#c10/util/Exception";
import { conv_backward, conv_forward } from "./ConvolutionMM.ts";
import { type ConvGradients, conv_output_size, type Steps, thnn_conv_suggest_memory_format } from "./ConvUtils.ts";

type MaybeTensor = Tensor | null;

function steps_of(stride: readonly number[], padding: readonly number[]): Steps {
  return { stride, padding, dilation: [1, 1] };
}

/** The weight as (K, C * kH * kW); it may also be given as (K, C, kH, kW). */
function view_weight_2d(weight_: Tensor): Tensor {
  const weight = weight_.contiguous();
  return weight.dim() === 2 ? weight : weight.view([weight.size(0), weight.numel() / weight.size(0)]);
}

/** The weight as (K, C, kH, kW); it may also be given as (K, C * kH * kW). */
function view_weight_4d(weight: Tensor, [kH, kW]: readonly number[]): Tensor {
  return weight.dim() === 4 ? weight : weight.view([weight.size(0), weight.size(1) / (kH * kW), kH, kW]);
}

function slow_conv2d_shape_check(
  input: Tensor,
  grad_output: MaybeTensor,
  weight: Tensor,
  bias: MaybeTensor,
  kernel_size: readonly number[],
  stride: readonly number[],
  padding: readonly number[],
): void {
  TORCH_CHECK(kernel_size.length === 2, "2D kernel_size expected");
  TORCH_CHECK(stride.length === 2, "2D stride expected");
  TORCH_CHECK(padding.length === 2, "2D padding expected");
  const [kH, kW] = kernel_size;
  const [dH, dW] = stride;
  const [pH, pW] = padding;
  TORCH_CHECK(
    kW > 0 && kH > 0,
    `kernel size should be greater than zero, but got kernel_height: ${kH} kernel_width: ${kW}`,
  );
  TORCH_CHECK(dW > 0 && dH > 0, `stride should be greater than zero, but got stride_height: ${dH} stride_width: ${dW}`);
  TORCH_CHECK(
    weight.numel() > 0 && (weight.dim() === 2 || weight.dim() === 4),
    "non-empty 2D or 4D weight tensor expected, but got: ",
    weight.sizes(),
  );
  if (bias !== null) check_dim_size(bias, 1, 0, weight.size(0));
  TORCH_CHECK(input.dim() === 4, "Expected 4D input tensor, but got: ", input.sizes());
  for (const d of [2, 3])
    TORCH_CHECK(
      input.size(d) !== 0,
      `Expected non-zero size for input dimension ${d}, but got input shape: `,
      input.sizes(),
      ". Only the batch and channel dimensions support size 0.",
    );
  const [, , H, W] = input.sizes() as [number, number, number, number];
  TORCH_CHECK(
    H + 2 * pH >= kH && W + 2 * pW >= kW,
    `Calculated padded input size per channel: (${H + 2 * pH} x ${W + 2 * pW}). Kernel size: (${kH} x ${kW}). `,
    "Kernel size can't be greater than actual input size",
  );
  const [out_H, out_W] = [Math.floor((H + 2 * pH - kH) / dH) + 1, Math.floor((W + 2 * pW - kW) / dW) + 1];
  const planes = weight.dim() === 2 ? weight.size(1) / (kH * kW) : weight.size(1);
  if (input.size(1) !== 0) check_dim_size(input, 4, 1, planes);
  if (grad_output === null) return;
  check_dim_size(grad_output, 4, 1, weight.size(0));
  check_dim_size(grad_output, 4, 2, out_H);
  check_dim_size(grad_output, 4, 3, out_W);
}

// _slow_conv2d_forward.output                                                       CPU
export function slow_conv2d_forward_out_cpu(
  self: Tensor,
  weight_: Tensor,
  kernel_size: number[],
  bias_opt: MaybeTensor,
  stride: number[],
  padding: number[],
  output: Tensor,
): Tensor {
  const bias = defined(bias_opt);
  slow_conv2d_shape_check(self, null, weight_, bias, kernel_size, stride, padding);
  const format = thnn_conv_suggest_memory_format(self, weight_);
  const weight = view_weight_2d(weight_);
  const steps = steps_of(stride, padding);
  const sizes = conv_output_size(self.sizes(), [weight.size(0), self.size(1), ...kernel_size], steps);
  const columns = at.empty_memory_format([weight.size(1), sizes[2] * sizes[3]], self.options());
  output.resize_(sizes, format);
  TORCH_CHECK(output.is_contiguous(format), "slow_conv2d output tensor must be contiguous");
  check_all_types_and2(self.scalar_type(), "slow_conv2d_cpu");
  check_type(weight, self.scalar_type());
  check_type(output, self.scalar_type());
  conv_forward(output, self, weight, bias, steps, 1, { kernel: kernel_size, columns });
  return output;
}

// _slow_conv2d_forward                                                              CPU
export function slow_conv2d_forward_cpu(
  self: Tensor,
  weight: Tensor,
  kernel_size: number[],
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
): Tensor {
  const output = at.empty_memory_format([0], self.options());
  return slow_conv2d_forward_out_cpu(self, weight, kernel_size, bias, stride, padding, output);
}

function backward(
  grad_output: Tensor,
  self: Tensor,
  weight_: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  output_mask: readonly boolean[],
): ConvGradients {
  const check_shapes = (): void =>
    slow_conv2d_shape_check(self, grad_output, weight_, null, kernel_size, stride, padding);
  if (output_mask[0]) check_shapes();
  const grad_bias = output_mask[2] ? grad_output.sum_dim_IntList([0, 2, 3]) : new Tensor();
  if (!output_mask[0] && !output_mask[1]) return [new Tensor(), new Tensor(), grad_bias];
  check_shapes();
  const dtype = self.scalar_type();
  if (output_mask[0]) check_floating_types_and2(dtype, "slow_conv2d_cpu_grad_input");
  if (output_mask[1]) check_floating_types_and2(dtype, "slow_conv2d_cpu_grad_weight");
  check_type(grad_output, dtype);
  check_type(weight_, dtype);
  const weight = view_weight_4d(weight_, kernel_size);
  const args = { ...steps_of(stride, padding), output_padding: [0, 0], groups: 1 };
  const [grad_input, grad_weight] = conv_backward(self, grad_output, weight, args, output_mask);
  return [grad_input, grad_weight.defined() ? grad_weight.view(weight_.sizes().slice()) : grad_weight, grad_bias];
}

// _slow_conv2d_backward.output_mask                                                 CPU
export function slow_conv2d_backward_cpu(
  grad_output: Tensor,
  self: Tensor,
  weight: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  output_mask: boolean[],
): ConvGradients {
  return backward(grad_output, self, weight, kernel_size, stride, padding, output_mask);
}

// _slow_conv2d_backward.grad_input                                                  CPU
export function slow_conv2d_backward_out_cpu(
  grad_output: Tensor,
  self: Tensor,
  weight: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  grad_input: Tensor,
  grad_weight: Tensor,
  grad_bias: Tensor,
): ConvGradients {
  const outs: ConvGradients = [grad_input, grad_weight, grad_bias];
  const grads = backward(grad_output, self, weight, kernel_size, stride, padding, [true, true, true]);
  for (let i = 0; i < outs.length; i++) outs[i].resize_(grads[i].sizes().slice()).copy_(grads[i]);
  return outs;
}

// thnn_conv2d.out                                                                   CompositeImplicitAutograd
export function thnn_conv2d_out(
  self: Tensor,
  weight: Tensor,
  kernel_size: number[],
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
  output: Tensor,
): Tensor {
  return at._slow_conv2d_forward_output(self, weight, kernel_size, bias, stride, padding, output);
}

// thnn_conv2d                                                                       CompositeImplicitAutograd
export function thnn_conv2d(
  self: Tensor,
  weight: Tensor,
  kernel_size: number[],
  bias: MaybeTensor,
  stride: number[],
  padding: number[],
): Tensor {
  return at._slow_conv2d_forward(self, weight, kernel_size, bias, stride, padding);
}
