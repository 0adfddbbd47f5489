/**
 * @file `item`: converts a tensor with one element to a number.
 * @mirrors aten/src/ATen/native/Scalar.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { reducedFloatingType } from "#c10/core/ReducedFloatingType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";

// item(Tensor self) -> Scalar                                                    CompositeImplicitAutograd
export function item(self: Tensor): Scalar {
  const numel = self.numel();
  TORCH_CHECK(numel === 1, "a Tensor with ", numel, " elements cannot be converted to Scalar");
  TORCH_CHECK(!self.is_meta(), "Tensor.item() cannot be called on meta tensors");
  return at._local_scalar_dense(self);
}

// _local_scalar_dense(Tensor self) -> Scalar                                     CPU
export function _local_scalar_dense_cpu(self: Tensor): Scalar {
  TORCH_CHECK(self.numel() > 0, "_local_scalar_dense: Empty tensor not supported");
  const impl = self.impl_;
  const element = impl.data_view()[impl.data_offset()];
  switch (impl.dtype()) {
    case ScalarType.Float:
    case ScalarType.Double:
      return Scalar.fromDouble(element as number);
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
    default: {
      const reduced = reducedFloatingType(impl.dtype());
      if (reduced !== null) return Scalar.fromDouble(reduced.to_float(element as number));
      TORCH_CHECK_NOT_IMPLEMENTED(
        false,
        '"_local_scalar_dense_cpu" not implemented for \'',
        toString(impl.dtype()),
        "'",
      );
    }
  }
}
