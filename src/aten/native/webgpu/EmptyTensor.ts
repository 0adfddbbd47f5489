/**
 * @file Allocation of tensors on the device, and the check for dtypes that it does not have.
 * @mirrors aten/src/ATen/cuda/EmptyTensor.cpp
 */
import { deterministicAlgorithms, deterministicFillUninitializedMemory } from "#aten/Context/index";
import { empty_generic, empty_strided_generic } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { fill_empty_deterministic_ } from "#aten/native/TensorFactories/fill_empty_deterministic";
import { dtype_name } from "#aten/webgpu/dtypes";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import type { Device } from "#c10/core/Device";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_TYPE } from "#c10/util/Exception";
import { allocator } from "#c10/webgpu/WebGPUDeviceAllocator";

const keys = DispatchKeySet.of(DispatchKey.PrivateUse1);

/** Refuses float64 with the error text of MPS. */
export function check_dtype(dtype: ScalarType): void {
  TORCH_CHECK_TYPE(
    dtype !== ScalarType.Double,
    "Cannot convert a WebGPU Tensor to float64 dtype as WebGPU doesn't support float64. Please use float32 instead.",
  );
  TORCH_CHECK_TYPE(
    dtype_name(dtype) !== undefined,
    "Trying to convert ",
    toString(dtype),
    " to the WebGPU backend but it does not have support for that dtype.",
  );
}

function check_options(dtype: ScalarType, layout: Layout | null, pin_memory: boolean | null): void {
  check_dtype(dtype);
  TORCH_CHECK(layout === null || layout === Layout.Strided, "Non strided layout not supported");
  TORCH_CHECK(pin_memory !== true, "Only dense CPU tensors can be pinned");
}

// empty.memory_format(SymInt[] size, ...) -> Tensor
export function empty_memory_format(
  size: number[],
  dtype_opt: ScalarType | null,
  layout: Layout | null,
  _device: Device | null, // the wrapper has already made it current
  pin_memory: boolean | null,
  memory_format: MemoryFormat | null,
): Tensor {
  const dtype = dtype_opt ?? get_default_dtype();
  check_options(dtype, layout, pin_memory);
  const result = empty_generic(size, allocator, keys, dtype, memory_format);
  if (deterministicAlgorithms() && deterministicFillUninitializedMemory()) fill_empty_deterministic_(result);
  return result;
}

// empty_strided(SymInt[] size, SymInt[] stride, ...) -> Tensor
export function empty_strided(
  size: number[],
  stride: number[],
  dtype_opt: ScalarType | null,
  layout: Layout | null,
  _device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  const dtype = dtype_opt ?? get_default_dtype();
  check_options(dtype, layout, pin_memory);
  const result = empty_strided_generic(size, stride, allocator, keys, dtype);
  if (deterministicAlgorithms() && deterministicFillUninitializedMemory()) fill_empty_deterministic_(result);
  return result;
}

// set_(Tensor(a!) self) -> Tensor(a!)
export function set_(result: Tensor): Tensor {
  const nothing = at.empty_memory_format([0], result.options());
  return result.set__source_Storage_storage_offset(nothing.storage(), 0, [0], []);
}
