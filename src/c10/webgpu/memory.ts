/**
 * @file What the allocator hands out, and what it cuts it from.
 * @original Segment and block are CUDA's; an epoch makes up for what JavaScript does not tell.
 * @see WebGPUCachingAllocator.ts
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { DataPtr } from "../core/Allocator.ts";
import type { DeviceMemory } from "./interface.ts";

// Note [Epochs]
// ~~~~~~~~~~~~~
// In C++ a tensor's end frees its memory. JavaScript tells of no end, least of all within one synchronous job, so the allocator must do
// without knowing what is dead. But the engine frees the bytes of an ArrayBuffer that nobody holds, at any time and silently. Hence:
//
//   tensor -> Memory -> Epoch {segment, host: []}      while it lies on the device; the allocator holds the segment's present epoch
//   tensor -> Memory -> Epoch {null, host: [bytes]}    once the segment was paged out; nobody else holds this epoch
//
// When the limit is reached, the segment that was used longest ago is copied out to the host, its epoch gets the bytes and is forgotten, and
// the segment begins anew. If all tensors of that epoch are dead, its bytes were garbage from the beginning. One that lives finds `segment`
// null when it is next used, and is paged in: it gets a block in some segment's present epoch, and its bytes back.

/** Bytes of a segment that were in use when it was paged out. */
export interface HostRun {
  readonly begin: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** One life of a segment; see the Note. */
export class Epoch {
  /** Null once the segment was paged out. */
  segment: Segment | null;
  /** Then its bytes, in order. */
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
  /** The allocator's clock when something in it was last used. */
  used_at = 0;

  constructor(id: number, nbytes: number, is_small: boolean) {
    this.id = id;
    this.nbytes = nbytes;
    this.is_small = is_small;
    this.epoch = new Epoch(this);
    this.first = new Block(this, 0, nbytes);
  }

  /** Whether nobody uses any of it. */
  is_idle(): boolean {
    return !this.first.allocated && this.first.next === null;
  }
}

/** A range of a segment; together they make it up. The allocator's own, where a `Memory` is the tensor's. */
export class Block {
  readonly segment: Segment;
  readonly begin: number;
  nbytes: number;
  /** As asked for. */
  requested = 0;
  allocated = false;
  /** By whose death it becomes free; another one's means nothing to it. */
  tenancy: object | null = null;
  prev: Block | null = null;
  next: Block | null = null;

  constructor(segment: Segment, begin: number, nbytes: number) {
    this.segment = segment;
    this.begin = begin;
    this.nbytes = nbytes;
  }

  /** A free part of a segment that is in use: the device cannot have it back. */
  is_split(): boolean {
    return this.prev !== null || this.next !== null;
  }
}

/** An allocation, as its `DataPtr` holds it. */
export class Memory implements DeviceMemory {
  readonly nbytes: number;
  epoch: Epoch;
  /** Where it begins in the segment. */
  begin: number;
  /** What dies with it, so that its death is learnt. */
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

/** The memory behind a pointer into this device. */
export function memory_of(data_ptr: DataPtr): Memory {
  const context = data_ptr.get_context();
  TORCH_INTERNAL_ASSERT(context instanceof Memory, "not a pointer into a WebGPU device's memory");
  return context;
}
