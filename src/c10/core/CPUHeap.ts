/**
 * @file The heap: one WebAssembly memory that holds the storages of the CPU, so that a kernel reaches each of them by its address.
 * @original Its pattern is c10/cuda/CUDACachingAllocator.cpp: large segments, blocks cut from them, freed blocks kept for the next request.
 * @see CPUHeapPacing.ts (when garbage is collected), CPUHeapRanges.ts (the free memory), CPUHeapReclaim.ts (how the heap learns that a
 * block is dead), CPUAllocator.ts (the caller)
 */
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";
import { MemoryBlock } from "./Allocator.ts";
import { gAlignment } from "./alignment.ts";
import { type Fill, make_fill } from "./CPUHeapFill.ts";
import { Pacing, type Tenant } from "./CPUHeapPacing.ts";
import { FreeRanges, size_class } from "./CPUHeapRanges.ts";
import { type Generation, make_reclaimer, type Reclaimer, type Segment } from "./CPUHeapReclaim.ts";

// Note [The allocator in miniature]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   function allocate(nbytes: number): MemoryBlock | null {
//     const size = size_class(nbytes);                       // eight sizes per octave, so that a freed block fits the next request
//     if (bytes_since_last_sweep >= threshold) sweep();      // pacing_ decides: Note [When the heap sweeps]
//     const begin = free_ranges.take(size) ?? bump(size);    // freed memory first, then memory that was never used
//     if (begin === null) return null;                       // the heap is full: the caller makes an ArrayBuffer
//     const block = new MemoryBlock(whole_memory, begin, size);
//     segments.set(begin, { begin, size });
//     reclaimer.watch(block, segment);                       // holds the block only weakly
//     return block;
//   }
//   function sweep(): void {
//     for (const segment of reclaimer.collect()) {           // collects garbage; returns the segments whose blocks died
//       segments.delete(segment.begin);
//       free_ranges.give(segment.begin, segment.size);
//     }
//   }
// No reference is counted: a tensor that nobody holds is garbage, its block is garbage with it, and the heap learns of that from the
// garbage collector alone. A caller that knows a block to be dead gives it back at once with `free`.

// Note [The heap]
// ~~~~~~~~~~~~~~~
//   0      64                            top                 size - 64    size                2^31
//   | none | block | free | block | ...   | never used, zeroes |   guard    |  may grow to here |
//
// Addresses stay below 2^31, where they are small integers to V8 and signed integers to WebAssembly. Address 0 is the null pointer.
// Memory that is handed out a second time is not zeroed.
const MB = 2 ** 20;
const PAGE = 65536;
/** Readable bytes behind the last block: a kernel may read a whole vector at the end of an array. */
const GUARD = 64;
const INITIAL = 64 * MB;
/** Memory sizes to try, largest first. */
const MAXIMA = [2048 * MB, 512 * MB, 256 * MB];
/** Size of unshared memory. It is allocated at once, because growing would detach every view of it. */
const UNSHARED = 256 * MB;
/** In stress mode a sweep comes after this many allocations; one sweep in four is a full one. */
const STRESS_PERIOD = 4;

export interface HeapOptions {
  /** Bytes; the WebAssembly memory never grows beyond this. */
  readonly maximum?: number;
  readonly shared?: boolean;
  /** Sweeps every few allocations, and fills memory with 0xFF when it is freed and when it is handed out. */
  readonly stress?: boolean;
  /** Whether tensors may live in the heap; otherwise only kernels get blocks. */
  readonly tensors?: boolean;
  readonly reclaimer?: (died: (segment: Segment) => void) => Reclaimer;
  /** The clock, in milliseconds. */
  readonly now?: () => number;
}

/** One count with its history, as in `torch.cuda.memory_stats`. */
export class Stat {
  current = 0;
  peak = 0;
  allocated = 0;
  freed = 0;

  increase(amount: number): void {
    this.current += amount;
    this.allocated += amount;
    if (this.current > this.peak) this.peak = this.current;
  }

  decrease(amount: number): void {
    this.current -= amount;
    this.freed += amount;
  }
}

/** @mirrors c10/core/CachingDeviceAllocator.h#DeviceStats */
export class HeapStats {
  /** Blocks. */
  readonly allocation = new Stat();
  /** Bytes of these blocks. */
  readonly allocated_bytes = new Stat();
  /** Bytes handed out at least once: the memory that the process has touched. */
  readonly reserved_bytes = new Stat();
  /** Requests that found no free memory at first and made the heap look for garbage. */
  num_alloc_retries = 0;
  /** Number of sweeps, and their time together. */
  num_sweeps = 0;
  sweep_ms = 0;
  /** Requests that got an ArrayBuffer instead of a block, and their bytes. */
  num_fallbacks = 0;
  fallback_bytes = 0;
  /** Requests that got no memory at all. */
  num_ooms = 0;

  fall_back(nbytes: number): void {
    this.num_fallbacks++;
    this.fallback_bytes += nbytes;
  }

  reset_peak(): void {
    for (const stat of [this.allocation, this.allocated_bytes, this.reserved_bytes]) stat.peak = stat.current;
  }
}

export class CPUHeap {
  readonly memory: WebAssembly.Memory;
  readonly shared: boolean;
  readonly stats = new HeapStats();
  private readonly maximum_: number;
  private readonly stress_: boolean;
  private readonly tensors_: boolean;
  private readonly now_: () => number;
  private readonly free_ = new FreeRanges();
  private readonly pacing_: Pacing;
  /**
   * Live blocks by address, and dead ones that the heap has not learned of yet.
   * Invariant: no byte belongs to two segments, or to a segment and to a range of `free_`.
   */
  private readonly segments_ = new Map<number, Segment>();
  private reclaimer_: Reclaimer;
  private fill_: Fill | null = null;
  /** A block over the whole memory, whose typed arrays all blocks share. Each growth makes a new one: old arrays keep their length. */
  private whole_: MemoryBlock;
  /** The buffers of `memory`: each growth makes a new one. */
  private readonly buffers_ = new WeakSet<ArrayBufferLike>();
  /** End of the memory that was ever handed out. */
  private top_ = gAlignment;
  private until_stress_ = STRESS_PERIOD;
  /** Duration of the last sweep, for the trace. */
  private latest_ms_ = 0;

  constructor(memory: WebAssembly.Memory, maximum: number, options: HeapOptions = {}) {
    this.memory = memory;
    this.maximum_ = maximum;
    this.shared = options.shared ?? true;
    this.stress_ = options.stress ?? false;
    this.tensors_ = options.tensors ?? true;
    this.now_ = options.now ?? (() => performance.now());
    this.pacing_ = new Pacing(this.now_());
    this.whole_ = new MemoryBlock(memory.buffer);
    this.buffers_.add(memory.buffer);
    this.reclaimer_ = (options.reclaimer ?? make_reclaimer)(this.died);
  }

  // Allocation ---------------------------------------------------------------------------------------------------------

  /** A block of at least `nbytes` bytes with unspecified contents; null if the heap is full. Precondition: nbytes > 0. */
  allocate(nbytes: number, tenant: Tenant = "tensor"): MemoryBlock | null {
    const size = nbytes < this.maximum_ ? size_class(nbytes) : nbytes;
    if (size >= this.maximum_ || (!this.tensors_ && tenant !== "kernel")) return null;
    if (this.stress_ && --this.until_stress_ <= 0) this.sweep(this.stats.num_sweeps % 4 === 0 ? "all" : "young");
    if (this.pacing_.is_due() || this.pacing_.is_full_for(tenant)) {
      this.sweep_if_due();
      if (this.pacing_.is_full_for(tenant) && !this.look_for_dead(size)) return this.refuse(size);
    }
    const top = this.top_;
    let begin = this.place(size);
    if (begin < 0) {
      this.stats.num_alloc_retries++;
      if (this.sweep_if_due() || this.look_for_dead(size)) begin = this.place(size);
      if (begin < 0) return this.refuse(size);
    }
    return this.hand_out(begin, size, begin < top);
  }

  private refuse(size: number): null {
    this.pacing_.refused(size);
    return null;
  }

  /** Whether the buffer is this heap's memory; one from before the memory grew is, too. */
  owns(buffer: ArrayBufferLike): boolean {
    return this.buffers_.has(buffer);
  }

  /** Address of `size` free bytes, or -1. */
  private place(size: number): number {
    let begin = this.free_.take(size);
    if (begin < 0 && this.free_.wants_merge()) {
      this.free_.merge();
      begin = this.free_.take(size);
    }
    return begin < 0 ? this.bump(size) : begin;
  }

  /** Address of `size` bytes that were never used, or -1. */
  private bump(size: number): number {
    const begin = this.top_;
    const end = begin + size;
    if (end + GUARD > this.memory.buffer.byteLength && !this.grow(end + GUARD)) return -1;
    this.top_ = end;
    this.stats.reserved_bytes.increase(size);
    return begin;
  }

  /** Grows the memory to twice its size if possible, else to `nbytes`. Returns whether it has `nbytes` now. */
  private grow(nbytes: number): boolean {
    const size = this.memory.buffer.byteLength;
    if (!this.shared || nbytes > this.maximum_) return false;
    for (const wanted of [Math.min(this.maximum_, Math.max(2 * size, nbytes)), nbytes]) {
      try {
        this.memory.grow(Math.ceil((wanted - size) / PAGE));
        this.whole_ = new MemoryBlock(this.memory.buffer);
        this.buffers_.add(this.memory.buffer);
        return true;
      } catch {} // the system has less
    }
    return false;
  }

  private hand_out(begin: number, size: number, reused: boolean): MemoryBlock {
    const block = MemoryBlock.of_heap(this.whole_, begin, size, reused);
    const segment: Segment = { begin, nbytes: size };
    this.segments_.set(begin, segment);
    this.reclaimer_.watch(block, segment);
    this.pacing_.handed_out(size);
    this.stats.allocation.increase(1);
    this.stats.allocated_bytes.increase(size);
    if (this.stress_) this.poison(begin, size);
    return block;
  }

  // Freeing ------------------------------------------------------------------------------------------------------------

  /** Gives the block back at once. Precondition: nobody will use its bytes any more; its own views become empty. */
  free(block: MemoryBlock): void {
    const segment = this.segments_.get(block.begin);
    if (!block.in_heap || segment === undefined) return;
    block.leave_heap();
    this.reclaimer_.forget(segment);
    this.release(segment);
    this.pacing_.given_back(segment.nbytes);
  }

  /** Frees the segments of dead blocks. Returns the number of bytes. */
  private take_back(dead: readonly Segment[]): number {
    let freed = 0;
    for (const segment of dead) {
      if (!this.is_current(segment)) continue;
      freed += segment.nbytes;
      this.release(segment);
    }
    this.free_.merge();
    this.pacing_.given_back(freed);
    return freed;
  }

  /** The garbage collector reports the death of one block, where garbage cannot be collected on demand. */
  private readonly died = (segment: Segment): void => {
    if (!this.is_current(segment)) return;
    this.release(segment);
    this.pacing_.collected_by_engine();
  };

  /** False for a block that was freed by hand before it died: another block may be at its address now. */
  private is_current(segment: Segment): boolean {
    return this.segments_.get(segment.begin) === segment;
  }

  private release(segment: Segment): void {
    this.segments_.delete(segment.begin);
    if (this.stress_) this.poison(segment.begin, segment.nbytes);
    this.free_.give(segment.begin, segment.nbytes);
    this.stats.allocation.decrease(1);
    this.stats.allocated_bytes.decrease(segment.nbytes);
  }

  // Sweeping -----------------------------------------------------------------------------------------------------------

  /** Collects garbage and frees dead blocks. Returns the number of bytes; -1 where garbage cannot be collected on demand. */
  sweep(which: Generation = "all"): number {
    if (!this.reclaimer_.on_demand) return -1;
    if (tracer === null || this.stress_) return this.sweep_segments(which); // a sweep of the stress mode belongs to no call
    return traceCall("memory", "c10::CPUHeap::sweep", this.sweep_segments, [which], { which }, this.told);
  }

  private readonly sweep_segments = (which: Generation): number => {
    this.reclaimer_.prepare();
    const start = this.now_();
    const dead = this.reclaimer_.collect(which);
    if (dead === null) {
      if (which === "all") this.stop_collecting();
      return -1;
    }
    const freed = this.take_back(dead);
    this.until_stress_ = STRESS_PERIOD;
    const end = this.now_();
    this.latest_ms_ = end - start;
    this.pacing_.swept(which, this.latest_ms_, end);
    this.stats.num_sweeps++;
    this.stats.sweep_ms += this.latest_ms_;
    return freed;
  };

  private readonly told = (freed: number): TraceData => (freed < 0 ? {} : { freed, ms: this.latest_ms_ });

  /** Collecting on demand does not work in this runtime after all. Blocks handed out so far are never reclaimed. */
  private stop_collecting(): void {
    this.reclaimer_ = make_reclaimer(this.died, { FinalizationRegistry: globalThis.FinalizationRegistry });
  }

  /** Whether the next allocation would sweep. A thread that waits for others may then sweep meanwhile. */
  is_due(): boolean {
    return this.pacing_.is_due() && this.sweeps_by_itself() && this.pacing_.may_sweep_young(this.now_());
  }

  private sweeps_by_itself(): boolean {
    return !this.stress_ && this.reclaimer_.on_demand;
  }

  /** Sweeps as far as the pacing allows: the young, then everything. Returns whether it swept. */
  sweep_if_due(): boolean {
    if (!this.sweeps_by_itself()) return false;
    const start = this.now_();
    this.pacing_.round_begins(start);
    let swept = this.pacing_.may_sweep_young(start) && this.sweep("young") >= 0;
    if (this.pacing_.may_sweep_all(this.now_())) swept = this.sweep("all") >= 0 || swept;
    if (swept) this.pacing_.round_ends(this.now_() - start);
    return swept;
  }

  /** Frees blocks that died in the engine's own collections, without a collection. Returns whether that gave `size` bytes. */
  private look_for_dead(size: number): boolean {
    return this.pacing_.may_look() && this.take_back(this.reclaimer_.collected()) >= size;
  }

  // Contents and state -------------------------------------------------------------------------------------------------

  /** Writes `value` to `nbytes` bytes from address `begin` on. */
  fill(begin: number, value: number, nbytes: number): void {
    this.fill_ ??= make_fill(this.memory, this.shared);
    this.fill_(begin, value, nbytes);
  }

  private poison(begin: number, nbytes: number): void {
    this.fill(begin, 0xff, nbytes);
  }

  /** A copy of the counts. */
  dumpState(): Record<string, number> {
    return {
      top: this.top_,
      size: this.memory.buffer.byteLength,
      maximum: this.maximum_,
      blocks: this.segments_.size,
      free_bytes: this.free_.nbytes(),
      free_ranges: this.free_.count(),
      ...this.pacing_.dumpState(),
    };
  }

  /** Throws unless blocks and free ranges together make up all memory that was ever handed out. */
  checkInvariants(): void {
    let nbytes = this.free_.nbytes();
    for (const segment of this.segments_.values()) nbytes += segment.nbytes;
    if (nbytes !== this.top_ - gAlignment) throw new Error(`${nbytes} bytes of blocks and ranges, ${this.top_} in use`);
    if (this.top_ + GUARD > this.memory.buffer.byteLength) throw new Error("no guard behind the last block");
  }
}

/** A heap with these options, or the largest that the system allows; null if it allows none. */
export function make_heap(options: HeapOptions = {}): CPUHeap | null {
  const shared = options.shared ?? typeof SharedArrayBuffer !== "undefined"; // a page that is not cross-origin isolated has none
  for (const most of shared ? MAXIMA : [UNSHARED]) {
    const size = Math.min(options.maximum ?? most, most);
    const maximum = Math.floor(size / PAGE);
    const initial = shared ? Math.min(INITIAL / PAGE, maximum) : maximum;
    try {
      return new CPUHeap(new WebAssembly.Memory({ initial, maximum, shared }), maximum * PAGE, { ...options, shared });
    } catch {} // a phone has less address space, some engines no WebAssembly
  }
  return null;
}

let heap: CPUHeap | null = null;
let made = false;
let chosen: HeapOptions = {};

/** The heap, made at its first use; null in an environment without one. */
export function cpu_heap(): CPUHeap | null {
  if (!made) {
    made = true;
    heap = make_heap(chosen);
  }
  return heap;
}

/** The heap, if something was allocated already; else null. */
export function cpu_heap_if_made(): CPUHeap | null {
  return heap;
}

/** Sets the options of the heap, for tests. Without effect once the heap is made. */
export function set_heap_options(options: HeapOptions): void {
  chosen = options;
}

/** The memory that a kernel's WebAssembly module imports; null where every storage is an ArrayBuffer of its own. */
export function heap_memory(): WebAssembly.Memory | null {
  return cpu_heap()?.memory ?? null;
}

/** Whether other threads can see the memory. A module must declare its imported memory as shared or unshared accordingly. */
export function heap_is_shared(): boolean {
  return cpu_heap()?.shared ?? false;
}
