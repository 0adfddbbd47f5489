/**
 * @file Checks of the lists of `_foreach` operators.
 * @mirrors aten/src/ATen/native/ForeachUtils.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";

type Lists = readonly (readonly Tensor[] | { readonly scalars: readonly Scalar[] })[];

/** Checks that the first list is not empty and the others have the same length. */
export function check_foreach_api_restrictions(first: readonly Tensor[], ...others: Lists): void {
  TORCH_CHECK(first.length > 0, "Tensor list must have at least one tensor.");
  for (const other of others) {
    if ("scalars" in other)
      TORCH_CHECK(
        first.length === other.scalars.length,
        "Tensor list must have same number of elements as scalar list.",
      );
    else
      TORCH_CHECK(
        first.length === other.length,
        "Tensor lists must have the same number of tensors, got ",
        first.length,
        " and ",
        other.length,
      );
  }
}

/** Checks that a tensor used for the whole list is a number. */
export function check_scalar_tensor(tensors: readonly Tensor[], scalar: Tensor): void {
  TORCH_CHECK(
    scalar.dim() === 0 && scalar.numel() === 1,
    "scalar tensor expected to be 0 dim but it has ",
    scalar.dim(),
    " dimensions and ",
    scalar.numel(),
    " elements.",
  );
  check_foreach_api_restrictions(tensors);
}

/** Unpacks numbers from one CPU tensor. */
export function convert_tensor_to_scalar_list(scalarList_: Tensor, expect_length: number): Scalar[] {
  TORCH_CHECK(scalarList_.device().is_cpu(), "Expected scalars to be on CPU, got ", scalarList_.device(), " instead.");
  TORCH_CHECK(scalarList_.is_contiguous(), "Expected scalars to be contiguous.");
  TORCH_CHECK(
    scalarList_.dim() === 1,
    "Expected packed scalar Tensor to be of dimension 1. Got ",
    scalarList_.dim(),
    " instead.",
  );
  TORCH_CHECK(
    expect_length === scalarList_.size(0),
    "Expected length of scalars to match input of length ",
    expect_length,
    " but got ",
    scalarList_.size(0),
    " instead.",
  );
  return scalarList_.unbind_int(0).map((one) => one.item());
}
