/**
 * @file Tensors of users' classes: one that shares another tensor's memory, and one that wraps other tensors and has no memory.
 * @mirrors torch/csrc/autograd/python_variable.cpp#THPVariable_make_wrapper_subclass
 * @differs A class cannot answer for its sizes, strides, device or layout itself (`dispatch_sizes_strides_policy`, `dispatch_device`,
 * `dispatch_layout`); PyTorch's can.
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
import { TensorOptions } from "#c10/core/TensorOptions";
import { NotImplementedError, TORCH_CHECK, TORCH_CHECK_TYPE, TORCH_CHECK_VALUE } from "#c10/util/Exception";
import { check_subclass } from "#torch/csrc-equivalent/autograd/python_variable_methods_manual";
import { disabled_torch_dispatch, torch_dispatch_attr } from "#torch/csrc-equivalent/utils/disable_torch_function";
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
  refuse_policies(r, 3);
  TORCH_CHECK(r.isNone(6), "_make_subclass: device_for_backend_keys is not implemented");
  const data = r.tensor(1);
  const detached = without_dispatch_modes(() => data.detach());
  detached.unsafeGetTensorImpl().set_allow_tensor_metadata_change(true);
  detached.set_requires_grad(r.toBool(2));
  return detached;
}

/** Arguments `dispatch_sizes_strides_policy`, `dispatch_device` and `dispatch_layout`, which stand from `first` on. */
function refuse_policies(r: PythonArgs, first: number): void {
  const policy = r.stringViewOptional(first);
  if (policy !== null)
    TORCH_CHECK_VALUE(
      policy === "strides" || policy === "sizes",
      "Unknown sizes_strides_policy: ",
      policy,
      "; expected 'strides' or 'sizes'",
    );
  if (policy !== null || r.toBool(first + 1) || r.toBool(first + 2))
    throw new NotImplementedError(
      "Tensor subclasses that answer for their sizes, strides, device or layout are not implemented: " +
        "give these to _make_wrapper_subclass",
    );
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
  const handler = torch_dispatch_attr(cls);
  TORCH_CHECK_TYPE(
    handler !== undefined && handler !== disabled_torch_dispatch,
    cls.name,
    " must define __torch_dispatch__",
  );
  refuse_policies(r, 10);
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
  const impl = new TensorImpl(
    new Storage(storage),
    extra instanceof DispatchKeySet ? keys.or(extra) : keys,
    options.dtype(),
  );
  if (strides !== null) impl.set_sizes_and_strides(sizes, strides, offset);
  else {
    TORCH_CHECK(offset === null, "setting storage offset without stride not supported");
    impl.set_sizes_contiguous(sizes);
  }
  const tensor = new AtTensor(impl);
  tensor.set_requires_grad(r.toBool(9));
  return THPVariable_NewWithVar(cls, tensor);
}
