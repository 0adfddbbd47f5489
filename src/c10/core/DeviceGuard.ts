/**
 * @file Device guards for code that does not know the device type: kernel wrappers, the engine, the front end.
 * @mirrors c10/core/DeviceGuard.h
 */
import type { Device } from "./Device.ts";
import { InlineDeviceGuard, InlineOptionalDeviceGuard } from "./impl/InlineDeviceGuard.ts";

// Note [Whatever the DeviceGuard doesn't do]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// At its end a guard restores the device that was current when it began, and nothing else. If the code inside changed
// the device itself, that is undone; a stream that was made current stays current.

export class DeviceGuard extends InlineDeviceGuard {}

export class OptionalDeviceGuard extends InlineOptionalDeviceGuard {}

interface HasDevice {
  defined(): boolean;
  device(): Device;
}

/**
 * Device of an operator's argument: a tensor that may be missing, or the first tensor of a list. (C++: `at::device_of`,
 * ATen/core/Tensor.h)
 */
export function device_of(arg: HasDevice | null | readonly (HasDevice | null)[]): Device | null {
  const tensor = Array.isArray(arg) ? ((arg as readonly (HasDevice | null)[])[0] ?? null) : (arg as HasDevice | null);
  return tensor?.defined() ? tensor.device() : null;
}
