/**
 * @file A guard that makes another device current from construction to `restore()`.
 * @mirrors c10/core/impl/InlineDeviceGuard.h
 * @differs The end of a guard is a call of `restore()` in a `finally`; PyTorch has destructors.
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { Device } from "../Device.ts";
import { type DeviceGuardImplInterface, getDeviceGuardImpl } from "./DeviceGuardImplInterface.ts";

export class InlineDeviceGuard {
  protected impl_: DeviceGuardImplInterface;
  private original_device_: Device;
  private current_device_: Device;

  /** A device without an index means the current one. */
  constructor(device: Device, impl: DeviceGuardImplInterface = getDeviceGuardImpl(device.type())) {
    this.impl_ = impl;
    this.original_device_ = device.has_index() ? impl.exchangeDevice(device) : impl.getDevice();
    this.current_device_ = device.has_index() ? device : this.original_device_;
  }

  restore(): void {
    this.impl_.uncheckedSetDevice(this.original_device_);
  }

  [Symbol.dispose](): void {
    this.restore();
  }

  /** Changes to `device`. If its type differs, the device of the first type is restored now. */
  reset_device(device: Device, impl: DeviceGuardImplInterface | null = null): void {
    if (!device.has_index()) return;
    if (device.type() === this.original_device_.type()) {
      TORCH_INTERNAL_ASSERT(impl === null || impl.type() === device.type());
      this.impl_.setDevice(device);
    } else {
      this.impl_.setDevice(this.original_device_);
      this.impl_ = impl ?? getDeviceGuardImpl(device.type());
      this.original_device_ = this.impl_.exchangeDevice(device);
    }
    this.current_device_ = device;
  }

  /** Changes to another device of the same type. */
  set_index(index: number): void {
    this.reset_device(new Device(this.original_device_.type(), index));
  }

  original_device(): Device {
    return this.original_device_;
  }

  /** The device set last by this guard; code inside may have changed the actual one. */
  current_device(): Device {
    return this.current_device_;
  }
}

/** A device guard that may not have been opened yet. */
export class InlineOptionalDeviceGuard {
  private guard_: InlineDeviceGuard | null;

  constructor(device: Device | null = null) {
    this.guard_ = device === null ? null : new InlineDeviceGuard(device);
  }

  restore(): void {
    if (this.guard_ === null) return;
    this.guard_.restore();
    this.guard_ = null;
  }

  [Symbol.dispose](): void {
    this.restore();
  }

  reset_device(device: Device): void {
    if (this.guard_ === null) this.guard_ = new InlineDeviceGuard(device);
    else this.guard_.reset_device(device);
  }

  original_device(): Device | null {
    return this.guard_?.original_device() ?? null;
  }

  current_device(): Device | null {
    return this.guard_?.current_device() ?? null;
  }
}
