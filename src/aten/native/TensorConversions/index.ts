/**
 * @file `to`: returns the tensor itself if it already has the requested properties, otherwise a copy.
 * @mirrors aten/src/ATen/native/TensorConversions.cpp
 */
import { infer_dense_strides } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { has_internal_overlap, MemOverlap } from "#aten/MemoryOverlap";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { getDeviceGuardImpl } from "#c10/core/impl/DeviceGuardImplInterface";
import { Layout, toString as layoutToString } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import type { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

const host = Device.of(DeviceType.CPU);

// _to_copy(Tensor self, *, <options>, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor     CompositeExplicitAutograd
export function _to_copy(
  self: Tensor,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  _pin_memory: boolean | null, // only a copy from an accelerator could be pinned
  non_blocking: boolean,
  optional_memory_format: MemoryFormat | null,
): Tensor {
  TORCH_CHECK(
    layout === null || self.layout() === layout,
    "to(options) doesn't support converting to a different layout, but got self.layout being ",
    layoutToString(self.layout()),
    " and options.layout set as ",
    layoutToString(layout ?? self.layout()),
  );
  const options = new TensorOptions(dtype ?? self.scalar_type(), self.layout(), device ?? self.device(), null);
  const memory_format = optional_memory_format ?? MemoryFormat.Preserve;
  let r: Tensor;
  if (memory_format === MemoryFormat.Preserve) {
    const strides = self.is_non_overlapping_and_dense()
      ? self.strides()
      : infer_dense_strides(self.sizes(), self.strides());
    r = at.empty_strided(self.sizes(), strides, options);
  } else {
    r = at.empty_memory_format(self.sizes(), options, memory_format);
  }
  r.copy_(self, non_blocking);
  return r;
}

function is_null_or_equal_to<T>(test: T | null, value: T): boolean {
  return test === null || test === value;
}

/** Whether `to` with these arguments may return `self` itself. */
export function to_will_alias(
  self: Tensor,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  copy: boolean,
  optional_memory_format: MemoryFormat | null,
): boolean {
  const memory_format = optional_memory_format ?? MemoryFormat.Preserve;
  return (
    is_null_or_equal_to(dtype, self.scalar_type()) &&
    is_null_or_equal_to(layout, self.layout()) &&
    (device === null || device.eq(self.device())) &&
    !copy &&
    (memory_format === MemoryFormat.Preserve || self.suggest_memory_format() === memory_format)
  );
}

function to_impl(
  self: Tensor,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
  non_blocking: boolean,
  copy: boolean,
  memory_format: MemoryFormat | null,
): Tensor {
  if (to_will_alias(self, dtype, layout, device, copy, memory_format)) return self;
  return at._to_copy(self, new TensorOptions(dtype, layout, device, pin_memory), non_blocking, memory_format);
}

/** Adds the current index to a device without one. */
function ensure_has_index(device: Device): Device {
  return device.is_cpu() || device.has_index() ? device : getDeviceGuardImpl(device.type()).getDevice();
}

// to.dtype_layout(Tensor(a) self, *, <options>, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)
export function to_dtype_layout(
  self: Tensor,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
  non_blocking: boolean,
  copy: boolean,
  memory_format: MemoryFormat | null,
): Tensor {
  const where = device === null ? null : ensure_has_index(device);
  return to_impl(self, dtype, layout, where, pin_memory, non_blocking, copy, memory_format);
}

// to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)
export function to_device(
  self: Tensor,
  device: Device,
  dtype: ScalarType,
  non_blocking: boolean,
  copy: boolean,
  memory_format: MemoryFormat | null,
): Tensor {
  return to_impl(self, dtype, null, ensure_has_index(device), null, non_blocking, copy, memory_format);
}

// to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)
export function to_dtype(
  self: Tensor,
  dtype: ScalarType,
  non_blocking: boolean,
  copy: boolean,
  memory_format: MemoryFormat | null,
): Tensor {
  return to_impl(self, dtype, null, null, null, non_blocking, copy, memory_format);
}

// to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)
export function to_other(
  self: Tensor,
  other: Tensor,
  non_blocking: boolean,
  copy: boolean,
  memory_format: MemoryFormat | null,
): Tensor {
  return to_impl(self, other.scalar_type(), other.layout(), other.device(), null, non_blocking, copy, memory_format);
}

// _to_cpu(Tensor[] tensors) -> Tensor[]                                          CompositeImplicitAutograd
// All tensors at once, because a lazy backend prefers to get them together.
export function _to_cpu(tensors: Tensor[]): Tensor[] {
  return tensors.map((t) => t.to_dtype_layout(t.options().device(host)));
}

// type_as(Tensor self, Tensor other) -> Tensor                                   CompositeImplicitAutograd
export function type_as(self: Tensor, other: Tensor): Tensor {
  return self.to_dtype_layout(other.options());
}

/** A clone with exactly `self`'s strides and offset, including gaps. An expanded tensor becomes an ordinary one. */
export function clone_preserve_strides(self: Tensor): Tensor {
  TORCH_INTERNAL_ASSERT(self.has_storage());
  if (has_internal_overlap(self) === MemOverlap.Yes) return self.clone();
  const dtype_size = self.itemsize();
  const nbytes = self.storage().nbytes();
  const numel = Math.floor(nbytes / dtype_size);
  const self_full_size = self.as_strided([numel], [1], 0);
  const clone = self_full_size.clone();
  return clone.as_strided(self.sizes(), self.strides(), self.storage_offset());
}

// to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor     CompositeImplicitAutograd
/** @differs Ours only handles strided tensors; PyTorch calls `_to_dense` for other layouts. */
export function to_dense(self: Tensor, dtype: ScalarType | null, _masked_grad: boolean | null): Tensor {
  TORCH_CHECK(self.layout() === Layout.Strided, "to_dense does not support layout ", layoutToString(self.layout()));
  return dtype === null ? self : self.to_dtype(dtype);
}
