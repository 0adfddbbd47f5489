/**
 * @file What a device type tells the rest of the library about devices, streams and events, and the registry in which it stands. A
 * backend brings one object of a subclass; guards (../DeviceGuard.ts), streams (../Stream.ts) and events (../Event.ts) are made of it.
 * @mirrors c10/core/impl/DeviceGuardImplInterface.h
 * @differs An event is whatever object the backend likes: `record` is given the last one, or null, and returns the one to keep.
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import type { DataPtr } from "../Allocator.ts";
import type { Device } from "../Device.ts";
import type { DeviceCapability } from "../DeviceCapability.ts";
import { COMPILE_TIME_MAX_DEVICE_TYPES, type DeviceType, toString as deviceTypeToString } from "../DeviceType.ts";
import type { Stream } from "../Stream.ts";

/** BACKEND_DEFAULT measures times, PYTORCH_DEFAULT does not; the backend may tell them apart or not. */
export const EventFlag = { PYTORCH_DEFAULT: 0, BACKEND_DEFAULT: 1, INVALID: 2 } as const;
export type EventFlag = (typeof EventFlag)[keyof typeof EventFlag];

function unsupported(what: string): never {
  TORCH_CHECK(false, "Backend doesn't support ", what);
}

export abstract class DeviceGuardImplInterface {
  abstract type(): DeviceType;

  /** Makes `d` the current device and returns what was current. */
  abstract exchangeDevice(d: Device): Device;
  abstract getDevice(): Device;
  abstract setDevice(d: Device): void;

  /** The same, where an error could not be told to anybody: at the end of a guard. */
  abstract uncheckedSetDevice(d: Device): void;

  /** The stream that is current on `d`. */
  abstract getStream(d: Device): Stream;

  getDefaultStream(_d: Device): Stream {
    unsupported("acquiring a default stream.");
  }

  getStreamFromGlobalPool(_d: Device, _isHighPriority = false): Stream {
    unsupported("acquiring a stream from pool.");
  }

  /** It is copied and handed around; the backend sees to how long it lives. */
  getNewStream(_d: Device, _priority = 0): Stream {
    unsupported("create a new Stream.");
  }

  /** Makes `s` current on its device and returns what was; the current device may stay as it is. */
  abstract exchangeStream(s: Stream): Stream;

  getStreamNativeHandle(_s: Stream): unknown {
    unsupported("getting stream native handle.");
  }

  destroyEvent(_event: unknown, _device_index: number): void {}

  /** Puts a mark into the stream's queue: what is queued so far will be done when it is reached. */
  record(_event: unknown, _stream: Stream, _device_index: number, _flag: EventFlag): unknown {
    unsupported("events.");
  }

  /** What is queued on `stream` from now on waits for the mark. */
  block(_event: unknown, _stream: Stream): void {
    unsupported("events.");
  }

  queryEvent(_event: unknown): boolean {
    unsupported("events.");
  }

  /** Never throws: a device that cannot be asked is no device. */
  abstract deviceCount(): number;

  getDeviceCapability(_d: Device): DeviceCapability {
    unsupported("getting device capabilities.");
  }

  queryStream(_stream: Stream): boolean {
    unsupported("querying streams.");
  }

  synchronizeStream(_stream: Stream): void {
    unsupported("synchronizing streams.");
  }

  isStreamCapturing(_stream: Stream): boolean {
    return false;
  }

  synchronizeEvent(_event: unknown): void {
    unsupported("synchronizing events.");
  }

  synchronizeDevice(_device_index: number): void {
    unsupported("synchronizing all streams on device.");
  }

  /** Tells the allocator that a stream uses the memory, which may not be handed out again before that is done. */
  recordDataPtrOnStream(_data_ptr: DataPtr, _stream: Stream): void {}

  /** Milliseconds. */
  elapsedTime(_event1: unknown, _event2: unknown, _device_index: number): number {
    unsupported("elapsedTime.");
  }
}

/** By device type. */
export const device_guard_impl_registry = new Array<DeviceGuardImplInterface | null>(
  COMPILE_TIME_MAX_DEVICE_TYPES,
).fill(null);

export function registerDeviceGuard(type: DeviceType, impl: DeviceGuardImplInterface): void {
  device_guard_impl_registry[type] = impl;
}

/** At the top of a file: loading it is what linking it is in C++. */
export function C10_REGISTER_GUARD_IMPL(type: DeviceType, impl: DeviceGuardImplInterface): void {
  registerDeviceGuard(type, impl);
}

export function getDeviceGuardImpl(type: DeviceType): DeviceGuardImplInterface {
  const impl = device_guard_impl_registry[type];
  // Often the first that happens to a device which is not there: factories come here.
  TORCH_CHECK(impl !== null, "PyTorch is not linked with support for ", deviceTypeToString(type), " devices");
  return impl;
}
