/**
 * @file The allocator of device memory for storages, behind the library's `Allocator` interface.
 * @mirrors c10/cuda/CUDACachingAllocator.h
 * @see WebGPUCachingAllocator.ts (where it comes from)
 */
import { type DataPtr, REGISTER_ALLOCATOR } from "#c10/core/Allocator";
import { DeviceAllocator, type DeviceStats } from "#c10/core/CachingDeviceAllocator";
import { DeviceType } from "#c10/core/DeviceType";
import type { Stream } from "#c10/core/Stream";
import { memory_of } from "./memory.ts";
import { get_device, is_initialized } from "./WebGPUFunctions.ts";

class WebGPUDeviceAllocator extends DeviceAllocator {
  override allocate(nbytes: number): DataPtr {
    return get_device().allocate(nbytes);
  }

  override copy_data(dest: DataPtr, src: DataPtr, count: number): void {
    if (count > 0) get_device().copy_on_device(memory_of(dest), 0, memory_of(src), 0, count);
  }

  override initialized(): boolean {
    return is_initialized();
  }

  override emptyCache(): void {
    get_device().allocator.emptyCache();
  }

  /** Nothing to do: one stream uses all memory. */
  override recordStream(_ptr: DataPtr, _stream: Stream): void {}

  override getDeviceStats(_device: number): DeviceStats {
    return get_device().allocator.stats;
  }

  override resetAccumulatedStats(_device: number): void {
    get_device().allocator.stats.resetAccumulatedStats();
  }

  override resetPeakStats(_device: number): void {
    get_device().allocator.stats.resetPeakStats();
  }

  override getMemoryInfo(_device: number): [free: number, total: number] {
    const { allocator, properties } = get_device();
    return [properties.total_memory - allocator.stats.reserved_bytes.all.current, properties.total_memory];
  }
}

export const allocator = new WebGPUDeviceAllocator();

REGISTER_ALLOCATOR(DeviceType.PrivateUse1, allocator);
