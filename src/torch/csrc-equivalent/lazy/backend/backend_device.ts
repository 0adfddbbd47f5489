/**
 * @file The device behind the device `lazy`: the one that computes.
 * @mirrors torch/csrc/lazy/backend/backend_device.h
 */
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { TORCH_CHECK } from "#c10/util/Exception";

export class BackendDevice {
  private readonly type_: DeviceType;
  private readonly ordinal_: number;

  constructor(type: DeviceType = DeviceType.CPU, ordinal = 0) {
    this.type_ = type;
    this.ordinal_ = ordinal;
  }

  type(): DeviceType {
    return this.type_;
  }

  ordinal(): number {
    return this.ordinal_;
  }

  equals(other: BackendDevice): boolean {
    return this.type_ === other.type_ && this.ordinal_ === other.ordinal_;
  }

  /** `CPU0` */
  toString(): string {
    return `${Device.of(this.type_).str().toUpperCase()}${this.ordinal_}`;
  }
}

const devices: BackendDevice[] = [];

/** `lazy:1` is the backend's second device. There is one object for each. */
export function atenDeviceToBackendDevice(device: Device): BackendDevice {
  TORCH_CHECK(device.type() === DeviceType.Lazy, device.str());
  const ordinal = device.has_index() ? device.index() : 0;
  devices[ordinal] ??= new BackendDevice(DeviceType.CPU, ordinal);
  return devices[ordinal];
}

export function backendDeviceToAtenDevice(device: BackendDevice): Device {
  return new Device(DeviceType.Lazy, device.ordinal());
}
