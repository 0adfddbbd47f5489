/**
 * @file Changes of the geometry of an existing tensor: `resize_` (the storage may grow), and `setStrided` (the storage
 * must be large enough).
 * @mirrors aten/src/ATen/native/Resize.cpp
 */
import { fills_uninitialized_memory } from "#aten/Context/index";
import { computeStorageNbytes, computeStorageNbytesContiguous } from "#aten/EmptyTensor";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { GetCPUAllocator } from "#c10/core/CPUAllocator";
import { MemoryFormat, toString as memoryFormatToString } from "#c10/core/MemoryFormat";
import { GetMetaAllocator } from "#c10/core/MetaAllocator";
import { elementSize, type ScalarType } from "#c10/core/ScalarType";
import { Storage } from "#c10/core/Storage";
import { StorageImpl } from "#c10/core/StorageImpl";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { fill_empty_deterministic_ } from "./TensorFactories/fill_empty_deterministic.ts";

/** Whether `output` must be resized to `shape`; warns if that discards a shape with elements. */
export function resize_output_check(output: Tensor, shape: readonly number[]): boolean {
  if (sizes_equal(output.sizes(), shape)) return false;
  if (output.numel() !== 0) {
    TORCH_WARN(
      "An output with one or more elements was resized since it had shape ",
      output.sizes(),
      ", which does not match the required output shape ",
      shape,
      ". This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements. " +
        "You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
    );
  }
  return true;
}

/** Gives an `out=` tensor the shape of the result. Returns whether the shape has changed. */
export function resize_output(output: Tensor, shape: readonly number[]): boolean {
  if (!resize_output_check(output, shape)) return false;
  // Calls the CPU kernel directly, which saves a dispatch.
  if (output.is_cpu()) resize_(output, shape.slice(), null);
  else output.resize_(shape.slice());
  return true;
}

/** Resizes the storage to `size_bytes` bytes; the old contents are kept as far as they fit. */
export function resize_bytes_cpu(storage: StorageImpl, size_bytes: number): void {
  TORCH_CHECK(storage.resizable(), "Trying to resize storage that is not resizable");
  const allocator = storage.allocator() ?? GetCPUAllocator();
  const new_data = allocator.allocate(size_bytes);
  const copy_capacity = Math.min(size_bytes, storage.nbytes());
  if (copy_capacity > 0) allocator.copy_data(new_data, storage.data_ptr(), copy_capacity);
  storage.set_data_ptr_noswap(new_data);
  storage.set_nbytes(size_bytes);
}

function maybe_resize_storage_cpu(self: TensorImpl, new_size_bytes: number): void {
  // An empty tensor needs no byte, and its storage may be shared, so it is left unchanged.
  if (self.numel() === 0) return;
  if (!self.storage().has_storage_impl()) {
    self.set_storage_keep_dtype(new Storage(StorageImpl.allocate(0, GetCPUAllocator(), true)));
  }
  const storage = self.storage().unsafeGetStorageImpl();
  if (new_size_bytes > storage.nbytes()) resize_bytes_cpu(storage, new_size_bytes);
}

function maybe_resize_storage_meta(self: TensorImpl, new_size_bytes: number): void {
  if (self.numel() === 0) return;
  if (!self.storage().has_storage_impl()) {
    self.set_storage_keep_dtype(new Storage(StorageImpl.allocate(0, GetMetaAllocator(), true)));
  }
  const storage = self.storage().unsafeGetStorageImpl();
  if (new_size_bytes <= storage.nbytes()) return;
  TORCH_CHECK(storage.resizable(), "Trying to resize storage that is not resizable");
  storage.set_nbytes(new_size_bytes);
}

function resize_impl_(
  self: TensorImpl,
  size: readonly number[],
  stride: readonly number[] | null,
  resize_storage: (self: TensorImpl, new_size_bytes: number) => void,
): void {
  if (sizes_equal(self.sizes(), size) && (stride === null || sizes_equal(self.strides(), stride))) return;
  const itemsize = elementSize(self.dtype());
  const storage_offset = self.storage_offset();
  if (stride === null) {
    self.set_sizes_contiguous(size);
    resize_storage(self, computeStorageNbytesContiguous(size, itemsize, storage_offset));
  } else {
    self.set_sizes_and_strides(size, stride);
    resize_storage(self, computeStorageNbytes(size, stride, itemsize, storage_offset));
  }
}

/**
 * Sets new sizes (row-major unless `stride` is given) at the same offset. The storage grows if it is too short; it
 * never shrinks.
 */
export function resize_impl_cpu_(self: TensorImpl, size: readonly number[], stride: readonly number[] | null): void {
  resize_impl_(self, size, stride, maybe_resize_storage_cpu);
}

export function resize_impl_meta_(self: TensorImpl, size: readonly number[], stride: readonly number[] | null): void {
  resize_impl_(self, size, stride, maybe_resize_storage_meta);
}

function restride(self: Tensor, memory_format: MemoryFormat | null): void {
  if (memory_format === null) return;
  TORCH_CHECK(
    memory_format !== MemoryFormat.Preserve,
    "Unsupported memory format",
    memoryFormatToString(memory_format),
  );
  self.impl_.empty_tensor_restride(memory_format);
}

/** Fills new elements, from byte `old_storage_nbytes` on, because that memory is uninitialized. */
function fill_resize_deterministic_(tensor: Tensor, old_storage_nbytes: number): void {
  const storage = tensor.impl_.storage();
  const itemsize = elementSize(tensor.scalar_type());
  const old_storage_numel = Math.floor(old_storage_nbytes / itemsize);
  const added = Math.floor(nbytes_of(tensor) / itemsize) - old_storage_numel;
  if (added <= 0) return;
  const options = new TensorOptions().dtype(tensor.scalar_type()).device(tensor.device());
  const tensor_view = at.empty_memory_format([], options);
  tensor_view.set__source_Storage_storage_offset(storage, old_storage_numel, [added], [1]);
  fill_empty_deterministic_(tensor_view);
}

function nbytes_of(tensor: Tensor): number {
  const storage = tensor.impl_.storage();
  return storage.has_storage_impl() ? storage.nbytes() : 0;
}

function _resize_(
  self: Tensor,
  size: number[],
  memory_format: MemoryFormat | null,
  resize_impl: (self: TensorImpl, size: readonly number[], stride: readonly number[] | null) => void,
): Tensor {
  const old_storage_nbytes = nbytes_of(self);
  resize_impl(self.impl_, size, null);
  restride(self, memory_format);
  if (fills_uninitialized_memory) fill_resize_deterministic_(self, old_storage_nbytes);
  return self;
}

// resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)     CPU
export function resize_(self: Tensor, size: number[], memory_format: MemoryFormat | null): Tensor {
  return _resize_(self, size, memory_format, resize_impl_cpu_);
}

// Same schema                                                                    Meta
export function resize__symint(self: Tensor, size: number[], memory_format: MemoryFormat | null): Tensor {
  return _resize_(self, size, memory_format, resize_impl_meta_);
}

// resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)     CompositeExplicitAutograd
export function resize_as_(self: Tensor, the_template: Tensor, memory_format: MemoryFormat | null): Tensor {
  self.resize_(the_template.sizes());
  restride(self, memory_format === MemoryFormat.Preserve ? the_template.suggest_memory_format() : memory_format);
  return self;
}

/** Refuses a geometry that reaches past the end of `storage`. Without strides, it is row-major. */
export function checkInBoundsForStorage(
  size: readonly number[],
  stride: readonly number[],
  storage_offset: number,
  dtype: ScalarType,
  storage: StorageImpl,
  reach: typeof computeStorageNbytes,
): void {
  const itemsize = elementSize(dtype);
  const nbytes =
    stride.length === 0
      ? computeStorageNbytesContiguous(size, itemsize, storage_offset)
      : reach(size, stride, itemsize, storage_offset);
  if (nbytes <= storage.nbytes()) return;
  if (size.includes(0)) return; // without elements, no byte is needed
  TORCH_CHECK(
    false,
    "setStorage: sizes ",
    size,
    ", strides ",
    stride,
    ", storage offset ",
    storage_offset,
    ", and itemsize ",
    itemsize,
    " requiring a storage size of ",
    nbytes,
    " are out of bounds for storage of size ",
    storage.nbytes(),
  );
}

/** Kind of check when a geometry is set: for an array of sizes, for SymInts (which have a sign), or none. */
export type BoundsCheck = "int" | "symint" | "none";

/**
 * Number of bytes up to the last element, as SymInts compute it: signed, so that a negative size is only found when
 * elements are counted.
 */
function computeStorageNbytesSymint(
  size: readonly number[],
  stride: readonly number[],
  itemsize: number,
  storage_offset = 0,
): number {
  if (size.includes(0)) return 0;
  const last = size.reduce((at, extent, d) => at + stride[d] * (extent - 1), storage_offset);
  return itemsize * (last + 1);
}

/** Sets a geometry over the storage that `self` already has. */
export function setStrided(
  self: TensorImpl,
  size: readonly number[],
  stride: readonly number[],
  storage_offset: number,
  bounds: BoundsCheck,
): void {
  TORCH_CHECK(size.length === stride.length, "mismatch in length of strides and shape");
  for (let dim = 0; dim < stride.length; dim++) {
    const negative = stride[dim] < 0;
    TORCH_CHECK(!negative, "as_strided: Negative strides are not supported at the moment, got strides: ", stride);
  }
  TORCH_CHECK(storage_offset >= 0, "Tensor: invalid storage offset ", storage_offset);
  const offset = Number(storage_offset); // beyond 2^53 it is a bigint
  if (bounds !== "none") {
    const reach = bounds === "int" ? computeStorageNbytes : computeStorageNbytesSymint;
    checkInBoundsForStorage(size, stride, offset, self.dtype(), self.storage().unsafeGetStorageImpl(), reach);
  }
  self.set_sizes_and_strides(size, stride, offset);
}

/** Replaces the storage of `result`; devices must match. Part of every `set_`. */
export function checkSetStorage(
  result: Tensor,
  storage: Storage,
  storage_offset: number,
  size: readonly number[],
  stride: readonly number[],
  from_meta_impl = false,
): void {
  TORCH_CHECK(
    stride.length === 0 || size.length === stride.length,
    "unequal size length (",
    size.length,
    ") and stride length (",
    stride.length,
    ")",
  );
  TORCH_CHECK(storage_offset >= 0, "Tensor: invalid storage offset ", storage_offset);
  // A later resize only compares sizes and strides. If these stay the same, nothing else would notice how far the
  // offset reaches.
  const stays = sizes_equal(result.sizes(), size) && (stride.length === 0 || sizes_equal(result.strides(), stride));
  if (stays && !from_meta_impl) {
    const offset = Number(storage_offset); // beyond 2^53 it is a bigint
    const to = storage.unsafeGetStorageImpl();
    checkInBoundsForStorage(size, stride, offset, result.scalar_type(), to, computeStorageNbytes);
  }
  if (!result.storage().is_alias_of(storage)) {
    const mine = result.storage().device();
    TORCH_CHECK(
      mine.eq(storage.device()),
      'Attempted to set the storage of a tensor on device "',
      mine,
      '" to a storage on different device "',
      storage.device(),
      '".  This is no longer allowed; the devices must match.',
    );
    result.impl_.set_storage_keep_dtype(storage);
  }
}
