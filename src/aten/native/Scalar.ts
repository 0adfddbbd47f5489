/**
 * @file `item`: from a tensor of one element to a number.
 * @mirrors aten/src/ATen/native/Scalar.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { f32_from_bits } from "#c10/util/BFloat16";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { fp16_ieee_to_fp32_value } from "#c10/util/Half";

// item(Tensor self) -> Scalar                                                    CompositeImplicitAutograd
export function item(self: Tensor): Scalar {
  const numel = self.numel();
  TORCH_CHECK(numel === 1, "a Tensor with ", numel, " elements cannot be converted to Scalar");
  TORCH_CHECK(!self.is_meta(), "Tensor.item() cannot be called on meta tensors");
  return at._local_scalar_dense(self);
}

// _local_scalar_dense(Tensor self) -> Scalar                                     CPU
export function _local_scalar_dense_cpu(self: Tensor): Scalar {
  const impl = self.impl_;
  const element = impl.data_view()[impl.data_offset()];
  switch (impl.dtype()) {
    case ScalarType.Float:
    case ScalarType.Double:
      return Scalar.fromDouble(element as number);
    case ScalarType.Half:
      return Scalar.fromDouble(fp16_ieee_to_fp32_value(element as number));
    case ScalarType.BFloat16:
      return Scalar.fromDouble(f32_from_bits(element as number));
    case ScalarType.Bool:
      return Scalar.fromBool(element !== 0);
    case ScalarType.Byte:
    case ScalarType.Char:
    case ScalarType.Short:
    case ScalarType.Int:
    case ScalarType.Long:
    case ScalarType.UInt16:
    case ScalarType.UInt32:
    case ScalarType.UInt64:
      return Scalar.fromInt(element);
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(
        false,
        '"_local_scalar_dense_cpu" not implemented for \'',
        toString(impl.dtype()),
        "'",
      );
  }
}
