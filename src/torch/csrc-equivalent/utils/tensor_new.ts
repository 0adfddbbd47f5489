/**
 * @file Making tensors from Python data: `torch.tensor`, `torch.as_tensor`, and the legacy constructor `torch.Tensor(...)`.
 * @mirrors torch/csrc/utils/tensor_new.cpp
 */

import { AutoDispatchBelowADInplaceOrView } from "#aten/core/LegacyTypeDispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { without_tracer_dispatch } from "#aten/TracerMode";
import type { TypedArray } from "#c10/core/Allocator";
import { Device } from "#c10/core/Device";
import { DeviceType, toString as device_name } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { python_ks } from "#c10/core/DispatchKeySet";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { promoteTypes, ScalarType, toString } from "#c10/core/ScalarType";
import { dispatchKeyToDeviceType, dispatchKeyToTensorOptions, TensorOptions } from "#c10/core/TensorOptions";
import {
  RuntimeError,
  TORCH_CHECK,
  TORCH_CHECK_TYPE,
  TORCH_CHECK_VALUE,
  TORCH_WARN,
  TORCH_WARN_ONCE,
  TypeError_,
  ValueError,
} from "#c10/util/Exception";
import { ByteSequence, PyBytes } from "#python/Objects/bytesobject";
import { TensorBase } from "#torch/csrc-equivalent/autograd/python_variable/type";
import type { THPDtype } from "#torch/csrc-equivalent/Dtype";
import { recorder, WARN_CONSTRUCTOR } from "#torch/csrc-equivalent/jit/frontend/tracing";
import { THPSize } from "#torch/csrc-equivalent/Size";
import { isStorage, storage_dtype, storage_of } from "#torch/csrc-equivalent/Storage";
import { get_default_scalar_type } from "#torch/csrc-equivalent/tensor/python_tensor";
import { maybe_initialize_device } from "./device_lazy_init.ts";
import { type KwArgs, PythonArgParser } from "./python_arg_parser.ts";
import type { PythonArgs } from "./python_arg_parser_args.ts";
import { isFloat, isPythonInt, python_type } from "./python_numbers.ts";
import { store_scalar } from "./python_scalars.ts";
import { as_lists, is_sequence, MAX_DIMS, original_of } from "./python_sequences.ts";
import { is_typed_array, numpy_dtype_to_aten, tensor_from_buffer, tensor_from_numpy } from "./tensor_numpy.ts";

/** Lengths along first elements; the other lengths are compared with them when the data is stored. */
function compute_sizes(data: unknown): number[] {
  const sizes: number[] = [];
  let seq = data;
  while (is_sequence(seq) || typeof seq === "string") {
    if (typeof seq === "string") throw new ValueError("too many dimensions 'str'");
    sizes.push(seq.length);
    TORCH_CHECK_VALUE(sizes.length <= MAX_DIMS, "too many dimensions '", python_type(seq), "'");
    if (seq.length === 0) break;
    seq = seq[0];
  }
  return sizes;
}

/** The dtype of the data's elements. A list that contains itself, or is nested deeper than a tensor can be, throws. */
export function infer_scalar_type(obj: unknown, depth = 0): ScalarType {
  switch (typeof obj) {
    case "number":
      return isPythonInt(obj) ? ScalarType.Long : get_default_scalar_type();
    case "boolean":
      return ScalarType.Bool;
    case "bigint":
      if (BigInt.asIntN(64, obj) !== obj) throw new ValueError("Overflow when unpacking long long");
      return ScalarType.Long;
    case "string":
      throw new TypeError_("new(): invalid data type 'str'");
    default:
  }
  if (obj instanceof TensorBase) return obj.cdata.scalar_type();
  if (isFloat(obj)) return get_default_scalar_type();
  if (is_typed_array(obj)) return numpy_dtype_to_aten(obj);
  if (Array.isArray(obj)) {
    if (obj.length === 0) return get_default_scalar_type();
    let scalarType: ScalarType | null = null;
    for (const cur_item of obj as unknown[]) {
      if (cur_item === obj) throw new TypeError_("new(): self-referential lists are incompatible");
      TORCH_CHECK_VALUE(depth < MAX_DIMS, "too many dimensions '", python_type(obj), "'");
      const item_scalarType = infer_scalar_type(cur_item, depth + 1);
      scalarType = scalarType === null ? item_scalarType : promoteTypes(scalarType, item_scalarType);
    }
    return scalarType as ScalarType;
  }
  if (obj instanceof PyBytes) throw new TypeError_("new(): invalid data type 'bytes'");
  throw new RuntimeError(`Could not infer dtype of ${python_type(obj)}`);
}

/** Writes the elements of `obj`, which is at depth `dim`, and checks the lengths on the way. */
function recursive_store(
  data: TypedArray,
  offset: number,
  sizes: readonly number[],
  strides: readonly number[],
  dim: number,
  scalarType: ScalarType,
  obj: unknown,
): void {
  if (dim === sizes.length) {
    store_scalar(data, offset, scalarType, original_of(obj));
    return;
  }
  const n = sizes[dim];
  if (!is_sequence(obj)) throw new TypeError_("not a sequence");
  if (obj.length !== n) throw new ValueError(`expected sequence of length ${n} at dim ${dim} (got ${obj.length})`);
  const stride = strides[dim];
  for (let i = 0; i < n; i++) recursive_store(data, offset + i * stride, sizes, strides, dim + 1, scalarType, obj[i]);
}

/**
 * @param copy_variables whether a tensor given as data is copied; `copy_numpy` is the same for a typed array
 * @param type_inference whether the data determines the dtype; otherwise it is `scalar_type`
 */
export function internal_new_from_data(
  options: TensorOptions,
  scalar_type: ScalarType,
  device_opt: Device | null,
  given: unknown,
  copy_variables: boolean,
  copy_numpy: boolean,
  type_inference: boolean,
  pin_memory = false,
): Tensor {
  const data = as_lists(given);
  if (typeof data === "string" || data instanceof PyBytes)
    throw new TypeError_(`new(): invalid data type '${python_type(data)}'`);
  if (data instanceof TensorBase) {
    TORCH_CHECK(!pin_memory, "Can't pin tensor constructed from a variable");
    let var_ = data.cdata;
    if (copy_variables) var_ = var_.detach();
    const inferred_scalar_type = type_inference ? var_.scalar_type() : scalar_type;
    const device = device_opt ?? var_.device();
    maybe_initialize_device(device);
    return var_.to_device(device, inferred_scalar_type, false, copy_variables);
  }
  if (is_typed_array(data)) {
    TORCH_CHECK(!pin_memory, "Can't pin tensor constructed from numpy");
    const tensor = tensor_from_numpy(data);
    const inferred_scalar_type = type_inference ? tensor.scalar_type() : scalar_type;
    const device = device_opt ?? options.device();
    maybe_initialize_device(device);
    return tensor.to_device(device, inferred_scalar_type, false, copy_numpy);
  }

  const device = device_opt ?? options.device();
  const sizes = compute_sizes(data);
  const inferred_scalar_type = type_inference ? infer_scalar_type(data) : scalar_type;
  if (isStorage(given)) {
    TORCH_CHECK(!pin_memory, "Can't pin tensor constructed from storage");
    return tensor_of_storage(given, options.device(device).dtype(inferred_scalar_type), scalar_type);
  }
  // The tensor is made below autograd: data has no history, and these calls are not part of the program. A mode sees
  // that a tensor with values was made, but not how.
  const guard = new AutoDispatchBelowADInplaceOrView();
  try {
    const opts = options.dtype(inferred_scalar_type);
    const tensor = below_modes(() => {
      if (device.is_meta()) return at.empty_memory_format(sizes, opts.device(device));
      const on_cpu = without_tracer_dispatch(() => make_tensor(opts));
      maybe_initialize_device(device);
      return on_cpu.to_device(device, inferred_scalar_type, false, false);
    });
    return without_tracer_dispatch(() => at.lift_fresh(tensor));
  } finally {
    guard.restore();
  }

  function make_tensor(opts: TensorOptions): Tensor {
    const tensor = at.empty_memory_format(sizes, opts.device(DeviceType.CPU).pinned_memory(pin_memory));
    if (tensor.numel() !== 0) {
      const impl = tensor.unsafeGetTensorImpl();
      recursive_store(impl.data_view(), impl.data_offset(), sizes, tensor.strides(), 0, inferred_scalar_type, data);
    }
    return tensor;
  }
}

/** A tensor of one dim over the bytes of a storage. A storage with a dtype must have the one that is expected. */
function tensor_of_storage(storage: unknown, options: TensorOptions, expected: ScalarType): Tensor {
  const dtype = storage_dtype(storage)?.scalar_type;
  TORCH_CHECK(
    dtype === undefined || dtype === expected,
    "Expected a Storage of type ",
    toString(expected),
    " or an UntypedStorage, but got ",
    toString(dtype ?? expected),
  );
  const guard = new AutoDispatchBelowADInplaceOrView();
  try {
    return below_modes(() => at.empty_memory_format([0], options).set__source_Storage(storage_of(storage)));
  } finally {
    guard.restore();
  }
}

/** New data is written below everything that might have none: modes, classes, functionalization, transforms. */
const data_less_ks = python_ks
  .add(DispatchKey.Functionalize)
  .add(DispatchKey.FuncTorchDynamicLayerFrontMode)
  .add(DispatchKey.FuncTorchDynamicLayerBackMode);

function below_modes<R>(fn: () => R): R {
  const guard = new ExcludeDispatchKeyGuard(data_less_ks);
  try {
    return fn();
  } finally {
    guard.restore();
  }
}

function typeIdWithDefault(r: PythonArgs, device_idx: number, dispatch_key: DispatchKey): TensorOptions {
  const options = dispatchKeyToTensorOptions(dispatch_key);
  const device = r.deviceOptional(device_idx);
  return device === null ? options : options.device(device);
}

function warn_of_copy(fn: string): void {
  TORCH_WARN(
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or sourceTensor.detach().clone().requires_grad_(True), rather than ",
    fn,
    "(sourceTensor).",
  );
}

/** `torch.tensor`. Slots: data, dtype, device, pin_memory, requires_grad. */
export function tensor_ctor(dispatch_key: DispatchKey, scalar_type: ScalarType, r: PythonArgs): Tensor {
  recorder?.warn("torch.tensor", WARN_CONSTRUCTOR);
  const data = r.pyobject(0);
  if (data instanceof TensorBase) warn_of_copy("torch.tensor");
  const type_inference = r.isNone(1);
  const pin_memory = r.toBool(3);
  const args_requires_grad = r.toBool(4);
  const new_tensor = internal_new_from_data(
    typeIdWithDefault(r, 2, dispatch_key),
    r.scalartypeWithDefault(1, scalar_type),
    r.deviceOptional(2),
    data,
    true,
    true,
    type_inference,
    pin_memory,
  );
  new_tensor.detach_(); // makes new_tensor a leaf
  new_tensor.set_requires_grad(args_requires_grad);
  return new_tensor;
}

/** `torch.as_tensor`: shares memory if possible. Slots: data, dtype, device. */
export function as_tensor(dispatch_key: DispatchKey, scalar_type: ScalarType, r: PythonArgs): Tensor {
  recorder?.warn("torch.as_tensor", WARN_CONSTRUCTOR);
  return internal_new_from_data(
    typeIdWithDefault(r, 2, dispatch_key),
    r.scalartypeWithDefault(1, scalar_type),
    r.deviceOptional(2),
    r.pyobject(0),
    false,
    false,
    r.isNone(1),
  );
}

/**
 * `torch.asarray`: returns the object itself if possible; `copy` can demand or forbid a copy.
 * @param given_requires_grad null: keep the object's
 */
export function asarray(
  obj: unknown,
  dtype: ScalarType | null,
  device: Device | null,
  copy: boolean | null,
  given_requires_grad: boolean | null,
): Tensor {
  const given =
    obj instanceof TensorBase
      ? obj.cdata
      : is_typed_array(obj)
        ? tensor_from_numpy(obj)
        : obj instanceof ByteSequence
          ? tensor_from_buffer(obj, dtype ?? get_default_scalar_type(), -1, 0, given_requires_grad ?? false)
          : null;
  const requires_grad = given_requires_grad ?? given?.requires_grad() ?? false;
  if (given_requires_grad === null && requires_grad) {
    TORCH_WARN_ONCE(
      "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. Pass requires_grad=False explicitly to get the old behavior and silence this warning.",
    );
  }
  const tensor = given === null ? array_of_data(obj, dtype, device, copy) : array_of_tensor(given, dtype, device, copy);
  if (!requires_grad && !tensor.is_leaf()) return tensor.detach();
  tensor.set_requires_grad(requires_grad);
  return tensor;
}

function array_of_tensor(given: Tensor, dtype: ScalarType | null, device: Device | null, copy: boolean | null): Tensor {
  const wrong_device = device !== null && !device.eq(given.device());
  const wrong_dtype = dtype !== null && dtype !== given.scalar_type();
  if (copy === false) {
    TORCH_CHECK_VALUE(!wrong_device, "can't alias tensor from device '", given.device(), "' to '", device, "'.");
    TORCH_CHECK_VALUE(
      !wrong_dtype,
      `can't alias tensor with dtype '${toString(given.scalar_type())}' into dtype '${toString(dtype ?? 0)}'.`,
    );
  }
  if (wrong_device || wrong_dtype)
    return given.to_device(device ?? given.device(), dtype ?? given.scalar_type(), false, copy === true);
  return copy === true ? given.clone() : given;
}

function array_of_data(obj: unknown, dtype: ScalarType | null, device: Device | null, copy: boolean | null): Tensor {
  TORCH_CHECK_VALUE(copy !== false, "can't alias arbitrary sequence into a tensor.");
  const options = TensorOptions.EMPTY.device(device ?? Device.of(DeviceType.CPU));
  return internal_new_from_data(options, dtype ?? get_default_scalar_type(), device, obj, false, false, dtype === null);
}

const new_tensor_parser = new PythonArgParser([
  "new_tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None, bool requires_grad=False)",
]);

/** `x.new_tensor(data)`: by default with the dtype and device of x. */
export function new_tensor(
  dispatch_key: DispatchKey,
  scalar_type: ScalarType,
  args: unknown[],
  kwargs: KwArgs | null,
): Tensor {
  const r = new_tensor_parser.parse(null, args, kwargs);
  const data = r.pyobject(0);
  if (data instanceof TensorBase) warn_of_copy("tensor.new_tensor");
  const args_requires_grad = r.toBool(3);
  const made = internal_new_from_data(
    typeIdWithDefault(r, 2, dispatch_key),
    r.scalartypeWithDefault(1, scalar_type),
    r.deviceOptional(2),
    data,
    true,
    true,
    false,
  );
  made.detach_();
  made.set_requires_grad(args_requires_grad);
  return made;
}

// The legacy constructor

export const CtorOrNew = { BASE_CTOR: 0, CTOR: 1, NEW: 2 } as const;
export type CtorOrNew = (typeof CtorOrNew)[keyof typeof CtorOrNew];

/** Signatures of `torch.Tensor(...)`; index 5 also accepts `torch.Tensor([1, 2])`, which is data and not a size. */
const legacy_parser = new PythonArgParser([
  "new(*, Device? device=None)",
  "new(Storage storage)",
  "new(*, int64_t cdata)|hidden",
  "new(Tensor other)",
  "new(Tensor other, *, Device? device=None)|hidden",
  "new(SymIntArrayRef size, *, Device? device=None)",
  "new(PyObject* data, *, Device? device=None)",
]);

function check_legacy_ctor_device(dispatch_key: DispatchKey, device: Device | null): void {
  if (device === null) return;
  const expected = dispatchKeyToDeviceType(dispatch_key);
  TORCH_CHECK(
    expected === device.type(),
    "legacy constructor expects device type: ",
    device_name(expected),
    " but device type: ",
    device_name(device.type()),
    " was passed",
  );
}

function build_options(options: TensorOptions, scalar_type: ScalarType, device: Device | null): TensorOptions {
  const with_dtype = options.dtype(scalar_type);
  return device === null ? with_dtype : with_dtype.device(device);
}

function new_with_sizes(
  options: TensorOptions,
  scalar_type: ScalarType,
  device: Device | null,
  sizes: number[],
): Tensor {
  maybe_initialize_device(options.device());
  return at.empty_memory_format(sizes, build_options(options, scalar_type, device));
}

function legacy_new_from_sequence(
  options: TensorOptions,
  scalar_type: ScalarType,
  device: Device | null,
  data: unknown,
): Tensor {
  TORCH_CHECK_TYPE(
    is_sequence(data) || typeof data === "string" || as_lists(data) !== data,
    "new(): data must be a sequence (got ",
    python_type(data),
    ")",
  );
  return internal_new_from_data(options, scalar_type, device, data, false, false, false);
}

/** A storage with a dtype must have the tensor's. */
function check_storage_dtype(expected: ScalarType, dtype: THPDtype | null): void {
  TORCH_CHECK(
    dtype === null || dtype.scalar_type === expected,
    "Expected a Storage of type ",
    toString(expected),
    " or an UntypedStorage, but got type ",
    dtype === null ? "" : toString(dtype.scalar_type),
    " for argument 1 'storage'",
  );
}

/** `torch.Tensor(2, 3)` and `torch.Tensor(x.shape)` are sizes, `torch.Tensor([2, 3])` is data. */
export function legacy_tensor_generic_ctor_new(
  dispatch_key: DispatchKey,
  scalar_type: ScalarType,
  args: unknown[],
  kwargs: KwArgs | null,
  ctor_or_new: CtorOrNew,
): Tensor {
  const options = dispatchKeyToTensorOptions(dispatch_key);
  const r = legacy_parser.parse(null, args, kwargs);
  switch (r.idx) {
    case 0: {
      const device = r.deviceOptional(0);
      check_legacy_ctor_device(dispatch_key, device);
      return at.empty_memory_format([0], build_options(options, scalar_type, device));
    }
    case 1: {
      const storage = r.storage(0);
      check_storage_dtype(scalar_type, r.storage_dtype(0));
      return at
        .empty_memory_format([0], options.dtype(scalar_type).device(storage.device()))
        .set__source_Storage(storage);
    }
    case 3: {
      const other = r.tensor(0);
      if (ctor_or_new !== CtorOrNew.BASE_CTOR) {
        TORCH_CHECK_TYPE(
          other.scalar_type() === scalar_type,
          "expected ",
          options.dtype(scalar_type),
          " (got ",
          other.options(),
          ")",
        );
      }
      return other.alias();
    }
    case 4:
      throw new RuntimeError(
        ctor_or_new === CtorOrNew.NEW
          ? "Legacy tensor new of the form tensor.new(tensor, device=device) is not supported.  Use torch.as_tensor(...) instead."
          : "Legacy tensor constructor of the form torch.Tensor(tensor, device=device) is not supported.  Use torch.tensor(...) or torch.as_tensor(...) instead.",
      );
    case 5: {
      const device = r.deviceOptional(1);
      const arg = r.pyobject(0);
      check_legacy_ctor_device(dispatch_key, device);
      if (!(arg instanceof THPSize) && args.length >= 1 && arg === args[0])
        return legacy_new_from_sequence(options, scalar_type, device, arg);
      return new_with_sizes(options, scalar_type, device, r.symintlist(0));
    }
    case 6: {
      const device = r.deviceOptional(1);
      check_legacy_ctor_device(dispatch_key, device);
      return legacy_new_from_sequence(options, scalar_type, device, r.pyobject(0));
    }
    default:
      throw new RuntimeError("new(): invalid arguments");
  }
}

/** `torch.Tensor(...)` and its subclasses. */
export function base_tensor_ctor(
  dispatch_key: DispatchKey,
  scalar_type: ScalarType,
  args: unknown[],
  kwargs: KwArgs | null,
): Tensor {
  return legacy_tensor_generic_ctor_new(dispatch_key, scalar_type, args, kwargs, CtorOrNew.BASE_CTOR);
}

/** `torch.FloatTensor(...)`. */
export function legacy_tensor_ctor(
  dispatch_key: DispatchKey,
  scalar_type: ScalarType,
  args: unknown[],
  kwargs: KwArgs | null,
): Tensor {
  return legacy_tensor_generic_ctor_new(dispatch_key, scalar_type, args, kwargs, CtorOrNew.CTOR);
}

/** `x.new(...)`. */
export function legacy_tensor_new(
  dispatch_key: DispatchKey,
  scalar_type: ScalarType,
  args: unknown[],
  kwargs: KwArgs | null,
): Tensor {
  return legacy_tensor_generic_ctor_new(dispatch_key, scalar_type, args, kwargs, CtorOrNew.NEW);
}
