/**
 * @file Streams: queues of a device, each of which runs its work in order. A stream is a value: a device and a number.
 * The backend keeps the queue.
 * @mirrors c10/core/Stream.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { Device } from "./Device.ts";
import { type DeviceType, isValidDeviceType } from "./DeviceType.ts";
import { getDeviceGuardImpl } from "./impl/DeviceGuardImplInterface.ts";

interface Blocking {
  block(stream: Stream): void;
}

export class Stream {
  private readonly device_: Device;
  private readonly id_: number;

  /** @param id the backend's number; 0 is the default stream (C++: the tag `DEFAULT`) */
  constructor(device: Device, id = 0) {
    this.device_ = device;
    this.id_ = id;
  }

  static unpack3(stream_id: number, device_index: number, device_type: number): Stream {
    TORCH_CHECK(isValidDeviceType(device_type));
    return new Stream(new Device(device_type, device_index), stream_id);
  }

  eq(other: Stream): boolean {
    return this === other || (this.id_ === other.id_ && this.device_.eq(other.device_));
  }

  device(): Device {
    return this.device_;
  }

  device_type(): DeviceType {
    return this.device_.type();
  }

  device_index(): number {
    return this.device_.index();
  }

  id(): number {
    return this.id_;
  }

  native_handle(): unknown {
    return getDeviceGuardImpl(this.device_type()).getStreamNativeHandle(this);
  }

  /** Makes work queued here from now on wait for `event`. */
  wait(event: Blocking): void {
    event.block(this);
  }

  /** Whether all queued work is done. */
  query(): boolean {
    return getDeviceGuardImpl(this.device_type()).queryStream(this);
  }

  /** Waits until all queued work is done. */
  synchronize(): void {
    getDeviceGuardImpl(this.device_type()).synchronizeStream(this);
  }

  is_capturing(): boolean {
    return getDeviceGuardImpl(this.device_type()).isStreamCapturing(this);
  }

  /** `operator<<` */
  str(): string {
    return `stream ${this.id_} on device ${this.device_.str()}`;
  }

  toString(): string {
    return this.str();
  }
}
