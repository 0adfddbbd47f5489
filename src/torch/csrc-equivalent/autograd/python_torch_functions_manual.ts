/**
 * @file The functions of `torch` that take or return Python objects, and the module that holds all functions.
 * @mirrors torch/csrc/autograd/python_torch_functions_manual.cpp
 */

import * as at from "#aten/generated/Functions";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { get_default_dispatch_key, get_default_scalar_type } from "#torch/csrc-equivalent/tensor/python_tensor";
import { maybe_initialize_device } from "#torch/csrc-equivalent/utils/device_lazy_init";
import { check_out_type_matches } from "#torch/csrc-equivalent/utils/out_types";
import { callSlow, type PyCFunctionWithKeywords } from "#torch/csrc-equivalent/utils/pycfunction_helpers";
import { type KwArgs, PythonArgParser, take_kwargs } from "#torch/csrc-equivalent/utils/python_arg_parser";
import { handle_torch_function } from "#torch/csrc-equivalent/utils/python_arg_parser_torch_function";
import { as_tensor, asarray, tensor_ctor } from "#torch/csrc-equivalent/utils/tensor_new";
import { tensor_from_buffer, tensor_from_numpy } from "#torch/csrc-equivalent/utils/tensor_numpy";
import { gatherTorchFunctions } from "./generated/python_torch_functions.ts";
import * as factories from "./generated/variable_factories.ts";
import { THPVariableFunctionsModule } from "./python_torch_functions.ts";
import { wrap, wrap_TensorList } from "./utils/wrap_outputs.ts";

const tensor_parser = new PythonArgParser([
  "tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None, bool pin_memory=False, bool requires_grad=False)",
]);
export function THPVariable_tensor(_self: null, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = tensor_parser.parse(null, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, null, args, kwargs, THPVariableFunctionsModule, "torch");
  return wrap(tensor_ctor(get_default_dispatch_key(), get_default_scalar_type(), r));
}

const as_tensor_parser = new PythonArgParser([
  "as_tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None)",
]);
export function THPVariable_as_tensor(_self: null, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = as_tensor_parser.parse(null, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, null, args, kwargs, THPVariableFunctionsModule, "torch");
  return wrap(as_tensor(get_default_dispatch_key(), get_default_scalar_type(), r));
}

const asarray_parser = new PythonArgParser([
  "asarray(PyObject* obj, *, ScalarType? dtype=None, Device? device=None, bool? copy=None, bool requires_grad=False)",
]);
export function THPVariable_asarray(_self: null, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = asarray_parser.parse(null, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, null, args, kwargs, THPVariableFunctionsModule, "torch");
  const device = r.deviceOptional(2);
  maybe_initialize_device(device);
  const requires_grad = r.isNone(4) ? null : r.toBool(4);
  return wrap(asarray(r.pyobject(0), r.scalartypeOptional(1), device, r.toBoolOptional(3), requires_grad));
}

export function THPVariable_from_numpy(_self: null, args: unknown[]): unknown {
  return wrap(tensor_from_numpy(args[0]));
}

const frombuffer_parser = new PythonArgParser([
  "frombuffer(PyObject* buffer, *, ScalarType dtype, int64_t count=-1, int64_t offset=0, bool requires_grad=False)",
]);
export function THPVariable_frombuffer(_self: null, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = frombuffer_parser.parse(null, args, kwargs);
  return wrap(tensor_from_buffer(r.pyobject(0), r.scalartype(1), r.guard_int(2), r.guard_int(3), r.toBool(4)));
}

const nonzero_parser = new PythonArgParser(["nonzero(Tensor input, *, bool as_tuple=False, Tensor out=None)"]);
export function THPVariable_nonzero(_self: null, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = nonzero_parser.parse(null, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, null, args, kwargs, THPVariableFunctionsModule, "torch");
  const input = r.tensor(0);
  const as_tuple = r.toBool(1);
  TORCH_CHECK(!as_tuple || r.isNone(2), "nonzero does not support the out kwarg when as_tuple is True");
  if (as_tuple) return wrap_TensorList(input.nonzero_numpy());
  return wrap(r.isNone(2) ? input.nonzero() : at.nonzero_out(input, r.tensor(2)));
}

const numel_parser = new PythonArgParser(["numel(Tensor input)"]);
export function THPVariable_numel(_self: null, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = numel_parser.parse(null, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, null, args, kwargs, THPVariableFunctionsModule, "torch");
  return r.tensor(0).numel();
}

const get_device_parser = new PythonArgParser(["get_device(Tensor input)"]);
export function THPVariable_get_device(_self: null, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = get_device_parser.parse(null, args, kwargs);
  if (r.has_torch_function()) return handle_torch_function(r, null, args, kwargs, THPVariableFunctionsModule, "torch");
  return r.tensor(0).get_device();
}

const range_parser = new PythonArgParser([
  "range(Scalar start, Scalar end, Scalar step=1, *, Tensor out=None, ScalarType dtype=None, Layout layout=torch.strided, Device device=None, bool requires_grad=False)",
]);
export function THPVariable_range(_self: null, args: unknown[], kwargs: KwArgs | null): unknown {
  const r = range_parser.parse(null, args, kwargs);
  TORCH_WARN(
    "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's range builtin. Instead, use torch.arange, which produces values in [start, end).",
  );
  const [start, end, step] = [r.scalar(0), r.scalar(1), r.scalar(2)];
  if (!r.isNone(3)) {
    const out = r.tensor(3);
    check_out_type_matches(out, r.scalartypeOptional(4), r.isNone(4), r.layoutOptional(5), r.device(6), r.isNone(6));
    return wrap(at.range_out(start, end, step, out).set_requires_grad(r.toBool(7)));
  }
  const options = new TensorOptions(r.scalartype(4), r.layoutOptional(5), r.device(6), null, r.toBool(7));
  maybe_initialize_device(options);
  return wrap(factories.range_step(start, end, step, options));
}

function method(name: string, fn: PyCFunctionWithKeywords): (...args: unknown[]) => unknown {
  const symbol = `torch::autograd::THPVariable_${name}`;
  const call = (...args: unknown[]): unknown =>
    tracer !== null ? callSlow(symbol, fn, null, args) : fn(null, args, take_kwargs(args));
  return Object.defineProperty(call, "name", { value: name });
}

/** `torch_functions_manual[]`. */
const torch_functions_manual: Readonly<Record<string, unknown>> = {
  asarray: method("asarray", THPVariable_asarray),
  as_tensor: method("as_tensor", THPVariable_as_tensor),
  from_numpy: method("from_numpy", THPVariable_from_numpy),
  frombuffer: method("frombuffer", THPVariable_frombuffer),
  nonzero: method("nonzero", THPVariable_nonzero),
  range: method("range", THPVariable_range),
  tensor: method("tensor", THPVariable_tensor),
  get_device: method("get_device", THPVariable_get_device),
  numel: method("numel", THPVariable_numel),
};

/** Makes `_VariableFunctions`: the functions above, then every generated one. */
export function initTorchFunctions(module: Record<string, unknown>): void {
  if (tracer !== null) traceCall("init", "torch::autograd::initTorchFunctions", init, [module]);
  else init(module);
}

function init(module: Record<string, unknown>): void {
  const torch_functions = THPVariableFunctionsModule;
  Object.assign(torch_functions, torch_functions_manual);
  if (tracer !== null)
    traceCall("init", "torch::autograd::gatherTorchFunctions", gatherTorchFunctions, [torch_functions]);
  else gatherTorchFunctions(torch_functions);
  // @differs `_VariableFunctions` is a plain object; PyTorch makes a type, `_VariableFunctionsClass`, and one instance of it.
  module["_VariableFunctions"] = torch_functions;
}
