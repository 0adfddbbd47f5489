/**
 * @file The hooks of an accelerator for the rest of ATen, which is built without it: whether it exists, its current
 * device, its random generators, its host memory.
 * @mirrors aten/src/ATen/detail/AcceleratorHooksInterface.h
 */
import type { Generator } from "#aten/core/Generator";
import type { Allocator } from "#c10/core/Allocator";
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";

export abstract class AcceleratorHooksInterface {
  /** Whether the library was built with this accelerator. */
  isBuilt(): boolean {
    return false;
  }

  /** Whether a device can be used now. */
  isAvailable(): boolean {
    return false;
  }

  /** Whether the device has been used. Asking is cheap; the first use of a device may not be. */
  abstract hasPrimaryContext(device_index: number): boolean;

  init(): void {
    TORCH_CHECK(false, "Backend doesn`t support init()");
  }

  deviceCount(): number {
    return 0;
  }

  setCurrentDevice(_device: number): void {
    TORCH_CHECK(false, "Backend doesn't support setCurrentDevice()");
  }

  getCurrentDevice(): number {
    TORCH_CHECK(false, "Backend doesn't support getCurrentDevice()");
  }

  /** Makes a device current and returns the previous one. */
  exchangeDevice(_device: number): number {
    TORCH_CHECK(false, "Backend doesn't support exchangeDevice()");
  }

  /** Makes a device current like `exchangeDevice`, but does not initialize one that was never used. */
  maybeExchangeDevice(_device: number): number {
    TORCH_CHECK(false, "Backend doesn't support maybeExchangeDevice()");
  }

  /** Whether host memory at this address is pinned: the device can copy from and to it directly. */
  isPinnedPtr(_data: number): boolean {
    return false;
  }

  getPinnedMemoryAllocator(): Allocator {
    TORCH_CHECK(false, "Backend doesn't support getPinnedMemoryAllocator()");
  }

  getDeviceFromPtr(_data: number): Device {
    TORCH_CHECK(false, "Backend doesn't support getDeviceFromPtr()");
  }

  getDefaultGenerator(_device_index = -1): Generator {
    TORCH_CHECK(false, "Backend doesn`t support getDefaultGenerator()");
  }

  getNewGenerator(_device_index = -1): Generator {
    TORCH_CHECK(false, "Backend doesn`t support getNewGenerator()");
  }
}
