/**
 * @file The guard of a device type that is known at run time only.
 * @mirrors c10/core/impl/VirtualGuardImpl.h
 * @differs In C++ a class that hands each call on, so that templates over a known guard need no virtual call. Here every call is
 * virtual, and this is the registered object itself.
 */
import type { DeviceType } from "../DeviceType.ts";
import { type DeviceGuardImplInterface, getDeviceGuardImpl } from "./DeviceGuardImplInterface.ts";

export function VirtualGuardImpl(device_type: DeviceType): DeviceGuardImplInterface {
  return getDeviceGuardImpl(device_type);
}
