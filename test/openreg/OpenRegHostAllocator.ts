/**
 * @file Pinned memory: the host's own, at addresses that the device was told of.
 * @original PyTorch's openreg: csrc/runtime/OpenRegHostAllocator.h
 */
import { Allocator, DataPtr, MemoryBlock } from "#c10/core/Allocator";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";

class OpenRegHostAllocator extends Allocator {
  /** The ranges of addresses that live. A real one would take out what is freed. */
  private readonly pinned_: { readonly begin: number; readonly end: number }[] = [];

  override allocate(nbytes: number): DataPtr {
    const block = new MemoryBlock(new ArrayBuffer(Math.ceil(nbytes / 8) * 8));
    const data_ptr = new DataPtr(block, 0, Device.of(DeviceType.CPU));
    this.pinned_.push({ begin: data_ptr.get(), end: data_ptr.get() + Math.max(nbytes, 1) });
    return data_ptr;
  }

  override copy_data(dest: DataPtr, src: DataPtr, count: number): void {
    this.default_copy_data(dest, src, count);
  }

  is_pinned(address: number): boolean {
    return this.pinned_.some(({ begin, end }) => begin <= address && address < end);
  }
}

export const host_allocator = new OpenRegHostAllocator();
