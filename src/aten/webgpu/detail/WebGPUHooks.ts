/**
 * @file The hooks of the WebGPU device for the rest of the library.
 * @mirrors aten/src/ATen/cuda/detail/CUDAHooks.cpp
 */
import type { Generator } from "#aten/core/Generator";
import { PrivateUse1HooksInterface, RegisterPrivateUse1HooksInterface } from "#aten/detail/PrivateUse1HooksInterface";
import { resize_bytes_cpu } from "#aten/native/Resize";
import { type Allocator, GetAllocator } from "#c10/core/Allocator";
import { DeviceType } from "#c10/core/DeviceType";
import type { Storage } from "#c10/core/Storage";
import { current_device, device_count, get_device, is_initialized, set_device } from "#c10/webgpu/WebGPUFunctions";
import { createWebGPUGenerator, getDefaultWebGPUGenerator } from "../WebGPUGeneratorImpl.ts";

class WebGPUHooks extends PrivateUse1HooksInterface {
  override init(): void {
    get_device();
  }

  override isBuilt(): boolean {
    return true;
  }

  override isAvailable(): boolean {
    return device_count() > 0;
  }

  override hasPrimaryContext(_device_index: number): boolean {
    return is_initialized();
  }

  override deviceCount(): number {
    return device_count();
  }

  override setCurrentDevice(device: number): void {
    set_device(device);
  }

  override getCurrentDevice(): number {
    return current_device();
  }

  override exchangeDevice(device: number): number {
    const previous = current_device();
    set_device(device);
    return previous;
  }

  override maybeExchangeDevice(device: number): number {
    return device < 0 ? current_device() : this.exchangeDevice(device);
  }

  override isPinnedPtr(_data: number): boolean {
    return false;
  }

  /** @differs No host memory is faster to copy from, so pinned memory is ordinary CPU memory; PyTorch's is page-locked. */
  override getPinnedMemoryAllocator(): Allocator {
    return GetAllocator(DeviceType.CPU);
  }

  override getDefaultGenerator(_device_index: number): Generator {
    return getDefaultWebGPUGenerator();
  }

  override getNewGenerator(_device_index = -1): Generator {
    return createWebGPUGenerator();
  }

  override resizePrivateUse1Bytes(storage: Storage, newsize: number): void {
    resize_bytes_cpu(storage.unsafeGetStorageImpl(), newsize); // uses the storage's own allocator
  }
}

RegisterPrivateUse1HooksInterface(new WebGPUHooks());
