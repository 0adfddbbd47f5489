/**
 * @file Memory of the fake device: where a storage's bytes come from.
 * @original PyTorch's openreg: csrc/runtime/OpenRegDeviceAllocator.h
 */
import { type DataPtr, DeviceDataPtr, REGISTER_ALLOCATOR } from "#c10/core/Allocator";
import { DeviceAllocator, type DeviceStats, type Stat, type StatArray } from "#c10/core/CachingDeviceAllocator";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import type { Stream } from "#c10/core/Stream";
import * as driver from "./driver.ts";
import { journal } from "./journal.ts";
import { get_device, stream_of } from "./OpenRegGuard.ts";

/** The memory behind a pointer of this device. */
export function memory_of(data_ptr: DataPtr): driver.Memory {
  return data_ptr.get_context() as driver.Memory;
}

const stat = (): Stat => ({ current: 0, peak: 0, allocated: 0, freed: 0 });
const stats = (): StatArray => ({ all: stat(), small_pool: stat(), large_pool: stat() });

function new_stats(): DeviceStats {
  return {
    allocation: stats(),
    segment: stats(),
    active: stats(),
    inactive_split: stats(),
    allocated_bytes: stats(),
    reserved_bytes: stats(),
    active_bytes: stats(),
    inactive_split_bytes: stats(),
    requested_bytes: stats(),
    oversize_allocations: stat(),
    oversize_segments: stat(),
    num_alloc_retries: 0,
    num_ooms: 0,
    num_sync_all_streams: 0,
    num_device_alloc: 0,
    num_device_free: 0,
    max_split_size: 0,
  };
}

function increase({ all }: StatArray, amount: number): void {
  all.current += amount;
  all.allocated += amount;
  all.peak = Math.max(all.peak, all.current);
}

function decrease({ all }: StatArray, amount: number): void {
  all.current -= amount;
  all.freed += amount;
}

class OpenRegDeviceAllocator extends DeviceAllocator {
  private readonly stats_ = Array.from({ length: driver.DEVICE_COUNT }, new_stats);
  /** The collector tells of memory that no pointer has any more. */
  private readonly freed_ = new FinalizationRegistry<{ device: number; nbytes: number }>(({ device, nbytes }) => {
    decrease(this.stats_[device].allocated_bytes, nbytes);
    decrease(this.stats_[device].reserved_bytes, nbytes);
    decrease(this.stats_[device].allocation, 1);
    this.stats_[device].num_device_free++;
  });

  override allocate(nbytes: number): DataPtr {
    const index = get_device();
    const device = new Device(DeviceType.PrivateUse1, index);
    if (nbytes === 0) return new DeviceDataPtr(0, null, device);
    const memory = driver.malloc(index, nbytes);
    increase(this.stats_[index].allocated_bytes, nbytes);
    increase(this.stats_[index].reserved_bytes, nbytes);
    increase(this.stats_[index].allocation, 1);
    this.stats_[index].num_device_alloc++;
    this.freed_.register(memory, { device: index, nbytes });
    return new DeviceDataPtr(memory.address, memory, device);
  }

  override copy_data(dest: DataPtr, src: DataPtr, count: number): void {
    const to = memory_of(dest);
    const from = memory_of(src);
    driver.launch(to.device, stream_of(to.device), () =>
      new Uint8Array(to.on_device()).set(new Uint8Array(from.on_device(), 0, count)),
    );
  }

  override initialized(): boolean {
    return true;
  }

  override emptyCache(): void {} // keeps nothing

  override recordStream(_ptr: DataPtr, stream: Stream): void {
    journal.push(`recordStream ${stream.device_index()}:${stream.id()}`);
  }

  override getDeviceStats(device: number): DeviceStats {
    return this.stats_[device];
  }

  override resetAccumulatedStats(device: number): void {
    for (const { all } of [this.stats_[device].allocated_bytes, this.stats_[device].reserved_bytes])
      all.allocated = all.freed = 0;
  }

  override resetPeakStats(device: number): void {
    for (const { all } of [this.stats_[device].allocated_bytes, this.stats_[device].reserved_bytes])
      all.peak = all.current;
  }

  override getMemoryInfo(device: number): [free: number, total: number] {
    return [driver.DEVICE_BYTES - this.stats_[device].allocated_bytes.all.current, driver.DEVICE_BYTES];
  }
}

export const allocator = new OpenRegDeviceAllocator();

REGISTER_ALLOCATOR(DeviceType.PrivateUse1, allocator);
