/**
 * @file Promises about numbers that depend on data: a graph checks them when it runs.
 * @mirrors aten/src/ATen/native/Constraints.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

// sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()                    CompositeExplicitAutograd
export function sym_constrain_range(size: Scalar, min: number | null, max: number | null): void {
  const [lower, upper] = [min ?? INT64_MIN, max ?? INT64_MAX];
  const value = Number(size.toLong());
  TORCH_CHECK(upper >= lower, "Max must be greater than or equal to min. Got min=", lower, " max=", upper);
  TORCH_CHECK(
    lower <= value && value <= upper,
    "Invalid value range for ",
    value,
    " between [",
    lower,
    ", ",
    upper,
    "].",
  );
}

// sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()           CompositeExplicitAutograd
export function sym_constrain_range_for_size(size: Scalar, min: number | null, max: number | null): void {
  TORCH_CHECK(max === null || max > 2, "Max value to constrain_range_for_size must be greater than 2. got: ", max);
  sym_constrain_range(size, min ?? 0, max);
}

// The same for graphs without side effects: the result orders the check before what uses it.

export function _functional_sym_constrain_range(
  size: Scalar,
  min: number | null,
  max: number | null,
  dep_token: Tensor,
): Tensor {
  sym_constrain_range(size, min, max);
  return dep_token.clone();
}

export function _functional_sym_constrain_range_for_size(
  size: Scalar,
  min: number | null,
  max: number | null,
  dep_token: Tensor,
): Tensor {
  sym_constrain_range_for_size(size, min, max);
  return dep_token.clone();
}
