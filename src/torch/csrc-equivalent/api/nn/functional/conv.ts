/**
 * @file Convolutions as functions.
 * @mirrors torch/csrc/api/include/torch/nn/functional/conv.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { or_null } from "../../optional_tensor.ts";
import {
  Conv1dFuncOptions,
  Conv2dFuncOptions,
  Conv3dFuncOptions,
  type ConvFuncOptions,
  ConvTranspose1dFuncOptions,
  ConvTranspose2dFuncOptions,
  ConvTranspose3dFuncOptions,
  type ConvTransposeFuncOptions,
} from "../options/conv.ts";

/** The two operators of a number of dimensions: padding by numbers, and by a word. */
type Convolutions = readonly [by_numbers: typeof at.conv2d, by_word: typeof at.conv2d_padding];

function conv([by_numbers, by_word]: Convolutions, input: Tensor, weight: Tensor, options: ConvFuncOptions): Tensor {
  const [bias, stride, padding, dilation] = [
    or_null(options.bias()),
    options.stride(),
    options.padding(),
    options.dilation(),
  ];
  if (Array.isArray(padding)) return by_numbers(input, weight, bias, stride, padding, dilation, options.groups());
  const word = padding.name === "kSame" ? "same" : "valid";
  return by_word(input, weight, bias, stride, word, dilation, options.groups());
}
export function conv1d(input: Tensor, weight: Tensor, options: ConvFuncOptions = Conv1dFuncOptions()): Tensor {
  return conv([at.conv1d, at.conv1d_padding], input, weight, options);
}
export function conv2d(input: Tensor, weight: Tensor, options: ConvFuncOptions = Conv2dFuncOptions()): Tensor {
  return conv([at.conv2d, at.conv2d_padding], input, weight, options);
}
export function conv3d(input: Tensor, weight: Tensor, options: ConvFuncOptions = Conv3dFuncOptions()): Tensor {
  return conv([at.conv3d, at.conv3d_padding], input, weight, options);
}

function transposed(
  operator: typeof at.conv_transpose1d,
  input: Tensor,
  weight: Tensor,
  options: ConvTransposeFuncOptions,
): Tensor {
  const [bias, padding, output_padding] = [or_null(options.bias()), options.padding(), options.output_padding()];
  return operator(input, weight, bias, options.stride(), padding, output_padding, options.groups(), options.dilation());
}
export function conv_transpose1d(
  input: Tensor,
  weight: Tensor,
  options: ConvTransposeFuncOptions = ConvTranspose1dFuncOptions(),
): Tensor {
  return transposed(at.conv_transpose1d, input, weight, options);
}
export function conv_transpose2d(
  input: Tensor,
  weight: Tensor,
  options: ConvTransposeFuncOptions = ConvTranspose2dFuncOptions(),
): Tensor {
  return transposed(at.conv_transpose2d_input, input, weight, options);
}
export function conv_transpose3d(
  input: Tensor,
  weight: Tensor,
  options: ConvTransposeFuncOptions = ConvTranspose3dFuncOptions(),
): Tensor {
  return transposed(at.conv_transpose3d_input, input, weight, options);
}
