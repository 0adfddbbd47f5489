/**
 * @file Typed arrays in the role of NumPy's: tensors over a caller's array, and arrays over a tensor's memory.
 * @mirrors torch/csrc/utils/tensor_numpy.h
 * @differs A typed array has one dimension: `from_numpy` returns a 1-d tensor, and `numpy()` of a tensor that is not
 * contiguous is a copy; a NumPy array keeps shape and strides.
 */

import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DataPtr, MemoryBlock, type TypedArray } from "#c10/core/Allocator";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { GradMode } from "#c10/core/GradMode";
import { Layout, toString as layout_name } from "#c10/core/Layout";
import { toString as dtype_name, elementSize, ScalarType } from "#c10/core/ScalarType";
import { Storage } from "#c10/core/Storage";
import { StorageImpl } from "#c10/core/StorageImpl";
import { TensorImpl } from "#c10/core/TensorImpl/index";
import {
  RuntimeError,
  TORCH_CHECK,
  TORCH_CHECK_TYPE,
  TORCH_WARN_ONCE,
  TypeError_,
  ValueError,
} from "#c10/util/Exception";
import { ByteSequence, PyBytes } from "#python/Objects/bytesobject";
import { python_type } from "./python_numbers.ts";

export type NumberArray = TypedArray | Uint8ClampedArray;

export function is_typed_array(obj: unknown): obj is NumberArray {
  return ArrayBuffer.isView(obj) && !(obj instanceof DataView);
}

/** Dtypes by class name, so that arrays of another realm (a worker, a test's sandbox) are recognized too. */
const dtype_of_array: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ["Float32Array", ScalarType.Float],
  ["Float64Array", ScalarType.Double],
  ["Float16Array", ScalarType.Half],
  ["Int8Array", ScalarType.Char],
  ["Uint8Array", ScalarType.Byte],
  ["Uint8ClampedArray", ScalarType.Byte],
  ["Int16Array", ScalarType.Short],
  ["Uint16Array", ScalarType.UInt16],
  ["Int32Array", ScalarType.Int],
  ["Uint32Array", ScalarType.UInt32],
  ["BigInt64Array", ScalarType.Long],
  ["BigUint64Array", ScalarType.UInt64],
]);

export function numpy_dtype_to_aten(array: NumberArray): ScalarType {
  const dtype = dtype_of_array.get((array as { [Symbol.toStringTag]: string })[Symbol.toStringTag]);
  if (dtype === undefined) throw new TypeError_(`can't convert ${python_type(array)}`);
  return dtype;
}

/** One block per buffer, so that tensors over the same buffer have consistent addresses and its typed views are made once. */
const blocks = new WeakMap<ArrayBufferLike, MemoryBlock>();

/** A tensor over `numel` elements of a caller's memory, which the tensor does not own. */
export function from_blob(buffer: ArrayBufferLike, byteOffset: number, numel: number, dtype: ScalarType): Tensor {
  const itemsize = elementSize(dtype);
  if (byteOffset % itemsize !== 0) {
    throw new RuntimeError(
      `a ${dtype_name(dtype)} tensor cannot start at byte ${byteOffset} of a buffer: JavaScript reads elements of ${itemsize} bytes at multiples of ${itemsize} only`,
    );
  }
  let block = blocks.get(buffer);
  if (block === undefined) blocks.set(buffer, (block = new MemoryBlock(buffer)));
  const data_ptr = new DataPtr(block, byteOffset, Device.of(DeviceType.CPU));
  const storage = new Storage(new StorageImpl(numel * itemsize, data_ptr, null, false));
  const impl = new TensorImpl(storage, DispatchKeySet.of(DispatchKey.CPU), dtype);
  impl.set_sizes_contiguous([numel]);
  return new Tensor(impl);
}

export function tensor_from_numpy(obj: unknown): Tensor {
  if (!is_typed_array(obj)) throw new TypeError_(`expected np.ndarray (got ${python_type(obj)})`);
  return at.lift_fresh(from_blob(obj.buffer, obj.byteOffset, obj.length, numpy_dtype_to_aten(obj)));
}

export function tensor_from_buffer(
  given: unknown,
  dtype: ScalarType,
  count: number,
  offset: number,
  requires_grad: boolean,
): Tensor {
  if (given instanceof PyBytes)
    TORCH_WARN_ONCE(
      "The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.",
    );
  const buffer: unknown = given instanceof ByteSequence ? given.data : given;
  if (typeof buffer !== "object" || buffer === null || !(ArrayBuffer.isView(buffer) || "byteLength" in buffer)) {
    throw new ValueError("object does not implement Python buffer protocol.");
  }
  const [memory, start] = ArrayBuffer.isView(buffer)
    ? [buffer.buffer, buffer.byteOffset]
    : [buffer as ArrayBufferLike, 0];
  const len = (buffer as { byteLength: number }).byteLength;
  const elsize = elementSize(dtype);
  if (len === 0 || count === 0) throw new ValueError(`both buffer length (${len}) and count (${count}) must not be 0`);
  if (offset < 0 || offset >= len) {
    throw new ValueError(
      `offset (${offset} bytes) must be non-negative and no greater than buffer length (${len} bytes) minus 1`,
    );
  }
  if (count > 0 && offset + count * elsize > len) {
    throw new ValueError(
      `requested buffer length (${count} * ${elsize} bytes) after offset (${offset} bytes) must not be greater than actual buffer length (${len} bytes)`,
    );
  }
  if (count <= 0 && (len - offset) % elsize !== 0) {
    throw new ValueError(
      `buffer length (${len - offset} bytes) after offset (${offset} bytes) must be a multiple of element size (${elsize})`,
    );
  }
  const numel = count > 0 ? count : (len - offset) / elsize;
  return from_blob(memory, start + offset, numel, dtype).set_requires_grad(requires_grad);
}

type ArrayOf = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => NumberArray;

const array_of_dtype: ReadonlyMap<ScalarType, ArrayOf> = new Map<ScalarType, ArrayOf>([
  [ScalarType.Float, Float32Array],
  [ScalarType.Double, Float64Array],
  [ScalarType.Char, Int8Array],
  [ScalarType.Byte, Uint8Array],
  [ScalarType.Bool, Uint8Array],
  [ScalarType.Short, Int16Array],
  [ScalarType.UInt16, Uint16Array],
  [ScalarType.Int, Int32Array],
  [ScalarType.UInt32, Uint32Array],
  [ScalarType.Long, BigInt64Array],
  [ScalarType.UInt64, BigUint64Array],
]);

function to_cpu(self: Tensor): Tensor {
  return self.device().is_cpu() ? self : self.to_dtype_layout(self.options().device(DeviceType.CPU));
}

/** An array over the tensor's own memory if it is contiguous. `force` copies, detaches and moves as needed. */
export function tensor_to_numpy(tensor: Tensor, force: boolean): NumberArray {
  TORCH_CHECK(!tensor.impl_.is_python_dispatch(), ".numpy() is not supported for tensor subclasses.");
  TORCH_CHECK_TYPE(
    tensor.layout() === Layout.Strided,
    "can't convert ",
    layout_name(tensor.layout()).toLowerCase(),
    " layout tensor to numpy. Use Tensor.to_dense() first.",
  );
  if (!force) {
    TORCH_CHECK_TYPE(
      tensor.device().type() === DeviceType.CPU,
      "can't convert ",
      tensor.device().str(),
      " device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.",
    );
    if (GradMode.is_enabled() && tensor.requires_grad())
      throw new RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.");
    TORCH_CHECK(
      !tensor.is_neg(),
      "Can't call numpy() on Tensor that has negative bit set. Use tensor.resolve_neg().numpy() instead.",
    );
    TORCH_CHECK(
      !tensor._is_zerotensor(),
      " Cannot convert a ZeroTensor to numpy. Set force=True if you need the zero array.",
    );
  }
  const own = to_cpu(tensor.detach()).resolve_neg();
  const prepared = own._is_zerotensor() ? own.clone() : own;
  const constructor = array_of_dtype.get(prepared.scalar_type());
  if (constructor === undefined)
    throw new TypeError_(`Got unsupported ScalarType ${dtype_name(prepared.scalar_type())}`);
  const dense = prepared.is_contiguous() ? prepared : prepared.contiguous();
  const impl = dense.unsafeGetTensorImpl();
  if (!impl.has_storage()) impl.data(); // refuses
  impl.storage().unsafeGetStorageImpl().leave_heap();
  const view = impl.data_view();
  return new constructor(view.buffer, impl.data_offset() * elementSize(dense.scalar_type()), dense.numel());
}
