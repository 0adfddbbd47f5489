/**
 * @file Operators about shape and layout, and `contiguous`, whose result may be a copy.
 * @mirrors aten/src/ATen/native/TensorProperties.cpp
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TORCH_CHECK } from "#c10/util/Exception";

// is_same_size(Tensor self, Tensor other) -> bool                                CompositeExplicitAutograd
export function is_same_size(self: Tensor, other: Tensor): boolean {
  return sizes_equal(self.sizes(), other.sizes());
}

// size.int(Tensor self, int dim) -> int                                          CompositeImplicitAutograd
export function size(self: Tensor, dim: number): number {
  return self.size(dim);
}

// stride.int(Tensor self, int dim) -> int                                        CompositeImplicitAutograd
export function stride(self: Tensor, dim: number): number {
  return self.stride(dim);
}

// contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)     CompositeImplicitAutograd
export function contiguous(self: Tensor, memory_format: MemoryFormat): Tensor {
  if (self.is_contiguous(memory_format)) return self;
  TORCH_CHECK(
    memory_format !== MemoryFormat.Preserve,
    "preserve memory format is unsupported by the contiguous operator",
  );
  return self.clone(memory_format);
}

// is_set_to(Tensor self, Tensor tensor) -> bool                                  CPU
export function is_set_to(self: Tensor, src: Tensor): boolean {
  return (
    self.storage().unsafeGetStorageImpl() === src.storage().unsafeGetStorageImpl() &&
    self.storage_offset() === src.storage_offset() &&
    is_same_size(self, src) &&
    sizes_equal(self.strides(), src.strides())
  );
}

// cudnn_is_acceptable(Tensor self) -> bool                                          CompositeImplicitAutograd
// For a GPU tensor, PyTorch checks whether cuDNN can be used; this library has no cuDNN.
export function cudnn_is_acceptable(_self: Tensor): boolean {
  return false;
}
