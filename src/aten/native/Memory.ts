/**
 * @file Pinned memory: host memory that an accelerator can copy from and to directly.
 * @mirrors aten/src/ATen/native/Memory.cpp
 */
import { getPinnedMemoryAllocator, isPinnedPtr } from "#aten/Context/index";
import { computeStorageNbytes, empty_cpu_options } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { Device } from "#c10/core/Device";
import { elementSize } from "#c10/core/ScalarType";
import { Storage } from "#c10/core/Storage";
import { TORCH_CHECK, TORCH_WARN_DEPRECATION } from "#c10/util/Exception";

function warn_of_device(device: Device | null, method: string): void {
  if (device === null) return;
  TORCH_WARN_DEPRECATION(
    `The argument 'device' of Tensor.${method}() is deprecated. `,
    "Please do not pass this argument.",
  );
}

// is_pinned(Tensor self, Device? device=None) -> bool                            CompositeExplicitAutograd
export function is_pinned(self: Tensor, device: Device | null): boolean {
  warn_of_device(device, "is_pinned");
  // Only host memory can be pinned.
  return self.is_cpu() && isPinnedPtr(self.storage().data(), device?.type() ?? null);
}

// pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)                   CompositeImplicitAutograd
export function pin_memory(self: Tensor, device: Device | null): Tensor {
  warn_of_device(device, "pin_memory");
  return self.is_pinned(device) ? self : at._pin_memory(self, device);
}

// _pin_memory(Tensor self, Device? device=None) -> Tensor                        CompositeExplicitAutograd
export function _pin_memory(self: Tensor, device: Device | null): Tensor {
  TORCH_CHECK(self.device().is_cpu(), "cannot pin '", self.toString(), "' only dense CPU tensors can be pinned");
  const nbytes = computeStorageNbytes(self.sizes(), self.strides(), elementSize(self.scalar_type()));
  const storage = Storage.allocate(nbytes, getPinnedMemoryAllocator(device?.type() ?? null), false);
  const tensor = empty_cpu_options([0], self.options());
  return tensor.set__source_Storage_storage_offset(storage, 0, self.sizes(), self.strides()).copy_(self);
}
