/**
 * @file What a kernel of vectors needs of the heap: where a tensor's elements are in it, room to work, and copies of what lies elsewhere.
 * @original A C++ kernel has pointers; WebAssembly has addresses in one memory.
 * @see src/c10/core/CPUHeap.ts
 */
import type { TypedArray } from "#aten/Dispatch";
import type { MemoryBlock } from "#c10/core/Allocator";
import { cpu_heap } from "#c10/core/CPUHeap";
import { elementSize } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl";

// Note [Addresses last until memory is wanted]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A request for memory may give the blocks of dead tensors to others, and V8 calls a tensor dead after its last use, even inside the call
// that got it. So a driver asks for all room first, then for addresses, and between these and the kernel for nothing.

/** As much as the greediest kernel wants, from the beginning: later the heap may be full, and a kernel without room runs without vectors. */
const ROOM = 2 ** 20;
let room: MemoryBlock | null = null;

/** `nbytes` that kernels may write to while they run: an address, or 0 if there is no room. Not to be kept; what is there is left open. */
export function workspace(nbytes: number): number {
  if (room === null || room.nbytes < nbytes) {
    const larger = cpu_heap()?.allocate(Math.max(nbytes, ROOM)) ?? null;
    if (larger === null) return 0;
    if (room !== null) cpu_heap()?.free(room);
    room = larger;
  }
  return room.begin;
}

/** The address of the first element, or -1 if the tensor is not in the heap. */
export function address_of(t: TensorImpl): number {
  return in_heap(t) ? t.data_offset() * elementSize(t.dtype()) : -1;
}

export function in_heap(t: TensorImpl): boolean {
  return t.storage_.storage_impl_?.data_ptr_.block?.in_heap === true;
}

/** A copy in the heap of elements that lie elsewhere. */
export class Staged {
  readonly address: number;
  private readonly block: MemoryBlock;
  private readonly mine: TypedArray;

  private constructor(block: MemoryBlock, mine: TypedArray) {
    this.address = block.begin;
    this.block = block;
    this.mine = mine;
  }

  /** Elements [begin, begin + count) of `view`; null if the heap has no room. */
  static copy(view: TypedArray, begin: number, count: number): Staged | null {
    const block = cpu_heap()?.allocate(Math.max(1, count * view.BYTES_PER_ELEMENT)) ?? null;
    if (block === null) return null;
    const Array = view.constructor as Float64ArrayConstructor; // whichever it is
    const mine = new Array(block.buffer as ArrayBuffer, block.begin, count);
    mine.set(view.subarray(begin, begin + count) as Float64Array);
    return new Staged(block, mine);
  }

  /** What the kernel made of them, to `view` from element `begin` on. */
  copy_to(view: TypedArray, begin: number): void {
    (view as Float64Array).set(this.mine as Float64Array, begin);
  }

  free(): void {
    cpu_heap()?.free(this.block);
  }
}
