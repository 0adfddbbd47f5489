/**
 * @file Host memory: small requests share 64 KB slabs, larger ones get an ArrayBuffer of their own.
 * @mirrors c10/core/CPUAllocator.h
 * @differs PyTorch calls posix_memalign for every request. An ArrayBuffer costs several hundred nanoseconds, a slab's range a few; the
 * price is that one live tiny tensor keeps its whole slab.
 */

import { TORCH_CHECK } from "#c10/util/Exception";
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";
import { Allocator, DataPtr, emptyBlock, MemoryBlock, REGISTER_ALLOCATOR } from "./Allocator.ts";
import { Device } from "./Device.ts";
import { DeviceType } from "./DeviceType.ts";

const cpu = Device.of(DeviceType.CPU);
const nullptr = new DataPtr(emptyBlock, 0, cpu);

/** Every storage starts at a multiple of this many bytes. */
export const gAlignment = 64;
const SLAB_NBYTES = 65536;
/** Largest request that a slab serves, in bytes. */
export const LARGEST_IN_SLAB = 4096;

let slab = new MemoryBlock(new ArrayBuffer(SLAB_NBYTES));
/** First free byte of the slab; what is before it is never given out again. */
let slab_used = 0;

function nextSlab(): void {
  slab = new MemoryBlock(new ArrayBuffer(SLAB_NBYTES));
  slab_used = 0;
}

function alignedSize(nbytes: number): number {
  return nbytes + ((gAlignment - (nbytes % gAlignment)) % gAlignment);
}

function allocateOwn(nbytes: number): DataPtr {
  let buffer: ArrayBuffer;
  try {
    buffer = new ArrayBuffer(alignedSize(nbytes));
  } catch {
    TORCH_CHECK(
      false,
      "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate ",
      BigInt(nbytes), // with all its digits
      " bytes. Error code 12 (Cannot allocate memory)",
    );
  }
  return new DataPtr(new MemoryBlock(buffer), 0, cpu);
}

/** `nbytes` zeroed bytes, 64-byte aligned. */
function alloc_cpu(nbytes: number): DataPtr {
  if (nbytes > LARGEST_IN_SLAB) return allocateOwn(nbytes);
  if (nbytes === 0) return nullptr;
  const aligned = (nbytes + (gAlignment - 1)) & -gAlignment;
  if (slab_used + aligned > SLAB_NBYTES) nextSlab();
  const offset = slab_used;
  slab_used = offset + aligned;
  return new DataPtr(slab, offset, cpu);
}

function addressOf(data: DataPtr): TraceData {
  return { data_ptr: data.get() };
}

class DefaultCPUAllocator extends Allocator {
  override allocate(nbytes: number): DataPtr {
    if (tracer !== null)
      return traceCall("memory", "c10::alloc_cpu", alloc_cpu, [nbytes], { nbytes, device: "cpu" }, addressOf);
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

export function GetCPUAllocator(): Allocator {
  return allocator;
}

/** A caller's own memory as storage; nothing is copied. */
export function fromBuffer(buffer: ArrayBufferLike, byteOffset = 0): DataPtr {
  return new DataPtr(new MemoryBlock(buffer), byteOffset, cpu);
}

REGISTER_ALLOCATOR(DeviceType.CPU, allocator);
