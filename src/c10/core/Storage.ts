/**
 * @file The handle of a StorageImpl. Handles are cheap to copy; identity belongs to the impl.
 * @mirrors c10/core/Storage.h
 */
import type { Allocator, DataPtr } from "./Allocator.ts";
import type { Device } from "./Device.ts";
import type { DeviceType } from "./DeviceType.ts";
import { StorageImpl } from "./StorageImpl.ts";

export class Storage {
  readonly storage_impl_: StorageImpl | null;

  constructor(impl: StorageImpl | null = null) {
    this.storage_impl_ = impl;
  }

  static allocate(size_bytes: number, allocator: Allocator, resizable: boolean): Storage {
    return new Storage(StorageImpl.allocate(size_bytes, allocator, resizable));
  }

  static fromDataPtr(size_bytes: number, data_ptr: DataPtr, allocator: Allocator | null, resizable: boolean): Storage {
    return new Storage(new StorageImpl(size_bytes, data_ptr, allocator, resizable));
  }

  /** Whether there is a StorageImpl at all. */
  has_storage_impl(): boolean {
    return this.storage_impl_ !== null;
  }

  unsafeGetStorageImpl(): StorageImpl {
    return this.storage_impl_ as StorageImpl;
  }

  nbytes(): number {
    return this.unsafeGetStorageImpl().nbytes();
  }

  set_nbytes(size_bytes: number): void {
    this.unsafeGetStorageImpl().set_nbytes(size_bytes);
  }

  resizable(): boolean {
    return this.unsafeGetStorageImpl().resizable();
  }

  data_ptr(): DataPtr {
    return this.unsafeGetStorageImpl().data_ptr();
  }

  set_data_ptr(data_ptr: DataPtr): DataPtr {
    return this.unsafeGetStorageImpl().set_data_ptr(data_ptr);
  }

  data(): number {
    return this.unsafeGetStorageImpl().data();
  }

  bytes(): Uint8Array {
    return this.unsafeGetStorageImpl().bytes();
  }

  device(): Device {
    return this.unsafeGetStorageImpl().device();
  }

  device_type(): DeviceType {
    return this.unsafeGetStorageImpl().device_type();
  }

  allocator(): Allocator | null {
    return this.unsafeGetStorageImpl().allocator();
  }

  is_alias_of(other: Storage): boolean {
    return this.storage_impl_ === other.storage_impl_;
  }
}
