/**
 * @file Access of vector kernels to the heap: addresses of tensors, scratch memory, and copies of tensors that are not
 * in the heap.
 * @original A C++ kernel has pointers; WebAssembly has addresses in one memory.
 * @see src/c10/core/CPUHeap.ts
 */
import type { MemoryBlock } from "#c10/core/Allocator";
import { cpu_heap } from "#c10/core/CPUHeap";
import { elementSize } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";

// Note [Addresses last until memory is wanted]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A request for memory may free blocks of dead tensors, and V8 considers a tensor dead after its last use, even inside
// the call that received it. So a driver first requests all scratch memory, then takes addresses, and requests nothing
// between these and the kernel.

/**
 * Scratch memory for the largest kernel, allocated at the beginning: later the heap may be full, and a kernel without
 * it runs without vectors.
 */
export const ROOM = 2 ** 20 + 8192;
let room: MemoryBlock | null = null;

/**
 * The address of `nbytes` bytes that kernels may write to while they run, or 0 if there is no room. It must not be
 * kept; its content is undefined.
 */
export function workspace(nbytes: number): number {
  if (room === null || room.nbytes < nbytes) {
    const larger = cpu_heap()?.allocate(Math.max(nbytes, ROOM), "kernel") ?? null;
    if (larger === null) return 0;
    if (room !== null) cpu_heap()?.free(room);
    room = larger;
  }
  return room.begin;
}

/** Address of the first element, or -1 if the tensor is not in the heap. */
export function address_of(t: TensorImpl): number {
  return in_heap(t) ? t.data_offset() * elementSize(t.dtype()) : -1;
}

export function in_heap(t: TensorImpl): boolean {
  return t.storage_.storage_impl_?.data_ptr_.block?.in_heap === true;
}

/** Whether all tensors are in the heap. */
export function memory_of(tensors: readonly TensorImpl[]): "heap" | "staged" {
  return tensors.every(in_heap) ? "heap" : "staged";
}

/** Elements [begin, begin + count) of a tensor's memory. */
export interface Region {
  readonly tensor: TensorImpl;
  readonly begin: number;
  readonly count: number;
}

/** The elements of a tensor from the first to the last. */
export function region_of(tensor: TensorImpl): Region {
  const strides = tensor.strides();
  const last = tensor.sizes().reduce((sum, size, d) => sum + (size - 1) * strides[d], 0);
  return { tensor, begin: tensor.data_offset(), count: last + 1 };
}

/** The elements of contiguous tensors. */
export function regions_of(tensors: readonly { readonly impl_: TensorImpl }[]): Region[] {
  return tensors.map(({ impl_ }) => ({ tensor: impl_, begin: impl_.data_offset(), count: impl_.numel() }));
}

/**
 * Calls `kernel` with the regions' addresses. A region outside the heap is copied to it before, and the first `written`
 * regions are copied back afterwards, so the place of memory changes no result. Returns false, and does nothing, if the
 * heap has no room for copies.
 */
export function with_addresses(
  regions: readonly Region[],
  kernel: (addresses: readonly number[]) => void,
  written = 1,
): boolean {
  const copies = regions.map((region) => (in_heap(region.tensor) ? null : copy_of(region)));
  const room = copies.every((copy, k) => copy !== null || in_heap(regions[k].tensor));
  if (room) {
    kernel(regions.map(({ tensor, begin }, k) => copies[k]?.begin ?? begin * elementSize(tensor.dtype())));
    for (const [k, region] of regions.slice(0, written).entries()) {
      const copy = copies[k];
      if (copy !== null) (region.tensor.data_view() as Float64Array).set(elements(copy, region), region.begin);
    }
  }
  for (const copy of copies) if (copy !== null) cpu_heap()?.free(copy);
  return room;
}

function copy_of(region: Region): MemoryBlock | null {
  const { tensor, begin, count } = region;
  const block = cpu_heap()?.allocate(Math.max(1, count * elementSize(tensor.dtype())), "kernel") ?? null;
  const own = tensor.data_view().subarray(begin, begin + count) as Float64Array;
  if (block !== null) elements(block, region).set(own);
  return block;
}

/** The block as an array of the region's element type. */
function elements(block: MemoryBlock, { tensor, count }: Region): Float64Array {
  const Array = tensor.data_view().constructor as Float64ArrayConstructor; // the class of the tensor's own array
  return new Array(block.buffer as ArrayBuffer, block.begin, count);
}
