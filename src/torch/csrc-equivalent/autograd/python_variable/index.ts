/**
 * @file The tensor class of `torch._C`: its constructor, its attributes, and its method table.
 * @mirrors torch/csrc/autograd/python_variable.cpp
 */
// biome-ignore-all lint/complexity/noArguments: a rest parameter would be an array for every call
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { Layout } from "#c10/core/Layout";
import { isFloatingType, type ScalarType, toString as scalarTypeName } from "#c10/core/ScalarType";
import {
  AttributeError,
  RuntimeError,
  TORCH_CHECK,
  TORCH_CHECK_TYPE,
  TORCH_WARN,
  TypeError_,
} from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { typeMetaName } from "#c10/util/typeid";
import { variable_methods } from "#torch/csrc-equivalent/autograd/generated/python_variable_methods";
import { functionToPyObject } from "#torch/csrc-equivalent/autograd/python_cpp_function";
import { initTorchFunctions } from "#torch/csrc-equivalent/autograd/python_torch_functions_manual";
import { THPVariable_getitem, THPVariable_setitem } from "#torch/csrc-equivalent/autograd/python_variable_indexing";
import { extra_methods } from "#torch/csrc-equivalent/autograd/python_variable_methods_manual";
import { get_autograd_meta, materialize_autograd_meta } from "#torch/csrc-equivalent/autograd/variable/impl";
import { THPDevice_New } from "#torch/csrc-equivalent/Device";
import { THPDtype } from "#torch/csrc-equivalent/Dtype";
import { getTHPDtype, getTHPLayout } from "#torch/csrc-equivalent/DynamicTypes";
import { THPSize_New } from "#torch/csrc-equivalent/Size";
import { get_default_dispatch_key, get_default_scalar_type } from "#torch/csrc-equivalent/tensor/python_tensor";
import {
  check_has_torch_dispatch,
  check_has_torch_function,
} from "#torch/csrc-equivalent/utils/disable_torch_function";
import { does_not_apply } from "#torch/csrc-equivalent/utils/pycfunction_helpers";
import { take_kwargs } from "#torch/csrc-equivalent/utils/python_arg_parser";
import {
  handle_torch_function_getter,
  handle_torch_function_setter,
} from "#torch/csrc-equivalent/utils/python_arg_parser_torch_function";
import { python_type } from "#torch/csrc-equivalent/utils/python_numbers";
import { base_tensor_ctor } from "#torch/csrc-equivalent/utils/tensor_new";
import { set_backwards_hooks, set_post_accumulate_grad_hooks } from "./hooks.ts";
import { THPVariable_make_subclass, THPVariable_make_wrapper_subclass } from "./subclass.ts";
import { set_pynew, TensorBase, THPVariable_Check } from "./type.ts";
import { THPVariable_Wrap } from "./wrap.ts";

/** `torch.Tensor(...)`, also of a subclass. */
function THPVariable_pynew(type: new (...args: never[]) => TensorBase, args: unknown[]): AtTensor {
  const tensor = legacy_tensor(type, args);
  if (check_has_torch_dispatch(type)) tensor.impl_.set_python_dispatch(true);
  return tensor;
}

function legacy_tensor(type: new (...args: never[]) => TensorBase, args: unknown[]): AtTensor {
  TORCH_CHECK(type !== TensorBase, "Cannot directly construct TensorBase; subclass it and then construct that");
  const kwargs = take_kwargs(args);
  const key = get_default_dispatch_key();
  const dtype = get_default_scalar_type();
  if (tracer !== null) {
    const given = kwargs === null ? { inputs: args } : { inputs: args, kwargs };
    return traceCall("binding", "THPVariable_pynew", base_tensor_ctor, [key, dtype, args, kwargs], given);
  }
  return base_tensor_ctor(key, dtype, args, kwargs);
}

/** An attribute: its getter, and its setter if it can be written. */
interface Property {
  readonly get: (self: TensorBase) => unknown;
  readonly set?: (self: TensorBase, value: unknown) => void;
}

function THPVariable_set_requires_grad(self: TensorBase, obj: unknown): void {
  if (typeof obj !== "boolean") throw new RuntimeError("requires_grad must be a bool");
  const var_ = self.cdata;
  if (!var_.is_leaf()) {
    const hint = obj
      ? ""
      : " If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().";
    throw new RuntimeError(`you can only change requires_grad flags of leaf variables.${hint}`);
  }
  if (obj && !isFloatingType(var_.scalar_type())) {
    throw new RuntimeError("only Tensors of floating point and complex dtype can require gradients");
  }
  var_.set_requires_grad(obj);
}

/**
 * The gradient. A gradient that a user sets must look like one that the engine makes.
 * @differs The warning is given here, because the engine reads the gradient by other functions; in PyTorch
 * `at::Tensor::grad()` gives it.
 */
function THPVariable_get_grad(self: TensorBase): unknown {
  const var_ = self.cdata;
  const grad = var_.grad();
  if (!grad.defined() && !var_.is_leaf() && !var_.retains_grad()) {
    TORCH_WARN(
      "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be " +
        "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, " +
        "use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the " +
        "leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information.",
    );
  }
  return THPVariable_Wrap(grad);
}

function THPVariable_set_grad(self: TensorBase, py_grad: unknown): void {
  const var_ = self.cdata;
  if (py_grad === undefined || py_grad === null) {
    materialize_autograd_meta(var_).set_grad(null);
    return;
  }
  TORCH_CHECK_TYPE(
    THPVariable_Check(py_grad),
    "assigned grad expected to be a Tensor or None but got grad of type ",
    python_type(py_grad),
  );
  TORCH_CHECK(self !== py_grad, "can't assign Variable as its own grad");
  const grad = py_grad.cdata;
  const grad_dtype = grad_dtype_of(var_);
  TORCH_CHECK(
    grad_dtype === null || grad.dtype() === grad_dtype,
    "attempting to assign a gradient with dtype '",
    typeMetaName(grad.dtype()),
    "' to a tensor with grad_dtype '",
    grad_dtype === null ? "" : scalarTypeName(grad_dtype),
    "'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream systems that assume they match.",
  );
  TORCH_CHECK(
    var_.device().type() === grad.device().type(),
    "attempting to assign a gradient with device type '",
    grad.device().str(),
    "' to a tensor with device type '",
    var_.device().str(),
    "'. Please ensure that the gradient and the tensor are on the same device",
  );
  TORCH_CHECK(
    String(grad.sizes()) === String(var_.sizes()),
    "attempting to assign a gradient of size '",
    grad.sizes(),
    "' to a tensor of size '",
    var_.sizes(),
    "'. Please ensure that the gradient and the tensor are the same size",
  );
  materialize_autograd_meta(var_).set_grad(grad);
}

const THPVariable_get_grad_fn = (self: TensorBase): unknown => functionToPyObject(self.cdata.grad_fn());

/** `x._grad_fn = None` detaches the tensor. */
function THPVariable_set_grad_fn(self: TensorBase, obj: unknown): void {
  TORCH_CHECK(obj !== undefined, "Deletion of _grad_fn not allowed. Detach tensor instead!");
  TORCH_CHECK(obj === null, "_grad_fn can be only set to None");
  self.cdata.detach_();
}

function THPVariable_set_data(self: TensorBase, data: unknown): void {
  TORCH_CHECK(data !== undefined, "Deleting tensor data is not allowed. Delete tensor instead!");
  if (!THPVariable_Check(data)) throw new TypeError_(`Variable data has to be a tensor, but got ${python_type(data)}`);
  self.cdata.set_data(data.cdata);
}

/** An attribute that says whether a tensor is on a device of this type. */
const on = (type: DeviceType): Property => ({ get: (self) => self.cdata.device().type() === type });

const is_cuda = (self: TensorBase): boolean => self.cdata.device().is_cuda();

function THPVariable_nbytes(self: TensorBase): number {
  TORCH_CHECK(
    self.cdata.layout() === Layout.Strided,
    "nbytes is not defined for sparse tensors.  If you want the size of the constituent tensors, " +
      "add the nbytes of the indices and values.  If you want the size of the  equivalent dense tensor, " +
      "multiply numel() by element_size()",
  );
  return self.cdata.numel() * self.cdata.element_size();
}

/** `THPVariable_properties`. */
const THPVariable_properties: Readonly<Record<string, Property>> = {
  _version: { get: (self) => self.cdata._version() },
  grad_fn: { get: THPVariable_get_grad_fn },
  _grad_fn: { get: THPVariable_get_grad_fn, set: THPVariable_set_grad_fn },
  // Determined by its node, which for a view of a changed base is made here.
  is_leaf: { get: (self) => self.cdata.grad_fn() === null },
  retains_grad: { get: (self) => self.cdata.retains_grad() },
  data: { get: (self) => THPVariable_Wrap(self.cdata.variable_data()), set: THPVariable_set_data },
  _grad: { get: THPVariable_get_grad, set: THPVariable_set_grad },
  grad: { get: THPVariable_get_grad, set: THPVariable_set_grad },
  _base: { get: (self) => (self.cdata.is_view() ? THPVariable_Wrap(self.cdata._base()) : null) },
  output_nr: { get: (self) => self.cdata.output_nr() },
  requires_grad: { get: (self) => self.cdata.requires_grad(), set: THPVariable_set_requires_grad },
  _backward_hooks: { get: (self) => self.backward_hooks, set: set_backwards_hooks },
  _post_accumulate_grad_hooks: { get: (self) => self.post_accumulate_grad_hooks, set: set_post_accumulate_grad_hooks },
  name: { get: (self) => (self.cdata.name() === "" ? null : self.cdata.name()) },
  shape: { get: (self) => THPSize_New(self.cdata) },
  is_cpu: { get: (self) => self.cdata.is_cpu() },
  is_cuda: { get: is_cuda },
  is_mps: on(DeviceType.MPS),
  is_xpu: on(DeviceType.XPU),
  is_ipu: on(DeviceType.IPU),
  is_xla: on(DeviceType.XLA),
  is_vulkan: on(DeviceType.Vulkan),
  is_maia: on(DeviceType.MAIA),
  is_mtia: on(DeviceType.MTIA),
  is_sparse: { get: (self) => self.cdata.is_sparse() },
  is_sparse_csr: { get: (self) => self.cdata.layout() === Layout.SparseCsr },
  is_nested: { get: (self) => self.cdata.key_set().has(DispatchKey.NestedTensor) },
  is_mkldnn: { get: (self) => self.cdata.is_mkldnn() },
  is_quantized: { get: (self) => self.cdata.is_quantized() },
  is_meta: { get: (self) => self.cdata.is_meta() },
  dtype: { get: (self) => getTHPDtype(self.cdata.scalar_type()) },
  layout: { get: (self) => getTHPLayout(self.cdata.layout()) },
  device: { get: (self) => THPDevice_New(self.cdata.device()) },
  ndim: { get: (self) => self.cdata.dim() },
  nbytes: { get: THPVariable_nbytes },
  itemsize: { get: (self) => self.cdata.element_size() },
  T: { get: (self) => THPVariable_Wrap(self.cdata.numpy_T()) },
  H: { get: (self) => THPVariable_Wrap(self.cdata.matrix_H()) },
  mT: { get: (self) => THPVariable_Wrap(self.cdata.mT()) },
  mH: { get: (self) => THPVariable_Wrap(self.cdata.mH()) },
  real: { get: (self) => self },
  grad_dtype: { get: THPVariable_get_grad_dtype, set: THPVariable_set_grad_dtype },
};

/** The dtype that a gradient must have; null if any dtype is allowed. */
function grad_dtype_of(var_: AtTensor): ScalarType | null {
  const meta = get_autograd_meta(var_);
  return meta === null ? var_.scalar_type() : meta.grad_dtype(var_.scalar_type());
}

function THPVariable_get_grad_dtype(self: TensorBase): THPDtype | null {
  TORCH_CHECK(self.cdata.grad_fn() === null, "grad_dtype can only be accessed on leaf tensors.");
  const dtype = grad_dtype_of(self.cdata);
  return dtype === null ? null : getTHPDtype(dtype);
}

function THPVariable_set_grad_dtype(self: TensorBase, value: unknown): void {
  const var_ = self.cdata;
  TORCH_CHECK(
    value === null || value instanceof THPDtype,
    "grad_dtype must be a torch.dtype or None, but got ",
    python_type(value),
  );
  TORCH_CHECK(var_.grad_fn() === null, "grad_dtype can only be set on leaf tensors.");
  const meta = materialize_autograd_meta(var_);
  const present = meta.grad_;
  if (value !== null && present !== null)
    TORCH_CHECK(
      present.scalar_type() === value.scalar_type,
      "Cannot set grad_dtype to '",
      scalarTypeName(value.scalar_type),
      "' because there is already a gradient with dtype '",
      typeMetaName(present.dtype()),
      "'. Please clear the gradient (.grad = None) before changing grad_dtype, or ensure the new grad_dtype matches the existing gradient's dtype.",
    );
  meta.set_grad_dtype(value === null ? null : value.scalar_type);
}

/** A property that a subclass or a mode can override. */
function accessor(name: string, property: Property): PropertyDescriptor {
  return {
    configurable: true,
    enumerable: false,
    get(this: TensorBase): unknown {
      if (!(this instanceof TensorBase)) throw new TypeError_(does_not_apply(name, this));
      if (check_has_torch_function(this)) return handle_torch_function_getter(this, name);
      return property.get(this);
    },
    set(this: TensorBase, value: unknown): void {
      if (!(this instanceof TensorBase)) throw new TypeError_(does_not_apply(name, this));
      if (property.set === undefined)
        throw new AttributeError(`attribute '${name}' of 'torch._C.TensorBase' objects is not writable`);
      if (check_has_torch_function(this)) handle_torch_function_setter(this, name, value);
      else property.set(this, value);
    },
  };
}

/**
 * The tensor of an indexing method that is detached from it; the arguments follow the tensor. Keywords may follow, but
 * none is accepted.
 */
function slot_wrapper(this_: unknown, args: unknown[], name: string, expected: number): TensorBase {
  const self = this_ === undefined ? args.shift() : this_;
  TORCH_CHECK_TYPE(self !== undefined, `descriptor '${name}' of 'torch._C.TensorBase' object needs an argument`);
  TORCH_CHECK_TYPE(
    THPVariable_Check(self),
    `descriptor '${name}' requires a 'torch._C.TensorBase' object but received a '${python_type(self)}'`,
  );
  if (args.length > expected) take_kwargs(args);
  const expects = expected === 1 ? "expected 1 argument" : ` expected ${expected} arguments`; // CPython's message has this blank
  TORCH_CHECK_TYPE(args.length === expected, `${expects}, got ${args.length}`);
  return self;
}

// The usual call allocates no array for its arguments.
const indexing_methods = {
  __getitem__(this: unknown, index: unknown): TensorBase | null {
    if (!(this instanceof TensorBase) || arguments.length !== 1) return getitem_unbound(this, [...arguments]);
    if (tracer !== null)
      return traceCall("binding", "torch::autograd::THPVariable_getitem", THPVariable_getitem, [this, index]);
    return THPVariable_getitem(this, index);
  },
  __setitem__(this: unknown, index: unknown, value: unknown): void {
    if (!(this instanceof TensorBase) || arguments.length !== 2) setitem_unbound(this, [...arguments]);
    else if (tracer !== null)
      traceCall("binding", "torch::autograd::THPVariable_setitem", THPVariable_setitem, [this, index, value]);
    else THPVariable_setitem(this, index, value);
  },
};

function getitem_unbound(this_: unknown, args: unknown[]): TensorBase | null {
  const self = slot_wrapper(this_, args, "__getitem__", 1);
  return indexing_methods.__getitem__.call(self, args[0]);
}

function setitem_unbound(this_: unknown, args: unknown[]): void {
  const self = slot_wrapper(this_, args, "__setitem__", 2);
  indexing_methods.__setitem__.call(self, args[0], args[1]);
}

/**
 * Prepares a prototype for many new properties. V8 adds each property to a prototype in use by copying all others; a
 * prototype that has lost a property is a dictionary until its next use.
 */
function hold_as_dictionary(prototype: object): void {
  const passing = ["passing", "passing too"];
  for (const name of passing) Object.defineProperty(prototype, name, { value: null, configurable: true });
  for (const name of passing) Reflect.deleteProperty(prototype, name);
}

/** Completes `TensorBase`, and adds it and the functions of `torch` to `module`. */
export function THPVariable_initModule(module: Record<string, unknown>): void {
  set_pynew(THPVariable_pynew);
  const prototype = TensorBase.prototype;
  hold_as_dictionary(prototype);
  for (const methods of [...variable_methods, extra_methods, indexing_methods]) {
    for (const [name, method] of Object.entries(methods)) {
      Object.defineProperty(prototype, name, { value: method, configurable: true, writable: true, enumerable: false });
    }
  }
  for (const [name, property] of Object.entries(THPVariable_properties))
    Object.defineProperty(prototype, name, accessor(name, property));
  Object.assign(TensorBase, {
    _make_subclass: THPVariable_make_subclass,
    _make_wrapper_subclass: THPVariable_make_wrapper_subclass,
  });
  module["TensorBase"] = TensorBase;
  module["_TensorBase"] = TensorBase;
  initTorchFunctions(module);
}
