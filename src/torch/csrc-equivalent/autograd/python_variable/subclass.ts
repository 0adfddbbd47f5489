/**
 * @file Tensors of users' classes: one that shares another tensor's memory, and one that wraps other tensors and has no memory.
 * @mirrors torch/csrc/autograd/python_variable.cpp#THPVariable_make_wrapper_subclass
 * @see src/c10/core/TensorImpl/PythonTensorImpl.ts (a class that answers for its own sizes or device)
 */
import { computeStorageNbytes, computeStorageNbytesContiguous } from "#aten/EmptyTensor";
import { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { DataPtr } from "#c10/core/Allocator";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { without_dispatch_modes } from "#c10/core/impl/TorchDispatchModeTLS";
import { GetMetaAllocator } from "#c10/core/MetaAllocator";
import { elementSize } from "#c10/core/ScalarType";
import { Storage } from "#c10/core/Storage";
import { StorageImpl } from "#c10/core/StorageImpl";
import { TensorImpl } from "#c10/core/TensorImpl/index";
import { PythonTensorImpl, SizesStridesPolicy } from "#c10/core/TensorImpl/PythonTensorImpl";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_CHECK_TYPE, TORCH_CHECK_VALUE } from "#c10/util/Exception";
import { check_subclass } from "#torch/csrc-equivalent/autograd/python_variable_methods_manual";
import { torch_dispatch_attr } from "#torch/csrc-equivalent/utils/disable_torch_function";
import { PythonArgParser, take_kwargs } from "#torch/csrc-equivalent/utils/python_arg_parser";
import type { PythonArgs } from "#torch/csrc-equivalent/utils/python_arg_parser_args";
import type { TensorBase, THPVariableType } from "./type.ts";
import { THPVariable_NewWithVar } from "./wrap.ts";

const make_subclass_parser = new PythonArgParser([
  "_make_subclass(PyObject* cls, Tensor data, bool require_grad=False, *, std::string_view? dispatch_sizes_strides_policy=None, bool dispatch_device=False, bool dispatch_layout=False, Device? device_for_backend_keys=None)",
]);

/** `Tensor._make_subclass(cls, data, require_grad)`: `data`'s memory under another class. */
export function THPVariable_make_subclass<T extends TensorBase>(cls: THPVariableType<T>, ...args: unknown[]): T {
  return THPVariable_NewWithVar(cls, subclass_data(cls, ...args));
}

/** The tensor inside a `_make_subclass`: detached, a leaf of its own. */
export function subclass_data(cls: THPVariableType, ...args: unknown[]): AtTensor {
  const kwargs = take_kwargs(args);
  const r = make_subclass_parser.parse(null, [cls, ...args], kwargs);
  check_subclass(r.pyobject(0));
  const data = r.tensor(1);
  let detached = without_dispatch_modes(() => data.detach());
  detached.unsafeGetTensorImpl().set_allow_tensor_metadata_change(true);
  const device = r.deviceOptional(6);
  if (has_policy(r, 3) || device !== null) {
    const impl = PythonTensorImpl.of(detached.impl_);
    set_policies(impl, r, 3);
    if (device !== null) impl._change_backend_component_keys(device);
    detached = new AtTensor(impl);
  }
  detached.set_requires_grad(r.toBool(2));
  return detached;
}

/** Whether the class has a say: `dispatch_sizes_strides_policy`, `dispatch_device` and `dispatch_layout` stand from `first` on. */
function has_policy(r: PythonArgs, first: number): boolean {
  return !r.isNone(first) || r.toBool(first + 1) || r.toBool(first + 2);
}

function set_policies(impl: PythonTensorImpl, r: PythonArgs, first: number): void {
  const policy = r.stringViewOptional(first);
  if (policy !== null) impl.set_python_custom_sizes_strides(parseSizesStridesPolicyArgument(policy));
  impl.set_python_custom_device(r.toBool(first + 1));
  impl.set_python_custom_layout(r.toBool(first + 2));
}

function parseSizesStridesPolicyArgument(arg: string): SizesStridesPolicy {
  TORCH_CHECK_VALUE(
    arg === "strides" || arg === "sizes",
    "Unknown sizes_strides_policy: ",
    arg,
    "; expected 'strides' or 'sizes'",
  );
  return arg === "strides" ? SizesStridesPolicy.CustomStrides : SizesStridesPolicy.CustomSizes;
}

const make_wrapper_subclass_parser = new PythonArgParser([
  "_make_wrapper_subclass(PyObject* cls, SymIntArrayRef size, SymIntArrayRef? strides=None, " +
    "SymInt? storage_offset=None, MemoryFormat? memory_format=None, ScalarType dtype=None, " +
    "Layout layout=torch.strided, Device device=None, bool pin_memory=False, bool requires_grad=False, " +
    "std::string_view? dispatch_sizes_strides_policy=None, bool dispatch_device=False, bool dispatch_layout=False, " +
    "DispatchKeySet _extra_dispatch_keys=None, SymInt? storage_size=None)",
]);

/**
 * `Tensor._make_wrapper_subclass(cls, size, ...)`: a tensor with sizes, dtype and device but without bytes. Its class must have
 * `__torch_dispatch__`, because no kernel could compute with it.
 * @throws {TypeError} if the class has no `__torch_dispatch__`
 */
export function THPVariable_make_wrapper_subclass(...args: unknown[]): TensorBase {
  const kwargs = take_kwargs(args);
  const r = make_wrapper_subclass_parser.parse(null, args, kwargs);
  const cls = check_subclass(r.pyobject(0));
  TORCH_CHECK_TYPE(torch_dispatch_attr(cls) !== undefined, cls.name, " must define __torch_dispatch__");
  const options = new TensorOptions(r.scalartype(5), r.layoutOptional(6), r.device(7));
  const sizes = r.symintlist(1);
  const strides = r.symintlistOptional(2);
  const offset = r.toSymIntOptional(3);
  const itemsize = elementSize(options.dtype());
  const nbytes =
    r.toSymIntOptional(14) ??
    (strides === null
      ? computeStorageNbytesContiguous(sizes, itemsize, offset ?? 0)
      : computeStorageNbytes(sizes, strides, itemsize, offset ?? 0));
  // The storage says which wrappers share memory. It has no bytes.
  const storage = new StorageImpl(nbytes, new DataPtr(null, 0, options.device()), GetMetaAllocator(), true);
  const extra = r.pyobject(13);
  const keys = DispatchKeySet.of(options.computeDispatchKey());
  let impl = new TensorImpl(
    new Storage(storage),
    extra instanceof DispatchKeySet ? keys.or(extra) : keys,
    options.dtype(),
  );
  if (strides !== null) impl.set_sizes_and_strides(sizes, strides, offset);
  else {
    TORCH_CHECK(offset === null, "setting storage offset without stride not supported");
    impl.set_sizes_contiguous(sizes);
  }
  if (has_policy(r, 10)) {
    const custom = PythonTensorImpl.of(impl);
    set_policies(custom, r, 10);
    impl = custom;
  }
  const tensor = new AtTensor(impl);
  tensor.set_requires_grad(r.toBool(9));
  return THPVariable_NewWithVar(cls, tensor);
}
