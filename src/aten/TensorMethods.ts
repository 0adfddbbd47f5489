/**
 * @file What kernels ask of a tensor that they are handed: whether there is one, and the check of `Tensor::data_ptr<T>()`.
 * @mirrors aten/src/ATen/templates/TensorMethods.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { type ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** A formula hands over an undefined tensor where there is none. */
export function defined(t: Tensor | null): Tensor | null {
  return t?.defined() ? t : null;
}

/** @throws {RuntimeError} "expected scalar type ... but found ..." */
export function check_type(tensor: Tensor, expected: ScalarType): void {
  TORCH_CHECK(
    tensor.scalar_type() === expected,
    "expected scalar type ",
    toString(expected),
    " but found ",
    toString(tensor.scalar_type()),
  );
}
