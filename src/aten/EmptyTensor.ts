/**
 * @file Creation of dense tensors: sizes become a number of bytes, the allocator gives a storage, and a TensorImpl is
 * put over it. Operators come here through the kernels of `empty` and `empty_strided`; structured kernels call it
 * directly for their outputs, below the dispatcher.
 * @mirrors aten/src/ATen/EmptyTensor.cpp
 */
import type { Allocator } from "#c10/core/Allocator";
import { GetCPUAllocator } from "#c10/core/CPUAllocator";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { GetMetaAllocator } from "#c10/core/MetaAllocator";
import { elementSize, type ScalarType } from "#c10/core/ScalarType";
import { Storage } from "#c10/core/Storage";
import { StorageImpl } from "#c10/core/StorageImpl";
import { TensorImpl } from "#c10/core/TensorImpl/index";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { getPinnedMemoryAllocator } from "./Context/index.ts";
import { getAccelerator } from "./DeviceAccelerator.ts";
import { Tensor } from "./generated/core/TensorBody.ts";

const cpu_ks = DispatchKeySet.of(DispatchKey.CPU);
const meta_ks = DispatchKeySet.of(DispatchKey.Meta);

/**
 * Byte counts are int64 in PyTorch. Ours are rounded above 2^53: no such memory exists, and for meta tensors it does not matter.
 */
const NBYTES_OVERFLOW = 2 ** 63;

export function check_size_nonnegative(size: readonly number[]): void {
  for (let dim = 0; dim < size.length; dim++) if (size[dim] < 0) refuse_negative(size, dim);
}

function refuse_negative(size: readonly number[], dim: number): void {
  TORCH_CHECK(false, "Trying to create tensor with negative dimension ", size[dim], ": ", size);
}

/** Number of bytes that a row-major tensor of `sizes` needs from the start of its storage. */
export function computeStorageNbytesContiguous(sizes: readonly number[], itemsize: number, storage_offset = 0): number {
  let size = 1;
  for (let dim = 0; dim < sizes.length; dim++) size *= sizes[dim];
  const nbytes = itemsize * (storage_offset + size);
  TORCH_CHECK(nbytes < NBYTES_OVERFLOW, "Storage size calculation overflowed with sizes=", sizes);
  return nbytes;
}

/** Number of bytes up to and including the last element that (`sizes`, `strides`) can reach; 0 if there is no element. */
export function computeStorageNbytes(
  sizes: readonly number[],
  strides: readonly number[],
  itemsize: number,
  storage_offset = 0,
): number {
  TORCH_CHECK(
    sizes.length === strides.length,
    "dimensionality of sizes (",
    sizes.length,
    ") must match dimensionality of strides (",
    strides.length,
    ")",
  );
  let size = 1; // the element at index (0, ..., 0)
  let overflowed = false;
  for (let dim = 0; dim < sizes.length; dim++) {
    const extent = sizes[dim];
    if (extent === 0) return 0;
    const stride = strides[dim];
    const reach = stride * (extent - 1);
    overflowed ||= reach < 0; // C++ reads a negative number as a huge unsigned one
    size += reach;
  }
  const nbytes = itemsize * (storage_offset + size);
  if (overflowed || nbytes >= NBYTES_OVERFLOW) {
    TORCH_CHECK(false, "Storage size calculation overflowed with sizes=", sizes, " and strides=", strides);
  }
  return nbytes;
}

function make_tensor_base(size_bytes: number, allocator: Allocator, ks: DispatchKeySet, dtype: ScalarType): TensorImpl {
  return new TensorImpl(new Storage(StorageImpl.allocate(size_bytes, allocator, true)), ks, dtype);
}

export function empty_generic(
  size: readonly number[],
  allocator: Allocator,
  ks: DispatchKeySet,
  scalar_type: ScalarType,
  memory_format: MemoryFormat | null,
): Tensor {
  check_size_nonnegative(size);
  const size_bytes = computeStorageNbytesContiguous(size, elementSize(scalar_type));
  const impl = make_tensor_base(size_bytes, allocator, ks, scalar_type);
  // A fresh impl already has shape (0).
  if (size.length !== 1 || size[0] !== 0) impl.set_sizes_contiguous(size);
  if (memory_format !== null && memory_format !== MemoryFormat.Contiguous) impl.empty_tensor_restride(memory_format);
  return new Tensor(impl);
}

export function empty_strided_generic(
  size: readonly number[],
  stride: readonly number[],
  allocator: Allocator,
  ks: DispatchKeySet,
  scalar_type: ScalarType,
): Tensor {
  check_size_nonnegative(size);
  const size_bytes = computeStorageNbytes(size, stride, elementSize(scalar_type));
  const impl = make_tensor_base(size_bytes, allocator, ks, scalar_type);
  impl.set_sizes_and_strides(size, stride);
  return new Tensor(impl);
}

function GetCPUAllocatorMaybePinned(pin_memory: boolean): Allocator {
  return pin_memory ? pinned_memory_allocator() : GetCPUAllocator();
}

function pinned_memory_allocator(): Allocator {
  const accelerator = getAccelerator();
  TORCH_CHECK(
    accelerator !== null,
    "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this system.",
  );
  return getPinnedMemoryAllocator(accelerator);
}

/** Makes a tensor. Its bytes are uninitialized in PyTorch; here the bytes of a new storage are 0. */
export function empty_cpu(
  size: readonly number[],
  dtype: ScalarType,
  pin_memory = false,
  memory_format: MemoryFormat | null = null,
): Tensor {
  return empty_generic(size, GetCPUAllocatorMaybePinned(pin_memory), cpu_ks, dtype, memory_format);
}

/** Makes an output for the wrapper of a structured kernel (C++: an overload of `empty_cpu`). */
export function empty_cpu_options(size: readonly number[], options: TensorOptions): Tensor {
  return empty_generic(
    size,
    GetCPUAllocatorMaybePinned(options.pinned_memory_opt() === true),
    cpu_ks,
    options.dtype_opt() ?? get_default_dtype(),
    options.memory_format_opt(),
  );
}

export function empty_strided_cpu(
  size: readonly number[],
  stride: readonly number[],
  dtype: ScalarType,
  pin_memory = false,
): Tensor {
  return empty_strided_generic(size, stride, GetCPUAllocatorMaybePinned(pin_memory), cpu_ks, dtype);
}

export function empty_strided_cpu_options(
  size: readonly number[],
  stride: readonly number[],
  options: TensorOptions,
): Tensor {
  return empty_strided_cpu(size, stride, options.dtype(), options.pinned_memory());
}

/** Makes a meta tensor: shape, dtype and a storage that knows its length but has no bytes. */
export function empty_meta(
  size: readonly number[],
  dtype: ScalarType,
  memory_format: MemoryFormat | null = null,
): Tensor {
  return empty_generic(size, GetMetaAllocator(), meta_ks, dtype, memory_format);
}

export function empty_meta_options(size: readonly number[], options: TensorOptions): Tensor {
  return empty_meta(size, options.dtype(), options.memory_format_opt());
}

export function empty_strided_meta(size: readonly number[], stride: readonly number[], dtype: ScalarType): Tensor {
  return empty_strided_generic(size, stride, GetMetaAllocator(), meta_ks, dtype);
}

export function empty_strided_meta_options(
  size: readonly number[],
  stride: readonly number[],
  options: TensorOptions,
): Tensor {
  return empty_strided_meta(size, stride, options.dtype());
}
