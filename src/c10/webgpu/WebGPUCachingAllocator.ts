/**
 * @file The allocator of device memory: it requests segments (buffers) from the device, cuts blocks from them, and
 * keeps freed blocks.
 * @mirrors c10/cuda/CUDACachingAllocator.h
 * @differs That a block is dead is learnt late or never, so `memory_allocated()` counts it until then, and at the limit
 * segments are paged out to the host; PyTorch frees a block when its last tensor ends.
 * @see Note [Finding a block]; memory.ts, Note [Epochs]; BlockPool.ts, deaths.ts
 */
import { OutOfMemoryError, TORCH_WARN_ONCE } from "#c10/util/Exception";
import { traceInstant, tracer } from "#c10/util/Trace";
import type { Generation, Reclaimer } from "../core/CPUHeapReclaim.ts";
import { BlockPool } from "./BlockPool.ts";
import { Tenancies, type Tenancy } from "./deaths.ts";
import { Block, Epoch, type HostRun, Memory, Segment } from "./memory.ts";
import { AllocatorStats } from "./stats.ts";

const KB = 1024;
const MB = 1024 * KB;

// Note [Finding a block]
// ~~~~~~~~~~~~~~~~~~~~~~
// A request is rounded up to 512 bytes. It is small up to 1 MB, else large; each kind has a pool of free blocks. These
// steps are tried in order until one gives a block:
//
//   step             condition                                                     action
//   pool             a free block is large enough                                  take the smallest; split off what is left over
//   sweep            64 MB or 4096 blocks handed out since the last sweep, and     collect young garbage, free the dead blocks,
//                    a sweep takes at most 10 % of the time since then             look in the pool again
//   new segment      the limit is not reached, and the device has room             request 2 MB (small), 20 MB (below 10 MB), or
//                                                                                  the size rounded up to 2 MB
//   sweep at limit   a sweep takes at most 10 % of the time since the last one,    collect young garbage, then all; look in the
//                    or less than paging out half of what was handed out since     pool after each
//   release          some segment has no used block                                return it to the device; try a new segment
//   page out         the thread may wait, and a segment is not pinned              copy the least recently used segment to the
//                                                                                  host; all of it is free then
//   none                                                                           throw OutOfMemoryError

/** Sizes of CUDA's allocator, in bytes. */
const kMinBlockSize = 512;
/** Largest request of the small pool. */
const kSmallSize = MB;
const kSmallBuffer = 2 * MB;
const kLargeBuffer = 20 * MB;
/** From this size on a request gets a segment of its own. */
const kMinLargeAlloc = 10 * MB;
const kRoundLarge = 2 * MB;

/** Limits of bytes and of blocks handed out; when one is reached, the next request that no free block fits may sweep. */
const SWEEP_AFTER = 64 * MB;
const SWEEP_AFTER_BLOCKS = 4096;
/** A sweep may take at most this share of the time since the last one. */
const SWEEP_SHARE = 0.1;
/** Cost of paging, as measured on SwiftShader. */
const PAGING_MS_PER_MB = 1;

/** The part of the device that the allocator uses. */
export interface SegmentSource {
  /** Largest possible segment, in bytes. */
  readonly max_segment_nbytes: number;
  /** Null if the thread may wait for bytes; otherwise a sentence that says why it may not. */
  readonly cannot_wait: string | null;
  /** Makes a segment; false if the device has no room. */
  make_segment(id: number, nbytes: number): boolean;
  release_segment(id: number): void;
  /** Copies ranges of a segment to the host, after all commands sent before. */
  copy_out(id: number, runs: readonly HostRun[]): void;
  copy_in(id: number, begin: number, bytes: Uint8Array): void;
}

export interface AllocatorOptions {
  /** Reports which allocations are dead. */
  readonly reclaimer: Reclaimer<Tenancy>;
  /** Number of bytes that may be reserved. */
  readonly total_memory: number;
  /** Current time in milliseconds. */
  readonly now?: () => number;
}

export class WebGPUCachingAllocator {
  readonly stats = new AllocatorStats();
  private readonly collected_epochs_ = new FinalizationRegistry<number>((nbytes) =>
    this.stats.host_bytes.decrease(nbytes),
  );
  /** A logical clock; it advances with each use of memory. */
  private clock_ = 1;
  /** Segments used since this time may not be paged out: they belong to a launch under construction. */
  private pinned_since_ = Number.POSITIVE_INFINITY;
  private readonly source_: SegmentSource;
  private readonly reclaimer_: Reclaimer<Tenancy>;
  private readonly tenancies_: Tenancies;
  private readonly now_: () => number;
  private readonly small_blocks_ = new BlockPool(true);
  private readonly large_blocks_ = new BlockPool(false);
  /** Segments by number; number 0 is reserved for the device's own. */
  private readonly segments_: (Segment | null)[] = [null];
  private readonly total_memory_: number;
  private allowed_: number;
  /** Bytes handed out since the last sweep of each kind, and blocks since any sweep. */
  private readonly handed_out_ = { young: 0, all: 0, blocks: 0 };
  private swept_at_: number;
  /** Duration of the last sweep of each kind, in milliseconds. */
  private readonly took_ = { young: 0, all: 0 };

  constructor(source: SegmentSource, { reclaimer, total_memory, now = () => performance.now() }: AllocatorOptions) {
    this.source_ = source;
    this.reclaimer_ = reclaimer;
    this.tenancies_ = new Tenancies(reclaimer);
    this.total_memory_ = total_memory;
    this.allowed_ = total_memory;
    this.now_ = now;
    this.swept_at_ = now();
  }

  /** Allocates uninitialized memory. Precondition: nbytes > 0. */
  malloc(nbytes: number): Memory {
    const block = this.take(nbytes);
    const memory = new Memory(nbytes, block);
    this.tenancies_.enter(memory, block);
    if (tracer !== null) this.told("malloc", block);
    return memory;
  }

  /** Frees memory now. Precondition: nobody will use it. */
  free(memory: Memory): void {
    const { segment } = memory.epoch;
    let block: Block | null = segment?.first ?? null;
    while (block !== null && block.begin !== memory.begin) block = block.next;
    if (block?.allocated) this.free_block(block);
    memory.epoch = new Epoch(null); // any later use will fail instead of reading other data
  }

  /** From now on, segments that are used stay on the device, until `unpin`. */
  pin(): void {
    this.pinned_since_ = ++this.clock_;
  }

  unpin(): void {
    this.pinned_since_ = Number.POSITIVE_INFINITY;
  }

  /** Marks the memory as used now and returns its segment; pages it in if necessary. */
  use(memory: Memory): Segment {
    const segment = memory.epoch.segment ?? this.page_in(memory);
    segment.used_at = ++this.clock_;
    return segment;
  }

  /** Marks the memory as used if it is on the device; null if it is on the host, where the caller then works on it. */
  use_where_it_is(memory: Memory): Segment | null {
    return memory.epoch.segment === null ? null : this.use(memory);
  }

  emptyCache(): void {
    if (this.reclaimer_.on_demand) this.sweep("all");
    this.release_idle_segments();
  }

  /** Sets the share of all memory that may be reserved. At that limit memory is paged out or requests are refused. */
  setMemoryFraction(fraction: number): void {
    this.allowed_ = Math.floor(fraction * this.total_memory_);
  }

  getMemoryFraction(): number {
    return this.allowed_ / this.total_memory_;
  }

  getMemoryInfo(): [free: number, total: number] {
    return [Math.max(0, this.allowed_ - this.reserved()), this.total_memory_];
  }

  /** Forgets all memory: after a reset of the device its contents are lost. */
  forget_all(): void {
    for (const segment of this.all_segments()) {
      this.begin_anew(segment);
      this.release_segment(segment);
    }
    this.tenancies_.close();
  }

  /** Forgets all memory of a device that has ended: nothing is sent to it. */
  abandon_all(): void {
    for (const segment of this.all_segments()) this.begin_anew(segment);
    this.tenancies_.close();
  }

  /** Frees blocks of a dead tenancy; the reclaimer calls it between two jobs. */
  readonly died = (tenancy: Tenancy): void => {
    for (const block of tenancy.blocks) if (block.tenancy === tenancy) this.free_block(block);
  };

  all_segments(): Segment[] {
    return this.segments_.filter((segment) => segment !== null);
  }

  /** Throws unless every segment consists of its blocks, no two free blocks touch, and all counts are right. */
  checkInvariants(): void {
    const free = { small: 0, large: 0, blocks: 0 };
    let [reserved, allocated] = [0, 0];
    for (const segment of this.all_segments()) {
      reserved += segment.nbytes;
      let end = 0;
      for (let block: Block | null = segment.first; block !== null; block = block.next) {
        if (block.begin !== end || block.segment !== segment)
          throw new Error(`a block begins at ${block.begin}, not ${end}`);
        if (block.begin % kMinBlockSize !== 0) throw new Error(`a block begins at ${block.begin}`);
        if (!block.allocated && block.prev?.allocated === false) throw new Error("two free blocks touch");
        if (block.next !== null && block.next.prev !== block) throw new Error("blocks do not know each other");
        end += block.nbytes;
        if (block.allocated) allocated += block.nbytes;
        else {
          free[segment.is_small ? "small" : "large"] += block.nbytes;
          free.blocks++;
        }
      }
      if (end !== segment.nbytes) throw new Error(`blocks of ${end} bytes in a segment of ${segment.nbytes}`);
    }
    const pooled = (pool: BlockPool): number => pool.blocks().reduce((sum, block) => sum + block.nbytes, 0);
    const blocks = this.small_blocks_.blocks().length + this.large_blocks_.blocks().length;
    if (
      pooled(this.small_blocks_) !== free.small ||
      pooled(this.large_blocks_) !== free.large ||
      blocks !== free.blocks
    )
      throw new Error("the pools do not hold the free blocks");
    const { reserved_bytes, allocated_bytes, inactive_split_bytes } = this.stats;
    const split = this.all_segments().reduce((sum, s) => sum + (s.is_idle() ? 0 : free_bytes(s)), 0);
    if (reserved_bytes.all.current !== reserved) throw new Error("reserved_bytes is wrong");
    if (allocated_bytes.all.current !== allocated) throw new Error("allocated_bytes is wrong");
    if (inactive_split_bytes.all.current !== split) throw new Error("inactive_split_bytes is wrong");
  }

  private reserved(): number {
    return this.stats.reserved_bytes.all.current;
  }

  /** Finds a block for `requested` bytes by any means; see Note [Finding a block]. */
  private take(requested: number): Block {
    const size = round_size(requested);
    const pool = size <= kSmallSize ? this.small_blocks_ : this.large_blocks_;
    const block =
      pool.find(size) ?? this.after_sweep(pool, size) ?? this.new_segment(pool, size) ?? this.make_room(pool, size);
    if (block === null) this.out_of_memory(requested, size);
    return this.alloc_found_block(pool, block, size, requested);
  }

  private alloc_found_block(pool: BlockPool, block: Block, size: number, requested: number): Block {
    const { stats } = this;
    const small = pool.is_small;
    if (block.is_split()) this.count_split(block, -1);
    pool.erase(block);
    const remaining = block.nbytes - size;
    if (should_split(pool, remaining)) {
      const rest = new Block(block.segment, block.begin + size, remaining);
      rest.prev = block;
      rest.next = block.next;
      if (block.next !== null) block.next.prev = rest;
      block.next = rest;
      block.nbytes = size;
      pool.insert(rest);
      this.count_split(rest, 1);
    }
    block.allocated = true;
    block.requested = requested;
    block.segment.used_at = ++this.clock_;
    this.handed_out_.blocks++;
    this.handed_out_.young += block.nbytes;
    this.handed_out_.all += block.nbytes;
    stats.allocation.increase(1, small);
    stats.allocated_bytes.increase(block.nbytes, small);
    stats.active.increase(1, small);
    stats.active_bytes.increase(block.nbytes, small);
    stats.requested_bytes.increase(requested, small);
    return block;
  }

  private free_block(block: Block): void {
    const { stats } = this;
    const small = block.segment.is_small;
    const pool = small ? this.small_blocks_ : this.large_blocks_;
    if (tracer !== null) this.told("free", block);
    stats.allocation.decrease(1, small);
    stats.allocated_bytes.decrease(block.nbytes, small);
    stats.active.decrease(1, small);
    stats.active_bytes.decrease(block.nbytes, small);
    stats.requested_bytes.decrease(block.requested, small);
    block.allocated = false;
    this.tenancies_.leave(block);
    const { prev, next } = block;
    let merged = block;
    if (prev !== null && !prev.allocated) merged = this.merge(pool, prev, block);
    if (next !== null && !next.allocated) {
      this.count_split(next, -1);
      pool.erase(next);
      join(merged, next);
    }
    pool.insert(merged);
    if (merged.is_split()) this.count_split(merged, 1);
  }

  /** Joins `block` to `prev`. `prev` leaves the pool because its size changes. */
  private merge(pool: BlockPool, prev: Block, block: Block): Block {
    this.count_split(prev, -1);
    pool.erase(prev);
    join(prev, block);
    return prev;
  }

  private count_split(block: Block, by: 1 | -1): void {
    const { inactive_split, inactive_split_bytes } = this.stats;
    const small = block.segment.is_small;
    if (by === 1) {
      inactive_split.increase(1, small);
      inactive_split_bytes.increase(block.nbytes, small);
    } else {
      inactive_split.decrease(1, small);
      inactive_split_bytes.decrease(block.nbytes, small);
    }
  }

  /** A block of a new segment; null if the limit or the device forbids it. */
  private new_segment(pool: BlockPool, size: number): Block | null {
    const nbytes = get_allocation_size(size);
    if (nbytes > this.source_.max_segment_nbytes || this.reserved() + nbytes > this.allowed_) return null;
    let id = this.segments_.indexOf(null, 1);
    if (id < 0) id = this.segments_.length;
    this.stats.num_device_alloc++;
    if (!this.source_.make_segment(id, nbytes)) return null;
    const segment = new Segment(id, nbytes, pool.is_small);
    this.segments_[id] = segment;
    pool.insert(segment.first);
    this.stats.segment.increase(1, pool.is_small);
    this.stats.reserved_bytes.increase(nbytes, pool.is_small);
    if (tracer !== null) this.told("segment_alloc", segment.first);
    return segment.first;
  }

  private release_segment(segment: Segment): void {
    const { is_small, nbytes, id } = segment;
    if (tracer !== null) this.told("segment_free", segment.first);
    (is_small ? this.small_blocks_ : this.large_blocks_).erase(segment.first);
    this.segments_[id] = null;
    this.source_.release_segment(id);
    this.stats.num_device_free++;
    this.stats.segment.decrease(1, is_small);
    this.stats.reserved_bytes.decrease(nbytes, is_small);
  }

  /** Releases segments without used blocks; returns whether there was one. */
  private release_idle_segments(): boolean {
    const idle = this.all_segments().filter((segment) => segment.is_idle());
    for (const segment of idle) this.release_segment(segment);
    return idle.length > 0;
  }

  /** Frees memory at the limit, by the cheapest means first. */
  private make_room(pool: BlockPool, size: number): Block | null {
    if (get_allocation_size(size) > Math.min(this.source_.max_segment_nbytes, this.allowed_)) return null;
    this.stats.num_alloc_retries++;
    for (const which of ["young", "all"] as const) {
      if (!this.may_sweep(which) && !this.is_cheaper_than_paging(which)) continue;
      this.sweep(which);
      const block = pool.find(size);
      if (block !== null) return block;
    }
    for (;;) {
      const block = pool.find(size) ?? this.new_segment(pool, size);
      if (block !== null) return block;
      if (this.release_idle_segments()) continue;
      if (!this.page_out_one()) return null;
    }
  }

  private may_sweep(which: Generation): boolean {
    return this.reclaimer_.on_demand && this.took_[which] <= SWEEP_SHARE * (this.now_() - this.swept_at_);
  }

  /** Whether a sweep is cheaper than paging, if half of the memory handed out since the last sweep is dead. */
  private is_cheaper_than_paging(which: Generation): boolean {
    return this.reclaimer_.on_demand && this.took_[which] <= (this.handed_out_[which] / MB) * (PAGING_MS_PER_MB / 2);
  }

  /** Sweeps, if that is due, before more memory is requested from the device. */
  private after_sweep(pool: BlockPool, size: number): Block | null {
    if (this.handed_out_.young < SWEEP_AFTER && this.handed_out_.blocks < SWEEP_AFTER_BLOCKS) return null;
    if (!this.may_sweep("young")) return null;
    this.sweep("young");
    return pool.find(size);
  }

  private sweep(which: Generation): void {
    this.reclaimer_.prepare();
    this.tenancies_.close();
    const begin = this.now_();
    for (const tenancy of this.reclaimer_.collect(which) ?? []) this.died(tenancy);
    this.swept_at_ = this.now_();
    this.took_[which] = this.swept_at_ - begin;
    this.handed_out_.young = this.handed_out_.blocks = 0;
    if (which === "all") this.handed_out_.all = 0;
    this.stats.num_sweeps++;
  }

  /** Pages out the segment that was not used for the longest time. False if there is none, or the thread may not wait. */
  private page_out_one(): boolean {
    if (this.source_.cannot_wait !== null) return false;
    let oldest: Segment | null = null;
    for (const segment of this.segments_) {
      if (segment === null || segment.used_at >= this.pinned_since_) continue;
      if (oldest === null || segment.used_at < oldest.used_at) oldest = segment;
    }
    if (oldest === null) return false;
    this.page_out(oldest);
    return true;
  }

  private page_out(segment: Segment): void {
    TORCH_WARN_ONCE(
      `The tensors need more than the ${format_size(this.allowed_)} of memory that the WebGPU device may use. `,
      "Tensors that were not used lately are copied to the host now, and copied back when they are used: results stay right, but the program becomes slow. ",
      "`host_bytes` in torch.webgpu.memory_stats() counts the bytes on the host.",
    );
    const host = used_runs(segment);
    if (tracer !== null) this.told("page_out", segment.first);
    this.source_.copy_out(segment.id, host);
    segment.epoch.host = host;
    this.count_host_bytes(segment.epoch);
    this.begin_anew(segment);
    this.stats.num_page_outs++;
  }

  /** Counts the bytes of a paged-out epoch until the epoch is collected. */
  private count_host_bytes(epoch: Epoch): void {
    const nbytes = epoch.host.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.stats.host_bytes.increase(nbytes);
    this.collected_epochs_.register(epoch, nbytes);
  }

  /** Begins the next epoch of a segment, in which all of it is free. */
  private begin_anew(segment: Segment): void {
    segment.epoch.segment = null;
    segment.epoch = new Epoch(segment);
    for (let block: Block | null = segment.first; block !== null; block = block.next)
      if (block.allocated) this.free_block(block);
  }

  private page_in(memory: Memory): Segment {
    const bytes = memory.epoch.bytes(memory.begin, Math.ceil(memory.nbytes / 4) * 4);
    const block = this.take(memory.nbytes);
    if (tracer !== null) this.told("page_in", block);
    this.source_.copy_in(block.segment.id, block.begin, bytes);
    memory.epoch = block.segment.epoch;
    memory.begin = block.begin;
    this.tenancies_.enter(memory, block);
    this.stats.num_page_ins++;
    return block.segment;
  }

  private told(what: string, block: Block): void {
    traceInstant("memory", `c10::webgpu::WebGPUCachingAllocator::${what}`, {
      device: "webgpu:0",
      segment: block.segment.id,
      segment_nbytes: block.segment.nbytes,
      begin: block.begin,
      nbytes: block.nbytes,
      requested: block.requested,
      split: block.is_split(),
      allocated_bytes: this.stats.allocated_bytes.all.current,
      reserved_bytes: this.reserved(),
    });
  }

  private out_of_memory(requested: number, size: number): never {
    this.stats.num_ooms++;
    const reserved = this.reserved();
    const allocated = this.stats.allocated_bytes.all.current;
    const most = this.source_.max_segment_nbytes;
    const why = [
      `WebGPU out of memory. Tried to allocate ${format_size(requested)}.`,
      `GPU 0 has a total capacity of ${format_size(this.total_memory_)}, of which ${format_size(this.allowed_)} are allowed and ${format_size(Math.max(0, this.allowed_ - reserved))} are free.`,
      `Of the allocated memory ${format_size(allocated)} is allocated by PyTorch, and ${format_size(reserved - allocated)} is reserved by PyTorch but unallocated.`,
    ];
    if (size > most) why.push(`No buffer of this device is larger than ${format_size(most)}.`);
    else if (this.source_.cannot_wait !== null)
      why.push(`Nothing could be paged out to the host: ${this.source_.cannot_wait}`);
    throw new OutOfMemoryError(why.join(" "));
  }
}

function round_size(nbytes: number): number {
  return Math.max(kMinBlockSize, Math.ceil(nbytes / kMinBlockSize) * kMinBlockSize);
}

/** Size of the segment that is requested from the device for a block of `size` bytes. */
function get_allocation_size(size: number): number {
  if (size <= kSmallSize) return kSmallBuffer;
  return size < kMinLargeAlloc ? kLargeBuffer : Math.ceil(size / kRoundLarge) * kRoundLarge;
}

function should_split(pool: BlockPool, remaining: number): boolean {
  return pool.is_small ? remaining >= kMinBlockSize : remaining > kSmallSize;
}

/** Makes `next` a part of `block`. */
function join(block: Block, next: Block): void {
  block.nbytes += next.nbytes;
  block.next = next.next;
  if (next.next !== null) next.next.prev = block;
}

function free_bytes(segment: Segment): number {
  let sum = 0;
  for (let block: Block | null = segment.first; block !== null; block = block.next)
    if (!block.allocated) sum += block.nbytes;
  return sum;
}

/** The ranges of the segment's used blocks, adjacent ones joined, with room for their bytes. */
function used_runs(segment: Segment): HostRun[] {
  const runs: { begin: number; end: number }[] = [];
  for (let block: Block | null = segment.first; block !== null; block = block.next) {
    if (!block.allocated) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.end === block.begin) last.end += block.nbytes;
    else runs.push({ begin: block.begin, end: block.begin + block.nbytes });
  }
  return runs.map(({ begin, end }) => ({ begin, bytes: new Uint8Array(end - begin) }));
}

/** A size in the format of CUDA's messages. */
export function format_size(nbytes: number): string {
  if (nbytes <= KB) return `${nbytes} bytes`;
  if (nbytes <= MB) return `${(nbytes / KB).toFixed(2)} KiB`;
  return nbytes <= 1024 * MB ? `${(nbytes / MB).toFixed(2)} MiB` : `${(nbytes / (1024 * MB)).toFixed(2)} GiB`;
}
