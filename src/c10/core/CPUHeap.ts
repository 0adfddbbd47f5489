/**
 * @file The heap: one WebAssembly memory in which the storages of the CPU live, so that a kernel reaches all of them by address.
 * @original Its pattern is c10/cuda/CUDACachingAllocator.cpp: large segments, blocks cut from them, freed blocks kept for the next request.
 * @see CPUHeapRanges.ts (what is free), CPUHeapReclaim.ts (how it becomes free), CPUAllocator.ts (who asks)
 */
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";
import { MemoryBlock } from "./Allocator.ts";
import { gAlignment } from "./alignment.ts";
import { type Fill, make_fill } from "./CPUHeapFill.ts";
import { FreeRanges, size_class } from "./CPUHeapRanges.ts";
import { type Generation, make_reclaimer, type Reclaimer, type Segment } from "./CPUHeapReclaim.ts";

// Note [The heap]
// ~~~~~~~~~~~~~~~
// Addresses stay below 2^31, where they are small integers to V8 and signed ones to WebAssembly.
//
//   0      64                            top                 size - 64    size                2^31
//   | none | block | free | block | ...   | never used, zeroes |   guard    |  may grow to here |
//
// A block is freed when nobody holds it, which only a collection of garbage tells (CPUHeapReclaim.ts). The young are collected, and the
// heap swept, when a threshold was handed out since the last time: most tensors die young, and memory that comes back soon is still in
// the processor's caches. What outlives such sweeps adds up; when it passes a threshold of its own everything is collected. That
// is dear where a program holds many objects, so sweeps together may take a tenth of the time and no more, but for those of the young
// that took less than warm memory saves. While none is due the heap hands out as much as `MOST` says; then those of the young may take a
// fifth, and those of everything a tenth of their own. Where that is too little, as when no room is left, the heap is full: `allocate`
// returns null, and its caller takes an ArrayBuffer.
//
// Memory handed out again is not zeroed.
const MB = 2 ** 20;
const PAGE = 65536;
/** Readable bytes that follow the last block: a kernel may read a whole vector at an array's end. */
const GUARD = 64;
const INITIAL = 64 * MB;
/** What is asked for, in turn. */
const MAXIMA = [2048 * MB, 512 * MB, 256 * MB];
/** Unshared memory would lose its views by growing, so it has its size from the beginning. */
const UNSHARED = 256 * MB;

/**
 * Bytes after which the young are collected, at first; it moves between the smallest, which fits into the caches beside two operands,
 * and the largest. Below `CALM` it goes only while less than that has outlived sweeps: collected often, tensors would grow old early.
 */
const FIRST_THRESHOLD = 64 * MB;
const SMALLEST_THRESHOLD = 12 * MB;
const CALM = 16 * MB;
const LARGEST_THRESHOLD = 64 * MB;
/** What a byte costs more, in milliseconds, that is written to memory which has left the caches: two thirds of what was measured. */
const COLD = 0.015 / MB;
/** Bytes that outlived sweeps of the young, after which everything is collected. */
const OLD_THRESHOLD = 64 * MB;
/**
 * Who wants a block. A slab is of a thousand tensors, which would all miss the heap were it an ArrayBuffer. A kernel gives the block back
 * soon, or works in it for ever, and must not go another way, to another rounding, because garbage lies about: it gets what there is.
 */
export type Tenant = "tensor" | "slab" | "kernel";
/**
 * Bytes, handed out since the last sweep or older and perhaps dead, at which a tenant is refused. With the library itself, and the
 * ArrayBuffers that take over, a process stays below 400 MB.
 */
const MOST = { tensor: 160 * MB, slab: 256 * MB, kernel: Number.POSITIVE_INFINITY } as const;
const MOST_OF_THE_TIME = 0.1;
/** The same for sweeps of the young where a tenant would be refused: to fault in an ArrayBuffer of a few MB takes as long as one of them. */
const MOST_WHERE_FULL = 0.2;
/** A sweep's part of the time since the last: above the first the threshold doubles unless it paid, below the second it halves. */
const MUCH = 0.08;
const LITTLE = 0.02;
/** After so many bytes refused one looks whether the engine has collected garbage by itself. */
const LOOK_AFTER = 8 * MB;
/** In stress mode every so many allocations sweep; one sweep of four is of everything. */
const STRESS_PERIOD = 4;

export interface HeapOptions {
  /** Bytes; the WebAssembly memory never becomes larger. */
  readonly maximum?: number;
  readonly shared?: boolean;
  /** Sweeps all the time, and what is freed or handed out is filled with 0xFF. */
  readonly stress?: boolean;
  /** Whether tensors live in it; otherwise only kernels work there. */
  readonly tensors?: boolean;
  readonly reclaimer?: (died: (segment: Segment) => void) => Reclaimer;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** One count with its history, as `torch.cuda.memory_stats` has them. */
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
  /** Their bytes. */
  readonly allocated_bytes = new Stat();
  /** Bytes that were ever handed out: what the process has touched. */
  readonly reserved_bytes = new Stat();
  /** Requests that found no room before a sweep. */
  num_alloc_retries = 0;
  /** Sweeps, and what they took together. */
  num_sweeps = 0;
  sweep_ms = 0;
  /** Requests that got an ArrayBuffer instead, and their bytes. */
  num_fallbacks = 0;
  fallback_bytes = 0;
  /** Requests that got nothing. */
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
  /** By `begin`. Invariant: those of all live blocks, and of dead ones not yet learnt of; no byte is in two, or in one and in `free_`. */
  private readonly segments_ = new Map<number, Segment>();
  private reclaimer_: Reclaimer;
  private fill_: Fill | null = null;
  /** Over the whole memory; blocks share its typed arrays. A new one after each growth, for old arrays keep their length. */
  private whole_: MemoryBlock;
  private top_ = gAlignment; // 0 is the null pointer
  private threshold_ = FIRST_THRESHOLD;
  /** Bytes since the last sweep. */
  private handed_out_ = 0;
  /** Bytes that outlived sweeps of the young since everything was collected. */
  private outlived_ = 0;
  private refused_ = 0;
  private until_stress_ = STRESS_PERIOD;
  /** When the last sweep of each kind ended, and what it took: milliseconds. A sweep of all is one of the young, too. */
  private readonly since_: Record<Generation, number>;
  private readonly took_ = { young: 0, all: 0 };
  /** What sweeps of the young took since everything was collected. */
  private young_ms_ = 0;
  private latest_ms_ = 0;

  constructor(memory: WebAssembly.Memory, maximum: number, options: HeapOptions = {}) {
    this.memory = memory;
    this.maximum_ = maximum;
    this.shared = options.shared ?? true;
    this.stress_ = options.stress ?? false;
    this.tensors_ = options.tensors ?? true;
    this.now_ = options.now ?? (() => performance.now());
    const now = this.now_();
    this.since_ = { young: now, all: now };
    this.whole_ = new MemoryBlock(memory.buffer);
    this.reclaimer_ = (options.reclaimer ?? make_reclaimer)(this.died);
  }

  /**
   * A block of at least `nbytes` bytes, whatever they hold; null if the heap is full. Precondition: nbytes > 0.
   */
  allocate(nbytes: number, tenant: Tenant = "tensor"): MemoryBlock | null {
    const size = nbytes < this.maximum_ ? size_class(nbytes) : nbytes;
    if (size >= this.maximum_ || (!this.tensors_ && tenant !== "kernel")) return null;
    if (this.stress_ && --this.until_stress_ <= 0) this.sweep(this.stats.num_sweeps % 4 === 0 ? "all" : "young");
    if (this.handed_out_ >= this.threshold_ || this.unproved() >= MOST[tenant]) {
      this.sweep_if_due();
      if (this.unproved() >= MOST[tenant] && !this.sweep_for_nothing(size)) return this.refuse(size);
    }
    const top = this.top_;
    let begin = this.place(size);
    if (begin < 0) {
      this.stats.num_alloc_retries++;
      if (this.sweep_if_due() || this.sweep_for_nothing(size)) begin = this.place(size);
      if (begin < 0) return this.refuse(size);
    }
    return this.hand_out(begin, size, begin < top);
  }

  /** Gives the block back at once. Precondition: nobody will touch its bytes; its own views become empty. */
  free(block: MemoryBlock): void {
    const segment = this.segments_.get(block.begin);
    if (!block.in_heap || segment === undefined) return;
    block.leave_heap();
    this.reclaimer_.forget(segment);
    this.release(segment);
    this.handed_out_ -= segment.nbytes;
  }

  /** Writes `value` to `nbytes` bytes from address `begin` on. */
  fill(begin: number, value: number, nbytes: number): void {
    this.fill_ ??= make_fill(this.memory, this.shared);
    this.fill_(begin, value, nbytes);
  }

  /** Frees what nobody holds. Returns how many bytes; -1 where garbage cannot be collected on demand. */
  sweep(which: Generation = "all"): number {
    if (!this.reclaimer_.on_demand) return -1;
    if (tracer === null || this.stress_) return this.sweep_segments(which); // what is forced belongs to no call
    return traceCall("memory", "c10::CPUHeap::sweep", this.sweep_segments, [which], { which }, this.told);
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
      threshold: this.threshold_,
      handed_out: this.handed_out_,
      outlived: this.outlived_,
    };
  }

  /** Throws unless blocks and free ranges make up all that was ever handed out. */
  checkInvariants(): void {
    let nbytes = this.free_.nbytes();
    for (const segment of this.segments_.values()) nbytes += segment.nbytes;
    if (nbytes !== this.top_ - gAlignment) throw new Error(`${nbytes} bytes of blocks and ranges, ${this.top_} in use`);
    if (this.top_ + GUARD > this.memory.buffer.byteLength) throw new Error("no guard behind the last block");
  }

  private hand_out(begin: number, size: number, reused: boolean): MemoryBlock {
    const block = MemoryBlock.of_heap(this.whole_, begin, size, reused);
    const segment: Segment = { begin, nbytes: size };
    this.segments_.set(begin, segment);
    this.reclaimer_.watch(block, segment);
    this.handed_out_ += size;
    this.stats.allocation.increase(1);
    this.stats.allocated_bytes.increase(size);
    if (this.stress_) this.poison(begin, size);
    return block;
  }

  private refuse(size: number): null {
    this.refused_ += size;
    return null;
  }

  /** Where `size` bytes are free, or -1. */
  private place(size: number): number {
    let begin = this.free_.take(size);
    if (begin < 0 && this.free_.wants_merge()) {
      this.free_.merge();
      begin = this.free_.take(size);
    }
    return begin < 0 ? this.bump(size) : begin;
  }

  /** Never-used memory. */
  private bump(size: number): number {
    const begin = this.top_;
    const end = begin + size;
    if (end + GUARD > this.memory.buffer.byteLength && !this.grow(end + GUARD)) return -1;
    this.top_ = end;
    this.stats.reserved_bytes.increase(size);
    return begin;
  }

  private grow(nbytes: number): boolean {
    const size = this.memory.buffer.byteLength;
    if (!this.shared || nbytes > this.maximum_) return false;
    for (const wanted of [Math.min(this.maximum_, Math.max(2 * size, nbytes)), nbytes]) {
      try {
        this.memory.grow(Math.ceil((wanted - size) / PAGE));
        this.whole_ = new MemoryBlock(this.memory.buffer);
        return true;
      } catch {} // the system has less
    }
    return false;
  }

  /** Bytes that nobody knows to be alive. */
  private unproved(): number {
    return this.handed_out_ + this.outlived_;
  }

  /** Whether the next allocation would sweep: then somebody may who waits for other threads anyway. */
  is_due(): boolean {
    return this.handed_out_ >= this.threshold_ && this.sweeps_by_itself() && this.may_sweep_young(this.now_());
  }

  private sweeps_by_itself(): boolean {
    return !this.stress_ && this.reclaimer_.on_demand;
  }

  private may_sweep_young(now: number): boolean {
    const most = this.unproved() >= MOST.tensor ? MOST_WHERE_FULL : MOST_OF_THE_TIME;
    return this.took_.young <= most * (now - this.since_.young) || this.took_.young <= COLD * this.handed_out_;
  }

  /** Whether it swept. */
  sweep_if_due(): boolean {
    if (!this.sweeps_by_itself()) return false;
    const start = this.now_();
    const time = start - this.since_.young;
    const full = this.unproved() >= MOST.tensor;
    const handed_out = this.handed_out_;
    let swept = this.may_sweep_young(start) && this.sweep("young") >= 0;
    if (this.unproved() >= OLD_THRESHOLD) {
      // Sweeps of the young have not helped a heap that is full: that they took their part must not keep it so.
      const spent = full ? this.took_.all : this.young_ms_ + this.took_.all;
      if (spent <= MOST_OF_THE_TIME * (this.now_() - this.since_.all)) swept = this.sweep("all") >= 0 || swept;
    }
    if (!swept) return false;
    const spent = this.now_() - start;
    this.adapt(spent / (time + spent), spent <= COLD * handed_out);
    return true;
  }

  /** The engine may have collected garbage by itself; then only the asking is left. Whether that gave back `size` bytes. */
  private sweep_for_nothing(size: number): boolean {
    if (this.refused_ < LOOK_AFTER) return false;
    this.refused_ = 0;
    return this.take_back(this.reclaimer_.collected()) >= size;
  }

  private readonly sweep_segments = (which: Generation): number => {
    this.reclaimer_.prepare();
    const start = this.now_();
    const dead = this.reclaimer_.collect(which);
    if (dead === null) {
      if (which === "all") this.learn_otherwise();
      return -1;
    }
    const freed = this.take_back(dead);
    this.until_stress_ = STRESS_PERIOD;
    const end = this.now_();
    this.took_[which] = this.latest_ms_ = end - start;
    this.since_.young = end;
    if (which === "young") {
      this.outlived_ = Math.max(0, this.unproved());
      this.young_ms_ += this.latest_ms_;
    } else {
      this.outlived_ = this.young_ms_ = 0;
      this.since_.all = end;
    }
    this.handed_out_ = 0;
    this.stats.num_sweeps++;
    this.stats.sweep_ms += this.latest_ms_;
    return freed;
  };

  private readonly told = (freed: number): TraceData => (freed < 0 ? {} : { freed, ms: this.latest_ms_ });

  /** Collecting on demand does not work here after all. What was handed out so far stays so. */
  private learn_otherwise(): void {
    this.reclaimer_ = make_reclaimer(this.died, { FinalizationRegistry: globalThis.FinalizationRegistry });
  }

  /** @param share the sweep's part of the time; @param paid whether warm memory saves as much */
  private adapt(share: number, paid: boolean): void {
    const least = this.outlived_ < CALM ? SMALLEST_THRESHOLD : CALM;
    if (paid || share < LITTLE) this.threshold_ = Math.max(this.threshold_ / 2, least);
    else if (share > MUCH) this.threshold_ = Math.min(2 * this.threshold_, LARGEST_THRESHOLD);
  }

  /** Returns how many bytes that were. */
  private take_back(dead: readonly Segment[]): number {
    let freed = 0;
    for (const segment of dead) {
      if (this.segments_.get(segment.begin) !== segment) continue; // freed by hand, and another block may be there now
      freed += segment.nbytes;
      this.release(segment);
    }
    this.free_.merge();
    this.handed_out_ -= freed;
    return freed;
  }

  private readonly died = (segment: Segment): void => {
    if (this.segments_.get(segment.begin) !== segment) return;
    this.release(segment);
    this.handed_out_ = 0; // garbage was collected: what is left lived then
  };

  private release(segment: Segment): void {
    this.segments_.delete(segment.begin);
    if (this.stress_) this.poison(segment.begin, segment.nbytes);
    this.free_.give(segment.begin, segment.nbytes);
    this.stats.allocation.decrease(1);
    this.stats.allocated_bytes.decrease(segment.nbytes);
  }

  private poison(begin: number, nbytes: number): void {
    this.fill(begin, 0xff, nbytes);
  }
}

/** A heap as `options` ask for it, or the largest that the system gives; null if it gives none. */
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

/** The heap, made at first use; null where there is none. */
export function cpu_heap(): CPUHeap | null {
  if (!made) {
    made = true;
    heap = make_heap(chosen);
  }
  return heap;
}

/** The heap if something was allocated already. */
export function cpu_heap_if_made(): CPUHeap | null {
  return heap;
}

/** For tests: how the heap will be made. Once it is, nothing changes. */
export function set_heap_options(options: HeapOptions): void {
  chosen = options;
}

/** What a kernel's WebAssembly module imports; null where every storage is an ArrayBuffer of its own. */
export function heap_memory(): WebAssembly.Memory | null {
  return cpu_heap()?.memory ?? null;
}

/** Whether other threads see the memory, and the type that a module must import: shared or not. */
export function heap_is_shared(): boolean {
  return cpu_heap()?.shared ?? false;
}
