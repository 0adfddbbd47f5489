/**
 * @file Devices that are initialized at their first use.
 * @mirrors torch/csrc/utils/device_lazy_init.h
 * @differs There is no fork, so no device can be in a bad one; PyTorch must detect that. The function is passed when
 * the module is registered; PyTorch finds `_lazy_init` in the module `torch.foo`.
 */
import type { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import type { TensorOptions } from "#c10/core/TensorOptions";

/** Functions that have yet to be called. */
const lazy_init = new Map<DeviceType, () => void>();
const initialized = new Set<DeviceType>();

/** Called by a backend to register the function that initializes its device. */
export function set_requires_device_init(device_type: DeviceType, init: () => void): void {
  lazy_init.set(device_type, init);
}

export function is_device_lazy_init_supported(device_type: DeviceType): boolean {
  return lazy_init.has(device_type) || initialized.has(device_type);
}

export function is_device_initialized(device_type: DeviceType): boolean {
  return initialized.has(device_type);
}

export function device_lazy_init(device_type: DeviceType): void {
  const init = lazy_init.get(device_type);
  if (init === undefined) return;
  lazy_init.delete(device_type); // before the call, because it may use the device
  try {
    init();
    initialized.add(device_type);
  } catch (error) {
    lazy_init.set(device_type, init);
    throw error;
  }
}

export function maybe_initialize_device(where: TensorOptions | Device | null): void {
  if (where === null) return;
  const type = "device" in where ? where.device().type() : where.type();
  if (type !== DeviceType.CPU) device_lazy_init(type);
}
