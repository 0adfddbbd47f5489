/**
 * @file The gradient of a parameter, for code that sets it.
 * @mirrors aten/src/ATen/core/TensorBase.h#mutable_grad
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { materialize_autograd_meta } from "../autograd/variable/impl.ts";

/** C++'s `parameter.mutable_grad() = grad`; null takes the gradient away. */
export function set_grad(parameter: Tensor, grad: Tensor | null): void {
  materialize_autograd_meta(parameter).set_grad(grad);
}
