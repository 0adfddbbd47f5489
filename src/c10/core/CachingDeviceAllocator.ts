/**
 * @file What an allocator of a device's memory can say and do beside handing it out. An allocator that keeps what was freed counts in
 * these words.
 * @mirrors c10/core/CachingDeviceAllocator.h
 * @differs Private pools, snapshots and histories are not built.
 */
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { Allocator, type DataPtr, GetAllocator } from "./Allocator.ts";
import { DeviceType, toString as deviceTypeToString } from "./DeviceType.ts";
import type { Stream } from "./Stream.ts";

/** Now, at most, and the sums of all that came and went. */
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
  /** Pieces of memory asked of the device itself. */
  readonly segment: StatArray;
  /** Blocks in use, by client code or by a stream. */
  readonly active: StatArray;
  /** Free blocks beside others in use: the device cannot have them back. */
  readonly inactive_split: StatArray;
  readonly allocated_bytes: StatArray;
  readonly reserved_bytes: StatArray;
  readonly active_bytes: StatArray;
  readonly inactive_split_bytes: StatArray;
  /** As asked, before rounding. */
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
  /** Whether it may be asked. */
  abstract initialized(): boolean;
  /** Gives the device back what nobody uses. */
  abstract emptyCache(): void;
  /** A stream uses the memory: not to be handed out again before that is done. */
  abstract recordStream(ptr: DataPtr, stream: Stream): void;
  abstract getDeviceStats(device: number): DeviceStats;
  abstract resetAccumulatedStats(device: number): void;
  abstract resetPeakStats(device: number): void;

  /** Bytes: free, and in all. */
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
