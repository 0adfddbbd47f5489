/**
 * @file The hooks by which the rest of the library uses the fake device.
 * @original PyTorch's openreg: csrc/runtime/OpenRegHooks.h
 */
import type { Generator } from "#aten/core/Generator";
import { PrivateUse1HooksInterface, RegisterPrivateUse1HooksInterface } from "#aten/detail/PrivateUse1HooksInterface";
import { resize_bytes_cpu } from "#aten/native/Resize";
import type { Allocator } from "#c10/core/Allocator";
import { DeviceGuard } from "#c10/core/DeviceGuard";
import type { Storage } from "#c10/core/Storage";
import * as driver from "./driver.ts";
import { get_default_generator, new_generator } from "./OpenRegGenerator.ts";
import { exchange_device, get_device, set_device } from "./OpenRegGuard.ts";
import { host_allocator } from "./OpenRegHostAllocator.ts";

class OpenRegHooksInterface extends PrivateUse1HooksInterface {
  override isBuilt(): boolean {
    return true;
  }

  override isAvailable(): boolean {
    return true;
  }

  override hasPrimaryContext(_device_index: number): boolean {
    return true;
  }

  override deviceCount(): number {
    return driver.DEVICE_COUNT;
  }

  override setCurrentDevice(device: number): void {
    set_device(device);
  }

  override getCurrentDevice(): number {
    return get_device();
  }

  override exchangeDevice(device: number): number {
    return exchange_device(device);
  }

  override maybeExchangeDevice(device: number): number {
    return device < 0 ? get_device() : exchange_device(device);
  }

  override isPinnedPtr(data: number): boolean {
    return host_allocator.is_pinned(data);
  }

  override getPinnedMemoryAllocator(): Allocator {
    return host_allocator;
  }

  override getDefaultGenerator(device_index: number): Generator {
    return get_default_generator(device_index === -1 ? get_device() : device_index);
  }

  override getNewGenerator(device_index = -1): Generator {
    return new_generator(device_index === -1 ? get_device() : device_index);
  }

  override resizePrivateUse1Bytes(storage: Storage, newsize: number): void {
    const guard = new DeviceGuard(storage.device()); // no wrapper of a kernel is around it
    try {
      resize_bytes_cpu(storage.unsafeGetStorageImpl(), newsize); // asks the storage's own allocator
    } finally {
      guard.restore();
    }
  }
}

RegisterPrivateUse1HooksInterface(new OpenRegHooksInterface());
