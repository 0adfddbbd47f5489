/**
 * @file The device check of kernel wrappers: whether all tensors are on one device.
 * @mirrors aten/src/ATen/core/op_registration/adaption.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";

type Checked = Tensor | null | readonly (Tensor | null)[];

/** Adds the device of `arg` to the check: returns the common device of the tensors so far (null if there was none), or throws. */
export function check_and_update_common_device(
  common_device: Device | null,
  arg: Checked,
  methodName: string,
  argName: string,
): Device | null {
  if (Array.isArray(arg)) {
    const tensors = arg as readonly (Tensor | null)[];
    return tensors.reduce((common, tensor) => check_one(common, tensor, methodName, argName), common_device);
  }
  return check_one(common_device, arg as Tensor | null, methodName, argName);
}

function check_one(common: Device | null, tensor: Tensor | null, methodName: string, argName: string): Device | null {
  if (tensor === null || !tensor.defined()) return common;
  const device = tensor.device();
  if (common === null) return device;
  TORCH_CHECK(
    common.eq(device),
    "Expected all tensors to be on the same device, but got ",
    argName,
    " is on ",
    device,
    ", different from other tensors on ",
    common,
    " (when checking argument in method ",
    methodName,
    ")",
  );
  return common;
}
