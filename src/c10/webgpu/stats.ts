/**
 * @file The allocator's statistics.
 * @mirrors c10/core/CachingDeviceAllocator.h#DeviceStats
 */
import { Stat } from "../core/CPUHeap.ts";

/** One count: the total, and one per pool. */
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

/** All counts, under CUDA's names, and counts of paging. */
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
  /** Always 0: blocks of any size are split. */
  readonly oversize_allocations = new Stat();
  readonly oversize_segments = new Stat();
  num_alloc_retries = 0;
  num_ooms = 0;
  num_sync_all_streams = 0;
  num_device_alloc = 0;
  num_device_free = 0;
  max_split_size = -1;
  /** Bytes that paging keeps on the host. They count until garbage collection finds that no tensor needs them. */
  readonly host_bytes = new Stat();
  /** Segments copied to the host, and tensors copied back. */
  num_page_outs = 0;
  num_page_ins = 0;
  /** Number of sweeps for dead allocations. */
  num_sweeps = 0;

  resetPeakStats(): void {
    for (const name of ARRAYS) {
      const { all, large_pool, small_pool } = this[name];
      for (const stat of [all, large_pool, small_pool]) stat.peak = stat.current;
    }
    this.host_bytes.peak = this.host_bytes.current;
  }

  resetAccumulatedStats(): void {
    for (const name of ARRAYS) {
      const { all, large_pool, small_pool } = this[name];
      for (const stat of [all, large_pool, small_pool]) stat.allocated = stat.freed = 0;
    }
    this.host_bytes.allocated = this.host_bytes.freed = 0;
    this.num_alloc_retries = this.num_ooms = this.num_sync_all_streams = 0;
    this.num_device_alloc = this.num_device_free = 0;
    this.num_page_outs = this.num_page_ins = this.num_sweeps = 0;
  }
}

/** `torch.cuda.memory_stats`: all counts by their dotted names, in order. */
export function memory_stats(stats: AllocatorStats): Record<string, number> {
  const named: [string, number][] = [];
  const add = (name: string, value: object | number): void => {
    if (typeof value === "number") named.push([name, value]);
    else for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner);
  };
  for (const [key, value] of Object.entries(stats)) add(key, value as object | number);
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}
