/**
 * @file Gradients that are not larger than a bound.
 * @mirrors torch/csrc/api/include/torch/nn/utils/clip_grad.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { format_general } from "#c10/util/format_float";

const double = Scalar.fromDouble;
const gradients = (parameters: readonly Tensor[] | Tensor): Tensor[] =>
  (parameters instanceof Tensor ? [parameters] : parameters)
    .map((parameter) => parameter.grad())
    .filter((grad) => grad.defined())
    .map((grad) => grad.data());

/**
 * Scales all gradients together, so that their norm is at most `max_norm`.
 * @param error_if_nonfinite whether a norm that is infinite or not a number is an error
 * @returns the norm before
 */
export function clip_grad_norm_(
  parameters: readonly Tensor[] | Tensor,
  max_norm: number,
  norm_type = 2,
  error_if_nonfinite = false,
): number {
  const grads = gradients(parameters);
  if (grads.length === 0) return 0;
  let total: Tensor;
  if (norm_type === Number.POSITIVE_INFINITY) {
    const norms = grads.map((grad) => grad.abs().max());
    total = norms.length === 1 ? norms[0] : at.stack(norms).max();
  } else if (norm_type === 0) {
    total = at.full([], double(grads.length));
  } else {
    const norms = grads.map((grad) => grad.norm_Scalar(double(norm_type)));
    total = norms.length === 1 ? norms[0] : at.stack(norms).norm_Scalar(double(norm_type));
  }
  if (error_if_nonfinite) {
    TORCH_CHECK(
      Number.isFinite(total.item().toDouble()),
      `The total norm of order ${format_general(norm_type)} for gradients from \`parameters\` is non-finite, so it cannot be clipped. To disable this error and scale the gradients with the non-finite norm anyway, set \`error_if_nonfinite=false\``,
    );
  }
  const coefficient = total.add_Scalar(double(1e-6)).reciprocal().mul_Scalar(double(max_norm));
  const clamped = at.clamp(coefficient, null, double(1));
  for (const grad of grads) grad.mul__Tensor(clamped);
  return total.item().toDouble();
}

/** Clamps each element of the gradients to `[-clip_value, clip_value]`. */
export function clip_grad_value_(parameters: readonly Tensor[] | Tensor, clip_value: number): void {
  for (const grad of gradients(parameters)) grad.clamp_(double(-clip_value), double(clip_value));
}
