/**
 * @file The type in which arithmetic on a dtype is done: halves compute in float32.
 * @mirrors aten/src/ATen/OpMathType.h
 */
import { isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";

export function toOpMathType(type: ScalarType): ScalarType {
  if (isReducedFloatingType(type)) return ScalarType.Float;
  return type === ScalarType.ComplexHalf ? ScalarType.ComplexFloat : type;
}
