/**
 * @file Dropout as functions: elements or channels are 0 with probability `p`, and the others grow by 1 / (1 - p).
 * @mirrors torch/csrc/api/include/torch/nn/functional/dropout.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { format_general } from "#c10/util/format_float";
import { AlphaDropoutFuncOptions, DropoutFuncOptions, FeatureAlphaDropoutFuncOptions } from "../options/dropout.ts";

function check_p(p: number): void {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", format_general(p));
}

export function dropout(input: Tensor, options: DropoutFuncOptions = DropoutFuncOptions()): Tensor {
  check_p(options.p());
  return (options.inplace() ? at.dropout_ : at.dropout)(input, options.p(), options.training());
}

/** Whole channels are 0. An input without a batch dimension gets one for the call. */
function channels(input: Tensor, batched_dim: number, options: DropoutFuncOptions): Tensor {
  check_p(options.p());
  const inplace = options.inplace();
  const is_batched = input.dim() === batched_dim;
  const batch = is_batched ? input : inplace ? input.unsqueeze_(0) : input.unsqueeze(0);
  const result = (inplace ? at.feature_dropout_ : at.feature_dropout)(batch, options.p(), options.training());
  if (is_batched) return result;
  return inplace ? result.squeeze__dim(0) : result.squeeze_dim(0);
}
export function dropout2d(input: Tensor, options: DropoutFuncOptions = DropoutFuncOptions()): Tensor {
  return channels(input, 4, options);
}
export function dropout3d(input: Tensor, options: DropoutFuncOptions = DropoutFuncOptions()): Tensor {
  return channels(input, 5, options);
}

/** Keeps mean and variance of what SELU returns. */
export function alpha_dropout(input: Tensor, options: DropoutFuncOptions = AlphaDropoutFuncOptions()): Tensor {
  check_p(options.p());
  return (options.inplace() ? at.alpha_dropout_ : at.alpha_dropout)(input, options.p(), options.training());
}
export function feature_alpha_dropout(
  input: Tensor,
  options: DropoutFuncOptions = FeatureAlphaDropoutFuncOptions(),
): Tensor {
  check_p(options.p());
  const drop = options.inplace() ? at.feature_alpha_dropout_ : at.feature_alpha_dropout;
  return drop(input, options.p(), options.training());
}
