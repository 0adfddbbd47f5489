/**
 * @file The default dtype of a tensor made from floating-point numbers: `torch.set_default_dtype`.
 * @mirrors c10/core/DefaultDtype.h
 */
import { ScalarType, toComplexType } from "./ScalarType.ts";

let default_dtype: ScalarType = ScalarType.Float;
let default_complex_dtype: ScalarType = ScalarType.ComplexFloat;

export function set_default_dtype(dtype: ScalarType): void {
  default_dtype = dtype;
  default_complex_dtype = toComplexType(dtype);
}

export function get_default_dtype(): ScalarType {
  return default_dtype;
}

export function get_default_dtype_as_scalartype(): ScalarType {
  return default_dtype;
}

export function get_default_complex_dtype(): ScalarType {
  return default_complex_dtype;
}
