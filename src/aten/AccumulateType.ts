/**
 * @file The type sums over a dtype are held in, on the CPU: wide enough that rounding or overflow of the parts does not matter.
 * @mirrors aten/src/ATen/AccumulateType.cpp
 */
import { isIntegralType, ScalarType } from "../c10/core/ScalarType.ts";

export function toAccumulateType(type: ScalarType): ScalarType {
  switch (type) {
    case ScalarType.Half:
    case ScalarType.BFloat16:
      return ScalarType.Float;
    case ScalarType.Float:
      return ScalarType.Double;
    case ScalarType.ComplexHalf:
      return ScalarType.ComplexFloat;
    case ScalarType.ComplexFloat:
      return ScalarType.ComplexDouble;
    default:
      return isIntegralType(type, false) ? ScalarType.Long : type;
  }
}
