/**
 * @file The check of a factory with `out=`: dtype, layout and device given beside it must be those of `out`.
 * @mirrors torch/csrc/utils/out_types.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import { toString as device_name } from "#c10/core/DeviceType";
import { type Layout, toString as layout_name } from "#c10/core/Layout";
import { toString as dtype_name, type ScalarType } from "#c10/core/ScalarType";
import { RuntimeError } from "#c10/util/Exception";

export function check_out_type_matches(
  result: Tensor,
  scalarType: ScalarType | null,
  scalarType_is_none: boolean,
  layout: Layout | null,
  device: Device | null,
  device_is_none: boolean,
): void {
  if (scalarType_is_none && layout === null && device_is_none) return; // the usual case
  const result_type = result.scalar_type();
  if (scalarType !== null && !scalarType_is_none && result_type !== scalarType)
    refuse("dtype", dtype_name(scalarType), dtype_name(result_type));
  if (layout !== null && result.layout() !== layout)
    refuse("layout", layout_name(layout), layout_name(result.layout()));
  const result_device = result.device().type();
  if (device !== null && !device_is_none && result_device !== device.type())
    refuse("device type", device_name(device.type()), device_name(result_device));
}

function refuse(what: string, given: string, of_out: string): never {
  throw new RuntimeError(`${what} ${given} does not match ${what} of out parameter (${of_out})`);
}
