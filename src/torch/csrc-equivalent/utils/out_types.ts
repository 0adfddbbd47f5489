/**
 * @file A factory called with `out=`: dtype, layout and device given beside it must be those of `out`.
 * @mirrors torch/csrc/utils/out_types.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import { type Layout, toString as layout_name } from "#c10/core/Layout";
import { toString as dtype_name, type ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

export function check_out_type_matches(
  result: Tensor,
  scalarType: ScalarType | null,
  scalarType_is_none: boolean,
  layout: Layout | null,
  device: Device | null,
  device_is_none: boolean,
): void {
  if (scalarType_is_none && layout === null && device_is_none) return; // common case
  const result_type = result.scalar_type();
  TORCH_CHECK(
    scalarType_is_none || result_type === scalarType,
    "dtype ",
    dtype_name(scalarType as ScalarType),
    " does not match dtype of out parameter (",
    dtype_name(result_type),
    ")",
  );
  TORCH_CHECK(
    layout === null || result.layout() === layout,
    "layout ",
    layout_name(layout as Layout),
    " does not match layout of out parameter (",
    layout_name(result.layout()),
    ")",
  );
  TORCH_CHECK(
    device_is_none || result.device().type() === (device as Device).type(),
    "device type ",
    (device as Device).type(),
    " does not match device type of out parameter (",
    result.device().type(),
    ")",
  );
}
