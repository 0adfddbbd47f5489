/**
 * @file What sums of a dtype are held in on the CPU.
 * @mirrors aten/src/ATen/AccumulateType.h
 */
import { isIntegralType, isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";

export function toAccumulateType(type: ScalarType): ScalarType {
  if (isReducedFloatingType(type)) return ScalarType.Float;
  if (type === ScalarType.Float) return ScalarType.Double;
  return isIntegralType(type, false) ? ScalarType.Long : type;
}
