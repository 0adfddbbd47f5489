/**
 * @file The memory objects of the device: segments, the blocks cut from them, and the allocations handed out.
 * @original Segment and block are CUDA's; epochs are needed because JavaScript does not report an object's end.
 * @see WebGPUCachingAllocator.ts
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { DataPtr } from "../core/Allocator.ts";
import type { Tenancy } from "./deaths.ts";
import type { DeviceMemory } from "./interface.ts";

// Note [Epochs]
// ~~~~~~~~~~~~~
// In C++ the end of a tensor frees its memory. JavaScript reports no end, least of all within one synchronous job, so
// the allocator must work without knowing what is dead. But the engine frees the bytes of an ArrayBuffer that nobody
// holds, at any time and silently:
//
//   tensor -> Memory -> Epoch {segment, host: []}      while it lies on the device; the allocator holds the segment's present epoch
//   tensor -> Memory -> Epoch {null, host: [bytes]}    once the segment was paged out; only memories hold this epoch
//
// When the limit is reached, the segment that was not used for the longest time is copied to the host. Its epoch gets
// the bytes and is forgotten by the allocator, and the segment begins a new epoch. If all tensors of the old epoch are
// dead, its bytes are garbage at once. A live tensor finds `segment` null at its next use and is paged in: it gets a
// block in some segment's present epoch, and its bytes back.

/** A range of a segment that was in use when the segment was paged out, with its bytes. */
export interface HostRun {
  readonly begin: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** One life of a segment; see the Note. */
export class Epoch {
  /** The segment; null once it was paged out. */
  segment: Segment | null;
  /** The bytes after paging out, in order. */
  host: readonly HostRun[] = [];

  constructor(segment: Segment | null) {
    this.segment = segment;
  }

  /** The paged-out bytes from `begin` of the segment on. Precondition: they were in use. */
  bytes(begin: number, nbytes: number): Uint8Array<ArrayBuffer> {
    const run = this.host.find((r) => r.begin <= begin && begin + nbytes <= r.begin + r.bytes.length);
    TORCH_INTERNAL_ASSERT(run !== undefined, "device memory was used after it was freed");
    return run.bytes.subarray(begin - run.begin, begin - run.begin + nbytes);
  }
}

/** A buffer of the device. */
export class Segment {
  readonly id: number;
  readonly nbytes: number;
  readonly is_small: boolean;
  epoch: Epoch;
  first: Block;
  /** The allocator's clock at the last use of the segment. */
  used_at = 0;

  constructor(id: number, nbytes: number, is_small: boolean) {
    this.id = id;
    this.nbytes = nbytes;
    this.is_small = is_small;
    this.epoch = new Epoch(this);
    this.first = new Block(this, 0, nbytes);
  }

  /** Whether no block of it is in use. */
  is_idle(): boolean {
    return !this.first.allocated && this.first.next === null;
  }
}

/**
 * A range of a segment; all its blocks together are the segment. Blocks belong to the allocator, a `Memory` belongs to a tensor.
 */
export class Block {
  readonly segment: Segment;
  readonly begin: number;
  nbytes: number;
  /** Size as requested. */
  requested = 0;
  allocated = false;
  /** The tenancy whose death frees the block; other deaths do not concern it. */
  tenancy: Tenancy | null = null;
  prev: Block | null = null;
  next: Block | null = null;

  constructor(segment: Segment, begin: number, nbytes: number) {
    this.segment = segment;
    this.begin = begin;
    this.nbytes = nbytes;
  }

  /** Whether it is a free part of a segment that is in use: it cannot be returned to the device. */
  is_split(): boolean {
    return this.prev !== null || this.next !== null;
  }
}

/** An allocation; a `DataPtr` holds it. */
export class Memory implements DeviceMemory {
  readonly nbytes: number;
  epoch: Epoch;
  /** Start of the allocation in the segment. */
  begin: number;
  /** An object that is collected together with this one, so that the death is noticed. */
  witness: object | null = null;

  constructor(nbytes: number, block: Block) {
    this.nbytes = nbytes;
    this.epoch = block.segment.epoch;
    this.begin = block.begin;
  }

  is_resident(): boolean {
    return this.epoch.segment !== null;
  }
}

/** The memory to which a pointer into this device refers. */
export function memory_of(data_ptr: DataPtr): Memory {
  const context = data_ptr.get_context();
  TORCH_INTERNAL_ASSERT(context instanceof Memory, "not a pointer into a WebGPU device's memory");
  return context;
}
