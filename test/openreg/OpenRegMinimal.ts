/**
 * @file The operators that PyTorch needs first on a device: tensors are made, viewed, resized, copied, read.
 * Exercise 17 shows which of them is called when.
 * @original PyTorch's openreg: csrc/aten/native/Minimal.cpp
 */
import { empty_generic, empty_strided_generic } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as native from "#aten/generated/NativeFunctions";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import type { Device } from "#c10/core/Device";
import { DeviceGuard } from "#c10/core/DeviceGuard";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import type { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import type { Storage } from "#c10/core/Storage";
import type { Stream } from "#c10/core/Stream";
import { TORCH_CHECK } from "#c10/util/Exception";
import * as driver from "./driver.ts";
import { allocator } from "./OpenRegDeviceAllocator.ts";
import { stream_of } from "./OpenRegGuard.ts";
import { launch, snapshot, synchronize, to_host } from "./OpenRegMemory.ts";

const keys = DispatchKeySet.of(DispatchKey.PrivateUse1);

function check_options(layout: Layout | null, pin_memory: boolean | null): void {
  TORCH_CHECK(layout === null || layout === Layout.Strided, "Non strided layout not supported");
  TORCH_CHECK(pin_memory !== true, "Pin memory can only be on CPU");
}

export function empty_memory_format(
  size: number[],
  dtype: ScalarType | null,
  layout: Layout | null,
  _device: Device | null, // the wrapper has made it current
  pin_memory: boolean | null,
  memory_format: MemoryFormat | null,
): Tensor {
  check_options(layout, pin_memory);
  return empty_generic(size, allocator, keys, dtype ?? get_default_dtype(), memory_format);
}

export function empty_strided(
  size: number[],
  stride: number[],
  dtype: ScalarType | null,
  layout: Layout | null,
  _device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  check_options(layout, pin_memory);
  return empty_strided_generic(size, stride, allocator, keys, dtype ?? get_default_dtype());
}

export function as_strided(self: Tensor, size: number[], stride: number[], storage_offset: number | null): Tensor {
  return native.as_strided_tensorimpl(self, size, stride, storage_offset);
}

export function view(self: Tensor, size: number[]): Tensor {
  return native.view(self, size);
}

export function _reshape_alias(self: Tensor, size: number[], stride: number[]): Tensor {
  return native._reshape_alias(self, size, stride);
}

export function resize_(self: Tensor, size: number[], memory_format: MemoryFormat | null): Tensor {
  const guard = new DeviceGuard(self.device()); // views and this come without one, as native_functions.yaml has it
  try {
    return native.resize_(self, size, memory_format); // it asks the storage's own allocator for more
  } finally {
    guard.restore();
  }
}

export function set__source_Tensor(self: Tensor, source: Tensor): Tensor {
  return native.set_tensor_(self, source);
}

export function set__source_Storage(self: Tensor, source: Storage): Tensor {
  return native.set__source_Storage(self, source);
}

export function set__source_Storage_storage_offset(
  result: Tensor,
  storage: Storage,
  storage_offset: number,
  size: number[],
  stride: number[],
): Tensor {
  return native.set_storage_cpu_(result, storage, storage_offset, size, stride);
}

/** Between two devices, and between a device and the host, either way. */
export function _copy_from(self: Tensor, dst: Tensor, non_blocking: boolean): Tensor {
  if (self.numel() === 0 && dst.numel() === 0) return dst;
  if (self.device().is_cpu()) {
    launch([dst, snapshot(self)], (dst, self) => void native.copy_(dst, self, false));
  } else if (dst.device().is_cpu()) {
    launch([self], (self) => void native.copy_(dst, self, false));
    if (!non_blocking || !dst.is_pinned()) synchronize(self);
  } else {
    // In the source's stream, after what that of the destination has to do, which goes on when the copy is there.
    const [from, to] = [self.device().index(), dst.device().index()];
    if (from !== to) driver.wait_event(from, stream_of(from), driver.record_event(to, stream_of(to)));
    launch([self, dst], (self, dst) => void native.copy_(dst, self, false));
    if (from !== to) driver.wait_event(to, stream_of(to), driver.record_event(from, stream_of(from)));
  }
  return dst;
}

export function _copy_from_and_resize(self: Tensor, dst: Tensor): Tensor {
  dst.resize_(self.sizes());
  return dst.copy_(self);
}

export function _local_scalar_dense(self: Tensor): Scalar {
  return native._local_scalar_dense_cpu(to_host(self));
}

/** The memory is in use on `s` too. */
export function record_stream(self: Tensor, s: Stream): void {
  allocator.recordStream(self.storage().data_ptr(), s);
}
