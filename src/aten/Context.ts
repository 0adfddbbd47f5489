/**
 * @file Switches of the whole library, and the way to what devices do for it.
 * @mirrors aten/src/ATen/Context.h
 * @differs PyTorch's context also makes generators and knows what was compiled in.
 */
import type { Allocator } from "#c10/core/Allocator";
import { DeviceType, toString as deviceTypeToString } from "#c10/core/DeviceType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { checked_accelerator, getAccelerator, isAccelerator } from "./DeviceAccelerator.ts";
import type { AcceleratorHooksInterface } from "./detail/AcceleratorHooksInterface.ts";
import { getPrivateUse1Hooks } from "./detail/PrivateUse1HooksInterface.ts";

let enabled_cudnn = true;

/** Whether cuDNN may be used where there is one; operators hand it on, so their calls show it. */
export function userEnabledCuDNN(): boolean {
  return enabled_cudnn;
}

export function setUserEnabledCuDNN(enabled: boolean): void {
  enabled_cudnn = enabled;
}

/** Devices that were brought up. */
const initialized = new Set<DeviceType>();

export function lazyInitDevice(device_type: DeviceType): void {
  if (device_type === DeviceType.CPU || initialized.has(device_type)) return;
  initialized.add(device_type);
  getAcceleratorHooksInterface(device_type).init();
}

/** Of the accelerator if no device type is given. */
export function getAcceleratorHooksInterface(device_type: DeviceType | null = null): AcceleratorHooksInterface {
  const type = device_type ?? checked_accelerator();
  TORCH_CHECK(type === DeviceType.PrivateUse1, deviceTypeToString(type), " device type not an accelerator.");
  return getPrivateUse1Hooks();
}

/** Whether host memory at this address is pinned for a device that has been brought up. */
export function isPinnedPtr(data: number, device_type: DeviceType | null = null): boolean {
  const type = device_type ?? getAccelerator();
  if (type === null || !isAccelerator(type) || !initialized.has(type)) return false;
  return getAcceleratorHooksInterface(type).isPinnedPtr(data);
}

export function getPinnedMemoryAllocator(device_type: DeviceType | null = null): Allocator {
  const type = device_type ?? getAccelerator();
  if (type !== null) lazyInitDevice(type);
  return getAcceleratorHooksInterface(device_type).getPinnedMemoryAllocator();
}
