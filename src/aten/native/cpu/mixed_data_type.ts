/**
 * @file Helpers for mixed dtypes: inputs in half precision may have parameters and statistics in float.
 * @mirrors aten/src/ATen/native/cpu/mixed_data_type.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Whether the first parameter that is not null has another dtype than `input`. */
export function is_mixed_type(input: Tensor, ...parameters: (Tensor | null)[]): boolean {
  const first = parameters.find((t) => t !== null);
  return first !== undefined && first !== null && first.scalar_type() !== input.scalar_type();
}

export function check_mixed_data_type(input: Tensor, ...parameters: (Tensor | null)[]): void {
  for (const parameter of parameters)
    TORCH_CHECK(
      parameter === null || parameter.scalar_type() === ScalarType.Float,
      "mixed dtype (CPU): expect parameter to have scalar type of Float",
    );
  TORCH_CHECK(isReducedFloatingType(input.scalar_type()), "mixed dtype (CPU): all inputs must share same datatype.");
}

export function param_scalar_type(t: Tensor, is_mixed: boolean): ScalarType {
  return is_mixed ? ScalarType.Float : t.scalar_type();
}
