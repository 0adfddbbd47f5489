/**
 * @file Binary cross entropy between probabilities, element by element.
 * @mirrors aten/src/ATen/native/Loss.cpp
 */
import { Reduction } from "#aten/core/Reduction";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { type TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { defined } from "#aten/TensorMethods";
import { Scalar } from "#c10/core/Scalar";
import { apply_loss_reduction } from "./index.ts";

export const binary_cross_entropy_loop =
  DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("binary_cross_entropy_loop");
export const binary_cross_entropy_backward_loop = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>(
  "binary_cross_entropy_backward_loop",
);

// binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) -> Tensor
//                                                                                            CPU
export function binary_cross_entropy_cpu(
  input: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
): Tensor {
  return binary_cross_entropy_out_cpu(input, target, weight, reduction, at.empty_like(input));
}
/**
 * Without dims of size 1, a row meets a column of the same length; the result is written to `loss` through its memory.
 */
export function binary_cross_entropy_out_cpu(
  input: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  reduction: number,
  loss: Tensor,
): Tensor {
  const iter = new TensorIteratorConfig()
    .add_output(at.squeeze(loss))
    .add_const_input(at.squeeze(input))
    .add_const_input(at.squeeze(target))
    .build();
  binary_cross_entropy_loop.call(iter.device_type(), iter);
  const weight = defined(weight_opt);
  if (weight !== null) loss.mul__Tensor(weight);
  if (reduction === Reduction.None) return loss;
  const reduced = apply_loss_reduction(loss, reduction);
  return loss.resize_as_(reduced).copy_(reduced);
}

// binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) -> Tensor
//                                                                                            CPU
export function binary_cross_entropy_backward_cpu(
  grad: Tensor,
  input: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
): Tensor {
  return binary_cross_entropy_backward_out_cpu(grad, input, target, weight, reduction, at.empty_like(input));
}
export function binary_cross_entropy_backward_out_cpu(
  grad: Tensor,
  input: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  reduction: number,
  grad_input: Tensor,
): Tensor {
  const iter = new TensorIteratorConfig()
    .add_output(at.squeeze(grad_input))
    .add_const_input(at.squeeze(grad))
    .add_const_input(at.squeeze(input))
    .add_const_input(at.squeeze(target))
    .build();
  binary_cross_entropy_backward_loop.call(iter.device_type(), iter);
  const weight = defined(weight_opt);
  if (weight !== null) grad_input.mul__Tensor(weight);
  if (reduction === Reduction.Mean) grad_input.div__Scalar(Scalar.fromInt(input.numel()));
  return grad_input;
}
