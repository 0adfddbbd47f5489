/**
 * @file `set_`: replaces a tensor's storage and geometry.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { checkSetStorage, resize_impl_cpu_, resize_impl_meta_ } from "#aten/native/Resize";
import { GetCPUAllocator } from "#c10/core/CPUAllocator";
import { GetMetaAllocator } from "#c10/core/MetaAllocator";
import { elementSize } from "#c10/core/ScalarType";
import { Storage } from "#c10/core/Storage";

// set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!)             CPU, Meta
export function set__source_Storage(self: Tensor, source: Storage): Tensor {
  const new_size = Math.floor(source.nbytes() / elementSize(self.scalar_type()));
  return self.set__source_Storage_storage_offset(source, 0, [new_size], []);
}

// set_.source_Storage_storage_offset(Tensor(a!) self, Storage source, SymInt storage_offset, SymInt[] size, SymInt[] stride=[])     CPU
export function set_storage_cpu_(
  result: Tensor,
  storage: Storage,
  storage_offset: number,
  size: number[],
  stride: number[],
): Tensor {
  checkSetStorage(result, storage, storage_offset, size, stride);
  result.impl_.set_storage_offset(Number(storage_offset)); // beyond 2^53 it is a bigint
  resize_impl_cpu_(result.impl_, size, stride.length === 0 ? null : stride);
  return result;
}

// Same schema                                                                    Meta
export function set_storage_meta__symint(
  result: Tensor,
  storage: Storage,
  storage_offset: number,
  size: number[],
  stride: number[],
): Tensor {
  checkSetStorage(result, storage, storage_offset, size, stride, true);
  result.impl_.set_storage_offset(Number(storage_offset)); // beyond 2^53 it is a bigint
  resize_impl_meta_(result.impl_, size, stride.length === 0 ? null : stride);
  return result;
}

// set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] size, SymInt[] stride=[])   CompositeImplicitAutograd
export function set__symint(
  self: Tensor,
  source: Tensor,
  storage_offset: number,
  size: number[],
  stride: number[],
): Tensor {
  const offset = source.storage_offset() + Number(storage_offset); // beyond 2^53 it is a bigint
  return self.set__source_Storage_storage_offset(source.storage(), offset, size, stride);
}

// set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)               CPU, Meta
export function set_tensor_(result: Tensor, source: Tensor): Tensor {
  if (result.impl_ === source.impl_) return result;
  return result.set__source_Storage_storage_offset(
    source.storage(),
    source.storage_offset(),
    source.sizes(),
    source.strides(),
  );
}

// set_(Tensor(a!) self) -> Tensor(a!)                                            CPU
export function set_cpu_(result: Tensor): Tensor {
  return result.set__source_Storage_storage_offset(Storage.allocate(0, GetCPUAllocator(), true), 0, [0], []);
}

// Same schema                                                                    Meta
export function set_meta_(result: Tensor): Tensor {
  return result.set__source_Storage_storage_offset(Storage.allocate(0, GetMetaAllocator(), true), 0, [0], []);
}
