/**
 * @file Methods of Tensor that no operator's schema describes: they take or return Python objects, or must not dispatch.
 * @mirrors tools/autograd/templates/python_variable_methods.cpp
 * @differs These functions are in a file of their own; PyTorch has them in the template of the generated file.
 */

import { checkSupportsInplaceRequiresGrad } from "#aten/functorch/DynamicLayer";
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { legacyExtractDispatchKey } from "#c10/core/DispatchKeySet";
import { GradMode } from "#c10/core/GradMode";
import { without_dispatch_modes } from "#c10/core/impl/TorchDispatchModeTLS";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import {
  isComplexType,
  isFloatingType,
  isIntegralType,
  ScalarType,
  toString as scalarTypeName,
} from "#c10/core/ScalarType";
import {
  OverflowError,
  RuntimeError,
  TORCH_CHECK,
  TORCH_CHECK_TYPE,
  TORCH_CHECK_VALUE,
  TORCH_WARN_ONCE,
  TypeError_,
  ValueError,
} from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { typeMetaName } from "#c10/util/typeid";
import { tuple } from "#python/Objects/tupleobject";
import { THPDtype } from "#torch/csrc-equivalent/Dtype";
import { recorder, WARN_PYTHON_DATAFLOW } from "#torch/csrc-equivalent/jit/frontend/tracing";
import { THPSize_New } from "#torch/csrc-equivalent/Size";
import { THPStorage_Wrap } from "#torch/csrc-equivalent/Storage";
import { scalar_type_from_string, type_string } from "#torch/csrc-equivalent/tensor/python_tensor";
import { maybe_initialize_device } from "#torch/csrc-equivalent/utils/device_lazy_init";
import { has_torch_function } from "#torch/csrc-equivalent/utils/disable_torch_function";
import {
  callSlow,
  type PyCFunctionWithKeywords,
  TypeError_to_NotImplemented_,
  takes_no_arguments,
  takes_one_argument,
  unbound_self,
} from "#torch/csrc-equivalent/utils/pycfunction_helpers";
import { type KwArgs, PythonArgParser, take_kwargs } from "#torch/csrc-equivalent/utils/python_arg_parser";
import {
  handle_torch_function,
  handle_torch_function_noargs,
} from "#torch/csrc-equivalent/utils/python_arg_parser_torch_function";
import { python_type, THPUtils_packInt64 } from "#torch/csrc-equivalent/utils/python_numbers";
import { apply_, map_, map2_ } from "#torch/csrc-equivalent/utils/tensor_apply";
import { tensor_to_list } from "#torch/csrc-equivalent/utils/tensor_list";
import { legacy_tensor_new, new_tensor } from "#torch/csrc-equivalent/utils/tensor_new";
import { is_typed_array, tensor_from_numpy, tensor_to_numpy } from "#torch/csrc-equivalent/utils/tensor_numpy";
import * as generated from "./generated/python_variable_methods.ts";
import { TensorBase, THPVariableClass, type THPVariableType } from "./python_variable/type.ts";
import { THPVariable_NewWithVar } from "./python_variable/wrap.ts";
import { wrap, wrap_Scalar, wrap_TensorList } from "./utils/wrap_outputs.ts";

const API = "torch.Tensor";

export function THPVariable__is_view(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "_is_view");
  return self.cdata.is_view();
}

const size_parser = new PythonArgParser(["size(int64_t? dim=None)"]);
export function THPVariable_size(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = size_parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  const dim = r.toInt64Optional(0);
  return dim === null ? THPSize_New(self.cdata) : self.cdata.size(dim);
}

const stride_parser = new PythonArgParser(["stride(int64_t? dim=None)"]);
export function THPVariable_stride(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = stride_parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  const dim = r.toInt64Optional(0);
  return dim === null ? tuple(self.cdata.strides()) : self.cdata.stride(dim);
}

export function THPVariable_get_device(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "get_device");
  return self.cdata.get_device();
}

/** The storage's address plus the offset in bytes. */
export function THPVariable_data_ptr(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "data_ptr");
  return self.cdata.data_ptr();
}

export function THPVariable_storage_offset(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "storage_offset");
  return self.cdata.storage_offset();
}

export function THPVariable_dim(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "dim");
  return self.cdata.dim();
}

export function THPVariable_numel(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "numel");
  return self.cdata.numel();
}

export function THPVariable_element_size(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "element_size");
  return self.cdata.element_size();
}

const contiguous_parser = new PythonArgParser(["contiguous(*, MemoryFormat memory_format=contiguous_format)"]);
export function THPVariable_contiguous(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = contiguous_parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  const memory_format = r.memoryformat(0);
  // Usually there is nothing to do, and then the dispatcher is not called.
  if (self.cdata.is_contiguous(memory_format)) {
    recorder?.record_contiguous(self.cdata, memory_format);
    return self;
  }
  return wrap(self.cdata.contiguous(memory_format));
}

const copy__parser = new PythonArgParser([
  "copy_(Tensor other, bool non_blocking=False)",
  "copy_(Tensor other, bool async=False)|deprecated",
]);
export function THPVariable_copy_(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = copy__parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  return wrap(self.cdata.copy_(r.tensor(0), r.toBool(1)));
}

function maybe_warn_requires_grad(self: AtTensor): void {
  if (GradMode.is_enabled() && self.requires_grad()) {
    TORCH_WARN_ONCE(
      "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider using tensor.detach() first.",
    );
  }
}

function only_element(self: AtTensor): ReturnType<AtTensor["item"]> {
  TORCH_CHECK_VALUE(self.numel() === 1, "only one element tensors can be converted to Python scalars");
  return self.item();
}

/** `int(x)` of a float. */
function PyLong_FromDouble(value: number): bigint {
  if (Number.isNaN(value)) throw new ValueError("cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw new OverflowError("cannot convert float infinity to integer");
  return BigInt(Math.trunc(value));
}

export function THPVariable_float_scalar(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "__float__");
  recorder?.warn("Converting a tensor to a Python float", WARN_PYTHON_DATAFLOW);
  maybe_warn_requires_grad(self.cdata);
  return only_element(self.cdata).toDouble();
}

export function THPVariable_integral_scalar(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "__int__");
  recorder?.warn("Converting a tensor to a Python integer", WARN_PYTHON_DATAFLOW);
  const scalar = only_element(self.cdata);
  if (isFloatingType(self.cdata.scalar_type())) return THPUtils_packInt64(PyLong_FromDouble(scalar.toDouble()));
  return THPUtils_packInt64(scalar.toBigInt());
}

export function THPVariable_index_scalar(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "__index__");
  const self_ = self.cdata;
  if (!isIntegralType(self_.scalar_type(), true) || self_.numel() !== 1) {
    throw new TypeError_("only integer tensors of a single element can be converted to an index");
  }
  return THPUtils_packInt64(only_element(self_).toBigInt());
}

export function THPVariable_bool_scalar(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "__bool__");
  recorder?.warn("Converting a tensor to a Python boolean", WARN_PYTHON_DATAFLOW);
  return generated.THPVariable_is_nonzero(self);
}

export function THPVariable_invert(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "__invert__");
  if (!isIntegralType(self.cdata.scalar_type(), true)) {
    throw new TypeError_("~ (operator.invert) is only implemented on integer and Boolean-type tensors");
  }
  return wrap(self.cdata.bitwise_not());
}

const __eq___parser = new PythonArgParser(["__eq__(PyObject* other)"]);
/** `==`. It also accepts an array, and is overridden under its own name. */
export function THPVariable___eq__(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = __eq___parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  const other = r.pyobject(0);
  if (is_typed_array(other)) return wrap(self.cdata.eq_Tensor(tensor_from_numpy(other)));
  return generated.THPVariable_eq(self, args, kwargs);
}

/** `.to(dtype)`. */
function dispatch_to_dtype(
  self: AtTensor,
  dtype: ScalarType,
  non_blocking: boolean,
  copy: boolean,
  memory_format: MemoryFormat | null,
): AtTensor {
  return self.to_dtype(dtype, non_blocking, copy, memory_format);
}

const to_parser = new PythonArgParser([
  "to(Device device=None, ScalarType dtype=None, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None)",
  "to(ScalarType dtype, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None)",
  "to(Tensor tensor, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None)",
]);

/** The parsed arguments of `.to(...)` and `Module.to(...)`. */
export interface ToConversion {
  readonly device: Device | null;
  readonly dtype: ScalarType | null;
  readonly non_blocking: boolean;
  readonly copy: boolean;
  readonly memory_format: MemoryFormat | null;
}

function parse_to_conversion(r: ReturnType<PythonArgParser["parse"]>, allow_copy: boolean): ToConversion {
  const first = r.idx === 0 ? 2 : 1; // position of non_blocking
  if (!allow_copy && !r.isNone(first + 1)) throw new RuntimeError(".to() does not accept copy argument");
  const rest = {
    non_blocking: r.toBool(first),
    copy: r.toBool(first + 1),
    memory_format: r.memoryformatOptional(first + 2),
  };
  if (r.idx === 0) return { device: r.deviceOptional(0), dtype: r.scalartypeOptional(1), ...rest };
  if (r.idx === 1) return { device: null, dtype: r.scalartype(0), ...rest };
  const tensor = r.tensor(0);
  return { device: tensor.device(), dtype: tensor.scalar_type(), ...rest };
}

export function THPVariable_to(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = to_parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  const { device, dtype, non_blocking, copy, memory_format } = parse_to_conversion(r, true);
  const self_ = self.cdata;
  maybe_initialize_device(device);
  if (device === null && dtype === null) {
    if (!copy && memory_format === null) return self;
    return wrap(self_.to_dtype_layout(self_.options(), non_blocking, copy, memory_format));
  }
  if (device === null) return wrap(dispatch_to_dtype(self_, dtype as ScalarType, non_blocking, copy, memory_format));
  if (dtype === null)
    return wrap(self_.to_dtype_layout(self_.options().device(device), non_blocking, copy, memory_format));
  return wrap(self_.to_device(device, dtype, non_blocking, copy, memory_format));
}

/** `torch._C._nn._parse_to`: the arguments of `Module.to`. */
export function THPModule_parse_to(args: unknown[], kwargs: KwArgs | null): ToConversion {
  const r = parse_to_parser.parse(null, args, kwargs);
  const { device, dtype, non_blocking, memory_format } = parse_to_conversion(r, false);
  return { device, dtype, non_blocking, copy: false, memory_format };
}

const parse_to_parser = new PythonArgParser([
  "to(Device device=None, ScalarType dtype=None, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None)",
  "to(ScalarType dtype, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None)",
  "to(Tensor tensor, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None)",
]);

const cpu_parser = new PythonArgParser(["cpu(*, MemoryFormat? memory_format=None)"]);
export function THPVariable_cpu(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = cpu_parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  const self_ = self.cdata;
  return wrap(
    self_.to_dtype_layout(self_.options().device(Device.parse("cpu")), false, false, r.memoryformatOptional(0)),
  );
}

/** `x.cuda()` and similar methods: moves to a device that may not exist. */
function to_device_type(name: string, type: DeviceType): PyCFunctionWithKeywords {
  const parser = new PythonArgParser([
    `${name}(Device? device=None, bool non_blocking=False, *, MemoryFormat? memory_format=None)`,
  ]);
  const to: PyCFunctionWithKeywords = (self: TensorBase, args, kwargs) => {
    const r = parser.parse(self, args, kwargs);
    if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
    const device = r.isNone(0) ? Device.of(type) : r.device(0);
    TORCH_CHECK(device.type() === type, `Invalid device, must be ${name} device`);
    maybe_initialize_device(device);
    const self_ = self.cdata;
    return wrap(self_.to_dtype_layout(self_.options().device(device), r.toBool(1), false, r.memoryformatOptional(2)));
  };
  return Object.defineProperty(to, "name", { value: "to_device_type" });
}

/** `x.float()` and similar methods. */
function conversion_to(name: string, dtype: ScalarType): PyCFunctionWithKeywords {
  const parser = new PythonArgParser([`${name}(*, MemoryFormat? memory_format=None)`]);
  const convert: PyCFunctionWithKeywords = (self: TensorBase, args, kwargs) => {
    const r = parser.parse(self, args, kwargs);
    if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
    return wrap(dispatch_to_dtype(self.cdata, dtype, false, false, r.memoryformatOptional(0)));
  };
  // One function makes a dozen bindings: a trace shows its position for each of them.
  return Object.defineProperty(convert, "name", { value: "conversion_to" });
}

const numpy_parser = new PythonArgParser(["numpy(*, bool force=False)"]);
export function THPVariable_numpy(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = numpy_parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  recorder?.warn("Converting a tensor to a NumPy array", WARN_PYTHON_DATAFLOW);
  return tensor_to_numpy(self.cdata, r.toBool(0));
}

const requires_grad__parser = new PythonArgParser(["requires_grad_(bool requires_grad=True)"]);
export function THPVariable_requires_grad_(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = requires_grad__parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  const self_ = self.cdata;
  const requires_grad = r.isNone(0) ? true : r.toBool(0);
  checkSupportsInplaceRequiresGrad();
  if (!self_.is_leaf() && !requires_grad) {
    throw new RuntimeError(
      "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
    );
  }
  if (requires_grad && !isFloatingType(self_.scalar_type()) && !isComplexType(self_.scalar_type())) {
    throw new RuntimeError("only Tensors of floating point dtype can require gradients");
  }
  self_.set_requires_grad(requires_grad);
  return self;
}

const is_contiguous_parser = new PythonArgParser(["is_contiguous(*, MemoryFormat memory_format=contiguous_format)"]);
export function THPVariable_is_contiguous(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = is_contiguous_parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  return self.cdata.is_contiguous(r.memoryformat(0));
}

export function THPVariable_item(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "item");
  recorder?.warn("Converting a tensor to a Python number", WARN_PYTHON_DATAFLOW);
  return wrap_Scalar(self.cdata.item());
}

export function THPVariable_tolist(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "tolist");
  recorder?.warn("Converting a tensor to a Python list", WARN_PYTHON_DATAFLOW);
  TORCH_CHECK(
    !self.cdata.unsafeGetTensorImpl().is_python_dispatch(),
    ".tolist() is not supported for tensor subclasses, got ",
    python_type(self),
  );
  return tensor_to_list(self.cdata);
}

const nonzero_parser = new PythonArgParser(["nonzero()", "nonzero(*, bool as_tuple)"]);
export function THPVariable_nonzero(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = nonzero_parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  if (r.idx === 0 || !r.toBool(0)) return wrap(self.cdata.nonzero());
  return wrap_TensorList(self.cdata.nonzero_numpy());
}

export function THPVariable_new(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "new", args, kwargs);
  return wrap(
    legacy_tensor_new(legacyExtractDispatchKey(self.cdata.key_set()), self.cdata.scalar_type(), args, kwargs),
  );
}

export function THPVariable_new_tensor(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "new_tensor", args, kwargs);
  return wrap(new_tensor(legacyExtractDispatchKey(self.cdata.key_set()), self.cdata.scalar_type(), args, kwargs));
}

const as_subclass_parser = new PythonArgParser(["as_subclass(PyObject* cls)"]);
export function THPVariable_as_subclass(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = as_subclass_parser.parse(self, args, kwargs);
  const cls = check_subclass(r.pyobject(0));
  return THPVariable_NewWithVar(
    cls,
    without_dispatch_modes(() => self.cdata.alias()),
  );
}

/** A class that Python makes descends by its prototype alone. */
function is_prototype_of(base: unknown, prototype: unknown): boolean {
  return Object.prototype.isPrototypeOf.call(base as object, prototype as object);
}

/** Checks that the argument is a class of tensors, of which a new object can be made. */
export function check_subclass(cls: unknown): THPVariableType {
  TORCH_CHECK_TYPE(
    typeof cls === "function" && Object.hasOwn(cls, "prototype"),
    `cls must be a type (got ${python_type(cls)})`,
  );
  TORCH_CHECK_TYPE(
    cls === THPVariableClass || is_prototype_of(THPVariableClass.prototype, cls.prototype),
    "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your class inherits from Tensor.",
  );
  return cls as unknown as THPVariableType;
}

export function THPVariable_storage(self: TensorBase): unknown {
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "untyped_storage");
  return THPStorage_Wrap(self.cdata.storage());
}

const type_parser = new PythonArgParser([
  "type(PyObject* dtype=None, bool non_blocking=False, *, MemoryFormat? memory_format=None)",
]);
export function THPVariable_type(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = type_parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  const self_ = self.cdata;
  if (r.isNone(0)) return type_string(self_.scalar_type(), self_.device());
  const obj = r.pyobject(0);
  const memory_format = r.memoryformatOptional(2);
  if (obj instanceof THPDtype)
    return wrap(dispatch_to_dtype(self_, obj.scalar_type, r.toBool(1), false, memory_format));
  const name =
    typeof obj === "string" ? obj : typeof obj === "function" ? (obj as { __name__?: string }).__name__ : undefined;
  const type_name = obj === THPVariableClass ? "torch.Tensor" : name;
  if (type_name === undefined) throw new TypeError_("dtype must be a type, str, or dtype object");
  const device = Device.parse("cpu");
  return wrap(self_.to_device(device, scalar_type_from_string(type_name), r.toBool(1), false, memory_format));
}

/** `x.apply_(f)`: replaces each element by f of it. It runs in JavaScript: slow, only on the CPU, without gradient. */
export function THPVariable_apply_(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  takes_one_argument(args, kwargs, "apply_");
  if (has_torch_function(self)) return handle_torch_function_noargs(self, "apply_", args);
  const [fn] = args;
  if (self.cdata.requires_grad()) {
    throw new RuntimeError("Can't call apply_() on Variable that requires grad. Use var.detach().apply_() instead.");
  }
  apply_(self.cdata, fn);
  return self;
}

const map__parser = new PythonArgParser(["map_(Tensor other, PyObject* callable)"]);
/** `x.map_(other, f)`: replaces each element by f of the elements of both. */
export function THPVariable_map_(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = map__parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  const other = r.tensor(0);
  if (self.cdata.requires_grad() || other.requires_grad()) {
    throw new RuntimeError("Can't call map_() on Variable that requires grad. Use var.detach().map_() instead.");
  }
  map_(self.cdata, other, r.pyobject(1));
  return self;
}

const map2__parser = new PythonArgParser(["map2_(Tensor x, Tensor y, PyObject* callable)"]);
/** `x.map2_(y, z, f)`: replaces each element by f of the elements of all three. */
export function THPVariable_map2_(self: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = map2__parser.parse(self, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, self, args, kwargs, THPVariableClass, API);
  const [x, y] = [r.tensor(0), r.tensor(1)];
  if (self.cdata.requires_grad() || x.requires_grad() || y.requires_grad()) {
    throw new RuntimeError("Can't call map2_() on Variable that requires grad. Use var.detach().map2_() instead.");
  }
  map2_(self.cdata, x, y, r.pyobject(2));
  return self;
}

const set__parser = new PythonArgParser([
  "set_()",
  "set_(Storage source)",
  "set_(Storage source, SymInt storage_offset, SymIntArrayRef size, SymIntArrayRef stride=None)",
  "set_(Tensor source)",
  "set_(Tensor source, SymInt storage_offset, SymIntArrayRef size, SymIntArrayRef stride=None)",
]);
/** A storage with a dtype must have the tensor's. */
function check_storage_dtype(self: AtTensor, dtype: THPDtype | null): void {
  TORCH_CHECK(
    dtype === null || dtype.scalar_type === self.scalar_type(),
    "Expected a Storage of type ",
    typeMetaName(self.dtype()),
    " or an UntypedStorage, but got type ",
    dtype === null ? "" : scalarTypeName(dtype.scalar_type),
    " for argument 1 'storage'",
  );
}

export function THPVariable_set_(self_: TensorBase, args: unknown[], kwargs: KwArgs | null): unknown {
  const self = self_.cdata;
  const _r = set__parser.parse(null, args, kwargs);
  switch (_r.idx) {
    case 0:
      return wrap(self.set_());
    case 1:
      check_storage_dtype(self, _r.storage_dtype(0));
      return wrap(self.set__source_Storage(_r.storage(0)));
    case 2:
      check_storage_dtype(self, _r.storage_dtype(0));
      return wrap(
        self.set__source_Storage_storage_offset(_r.storage(0), _r.toSymInt(1), _r.symintlist(2), _r.symintlist(3)),
      );
    case 3: {
      const source = _r.tensor(0);
      TORCH_CHECK(
        source.dtype() === self.dtype(),
        "Could not set tensor of type ",
        typeMetaName(source.dtype()),
        " to a tensor of type ",
        typeMetaName(self.dtype()),
      );
      return wrap(self.set__source_Tensor(source));
    }
    default:
      return wrap(
        self.set__source_Tensor_storage_offset(_r.tensor(0), _r.toSymInt(1), _r.symintlist(2), _r.symintlist(3)),
      );
  }
}

/** A method that takes arguments. */
function with_arguments(name: string, fn: PyCFunctionWithKeywords, pycname = `THPVariable_${name}`): PyMethod {
  const symbol = `torch::autograd::${pycname}`;
  return named(name, function (this: TensorBase | undefined, ...args: unknown[]) {
    const self = this instanceof TensorBase ? this : unbound_self(this, args, name);
    return tracer !== null ? callSlow(symbol, fn, self, args) : fn(self, args, take_kwargs(args));
  });
}

/** A method without arguments. */
function without_arguments(name: string, fn: (self: TensorBase) => unknown, pycname = `THPVariable_${name}`): PyMethod {
  const symbol = `torch::autograd::${pycname}`;
  return named(name, function (this: TensorBase | undefined, ...args: unknown[]) {
    const self = this instanceof TensorBase ? this : unbound_self(this, args, name);
    if (args.length > 0) takes_no_arguments(args, name);
    return tracer !== null ? traceCall("binding", symbol, fn, [self]) : fn(self);
  });
}

/** A Python operator's method: returns `NotImplemented` if the arguments do not fit. */
function operator_method(name: string, fn: PyCFunctionWithKeywords): PyMethod {
  return named(name, function (this: TensorBase | undefined, ...args: unknown[]) {
    const self = this instanceof TensorBase ? this : unbound_self(this, args, name);
    return TypeError_to_NotImplemented_(fn, self, args);
  });
}

type PyMethod = (this: TensorBase | undefined, ...args: unknown[]) => unknown;

function named(name: string, method: PyMethod): PyMethod {
  return Object.defineProperty(method, "name", { value: name });
}

/** The hand-written part of `variable_methods[]`. */
export const extra_methods: Readonly<Record<string, PyMethod>> = {
  __add__: operator_method("__add__", generated.THPVariable_add),
  __radd__: operator_method("__radd__", generated.THPVariable_add),
  __iadd__: operator_method("__iadd__", generated.THPVariable_add_),
  __mul__: operator_method("__mul__", generated.THPVariable_mul),
  __rmul__: operator_method("__rmul__", generated.THPVariable_mul),
  __imul__: operator_method("__imul__", generated.THPVariable_mul_),
  __sub__: operator_method("__sub__", generated.THPVariable_sub),
  __isub__: operator_method("__isub__", generated.THPVariable_sub_),
  __truediv__: operator_method("__truediv__", generated.THPVariable_div),
  __idiv__: operator_method("__idiv__", generated.THPVariable_div_),
  __mod__: operator_method("__mod__", generated.THPVariable_remainder),
  __imod__: operator_method("__imod__", generated.THPVariable_remainder_),
  __ifloordiv__: operator_method("__ifloordiv__", generated.THPVariable_floor_divide_),
  __eq__: operator_method("__eq__", THPVariable___eq__),
  __ne__: operator_method("__ne__", generated.THPVariable_ne),
  __lt__: operator_method("__lt__", generated.THPVariable_lt),
  __le__: operator_method("__le__", generated.THPVariable_le),
  __gt__: operator_method("__gt__", generated.THPVariable_gt),
  __ge__: operator_method("__ge__", generated.THPVariable_ge),
  __matmul__: operator_method("__matmul__", generated.THPVariable_matmul),
  __bool__: without_arguments("__bool__", THPVariable_bool_scalar, "THPVariable_bool_scalar"),
  __float__: without_arguments("__float__", THPVariable_float_scalar, "THPVariable_float_scalar"),
  __int__: without_arguments("__int__", THPVariable_integral_scalar, "THPVariable_integral_scalar"),
  __index__: without_arguments("__index__", THPVariable_index_scalar, "THPVariable_index_scalar"),
  __invert__: without_arguments("__invert__", THPVariable_invert, "THPVariable_invert"),
  _is_view: without_arguments("_is_view", THPVariable__is_view),
  __rand__: operator_method("__rand__", generated.THPVariable_bitwise_and),
  __ror__: operator_method("__ror__", generated.THPVariable_bitwise_or),
  __rxor__: operator_method("__rxor__", generated.THPVariable_bitwise_xor),
  as_subclass: with_arguments("as_subclass", THPVariable_as_subclass),
  apply_: with_arguments("apply_", THPVariable_apply_),
  bfloat16: with_arguments("bfloat16", conversion_to("bfloat16", ScalarType.BFloat16)),
  bool: with_arguments("bool", conversion_to("bool", ScalarType.Bool)),
  byte: with_arguments("byte", conversion_to("byte", ScalarType.Byte)),
  char: with_arguments("char", conversion_to("char", ScalarType.Char)),
  contiguous: with_arguments("contiguous", THPVariable_contiguous),
  copy_: with_arguments("copy_", THPVariable_copy_),
  cpu: with_arguments("cpu", THPVariable_cpu),
  cuda: with_arguments("cuda", to_device_type("cuda", DeviceType.CUDA)),
  xpu: with_arguments("xpu", to_device_type("xpu", DeviceType.XPU)),
  data_ptr: without_arguments("data_ptr", THPVariable_data_ptr),
  dim: without_arguments("dim", THPVariable_dim),
  double: with_arguments("double", conversion_to("double", ScalarType.Double)),
  element_size: without_arguments("element_size", THPVariable_element_size),
  float: with_arguments("float", conversion_to("float", ScalarType.Float)),
  get_device: without_arguments("get_device", THPVariable_get_device),
  half: with_arguments("half", conversion_to("half", ScalarType.Half)),
  int: with_arguments("int", conversion_to("int", ScalarType.Int)),
  is_contiguous: with_arguments("is_contiguous", THPVariable_is_contiguous),
  item: without_arguments("item", THPVariable_item),
  long: with_arguments("long", conversion_to("long", ScalarType.Long)),
  map_: with_arguments("map_", THPVariable_map_),
  map2_: with_arguments("map2_", THPVariable_map2_),
  ndimension: without_arguments("ndimension", THPVariable_dim, "THPVariable_dim"),
  nelement: without_arguments("nelement", THPVariable_numel, "THPVariable_numel"),
  new: with_arguments("new", THPVariable_new),
  new_tensor: with_arguments("new_tensor", THPVariable_new_tensor),
  nonzero: with_arguments("nonzero", THPVariable_nonzero),
  numel: without_arguments("numel", THPVariable_numel),
  numpy: with_arguments("numpy", THPVariable_numpy),
  requires_grad_: with_arguments("requires_grad_", THPVariable_requires_grad_),
  set_: with_arguments("set_", THPVariable_set_),
  short: with_arguments("short", conversion_to("short", ScalarType.Short)),
  size: with_arguments("size", THPVariable_size),
  storage_offset: without_arguments("storage_offset", THPVariable_storage_offset),
  stride: with_arguments("stride", THPVariable_stride),
  to: with_arguments("to", THPVariable_to),
  tolist: without_arguments("tolist", THPVariable_tolist),
  type: with_arguments("type", THPVariable_type),
  untyped_storage: without_arguments("untyped_storage", THPVariable_storage, "THPVariable_storage"),
};
