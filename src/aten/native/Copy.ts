/**
 * @file `copy_`: writes one tensor's values into another, with broadcasting and conversion.
 * @mirrors aten/src/ATen/native/Copy.cpp
 */

import { infer_size_dimvector, sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorIterator } from "#aten/TensorIterator";
import type { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { tracer } from "#c10/util/Trace";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { clone_preserve_strides } from "./TensorConversions/index.ts";

export const copy_stub = DEFINE_DISPATCH<(iter: TensorIterator, non_blocking: boolean) => void>("copy_stub");

/**
 * Kernel for the case of `copy_transpose_valid`.
 * @differs Ours is a stub with a SIMD kernel, which the operators do not import; PyTorch's loop is in Copy.cpp.
 */
export const copy_transpose_stub = DEFINE_DISPATCH<(self: Tensor, src: Tensor) => void>("copy_transpose_stub");

/**
 * Side of the square tiles in which a matrix is transposed. Its square is the smallest size for which tiles are used.
 */
export const BLOCK_SZ = 60;
const MIN_SZ = BLOCK_SZ * BLOCK_SZ;

/** Whether a row-major matrix is filled from a column-major one of the same dtype. */
function copy_transpose_valid(self: Tensor, src: Tensor): boolean {
  return (
    src.dim() === 2 &&
    self.is_contiguous() &&
    src.numel() !== 0 &&
    src.strides()[0] === 1 &&
    src.strides()[1] === src.sizes()[0] &&
    self.scalar_type() === src.scalar_type() &&
    sizes_equal(self.sizes(), src.sizes()) &&
    self.is_neg() === src.is_neg() &&
    self.numel() >= MIN_SZ
  );
}

/** Devices that this file copies from and to; other devices bring a `_copy_from`. */
function is_supported_device(device: Device): boolean {
  return device.is_cpu();
}

/** Whether both tensors are the same elements, so that there is nothing to copy. */
function is_same_data(self: Tensor, src: Tensor): boolean {
  return (
    self.storage().is_alias_of(src.storage()) &&
    self.storage_offset() === src.storage_offset() &&
    sizes_equal(self.strides(), src.strides()) &&
    sizes_equal(self.sizes(), src.sizes()) &&
    self.scalar_type() === src.scalar_type() &&
    self.is_conj() === src.is_conj() &&
    self.is_neg() === src.is_neg()
  );
}

/**
 * Reused as in Note [Operators are used again] (../StructuredOutputs.ts), because every number next to a tensor is
 * copied.
 */
let idle: TensorIterator | null = null;

/** Copies if one of the two tensors is not in host memory. */
function copy_elsewhere(self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  if (self.is_meta()) {
    // Only the shapes need to be checked.
    const shape = infer_size_dimvector(self.sizes(), src.sizes());
    TORCH_CHECK(
      sizes_equal(self.sizes(), shape),
      "output with shape ",
      self.sizes(),
      " doesn't match the broadcast shape ",
      shape,
    );
    return self;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(!src.is_meta(), "Cannot copy out of meta tensor; no data!");
  at._copy_from(src, self, non_blocking); // with two devices, this calls the kernel of the one that is not the CPU
  return self;
}

function copy_impl(self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  TORCH_CHECK(src.defined(), "src is undefined");
  if (self.is_same(src)) return self;
  if (!is_supported_device(self.device()) || !is_supported_device(src.device()))
    return copy_elsewhere(self, src, non_blocking);
  if (is_same_data(self, src)) return self;
  const iter = idle ?? new TensorIterator();
  idle = null;
  iter.build_copy_op(self, src);
  if (iter.numel() === 0) return self;
  if (copy_transpose_valid(self, src)) {
    copy_transpose_stub.call(DeviceType.CPU, self, src);
    return self;
  }
  copy_stub.call(DeviceType.CPU, iter, non_blocking);
  if (tracer === null) {
    iter.release();
    idle = iter;
  }
  return self;
}

// copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)      CompositeExplicitAutograd
export function copy_(self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  if (src._is_zerotensor()) return self.zero_();
  return copy_impl(self, src, non_blocking);
}

// copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor               CompositeExplicitAutogradNonFunctional
// The functional form of `copy_`: a tensor with `self`'s sizes, strides and storage size that holds `src`'s values.
export function copy(self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  const r =
    self.storage().nbytes() === 0
      ? at.empty_strided(self.sizes(), self.strides(), self.options())
      : clone_preserve_strides(self);
  r.copy_(src, non_blocking);
  return r;
}

// Same schema                                                                    Meta
export function copy_meta(self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  const r = clone_preserve_strides(self);
  r.copy_(src, non_blocking);
  return r;
}
