/**
 * @file Copies on the device, to it and from it. Elements are converted on the device, except float64, which the device
 * does not have.
 * @mirrors aten/src/ATen/native/cuda/Copy.h
 */

import { fallthroughs, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { empty_cpu } from "#aten/EmptyTensor";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { _local_scalar_dense_cpu } from "#aten/native/Scalar";
import { TensorIterator } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { elementSize } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { DeviceMemory } from "#c10/webgpu/interface";
import { get_device } from "#c10/webgpu/WebGPUFunctions";
import { check_dtype } from "./EmptyTensor.ts";
import { convert } from "./generated/CopyKernel.wgsl.ts";
import { neg } from "./generated/UnaryOpsKernel/index.wgsl.ts";
import { gpu_kernel } from "./Loops.ts";

/** Device memory behind a tensor. Precondition: it has elements. */
export function memory_of_tensor(self: Tensor): DeviceMemory {
  return self.impl_.storage().data_ptr().get_context() as DeviceMemory; // it was made by the device's allocator
}

/** Offset of the first element in bytes. */
function byte_offset(self: Tensor): number {
  return self.storage_offset() * elementSize(self.scalar_type());
}

function nbytes(self: Tensor): number {
  return self.numel() * elementSize(self.scalar_type());
}

/** Bytes of a contiguous CPU tensor. */
function host_bytes(self: Tensor): Uint8Array {
  const view = self.impl_.data_view();
  const size = elementSize(self.scalar_type());
  return new Uint8Array(view.buffer, view.byteOffset + self.impl_.data_offset() * size, nbytes(self));
}

/** Whether both tensors have one dtype and the same dense layout, so that one copy of bytes is enough. */
function is_one_run(dst: Tensor, src: Tensor): boolean {
  return (
    dst.scalar_type() === src.scalar_type() &&
    dst.impl_.is_non_overlapping_and_dense() &&
    sizes_equal(dst.sizes(), src.sizes()) &&
    sizes_equal(dst.strides(), src.strides()) &&
    dst.is_neg() === src.is_neg()
  );
}

function copy_on_device(dst: Tensor, src: Tensor): void {
  const iter = new TensorIterator();
  iter.build_copy_op(dst, src);
  if (iter.numel() === 0) return;
  if (is_one_run(dst, src) && !dst.storage().is_alias_of(src.storage())) {
    const [to, from] = [memory_of_tensor(dst), memory_of_tensor(src)];
    get_device().copy_on_device(to, byte_offset(dst), from, byte_offset(src), nbytes(dst));
    return;
  }
  gpu_kernel(iter, convert);
  if (dst.is_neg() !== src.is_neg()) gpu_kernel(TensorIterator.unary_op(dst, dst), neg);
}

function copy_to_device(dst: Tensor, src: Tensor): void {
  if (dst.numel() === 0) return;
  if (
    src.scalar_type() === dst.scalar_type() &&
    sizes_equal(src.sizes(), dst.sizes()) &&
    !src.is_neg() &&
    !dst.is_neg()
  ) {
    const host = src.contiguous();
    if (dst.is_contiguous()) {
      get_device().copy_to_device(memory_of_tensor(dst), byte_offset(dst), host_bytes(host));
      return;
    }
    const there = at.empty_memory_format(dst.sizes() as number[], dst.options());
    get_device().copy_to_device(memory_of_tensor(there), byte_offset(there), host_bytes(host));
    copy_on_device(dst, there);
    return;
  }
  const converted = src.resolve_neg().to_dtype(dst.scalar_type());
  const there = at.empty_memory_format(src.sizes() as number[], dst.options());
  copy_to_device(there, converted);
  copy_on_device(dst, there);
}

function copy_from_device(dst: Tensor, src: Tensor): void {
  if (src.numel() === 0 || dst.numel() === 0) {
    if (dst.numel() !== 0) src.expand(dst.sizes() as number[]); // throws if the shapes do not match
    return;
  }
  const here = src.impl_.is_non_overlapping_and_dense() ? src : src.contiguous();
  if (is_one_run(dst, here) && dst.is_contiguous()) {
    get_device().copy_from_device(host_bytes(dst), memory_of_tensor(here), byte_offset(here), "copy");
    return;
  }
  const whole = here.is_contiguous() ? here : here.contiguous();
  const host = empty_cpu(whole.sizes(), whole.scalar_type());
  get_device().copy_from_device(host_bytes(host), memory_of_tensor(whole), byte_offset(whole), "copy");
  dst.copy_(whole.is_neg() ? host.neg() : host);
}

// _copy_from(Tensor self, Tensor dst, bool non_blocking=False) -> Tensor
export function _copy_from(self: Tensor, dst: Tensor, _non_blocking: boolean): Tensor {
  if (self.device().is_cpu()) copy_to_device(dst, self);
  else if (dst.device().is_cpu()) copy_from_device(dst, self);
  else {
    check_dtype(dst.scalar_type());
    copy_on_device(dst, self);
  }
  return dst;
}

/** Copies a tensor to the CPU asynchronously, for callers that cannot block. */
export async function fetch_to_cpu(self: Tensor): Promise<Tensor> {
  if (self.device().is_cpu()) return self;
  const host = empty_cpu(self.sizes(), self.scalar_type());
  if (self.numel() === 0) return host;
  const whole = self.detach().resolve_neg().contiguous();
  const bytes = await get_device().fetch(memory_of_tensor(whole), byte_offset(whole), nbytes(whole));
  host_bytes(host).set(bytes); // host_bytes is called only now, because the heap may have grown during the wait
  return host;
}

// _copy_from_and_resize(Tensor self, Tensor dst) -> Tensor
export function _copy_from_and_resize(self: Tensor, dst: Tensor): Tensor {
  if (!sizes_equal(self.sizes(), dst.sizes())) dst.resize_(self.sizes() as number[]);
  return dst.copy_(self);
}

// _local_scalar_dense(Tensor self) -> Scalar
export function _local_scalar_dense(self: Tensor): Scalar {
  TORCH_CHECK(self.numel() > 0, "_local_scalar_dense: Empty tensor not supported");
  const host = empty_cpu([], self.scalar_type());
  get_device().copy_from_device(host_bytes(host), memory_of_tensor(self), byte_offset(self), "item");
  return _local_scalar_dense_cpu(host);
}

/** `_copy_from` handles the negative bit itself. Resolving the bit beforehand would copy, too. */
TORCH_LIBRARY_IMPL("aten", "Negative", fallthroughs(["_copy_from"]));
