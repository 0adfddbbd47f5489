/**
 * @file The guard of a device type that is known only at run time.
 * @mirrors c10/core/impl/VirtualGuardImpl.h
 * @differs Every call is virtual here, so this is the registered object itself. C++ has a class that forwards each
 * call, so that templates over a known guard need no virtual call.
 */
import type { DeviceType } from "../DeviceType.ts";
import { type DeviceGuardImplInterface, getDeviceGuardImpl } from "./DeviceGuardImplInterface.ts";

export function VirtualGuardImpl(device_type: DeviceType): DeviceGuardImplInterface {
  return getDeviceGuardImpl(device_type);
}
