/**
 * @file The allocator of host memory. Small requests share 64 KB slabs; a larger one gets a block of its own. Slabs and
 * blocks come from the heap, or are ArrayBuffers if the heap is full.
 * @mirrors c10/core/CPUAllocator.h
 * @differs Small requests share a slab: making a block costs several hundred nanoseconds, a range of a slab only a few.
 * The price is that one live tiny tensor keeps its whole slab. PyTorch calls posix_memalign for every request.
 * @see CPUHeap.ts
 */

import { TORCH_CHECK } from "#c10/util/Exception";
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";
import { Allocator, DataPtr, emptyBlock, MemoryBlock, REGISTER_ALLOCATOR } from "./Allocator.ts";
import { gAlignment } from "./alignment.ts";
import { cpu_heap } from "./CPUHeap.ts";
import type { Tenant } from "./CPUHeapPacing.ts";
import { Device } from "./Device.ts";
import { DeviceType } from "./DeviceType.ts";

const cpu = Device.of(DeviceType.CPU);
const nullptr = new DataPtr(emptyBlock, 0, cpu);

const SLAB_NBYTES = 65536;
/** Largest request that a slab serves, in bytes. */
export const LARGEST_IN_SLAB = 4096;

let slab = emptyBlock;
/** Offsets of the slab's first free byte and of its end, in its buffer. Bytes before the first are never given out again. */
let slab_used = 0;
let slab_end = 0;

function nextSlab(): void {
  slab = newBlock(SLAB_NBYTES, "slab");
  slab_used = slab.begin;
  slab_end = slab_used + SLAB_NBYTES;
}

function alignedSize(nbytes: number): number {
  return nbytes + ((gAlignment - (nbytes % gAlignment)) % gAlignment);
}

function newBlock(nbytes: number, tenant: Tenant = "tensor"): MemoryBlock {
  const heap = cpu_heap();
  const block = heap === null ? null : heap.allocate(nbytes, tenant);
  if (block !== null) return block;
  try {
    const own = new MemoryBlock(new ArrayBuffer(alignedSize(nbytes)));
    heap?.stats.fall_back(nbytes);
    return own;
  } catch {
    if (heap !== null) heap.stats.num_ooms++;
    TORCH_CHECK(
      false,
      "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate ",
      BigInt(nbytes), // with all its digits
      " bytes. Error code 12 (Cannot allocate memory)",
    );
    throw undefined;
  }
}

/** Allocates `nbytes` bytes, 64-byte aligned. They are not initialized: freed memory is handed out as it is. */
function alloc_cpu(nbytes: number): DataPtr {
  if (nbytes > LARGEST_IN_SLAB) {
    const block = newBlock(nbytes);
    return new DataPtr(block, block.begin, cpu);
  }
  if (nbytes === 0) return nullptr;
  const aligned = (nbytes + (gAlignment - 1)) & -gAlignment;
  if (slab_used + aligned > slab_end) nextSlab();
  const offset = slab_used;
  slab_used = offset + aligned;
  return new DataPtr(slab, offset, cpu);
}

/**
 * Frees `nbytes` bytes now if they are a block of the heap. Otherwise it does nothing: an ArrayBuffer is freed by the
 * collector, and a slab has other tenants. Precondition: `nbytes` is the whole allocation, and nobody will read or
 * write it.
 */
export function free_cpu(data: DataPtr, nbytes: number): void {
  if (nbytes > LARGEST_IN_SLAB && data.block?.in_heap === true) cpu_heap()?.free(data.block);
}

/** A memory place as a trace records it: its address, and the address, size and kind of its block. */
function described(data: DataPtr): TraceData {
  const { block } = data;
  if (block === null || block === emptyBlock) return { data_ptr: 0 };
  return {
    data_ptr: data.get(),
    block: block.address(block.begin),
    block_nbytes: block.nbytes,
    memory: block.in_heap ? "heap" : "ArrayBuffer",
    reused: block.reused,
  };
}

class DefaultCPUAllocator extends Allocator {
  override allocate(nbytes: number): DataPtr {
    if (tracer !== null)
      return traceCall("memory", "c10::alloc_cpu", alloc_cpu, [nbytes], { nbytes, device: "cpu" }, described);
    return alloc_cpu(nbytes);
  }

  override copy_data(dest: DataPtr, src: DataPtr, count: number): void {
    this.default_copy_data(dest, src, count);
  }
}

const allocator = new DefaultCPUAllocator();

export function GetDefaultCPUAllocator(): Allocator {
  return allocator;
}

/** The current allocator of host memory, and the priority with which it was set. */
let cpu_alloc: Allocator = allocator;
let cpu_alloc_priority = 0;

export function GetCPUAllocator(): Allocator {
  return cpu_alloc;
}

/** Sets the allocator of host memory. The one of the highest priority stays; at equal priority, the last one set. */
export function SetCPUAllocator(alloc: Allocator, priority = 0): void {
  if (priority < cpu_alloc_priority) return;
  cpu_alloc = alloc;
  cpu_alloc_priority = priority;
}

/** Wraps the caller's own memory as storage; nothing is copied. */
export function fromBuffer(buffer: ArrayBufferLike, byteOffset = 0): DataPtr {
  return new DataPtr(new MemoryBlock(buffer), byteOffset, cpu);
}

REGISTER_ALLOCATOR(DeviceType.CPU, allocator);
