/**
 * @file The bytes that tensors view. Shape, strides and dtype live in `TensorImpl`, never here.
 * @mirrors c10/core/StorageImpl.h
 * @differs The JavaScript collector frees the bytes; PyTorch frees them when the intrusive count reaches 0.
 * @see TensorImpl/index.ts (who points here)
 */
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { type Allocator, DataPtr, MemoryBlock } from "./Allocator.ts";
import type { Device } from "./Device.ts";
import type { DeviceType } from "./DeviceType.ts";
import { PyObjectSlot } from "./impl/PyObjectSlot.ts";

// Note [Aliasing is storage identity]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Two tensors share memory if and only if they hold the same StorageImpl object. Three things depend on it: deep copy,
// saving (each storage is written once), and tests that a view did not copy. Small storages may share a slab, never a
// byte of it; the one exception is a caller's own buffer given twice to `frombuffer`.
let next_id = 0;

export class StorageImpl {
  /** (block, byte offset, device), `nbytes()` long. Invariant: no other StorageImpl owns a byte of it; see the Note. */
  data_ptr_: DataPtr;
  size_bytes_: number;
  resizable_: boolean;
  allocator_: Allocator | null;
  /** Number of tensors over these bytes that the autograd engine or a front-end object holds; see autograd/use_count.ts. */
  use_count_ = 0;
  private pyobj_slot_lazy_: PyObjectSlot | null = null;
  /** 0 until `id()` is first called. */
  private id_ = 0;

  constructor(size_bytes: number, data_ptr: DataPtr, allocator: Allocator | null, resizable: boolean) {
    this.data_ptr_ = data_ptr;
    this.size_bytes_ = size_bytes;
    this.resizable_ = resizable;
    this.allocator_ = allocator;
    TORCH_INTERNAL_ASSERT(!resizable || allocator !== null, "For resizable storage, allocator must be provided");
  }

  /** A fresh storage of `size_bytes` from `allocator`. */
  static allocate(size_bytes: number, allocator: Allocator, resizable: boolean): StorageImpl {
    return new StorageImpl(size_bytes, allocator.allocate(size_bytes), allocator, resizable);
  }

  nbytes(): number {
    return this.size_bytes_;
  }

  set_nbytes(size_bytes: number): void {
    this.size_bytes_ = size_bytes;
  }

  resizable(): boolean {
    return this.resizable_;
  }

  set_resizable(resizable: boolean): void {
    if (resizable) TORCH_INTERNAL_ASSERT(this.allocator_ !== null);
    this.resizable_ = resizable;
  }

  data_ptr(): DataPtr {
    return this.data_ptr_;
  }

  /** Replaces the bytes and returns the old ones. */
  set_data_ptr(data_ptr: DataPtr): DataPtr {
    const old = this.data_ptr_;
    this.data_ptr_ = data_ptr;
    return old;
  }

  set_data_ptr_noswap(data_ptr: DataPtr): void {
    this.data_ptr_ = data_ptr;
  }

  /** The address of the first byte. */
  data(): number {
    return this.data_ptr_.get();
  }

  // Note [What the user has seen leaves the heap]
  // ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  // The heap hands out a block again when no tensor holds it, but a plain array over its memory does not hold the
  // block. So before an array is given to the user, the storage moves into an ArrayBuffer and stays there. The storage
  // is the only owner of its bytes, so no other object must be updated. The address stays the same. Our own code reads
  // bytes only within one call and needs none of this.

  /** Moves the bytes out of the heap; see the Note. */
  leave_heap(): void {
    const old = this.data_ptr_;
    if (old.block === null || !old.block.in_heap) return;
    const block = new MemoryBlock(new ArrayBuffer(Math.ceil(this.size_bytes_ / 8) * 8));
    block.take_address(old.get());
    block.u8().set(this.bytes());
    this.data_ptr_ = new DataPtr(block, 0, old.device);
  }

  /** A live view of exactly this storage's bytes. It must not be kept: see the Note. */
  bytes(): Uint8Array {
    const { block, byteOffset } = this.data_ptr_;
    TORCH_CHECK(block !== null || this.size_bytes_ === 0, "Storage on device ", this.device(), " has no bytes to read");
    if (block === null) return new Uint8Array(0);
    return new Uint8Array(block.buffer, byteOffset, this.size_bytes_);
  }

  device(): Device {
    return this.data_ptr_.device;
  }

  device_type(): DeviceType {
    return this.data_ptr_.device.type();
  }

  allocator(): Allocator | null {
    return this.allocator_;
  }

  /** Drops the bytes; the storage keeps its device. */
  reset(): void {
    this.data_ptr_ = new DataPtr(null, 0, this.device());
    this.size_bytes_ = 0;
  }

  release_resources(): void {
    this.data_ptr_ = new DataPtr(null, 0, this.device());
  }

  pyobj_slot(): PyObjectSlot {
    return (this.pyobj_slot_lazy_ ??= new PyObjectSlot());
  }

  /** A unique number, for traces and dumps. */
  id(): number {
    if (this.id_ === 0) this.id_ = ++next_id;
    return this.id_;
  }

  dumpState(): { id: number; nbytes: number; device: string; resizable: boolean; data_ptr: number } {
    return {
      id: this.id(),
      nbytes: this.size_bytes_,
      device: this.device().str(),
      resizable: this.resizable_,
      data_ptr: this.data(),
    };
  }

  checkInvariants(): void {
    const { block, byteOffset } = this.data_ptr_;
    TORCH_INTERNAL_ASSERT(this.size_bytes_ >= 0, "nbytes is negative: ", this.size_bytes_);
    if (block === null) return;
    TORCH_INTERNAL_ASSERT(
      block.begin <= byteOffset && byteOffset + this.size_bytes_ <= block.begin + block.nbytes,
      "storage of ",
      this.size_bytes_,
      " bytes at offset ",
      byteOffset,
      " runs out of its block of ",
      block.nbytes,
      " at ",
      block.begin,
    );
  }
}
