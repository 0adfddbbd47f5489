/**
 * @file Checks of a kernel on its tensor arguments: whether one was given, and the dtype check of `Tensor::data_ptr<T>()`.
 * @mirrors aten/src/ATen/templates/TensorMethods.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { type ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Null if the tensor is undefined: a gradient formula passes an undefined tensor for a missing one. */
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
