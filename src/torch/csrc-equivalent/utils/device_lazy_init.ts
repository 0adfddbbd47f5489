/**
 * @file A device that is set up when it is first used.
 * @mirrors torch/csrc/utils/device_lazy_init.h
 */
import type { Device } from "#c10/core/Device";
import type { DeviceType } from "#c10/core/DeviceType";
import type { TensorOptions } from "#c10/core/TensorOptions";

const lazy_init = new Map<DeviceType, () => void>();

/** A backend names the function that brings its device up. */
export function set_requires_device_init(device_type: DeviceType, init: () => void): void {
  lazy_init.set(device_type, init);
}

export function device_lazy_init(device_type: DeviceType): void {
  const init = lazy_init.get(device_type);
  if (init === undefined) return;
  lazy_init.delete(device_type);
  init();
}

export function maybe_initialize_device(where: TensorOptions | Device | null): void {
  if (lazy_init.size === 0 || where === null) return;
  device_lazy_init("device" in where ? where.device().type() : where.type());
}
