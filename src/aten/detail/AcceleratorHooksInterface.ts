/**
 * @file What an accelerator does for the rest of ATen, which was built without it: is it there, its current device, its random
 * numbers, its host memory.
 * @mirrors aten/src/ATen/detail/AcceleratorHooksInterface.h
 */
import type { Generator } from "#aten/core/Generator";
import type { Allocator } from "#c10/core/Allocator";
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";

export abstract class AcceleratorHooksInterface {
  /** Whether the library was built with it. */
  isBuilt(): boolean {
    return false;
  }

  /** Whether a device can be used now. */
  isAvailable(): boolean {
    return false;
  }

  /** Whether the device has been used: asking costs nothing, using it may. */
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

  /** Sets, and returns what was set. */
  exchangeDevice(_device: number): number {
    TORCH_CHECK(false, "Backend doesn't support exchangeDevice()");
  }

  /** The same, but a device that was never used is not woken for it. */
  maybeExchangeDevice(_device: number): number {
    TORCH_CHECK(false, "Backend doesn't support maybeExchangeDevice()");
  }

  /** Whether host memory at this address is pinned: the device copies from and to it by itself. */
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
