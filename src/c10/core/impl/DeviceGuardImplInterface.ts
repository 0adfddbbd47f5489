/**
 * @file The interface by which a device type gives access to its devices, streams and events, and its registry. A
 * backend registers one object of a subclass; guards (../DeviceGuard.ts), streams (../Stream.ts) and events
 * (../Event.ts) are built on it.
 * @mirrors c10/core/impl/DeviceGuardImplInterface.h
 * @differs An event is an object of the backend's choice: `record` receives the last one, or null, and returns the one
 * to keep. PyTorch passes a `void*`.
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import type { DataPtr } from "../Allocator.ts";
import type { Device } from "../Device.ts";
import type { DeviceCapability } from "../DeviceCapability.ts";
import { COMPILE_TIME_MAX_DEVICE_TYPES, type DeviceType, toString as deviceTypeToString } from "../DeviceType.ts";
import type { Stream } from "../Stream.ts";

/** BACKEND_DEFAULT measures times, PYTORCH_DEFAULT does not; a backend may ignore the difference. */
export const EventFlag = { PYTORCH_DEFAULT: 0, BACKEND_DEFAULT: 1, INVALID: 2 } as const;
export type EventFlag = (typeof EventFlag)[keyof typeof EventFlag];

function unsupported(what: string): never {
  TORCH_CHECK(false, "Backend doesn't support ", what);
}

export abstract class DeviceGuardImplInterface {
  abstract type(): DeviceType;

  /** Makes `d` the current device and returns the previous one. */
  abstract exchangeDevice(d: Device): Device;
  abstract getDevice(): Device;
  abstract setDevice(d: Device): void;

  /** Sets the device at the end of a guard, where an error could not be reported. */
  abstract uncheckedSetDevice(d: Device): void;

  /** The current stream of `d`. */
  abstract getStream(d: Device): Stream;

  getDefaultStream(_d: Device): Stream {
    unsupported("acquiring a default stream.");
  }

  getStreamFromGlobalPool(_d: Device, _isHighPriority = false): Stream {
    unsupported("acquiring a stream from pool.");
  }

  /** Makes a new stream. It is copied freely; the backend manages its lifetime. */
  getNewStream(_d: Device, _priority = 0): Stream {
    unsupported("create a new Stream.");
  }

  /** Makes `s` the current stream of its device and returns the previous one; the current device need not change. */
  abstract exchangeStream(s: Stream): Stream;

  getStreamNativeHandle(_s: Stream): unknown {
    unsupported("getting stream native handle.");
  }

  destroyEvent(_event: unknown, _device_index: number): void {}

  /** Puts an event into the stream's queue: it is reached when all work queued so far is done. */
  record(_event: unknown, _stream: Stream, _device_index: number, _flag: EventFlag): unknown {
    unsupported("events.");
  }

  /** Makes work queued on `stream` from now on wait for the event. */
  block(_event: unknown, _stream: Stream): void {
    unsupported("events.");
  }

  queryEvent(_event: unknown): boolean {
    unsupported("events.");
  }

  /** Never throws: a device that cannot be queried counts as absent. */
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

  /**
   * Tells the allocator that a stream uses the memory: it must not be handed out again before the stream has finished with it.
   */
  recordDataPtrOnStream(_data_ptr: DataPtr, _stream: Stream): void {}

  /** Milliseconds. */
  elapsedTime(_event1: unknown, _event2: unknown, _device_index: number): number {
    unsupported("elapsedTime.");
  }
}

/** The registered objects, by device type. */
export const device_guard_impl_registry = new Array<DeviceGuardImplInterface | null>(
  COMPILE_TIME_MAX_DEVICE_TYPES,
).fill(null);

export function registerDeviceGuard(type: DeviceType, impl: DeviceGuardImplInterface): void {
  device_guard_impl_registry[type] = impl;
}

/** Called at the top level of a file: importing the file registers the device type, as linking does in C++. */
export function C10_REGISTER_GUARD_IMPL(type: DeviceType, impl: DeviceGuardImplInterface): void {
  registerDeviceGuard(type, impl);
}

export function getDeviceGuardImpl(type: DeviceType): DeviceGuardImplInterface {
  const impl = device_guard_impl_registry[type];
  // This is often the first failure for an absent device, because factories come here.
  TORCH_CHECK(impl !== null, "PyTorch is not linked with support for ", deviceTypeToString(type), " devices");
  return impl;
}
