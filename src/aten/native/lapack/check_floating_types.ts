/**
 * @file Check that refuses the dtypes which AT_DISPATCH_FLOATING_TYPES refuses, for functions that look up no instance.
 * @mirrors aten/src/ATen/Dispatch.h
 */
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";

export function check_floating_types(dtype: ScalarType, label: string): void {
  const floating = dtype === ScalarType.Float || dtype === ScalarType.Double;
  TORCH_CHECK_NOT_IMPLEMENTED(floating, '"', label, "\" not implemented for '", toString(dtype), "'");
}
