/**
 * @file Filling of uninitialized memory if operations must be deterministic.
 * @mirrors aten/src/ATen/native/TensorFactories.h#fill_empty_deterministic_
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Scalar } from "#c10/core/Scalar";
import {
  elementSize,
  isComplexType,
  isFloatingType,
  isIntegralType,
  isSignedType,
  ScalarType,
  toString,
} from "#c10/core/ScalarType";
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";

/** A value that is easily recognized as no result: NaN, the largest integer, or true. */
function no_result(dtype: ScalarType): Scalar {
  if (dtype === ScalarType.Bool) return Scalar.TRUE;
  if (isIntegralType(dtype, false)) {
    const bits = 8 * elementSize(dtype) - (isSignedType(dtype) ? 1 : 0);
    return Scalar.fromInt((1n << BigInt(bits)) - 1n);
  }
  TORCH_CHECK_NOT_IMPLEMENTED(
    (isFloatingType(dtype) || isComplexType(dtype)) && dtype !== ScalarType.Float4_e2m1fn_x2,
    '"fill_empty_deterministic_" not implemented for \'',
    toString(dtype),
    "'",
  );
  return Scalar.fromDouble(Number.NaN);
}

/** Called after memory has been allocated without contents, if `fills_uninitialized_memory`. */
export function fill_empty_deterministic_(tensor: Tensor): void {
  tensor.fill__Scalar(no_result(tensor.scalar_type()));
}
