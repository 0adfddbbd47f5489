/**
 * @file The interface of a device's allocator beside handing out memory: statistics, releasing the cache, streams. An
 * allocator that keeps freed memory reports its counts under these names.
 * @mirrors c10/core/CachingDeviceAllocator.h
 * @differs There are no private pools, no snapshots and no histories; PyTorch has all three.
 */
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { Allocator, type DataPtr, GetAllocator } from "./Allocator.ts";
import { DeviceType, toString as deviceTypeToString } from "./DeviceType.ts";
import type { Stream } from "./Stream.ts";

/** One count: current value, peak, and the totals of increases and decreases. */
export interface Stat {
  current: number;
  peak: number;
  allocated: number;
  freed: number;
}

export interface StatArray {
  readonly all: Stat;
  readonly small_pool: Stat;
  readonly large_pool: Stat;
}

export interface DeviceStats {
  /** Blocks that client code asked for. */
  readonly allocation: StatArray;
  /** Pieces of memory requested from the device itself. */
  readonly segment: StatArray;
  /** Blocks in use, by client code or by a stream. */
  readonly active: StatArray;
  /** Free blocks in segments that are otherwise in use: they cannot be returned to the device. */
  readonly inactive_split: StatArray;
  readonly allocated_bytes: StatArray;
  readonly reserved_bytes: StatArray;
  readonly active_bytes: StatArray;
  readonly inactive_split_bytes: StatArray;
  /** Bytes as requested, before rounding. */
  readonly requested_bytes: StatArray;
  readonly oversize_allocations: Stat;
  readonly oversize_segments: Stat;
  num_alloc_retries: number;
  num_ooms: number;
  num_sync_all_streams: number;
  num_device_alloc: number;
  num_device_free: number;
  max_split_size: number;
}

export abstract class DeviceAllocator extends Allocator {
  /** Whether the allocator can be used yet. */
  abstract initialized(): boolean;
  /** Returns unused memory to the device. */
  abstract emptyCache(): void;
  /** Notes that a stream uses the memory: it must not be handed out again before the stream has finished with it. */
  abstract recordStream(ptr: DataPtr, stream: Stream): void;
  abstract getDeviceStats(device: number): DeviceStats;
  abstract resetAccumulatedStats(device: number): void;
  abstract resetPeakStats(device: number): void;

  /** Free and total memory in bytes. */
  getMemoryInfo(_device: number): [free: number, total: number] {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "getMemoryInfo is not implemented for this allocator yet.");
  }
}

export function getDeviceAllocator(t: DeviceType): DeviceAllocator {
  TORCH_CHECK(t !== DeviceType.CPU, "getDeviceAllocator is not supported for CPU device type.");
  const allocator = GetAllocator(t);
  TORCH_INTERNAL_ASSERT(
    allocator instanceof DeviceAllocator,
    "Allocator for ",
    deviceTypeToString(t),
    " is not a DeviceAllocator.",
  );
  return allocator;
}
