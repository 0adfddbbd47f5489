/**
 * @file Conversion of a device argument to the index of an accelerator device.
 * @mirrors torch/accelerator/_utils.py
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { _C, THPDevice_Check, THPDevice_pynew } from "#torch/_C";
import type { DeviceLike } from "#torch/types";

export type Device = DeviceLike | null;

export function _get_device_index(device: Device, optional: boolean): number {
  if (typeof device === "number") return device;
  const given = typeof device === "string" ? THPDevice_pynew(device) : device;
  let device_index: number | null = null;
  if (THPDevice_Check(given)) {
    const acc = _C._accelerator_getAccelerator();
    if (acc === null) throw new RuntimeError("Accelerator expected");
    if (acc.type !== given.type) throw new ValueError(`${given.type} doesn't match the current accelerator ${acc}.`);
    device_index = given.index;
  }
  if (device_index !== null) return device_index;
  if (!optional)
    throw new ValueError(`Expected a torch.device with a specified index or an integer, but got:${given ?? "None"}`);
  return _C._accelerator_getDeviceIndex();
}
