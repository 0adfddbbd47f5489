/**
 * @file The check that a tensor still is what it was when a graph was made.
 * @mirrors aten/src/ATen/native/ComparisonUtils.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import { type Layout, toString as layout_name } from "#c10/core/Layout";
import { type ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";

const list = (values: readonly number[]): string => `[${values.join(", ")}]`;

function check_match(name: string, matches: boolean, expected: string, got: string): void {
  TORCH_CHECK(matches, "Tensor ", name, " mismatch! Expected: ", expected, ", Got: ", got);
}

function check_list(name: string, expected: readonly number[] | null, got: readonly number[]): void {
  if (expected === null) return;
  const matches = expected.length === got.length && expected.every((value, i) => value === got[i]);
  check_match(name, matches, list(expected), list(got));
}

// _assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()
export function _assert_tensor_metadata(
  a: Tensor,
  size: readonly number[] | null,
  stride: readonly number[] | null,
  dtype: ScalarType | null,
  device: Device | null,
  layout: Layout | null,
): void {
  check_list("sizes", size, a.sizes());
  check_list("strides", stride, a.strides());
  if (dtype !== null) check_match("dtype", a.scalar_type() === dtype, toString(dtype), typeMetaName(a.scalar_type()));
  if (device !== null) check_match("device", String(a.device()) === String(device), String(device), String(a.device()));
  if (layout !== null) check_match("layout", a.layout() === layout, layout_name(layout), layout_name(a.layout()));
}

/** On Meta the checks are the same; in PyTorch this kernel compares symbolic sizes. */
export const _assert_tensor_metadata_meta_symint = _assert_tensor_metadata;
