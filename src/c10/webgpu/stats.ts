/**
 * @file What the allocator counts.
 * @mirrors c10/core/CachingDeviceAllocator.h#DeviceStats
 */
import { Stat } from "../core/CPUHeap.ts";

/** One count: of all, and by pool. */
export class StatArray {
  readonly all = new Stat();
  readonly large_pool = new Stat();
  readonly small_pool = new Stat();

  increase(amount: number, is_small: boolean): void {
    this.all.increase(amount);
    (is_small ? this.small_pool : this.large_pool).increase(amount);
  }

  decrease(amount: number, is_small: boolean): void {
    this.all.decrease(amount);
    (is_small ? this.small_pool : this.large_pool).decrease(amount);
  }
}

const ARRAYS = [
  "allocation",
  "segment",
  "active",
  "inactive_split",
  "allocated_bytes",
  "reserved_bytes",
  "active_bytes",
  "inactive_split_bytes",
  "requested_bytes",
] as const;

/** With CUDA's names, and what paging did. */
export class AllocatorStats {
  readonly allocation = new StatArray();
  readonly segment = new StatArray();
  readonly active = new StatArray();
  readonly inactive_split = new StatArray();
  readonly allocated_bytes = new StatArray();
  readonly reserved_bytes = new StatArray();
  readonly active_bytes = new StatArray();
  readonly inactive_split_bytes = new StatArray();
  readonly requested_bytes = new StatArray();
  /** Never anything: blocks of any size are split. */
  readonly oversize_allocations = new Stat();
  readonly oversize_segments = new Stat();
  num_alloc_retries = 0;
  num_ooms = 0;
  num_sync_all_streams = 0;
  num_device_alloc = 0;
  num_device_free = 0;
  max_split_size = -1;
  /** Segments copied to the host, and tensors that came back. */
  num_page_outs = 0;
  num_page_ins = 0;
  /** Times that the engine was asked for what is dead. */
  num_sweeps = 0;

  resetPeakStats(): void {
    for (const name of ARRAYS) {
      const { all, large_pool, small_pool } = this[name];
      for (const stat of [all, large_pool, small_pool]) stat.peak = stat.current;
    }
  }

  resetAccumulatedStats(): void {
    for (const name of ARRAYS) {
      const { all, large_pool, small_pool } = this[name];
      for (const stat of [all, large_pool, small_pool]) stat.allocated = stat.freed = 0;
    }
    this.num_alloc_retries = this.num_ooms = this.num_sync_all_streams = 0;
    this.num_device_alloc = this.num_device_free = 0;
    this.num_page_outs = this.num_page_ins = this.num_sweeps = 0;
  }
}
