/**
 * @file Sizes of convolutions, the backends that can run them, and the memory format of each backend.
 * @mirrors aten/src/ATen/native/ConvUtils.h
 * @differs Ours has no cuDNN, MIOpen, MPS, XNNPACK, NNPACK or Winograd kernel for ARM, so nothing selects them; PyTorch
 * does.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

/** PyTorch's names, as far as they are used here. */
export const ConvBackend = {
  Empty: "Empty",
  Mkldnn: "Mkldnn",
  MkldnnTranspose: "MkldnnTranspose",
  Overrideable: "Overrideable",
  Slow2d: "Slow2d",
  Slow3d: "Slow3d",
  SlowDilated2d: "SlowDilated2d",
  SlowDilated3d: "SlowDilated3d",
  SlowTranspose2d: "SlowTranspose2d",
  SlowTranspose3d: "SlowTranspose3d",
} as const;
export type ConvBackend = (typeof ConvBackend)[keyof typeof ConvBackend];

/** Steps of a kernel over the spatial dims: one number per dim. */
export interface Steps {
  readonly stride: readonly number[];
  readonly padding: readonly number[];
  readonly dilation: readonly number[];
}

/** Integer division, rounded towards zero as in C++. */
function quotient(a: number, b: number): number {
  return Math.trunc(a / b);
}

/** (N, K, *) from an input (N, C, *) and a weight (K, C / groups, *). */
export function conv_output_size(
  input_size: readonly number[],
  weight_size: readonly number[],
  { stride, padding, dilation }: Steps,
): number[] {
  return input_size.map((size, d) => {
    if (d === 0) return size;
    if (d === 1) return weight_size[0];
    const kernel = dilation[d - 2] * (weight_size[d] - 1) + 1;
    return quotient(size + 2 * padding[d - 2] - kernel, stride[d - 2]) + 1;
  });
}

/**
 * The input size for a given output size, which is a transposed convolution's output size. `output_padding` selects one
 * of several possible sizes.
 */
export function conv_input_size(
  output_size: readonly number[],
  weight_size: readonly number[],
  { stride, padding, dilation }: Steps,
  output_padding: readonly number[],
  groups: number,
): number[] {
  return output_size.map((size, d) => {
    if (d === 0) return size;
    if (d === 1) return weight_size[1] * groups;
    const kernel = dilation[d - 2] * (weight_size[d] - 1) + 1;
    return (size - 1) * stride[d - 2] - 2 * padding[d - 2] + kernel + output_padding[d - 2];
  });
}

/** Channels last if input or weight suggests it. */
function conv_suggest_memory_format(input: Tensor, weight: Tensor): MemoryFormat {
  const formats = [input.suggest_memory_format(), weight.suggest_memory_format()];
  if (weight.dim() === 4)
    return formats.includes(MemoryFormat.ChannelsLast) ? MemoryFormat.ChannelsLast : MemoryFormat.Contiguous;
  return formats.includes(MemoryFormat.ChannelsLast3d) ? MemoryFormat.ChannelsLast3d : MemoryFormat.Contiguous;
}

/** The 2-D loops have a channels-last version only in float32 and float64. */
export function thnn_conv_suggest_memory_format(input: Tensor, weight: Tensor): MemoryFormat {
  const format = conv_suggest_memory_format(input, weight);
  return format === MemoryFormat.ChannelsLast ? format : MemoryFormat.Contiguous;
}

/** Memory format of input and weight for a backend, and of its output. */
export function determine_backend_memory_format(input: Tensor, weight: Tensor, backend: ConvBackend): MemoryFormat {
  switch (backend) {
    case ConvBackend.Mkldnn:
    case ConvBackend.MkldnnTranspose:
      return conv_suggest_memory_format(input, weight);
    case ConvBackend.Slow2d:
    case ConvBackend.SlowDilated2d:
    case ConvBackend.SlowTranspose2d:
      return thnn_conv_suggest_memory_format(input, weight);
    default:
      return MemoryFormat.Contiguous;
  }
}

/** Arguments of a convolution besides its tensors. */
export interface ConvArguments extends Steps {
  readonly output_padding: readonly number[];
  readonly groups: number;
}

export type ConvGradients = [grad_input: Tensor, grad_weight: Tensor, grad_bias: Tensor];
/** Returns an undefined tensor where the mask is false, and for the bias if the caller sums it. */
export type ConvBackward = (
  input: Tensor,
  grad_output: Tensor,
  weight: Tensor,
  args: ConvArguments,
  output_mask: readonly boolean[],
) => ConvGradients;

export const mkldnn_convolution_transpose_stub = DEFINE_DISPATCH<
  (input: Tensor, weight: Tensor, bias: Tensor | null, args: ConvArguments) => Tensor
>("mkldnn_convolution_transpose_stub");
export const mkldnn_convolution_backward_stub = DEFINE_DISPATCH<ConvBackward>("mkldnn_convolution_backward_stub");
export const mkldnn_convolution_transpose_backward_stub = DEFINE_DISPATCH<ConvBackward>(
  "mkldnn_convolution_transpose_backward_stub",
);
export const slow_conv_dilated2d_backward_stub = DEFINE_DISPATCH<ConvBackward>("slow_conv_dilated2d_backward_stub");
export const slow_conv_dilated3d_backward_stub = DEFINE_DISPATCH<ConvBackward>("slow_conv_dilated3d_backward_stub");
export const slow_conv_transpose2d_backward_stub = DEFINE_DISPATCH<ConvBackward>("slow_conv_transpose2d_backward_stub");
export const slow_conv_transpose3d_backward_stub = DEFINE_DISPATCH<ConvBackward>("slow_conv_transpose3d_backward_stub");
