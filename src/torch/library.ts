/**
 * @file `torch.library`: making operators and giving them kernels from the front end.
 * @mirrors torch/library.py
 * @differs `register_vmap`, `register_autocast`, `register_torch_dispatch` and triton operators are not built. What Python writes
 * as a decorator is a function that takes the function.
 */
import { callerOf } from "#aten/core/library";
import { NotImplementedError, RuntimeError, ValueError } from "#c10/util/Exception";
import {
  _dispatch_get_computed_kernel_for_dispatch_key,
  _dispatch_key_for_device,
  _parse_dispatch_key,
  DispatchKey,
  type DispatchKeyLike,
  fallthrough_kernel,
  type PythonFunction,
  python_type,
  type SafeKernelFunction,
} from "./_C.ts";
import { make_autograd_impl, type SetupContext } from "./_library/autograd.ts";
import {
  _maybe_get_opdef,
  CustomOpDef,
  type CustomOpOptions,
  custom_op,
  type DeviceTypes,
} from "./_library/custom_ops.ts";
import { get_ctx } from "./_library/fake_impl.ts";
import { Library } from "./_library/Library.ts";
import * as utils from "./_library/utils.ts";
import { OpOverload } from "./_ops.ts";

export { opcheck } from "./_library/opcheck.ts";
export { CustomOpDef, type CustomOpOptions, custom_op, fallthrough_kernel, get_ctx, Library };

/** Libraries made on behalf of a caller who gave none: they live for ever. */
const _keep_alive: Library[] = [];

function _library_for_registration(namespace: string, lib: Library | null | undefined): Library {
  if (lib !== null && lib !== undefined) return lib;
  const made = new Library(namespace, "FRAGMENT");
  _keep_alive.push(made);
  return made;
}

export interface LibOption {
  /** The registration lives as long as this library. */
  lib?: Library | null;
}

export type OpIdentifier = string | OpOverload | CustomOpDef;

/** The name to register for, or the CustomOpDef that keeps its own registrations. */
function _resolve_op_for_registration(op: OpIdentifier, registration_name: string): string | CustomOpDef {
  if (typeof op !== "string" && !(op instanceof OpOverload) && !(op instanceof CustomOpDef)) {
    throw new ValueError(`${registration_name}(${op}): got unexpected type for op: <class '${python_type(op)}'>`);
  }
  return _maybe_get_opdef(op) ?? (typeof op === "string" ? op : (op as OpOverload).__qualname__);
}

const NAMELESS_SCHEMA = /^\(.*\) -> .*$/;

/**
 * Declares the operator `qualname` (`"mylib::sin"`).
 * @param schema without a name: `"(Tensor x) -> Tensor"`
 */
export function define(
  qualname: string,
  schema: string,
  options: LibOption & { tags?: readonly string[] | string } = {},
): void {
  if (typeof qualname !== "string") {
    throw new ValueError(
      `define(qualname, schema): expected qualname to be instance of str, got <class '${python_type(qualname)}'>`,
    );
  }
  const [namespace, name] = utils.parse_namespace(qualname);
  const lib = _library_for_registration(namespace, options.lib);
  if (!NAMELESS_SCHEMA.test(schema)) {
    throw new ValueError(
      `define(qualname, schema, ...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got "${schema}"`,
    );
  }
  lib.define(name + schema, "", options.tags === undefined ? {} : { tags: options.tags });
}

/** `"default"` stands for every device; a dispatch key's name for itself; anything else is a device type. */
function _device_type_to_key(type: string): string {
  if (_parse_dispatch_key(type) !== null) return type;
  return type === "default" ? "CompositeExplicitAutograd" : _dispatch_key_for_device(type);
}

/** A kernel of `qualname` for device types (`"cpu"`), `"default"`, or dispatch keys. Without `func`: a function that takes it. */
export function impl(
  qualname: string,
  types: string | readonly string[],
  func: PythonFunction,
  options?: LibOption,
): void;
export function impl(
  qualname: string,
  types: string | readonly string[],
  func?: null,
  options?: LibOption,
): (func: PythonFunction) => void;
/** The older form: `impl(lib, name, dispatch_key)(func)`. */
export function impl(lib: Library, name: string, dispatch_key?: string): (func: PythonFunction) => PythonFunction;
export function impl(
  target: string | Library,
  types: string | readonly string[],
  func?: PythonFunction | string | null,
  options: LibOption = {},
): unknown {
  if (target instanceof Library) {
    return (fn: PythonFunction): PythonFunction => {
      target.impl(types as string, fn, (func as string | undefined) ?? "");
      return fn;
    };
  }
  const register = (fn: PythonFunction): void => {
    const [namespace] = utils.parse_namespace(target);
    const keys = new Set((typeof types === "string" ? [types] : types).map(_device_type_to_key));
    const lib = _library_for_registration(namespace, options.lib);
    for (const key of keys) lib.impl(target, fn, key);
  };
  return typeof func === "function" ? register(func) : register;
}

/** An implementation for device types (`"cpu"`), or with null for all of them. */
export function register_kernel(
  op: OpIdentifier,
  device_types: DeviceTypes,
  func: PythonFunction,
  options?: LibOption,
): void;
export function register_kernel(op: OpIdentifier, device_types: DeviceTypes): (func: PythonFunction) => void;
export function register_kernel(
  op: OpIdentifier,
  device_types: DeviceTypes,
  func?: PythonFunction,
  options: LibOption = {},
): unknown {
  const target = _resolve_op_for_registration(op, "register_kernel");
  if (typeof target !== "string")
    return func === undefined ? target.register_kernel(device_types) : target.register_kernel(device_types, func);
  const types = device_types ?? "CompositeExplicitAutograd";
  return func === undefined ? impl(target, types, null, options) : impl(target, types, func, options);
}

/** What the operator does to tensors that carry no data: sizes, strides and dtypes of its results. Meta tensors use it. */
export function register_fake(
  op: OpIdentifier,
  func: PythonFunction,
  options?: LibOption & { allow_override?: boolean },
): PythonFunction;
export function register_fake(op: OpIdentifier): (func: PythonFunction) => PythonFunction;
export function register_fake(
  op: OpIdentifier,
  func?: PythonFunction,
  options: LibOption & { allow_override?: boolean } = {},
): unknown {
  const target = _resolve_op_for_registration(op, "register_fake");
  const source = callerOf(register_fake as (...args: never[]) => unknown);
  const register = (fn: PythonFunction): PythonFunction => {
    if (typeof target !== "string") return target.register_fake(fn);
    const [namespace, name] = utils.parse_namespace(target);
    _library_for_registration(namespace, options.lib)._register_fake(name, fn, {
      source,
      allow_override: options.allow_override ?? true,
    });
    return fn;
  };
  return func === undefined ? register : register(func);
}

/**
 * The derivative of an operator: `backward(ctx, ...grads)` returns one gradient per input. `setup_context({ctx, inputs, output})`
 * runs in forward and keeps on `ctx` what backward will need (`ctx.save_for_backward`).
 */
export function register_autograd(
  op: OpIdentifier,
  backward: PythonFunction,
  options: LibOption & { setup_context?: SetupContext | null } = {},
): void {
  const target = _resolve_op_for_registration(op, "register_autograd");
  const setup_context = options.setup_context ?? null;
  if (typeof target !== "string") {
    target.register_autograd(backward, { setup_context });
    return;
  }
  const overload = utils.lookup_op(target);
  const schema = overload._schema;
  if (overload.tags.includes("out")) {
    throw new RuntimeError(
      `Cannot register autograd formula for operator tagged with torch.Tag.out: ${overload}. Out variants do not support autograd.`,
    );
  }
  if (!utils.is_functional_schema(schema)) {
    throw new RuntimeError(
      `Cannot register autograd formula for non-functional operator ${overload} with schema ${schema}. Please create ` +
        "a functional operator and register an autograd formula for that.",
    );
  }
  if (utils.has_kwarg_only_tensors(schema)) {
    throw new NotImplementedError(
      `register_autograd with kwarg-only Tensor args. In the original definition of the op, please make your tensors not kwarg-only. Got: ${schema}`,
    );
  }
  const [namespace, name] = utils.parse_namespace(target);
  const kernel = make_autograd_impl(overload, { _backward_fn: backward, _setup_context_fn: setup_context });
  _library_for_registration(namespace, options.lib).impl(name, kernel, "Autograd", { with_keyset: true });
}

/** The kernel that a call of `op` under `dispatch_key` enters, to be called past the dispatcher by `call_boxed(keyset, ...args)`. */
export function get_kernel(op: OpIdentifier, dispatch_key: DispatchKeyLike): SafeKernelFunction {
  if (typeof op !== "string" && !(op instanceof OpOverload) && !(op instanceof CustomOpDef)) {
    throw new ValueError(`get_kernel(${op}): got unexpected type for op: <class '${python_type(op)}'>`);
  }
  const key = typeof dispatch_key === "number" ? dispatch_key : DispatchKey[dispatch_key as keyof typeof DispatchKey];
  if (key === undefined) throw new ValueError(`Invalid dispatch key: ${dispatch_key}`);
  const name = typeof op === "string" ? op : op instanceof CustomOpDef ? op._qualname : op.__qualname__;
  return _dispatch_get_computed_kernel_for_dispatch_key(name, key);
}
