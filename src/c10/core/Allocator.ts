/**
 * @file Memory allocation: blocks of memory, pointers into them, and one allocator per device type.
 * @mirrors c10/core/Allocator.h
 * @differs A `DataPtr` is (block, byte offset, device) and has no deleter: the garbage collector frees the block, or
 * the context of a pointer into device memory. PyTorch's `DataPtr` owns its context and calls a deleter.
 */
import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { Device } from "./Device.ts";
import { COMPILE_TIME_MAX_DEVICE_TYPES, type DeviceType, DeviceTypeName } from "./DeviceType.ts";
import { ScalarType, toString as scalarTypeToString } from "./ScalarType.ts";

export type TypedArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** Addresses are invented: unique, ascending, never reused. 0 is the null pointer. */
let next_address = 0x10000;
const ADDRESS_ALIGNMENT = 64;

/**
 * A range of bytes in a buffer, and the typed arrays over the whole buffer, each made at its first use. A kernel takes
 * such an array and an element offset, so making a tensor makes no typed array. A block either has a buffer of its own
 * or lies in the heap (CPUHeap.ts). All blocks of the heap share the same arrays, and an offset into them is an address
 * in the heap's memory.
 */
export class MemoryBlock {
  buffer: ArrayBufferLike;
  /** Position of the first byte in the buffer, and the number of bytes. */
  readonly begin: number;
  readonly nbytes: number;
  /** Whether `buffer` is the heap's memory. Only the heap changes it, when it frees the block. */
  in_heap = false;
  /** Whether the memory was used before: then its bytes are not zero. */
  reused = false;
  /**
   * An object that only this block holds, so it is collected together with the block: the heap sees in it that the block is dead.
   */
  witness: object | null = null;
  private address_ = 0;
  private u8_: Uint8Array | null = null;
  private i8_: Int8Array | null = null;
  private u16_: Uint16Array | null = null;
  private i16_: Int16Array | null = null;
  private u32_: Uint32Array | null = null;
  private i32_: Int32Array | null = null;
  private f32_: Float32Array | null = null;
  private f64_: Float64Array | null = null;
  private i64_: BigInt64Array | null = null;
  private u64_: BigUint64Array | null = null;

  constructor(buffer: ArrayBufferLike, begin = 0, nbytes = buffer.byteLength) {
    this.buffer = buffer;
    this.begin = begin;
    this.nbytes = nbytes;
  }

  /** Makes a block of the heap; `whole` covers the heap's memory. */
  static of_heap(whole: MemoryBlock, begin: number, nbytes: number, reused: boolean): MemoryBlock {
    const block = new MemoryBlock(whole.buffer, begin, nbytes);
    block.in_heap = true;
    block.reused = reused;
    block.u8_ = whole.u8(); // made for the whole heap now: the accessor called by kernels must be short enough to be inlined
    block.i8_ = whole.i8();
    block.u16_ = whole.u16();
    block.i16_ = whole.i16();
    block.u32_ = whole.u32();
    block.i32_ = whole.i32();
    block.f32_ = whole.f32();
    block.f64_ = whole.f64();
    block.i64_ = whole.i64();
    block.u64_ = whole.u64();
    return block;
  }

  /** Called when the heap has freed the block: pointers to it then read nothing and write nowhere. */
  leave_heap(): void {
    this.in_heap = false;
    this.buffer = emptyBlock.buffer;
    this.u8_ = this.i8_ = this.u16_ = this.i16_ = this.u32_ = this.i32_ = this.f32_ = this.f64_ = null;
    this.i64_ = this.u64_ = null;
  }

  /** The address of byte `byteOffset` of the buffer. The block's own first address is given out at first use. */
  address(byteOffset: number): number {
    if (this.address_ === 0) {
      this.address_ = next_address;
      next_address += Math.ceil((this.nbytes + 1) / ADDRESS_ALIGNMENT) * ADDRESS_ALIGNMENT;
    }
    return this.address_ + (byteOffset - this.begin);
  }

  /** Gives the first byte this address. Precondition: the block has no address yet, and no other live block has this one. */
  take_address(address: number): void {
    this.address_ = address;
  }

  /** Number of elements of `itemsize` bytes that fit: a caller's own buffer may have a remainder. */
  private count(itemsize: number): number {
    return Math.floor(this.buffer.byteLength / itemsize);
  }

  u8(): Uint8Array {
    return (this.u8_ ??= new Uint8Array(this.buffer));
  }

  i8(): Int8Array {
    return (this.i8_ ??= new Int8Array(this.buffer));
  }

  u16(): Uint16Array {
    return (this.u16_ ??= new Uint16Array(this.buffer, 0, this.count(2)));
  }

  i16(): Int16Array {
    return (this.i16_ ??= new Int16Array(this.buffer, 0, this.count(2)));
  }

  u32(): Uint32Array {
    return (this.u32_ ??= new Uint32Array(this.buffer, 0, this.count(4)));
  }

  /** The block as int32. Also used for int64, as pairs (low, high): element i is at 2i and 2i + 1. */
  i32(): Int32Array {
    return (this.i32_ ??= new Int32Array(this.buffer, 0, this.count(4)));
  }

  f32(): Float32Array {
    return (this.f32_ ??= new Float32Array(this.buffer, 0, this.count(4)));
  }

  f64(): Float64Array {
    return (this.f64_ ??= new Float64Array(this.buffer, 0, this.count(8)));
  }

  i64(): BigInt64Array {
    return (this.i64_ ??= new BigInt64Array(this.buffer, 0, this.count(8)));
  }

  u64(): BigUint64Array {
    return (this.u64_ ??= new BigUint64Array(this.buffer, 0, this.count(8)));
  }

  /** The whole block as elements of `dtype`. Half and BFloat16 as their bits, Bool as bytes. */
  view(dtype: ScalarType): TypedArray {
    switch (dtype) {
      case ScalarType.Float:
        return this.f32();
      case ScalarType.Double:
        return this.f64();
      case ScalarType.Long:
        return this.i64();
      case ScalarType.Int:
      case ScalarType.QInt32:
        return this.i32();
      case ScalarType.Bool:
      case ScalarType.Byte:
      case ScalarType.QUInt8:
        return this.u8();
      case ScalarType.Char:
      case ScalarType.QInt8:
        return this.i8();
      case ScalarType.Short:
        return this.i16();
      case ScalarType.Half:
      case ScalarType.BFloat16:
      case ScalarType.UInt16:
        return this.u16();
      case ScalarType.UInt32:
        return this.u32();
      case ScalarType.UInt64:
        return this.u64();
      default:
        throw new RuntimeError(`No typed array holds elements of type ${scalarTypeToString(dtype)}`);
    }
  }
}

/** The block of every tensor without elements: its typed arrays have length 0. */
export const emptyBlock = new MemoryBlock(new ArrayBuffer(0));

/** A place in a block. If there is no host memory, `block` is null and the offset is the whole address (0 for meta tensors). */
export class DataPtr {
  readonly block: MemoryBlock | null;
  readonly byteOffset: number;
  readonly device: Device;

  constructor(block: MemoryBlock | null, byteOffset: number, device: Device) {
    this.block = block;
    this.byteOffset = byteOffset;
    this.device = device;
  }

  /** The address; 0 for the null pointer and for a pointer to a block without bytes. */
  get(): number {
    if (this.block === null) return this.byteOffset;
    return this.block === emptyBlock ? 0 : this.block.address(this.byteOffset);
  }

  /** The object that keeps the memory alive: the block itself. */
  get_context(): unknown {
    return this.block;
  }

  toBool(): boolean {
    return this.get() !== 0;
  }
}

/** A place in memory that the host cannot read, at the address that the device gave. */
export class DeviceDataPtr extends DataPtr {
  private readonly ctx_: unknown;

  /** @param ctx the device's own handle for that memory; the collector may free it when no pointer is left */
  constructor(address: number, ctx: unknown, device: Device) {
    super(null, address, device);
    this.ctx_ = ctx;
  }

  override get_context(): unknown {
    return this.ctx_;
  }
}

export abstract class Allocator {
  /** Allocates `n` bytes, zeroed or not as the device chooses; the null pointer for 0. */
  abstract allocate(n: number): DataPtr;

  /** Copies within one device. */
  abstract copy_data(dest: DataPtr, src: DataPtr, count: number): void;

  clone(data: DataPtr, n: number): DataPtr {
    const copy = this.allocate(n);
    this.copy_data(copy, data, n);
    return copy;
  }

  /** `copy_data` for allocators whose memory the host can read. */
  protected default_copy_data(dest: DataPtr, src: DataPtr, count: number): void {
    if (count === 0) return;
    TORCH_CHECK(dest.block !== null && src.block !== null, "copy_data: no host memory");
    dest.block.u8().set(src.block.u8().subarray(src.byteOffset, src.byteOffset + count), dest.byteOffset);
  }
}

const allocators = new Array<Allocator | null>(COMPILE_TIME_MAX_DEVICE_TYPES).fill(null);
const priorities = new Array<number>(COMPILE_TIME_MAX_DEVICE_TYPES).fill(0);

/** Sets the allocator of a device type. The one of the highest priority stays; at equal priority, the last one set. */
export function SetAllocator(t: DeviceType, alloc: Allocator | null, priority = 0): void {
  if (priority < priorities[t]) return;
  allocators[t] = alloc;
  priorities[t] = priority;
}

export function GetAllocator(t: DeviceType): Allocator {
  const alloc = allocators[t] ?? null;
  TORCH_INTERNAL_ASSERT(alloc !== null, "Allocator for ", DeviceTypeName(t, true), " is not set.");
  return alloc;
}

export function REGISTER_ALLOCATOR(t: DeviceType, alloc: Allocator): void {
  SetAllocator(t, alloc, 0);
}
