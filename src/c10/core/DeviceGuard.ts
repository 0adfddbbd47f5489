/**
 * @file Guards for code that does not know the device type: kernels' wrappers, the engine, the front end.
 * @mirrors c10/core/DeviceGuard.h
 */
import type { Device } from "./Device.ts";
import { InlineDeviceGuard, InlineOptionalDeviceGuard } from "./impl/InlineDeviceGuard.ts";

// Note [Whatever the DeviceGuard doesn't do]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A guard puts back the device that was current when it began, and no more: a stream that was made current on the way stays so,
// and code inside that changes the device itself is undone.

export class DeviceGuard extends InlineDeviceGuard {}

export class OptionalDeviceGuard extends InlineOptionalDeviceGuard {}

interface HasDevice {
  defined(): boolean;
  device(): Device;
}

/** Of an argument of an operator: a tensor that may be missing, or the first of a list. (C++: `at::device_of`, ATen/core/Tensor.h) */
export function device_of(arg: HasDevice | null | readonly (HasDevice | null)[]): Device | null {
  const tensor = Array.isArray(arg) ? ((arg as readonly (HasDevice | null)[])[0] ?? null) : (arg as HasDevice | null);
  return tensor?.defined() ? tensor.device() : null;
}
