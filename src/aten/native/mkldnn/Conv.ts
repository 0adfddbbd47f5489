/**
 * @file Convolutions as PyTorch runs them by default on a CPU in float32.
 * @mirrors aten/src/ATen/native/mkldnn/Conv.cpp
 * @differs Ours runs the sums of ConvolutionMM.ts; PyTorch calls the oneDNN library. Sums are added in another order,
 * so results differ in the last bits.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { ConvParams, check_sizes_forward, expand_param_if_needed } from "#aten/native/Convolution/Params";
import { toOpMathType } from "#aten/OpMathType";
import { defined } from "#aten/TensorMethods";
import { isFloatingType, ScalarType, toString } from "#c10/core/ScalarType";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { conv_backward, conv_forward, conv_input_backward, conv_transpose_backward } from "../ConvolutionMM.ts";
import {
  type ConvArguments,
  ConvBackend,
  type ConvBackward,
  type ConvGradients,
  conv_input_size,
  conv_output_size,
  determine_backend_memory_format,
  mkldnn_convolution_backward_stub,
  mkldnn_convolution_transpose_backward_stub,
  mkldnn_convolution_transpose_stub,
} from "../ConvUtils.ts";
import { REGISTER_DISPATCH } from "../DispatchStub.ts";

function mkldnn_check_low_precision(input: Tensor): void {
  TORCH_CHECK(
    input.scalar_type() !== ScalarType.Half,
    "mkldnn_convolution: fp16 path needs the cpu support avx_ne_convert or avx512_fp16",
  );
}

/** The rules of Convolution.cpp, with error texts of oneDNN's file. */
function check_shape_forward(input: Tensor, weight: Tensor, bias: Tensor | null, params: ConvParams): void {
  TORCH_CHECK(!params.is_padding_neg(), "negative padding is not supported");
  TORCH_CHECK(!params.is_stride_nonpos(), "non-positive stride is not supported");
  TORCH_CHECK(
    params.dilation.every((d) => d > 0),
    "non-positive dilation is not supported",
  );
  TORCH_CHECK(params.groups > 0, "non-positive groups is not supported");
  check_sizes_forward(input, weight, bias, params);
}

function itensor_from_tensor(t: Tensor): void {
  const dtype = t.scalar_type();
  const small: readonly ScalarType[] = [ScalarType.Char, ScalarType.Byte];
  TORCH_CHECK(
    (isFloatingType(dtype) && dtype !== ScalarType.Double) || small.includes(dtype),
    "itensor_view_from_dense expects float/bfloat16/half/int8/fp8 tensor input",
    toString(dtype),
  );
}

/** Refuses inputs that oneDNN does not support. */
function check_primitive(input: Tensor, weight: Tensor, bias: Tensor | null): void {
  const bias_fits =
    bias === null || bias.scalar_type() === ScalarType.Float || bias.scalar_type() === input.scalar_type();
  TORCH_CHECK(
    input.dim() > 2 && weight.numel() > 0 && bias_fits,
    "could not create a primitive descriptor for the convolution forward propagation primitive. ",
    "Run workload with environment variable ONEDNN_VERBOSE=all to get additional diagnostic information.",
  );
}

/** Converts bfloat16 to float: oneDNN multiplies and adds bfloat16 in float, and rounds at the end. */
function opmath(t: Tensor): Tensor {
  return t.to_dtype(toOpMathType(t.scalar_type()));
}

function opmath_options(t: Tensor): TensorOptions {
  return t.options().dtype(toOpMathType(t.scalar_type()));
}

// mkldnn_convolution                                                                CompositeExplicitAutograd
export function mkldnn_convolution(
  input: Tensor,
  weight: Tensor,
  bias_opt: Tensor | null,
  padding: number[],
  stride: number[],
  dilation: number[],
  groups: number,
): Tensor {
  const bias = defined(bias_opt);
  mkldnn_check_low_precision(input);
  const dim = input.dim() - 2;
  const padding_expanded = expand_param_if_needed(padding, "padding", dim);
  const stride_expanded = expand_param_if_needed(stride, "stride", dim);
  const dilation_expanded = expand_param_if_needed(dilation, "dilation", dim);
  const params = new ConvParams(stride_expanded, padding_expanded, dilation_expanded, false, [], groups);
  check_shape_forward(input, weight, bias, params);
  for (const t of bias === null ? [input, weight] : [input, weight, bias]) itensor_from_tensor(t);
  check_primitive(input, weight, bias);
  const format = determine_backend_memory_format(input, weight, ConvBackend.Mkldnn);
  const sizes = conv_output_size(input.sizes(), weight.sizes(), params);
  const output = at.empty_memory_format(sizes, opmath_options(input), format);
  conv_forward(output, opmath(input), opmath(weight), bias, params, groups);
  return output.to_dtype(input.scalar_type());
}

/** Adds the bias of each channel at all positions. */
function add_bias(output: Tensor, bias: Tensor | null): void {
  if (bias !== null) output.add__Tensor(bias.reshape([-1, ...output.sizes().slice(2).fill(1)]));
}

function mkldnn_convolution_transpose(input: Tensor, weight: Tensor, bias: Tensor | null, args: ConvArguments): Tensor {
  const format = determine_backend_memory_format(input, weight, ConvBackend.MkldnnTranspose);
  const sizes = conv_input_size(input.sizes(), weight.sizes(), args, args.output_padding, args.groups);
  TORCH_CHECK(
    sizes.slice(2).every((size) => size > 0),
    `Given input size per channel: (${input.sizes().slice(2).join(" x ")}). `,
    `Calculated output size per channel: (${sizes.slice(2).join(" x ")}). Output size is too small`,
  );
  const output = at.empty_memory_format(sizes, opmath_options(input), format);
  conv_input_backward(output, opmath(input), opmath(weight), args, args.groups);
  add_bias(output, bias);
  return output.to_dtype(input.scalar_type());
}

/** Adds the gradient of the bias, which oneDNN sums in the same pass. */
function with_bias(backward: ConvBackward): ConvBackward {
  return (input, grad_output_, weight, args, output_mask) => {
    const format = determine_backend_memory_format(input, weight, ConvBackend.Mkldnn);
    const grad_output = grad_output_.contiguous(format);
    const grads = backward(opmath(input), opmath(grad_output), opmath(weight), args, output_mask);
    const all_but_channels = grad_output.sizes().flatMap((_, d) => (d === 1 ? [] : [d]));
    if (output_mask[2]) grads[2] = opmath(grad_output).sum_dim_IntList(all_but_channels);
    return grads.map((t) => (t.defined() ? t.to_dtype(input.scalar_type()) : t)) as ConvGradients;
  };
}

REGISTER_DISPATCH(mkldnn_convolution_transpose_stub, mkldnn_convolution_transpose, "mkldnn_convolution_transpose");
REGISTER_DISPATCH(mkldnn_convolution_backward_stub, with_bias(conv_backward), "mkldnn_convolution_backward");
REGISTER_DISPATCH(
  mkldnn_convolution_transpose_backward_stub,
  with_bias(conv_transpose_backward),
  "mkldnn_convolution_transpose_backward",
);
