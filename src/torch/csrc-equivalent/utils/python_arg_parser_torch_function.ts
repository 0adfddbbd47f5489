/**
 * @file Overridden calls: function, types and arguments are passed to the modes and then to each class's `__torch_function__`.
 * @mirrors torch/csrc/utils/python_arg_parser.cpp#handle_torch_function
 */
import { PythonTorchFunctionTLS, torch_function_mode_enabled } from "#aten/PythonTorchFunctionTLS";
import { TypeError_ } from "#c10/util/Exception";
import { tuple, tuple_map } from "#python/Objects/tupleobject";
import { TensorBase, THPVariableClass } from "#torch/csrc-equivalent/autograd/python_variable/type";
import {
  check_has_torch_function,
  NotImplemented,
  type TorchFunction,
  torch_function_attr,
} from "./disable_torch_function.ts";
import { does_not_apply } from "./pycfunction_helpers.ts";
import type { KwArgs } from "./python_arg_parser.ts";
import type { PythonArgs } from "./python_arg_parser_args.ts";
import { append_overloaded_arg, type_of_overloaded_arg } from "./python_arg_parser_parameter.ts";
import { class_repr } from "./python_class.ts";

/** Handles a call that the parser found to be overridden. */
export function handle_torch_function(
  r: PythonArgs,
  self: unknown,
  args: readonly unknown[],
  kwargs: KwArgs | null,
  torch_api: object,
  module_name: string,
  func_name_override: string | null = null,
): unknown {
  const func_name = func_name_override ?? r.get_func_name();
  const args_ = self === null ? [...args] : [self, ...args];
  return handle_torch_function_no_python_arg_parser(
    r.overloaded_args.slice(),
    args_,
    kwargs,
    func_name,
    api_function(torch_api, func_name),
    module_name,
  );
}

/** Handles a method without a parser, overridden by its tensor or by a mode. */
export function handle_torch_function_noargs(
  self: TensorBase,
  func_name: string,
  args: readonly unknown[] = [],
  kwargs: KwArgs | null = null,
): unknown {
  const func = api_function(THPVariableClass, func_name);
  return handle_torch_function_no_python_arg_parser([self], [self, ...args], kwargs, func_name, func, "torch.Tensor");
}

/** The list that a Python program wrote between the brackets: the library takes it as the only element of the tuple of indices. */
export const WRITTEN_LIST: unique symbol = Symbol("index.list");
/** Lists that a `__torch_function__` got as an index, and may give back. */
export const list_indices = new WeakSet<object>();

function written_index(index: unknown): unknown {
  const list = (index as { readonly [WRITTEN_LIST]?: object } | null | undefined)?.[WRITTEN_LIST];
  if (list === undefined) return index;
  list_indices.add(list);
  return list;
}

/** Handles `self[index]`, or `self[index] = val`: the indices and the value may override too. */
export function handle_torch_function_indexing(self: TensorBase, index: unknown, val?: unknown): unknown {
  const overloaded_args: unknown[] = [];
  const indices: unknown[] = Array.isArray(index) ? index : [index];
  for (const arg of [self, ...indices, val])
    if (check_has_torch_function(arg, true)) append_overloaded_arg(overloaded_args, arg);
  const func_name = val === undefined ? "__getitem__" : "__setitem__";
  const written = written_index(index);
  const args = val === undefined ? [self, written] : [self, written, val];
  const func = api_function(THPVariableClass, func_name);
  return handle_torch_function_no_python_arg_parser(overloaded_args, args, null, func_name, func, "torch.Tensor");
}

/** Handles an attribute: the overridden function is the property's `__get__`. */
export function handle_torch_function_getter(self: TensorBase, property_name: string): unknown {
  return handle_torch_function_property(self, property_name, "__get__", []);
}

export function handle_torch_function_setter(self: TensorBase, property_name: string, value: unknown): void {
  handle_torch_function_property(
    self,
    property_name,
    value === undefined ? "__delete__" : "__set__",
    value === undefined ? [] : [value],
  );
}

function handle_torch_function_property(
  self: TensorBase,
  property_name: string,
  which: "__get__" | "__set__" | "__delete__",
  args: unknown[],
): unknown {
  const func = property_function(property_name, which);
  return handle_torch_function_no_python_arg_parser(
    [self],
    [self, ...args],
    null,
    which,
    func,
    `torch.Tensor.${property_name}`,
  );
}

const property_functions = new Map<string, (self: TensorBase, value?: unknown) => unknown>();

/**
 * `torch.Tensor.shape.__get__`: one function object per property, so that overriding code can compare it. Its
 * `__self__` is the name.
 */
export function property_function(
  name: string,
  which: "__get__" | "__set__" | "__delete__",
): (self: TensorBase, value?: unknown) => unknown {
  const key = `${name}.${which}`;
  let func = property_functions.get(key);
  if (func === undefined) {
    func = (self, value) => {
      if (!(self instanceof TensorBase)) throw new TypeError_(does_not_apply(name, self));
      const attributes = self as unknown as Record<string, unknown>;
      if (which === "__get__") return attributes[name];
      attributes[name] = which === "__set__" ? value : undefined;
      return null;
    };
    Object.defineProperty(func, "name", { value: which });
    Object.assign(func, { __self__: name });
    property_functions.set(key, func);
  }
  return func;
}

/**
 * The function to pass: `torch.add`, or the method `torch.Tensor.add`, which takes its tensor as first argument when
 * called as a function.
 */
function api_function(torch_api: object, func_name: string): unknown {
  const holder = typeof torch_api === "function" ? (torch_api as { prototype: object }).prototype : torch_api;
  return (holder as Record<string, unknown>)[func_name];
}

export function handle_torch_function_no_python_arg_parser(
  overloaded_args: readonly unknown[],
  args: readonly unknown[],
  kwargs: KwArgs | null,
  func_name: string,
  torch_api_function: unknown,
  module_name: string,
): unknown {
  const types = tuple_map(overloaded_args, type_of_overloaded_arg);
  const call_kwargs = kwargs ?? undefined; // Python then calls `f(func, types, args)`, so that a default `kwargs = {}` is used
  let mode: object | undefined;
  if (torch_function_mode_enabled()) {
    // The mode is off while its own handler runs; otherwise it would receive the calls that it makes itself.
    mode = PythonTorchFunctionTLS.pop_stack() as object;
    try {
      const handler = (mode as { __torch_function__: TorchFunction }).__torch_function__;
      const ret = handler.call(mode, torch_api_function, types, tuple(args), call_kwargs);
      if (ret !== NotImplemented) return ret;
    } finally {
      PythonTorchFunctionTLS.push_onto_stack(mode);
    }
  }
  for (const arg of overloaded_args) {
    const type = type_of_overloaded_arg(arg);
    const ret = (torch_function_attr(arg) as TorchFunction).call(
      type,
      torch_api_function,
      types,
      tuple(args),
      call_kwargs,
    );
    if (ret !== NotImplemented) return ret;
  }
  let message = `Multiple dispatch failed for '${module_name}.${func_name}'; all __torch_function__ handlers returned NotImplemented:\n\n`;
  if (mode !== undefined) message += `  - mode object ${repr_of_object(mode)}\n`;
  for (const arg of overloaded_args) message += `  - tensor subclass ${class_repr(type_of_overloaded_arg(arg))}\n`;
  throw new TypeError_(`${message}\nFor more information, try re-running with TORCH_LOGS=not_implemented`);
}

function repr_of_object(value: object): string {
  return `<${value.constructor.name} object>`;
}
