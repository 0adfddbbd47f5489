/**
 * @file The type in which sums of a dtype are accumulated, on the CPU and on a device without double.
 * @mirrors aten/src/ATen/AccumulateType.h
 */
import { DeviceType } from "#c10/core/DeviceType";
import { isIntegralType, isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";

export function toAccumulateType(type: ScalarType, device: DeviceType): ScalarType {
  if (isReducedFloatingType(type)) return ScalarType.Float;
  if (type === ScalarType.Float && device !== DeviceType.PrivateUse1) return ScalarType.Double;
  return isIntegralType(type, false) ? ScalarType.Long : type;
}
