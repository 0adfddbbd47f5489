/**
 * @file Products with a matrix of weights.
 * @mirrors torch/csrc/api/include/torch/nn/functional/linear.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { or_null } from "../../optional_tensor.ts";

/**
 * `input @ weight^T + bias`. It does not call `aten::linear`, as `torch.nn.functional.linear` does, but what that is made of.
 * @param input `(*, in_features)`
 * @param weight `(out_features, in_features)`
 * @param bias `(out_features)`, or undefined
 */
export function linear(input: Tensor, weight: Tensor, bias: Tensor = new Tensor()): Tensor {
  if (input.dim() === 2 && bias.defined()) return at.addmm(bias, input, weight.t());
  const output = input.matmul(weight.t());
  return bias.defined() ? output.add__Tensor(bias) : output;
}

/** `x1^T W x2 + bias` for each output feature. */
export function bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor = new Tensor()): Tensor {
  return at.bilinear(input1, input2, weight, or_null(bias));
}
