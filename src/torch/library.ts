/**
 * @file `torch.library`: definition of operators and registration of kernels from the front end.
 * @mirrors torch/library.py
 * @differs Ours lacks `register_vmap`, triton operators, and rules of `register_torch_dispatch` for tensor subclasses; PyTorch has them. A
 * decorator of PyTorch is a function that takes the function here. `fallthrough_kernel` is the engine's own function, which is never
 * called.
 */
import { callerOf } from "#aten/core/library";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { NotImplementedError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import {
  _dispatch_get_computed_kernel_for_dispatch_key,
  _dispatch_key_for_device,
  _parse_dispatch_key,
  DispatchKey,
  type DispatchKeyLike,
  fallthrough_kernel,
  isDict,
  type PythonFunction,
  py_str,
  python_type,
  type SafeKernelFunction,
  Tag,
} from "./_C.ts";
import { transforms } from "./_functorch/loading.ts";
import { autocast_key, check_autocast_available, make_autocast_kernel } from "./_library/autocast.ts";
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
import { def, type Signature, wraps } from "./_signature.ts";
import type { dtype } from "./types.ts";

export { opcheck } from "./_library/opcheck.ts";
export { CustomOpDef, type CustomOpOptions, custom_op, fallthrough_kernel, get_ctx, Library };

/** Libraries created for callers that passed none; they live forever. */
const _keep_alive: Library[] = [];

function _library_for_registration(namespace: string, lib: Library | null | undefined): Library {
  if (lib !== null && lib !== undefined) return lib;
  const made = new Library(namespace, "FRAGMENT");
  _keep_alive.push(made);
  return made;
}

export interface LibOption {
  /** The library that determines the lifetime of the registration. */
  lib?: Library | null;
}

export type OpIdentifier = string | OpOverload | CustomOpDef;

/** The name to register for, or the CustomOpDef, which stores its own registrations. */
function _resolve_op_for_registration(op: OpIdentifier, registration_name: string): string | CustomOpDef {
  if (typeof op !== "string" && !(op instanceof OpOverload) && !(op instanceof CustomOpDef)) {
    throw new ValueError(
      `${registration_name}(${py_str(op)}): got unexpected type for op: <class '${python_type(op)}'>`,
    );
  }
  return _maybe_get_opdef(op) ?? (typeof op === "string" ? op : (op as OpOverload).__qualname__);
}

const NAMELESS_SCHEMA = /^\(.*\) -> .*$/;

/** `functools.singledispatch`: if the first argument is a Library, the form for a library is called. */
function dispatch_on_library<F extends (...args: never[]) => unknown>(
  fn: F,
  of_library: (...args: never[]) => unknown,
): F {
  const dispatch = (...args: never[]): unknown => {
    if (args.length === 0 || isDict(args[0]))
      throw new TypeError_(`${fn.name} requires at least 1 positional argument`);
    return (args[0] as unknown) instanceof Library ? of_library(...args) : fn(...args);
  };
  return wraps(dispatch, fn) as F;
}

const define_for = def("_(lib, schema, alias_analysis='')", (lib: Library, schema: string, alias_analysis: string) => {
  return (fn: PythonFunction): PythonFunction => {
    lib.impl(lib.define(schema, alias_analysis), fn);
    return fn;
  };
});

const define_name = def(
  "define(qualname, schema, *, lib=None, tags=())",
  (qualname: string, schema: string, given: Library | null, tags: readonly Tag[] | Tag): void => {
    if (typeof qualname !== "string") {
      throw new ValueError(
        `define(qualname, schema): expected qualname to be instance of str, got <class '${python_type(qualname)}'>`,
      );
    }
    const [namespace, name] = utils.parse_namespace(qualname);
    const lib = _library_for_registration(namespace, given);
    if (!NAMELESS_SCHEMA.test(schema)) {
      throw new ValueError(
        `define(qualname, schema, ...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got "${schema}"`,
      );
    }
    lib.define(name + schema, "", { tags });
  },
);

/**
 * Declares the operator `qualname` (`"mylib::sin"`). `schema` has no name: `"(Tensor x) -> Tensor"`. The older form
 * `define(lib, "sin(Tensor x) -> Tensor")(func)` also registers a kernel.
 */
export const define = dispatch_on_library(define_name, define_for) as typeof define_name & typeof define_for;

/**
 * The dispatch key for a type: `"default"` stands for every device, the name of a dispatch key for itself, anything else is a device type.
 */
function _device_type_to_key(type: string): string {
  if (_parse_dispatch_key(type) !== null) return type;
  return type === "default" ? "CompositeExplicitAutograd" : _dispatch_key_for_device(type);
}

const impl_for = def("_(lib, name, dispatch_key='')", (lib: Library, name: string, dispatch_key: string) => {
  return (fn: PythonFunction): PythonFunction => {
    lib.impl(name, fn, dispatch_key);
    return fn;
  };
});

const impl_name = def(
  "impl(qualname, types, func=None, *, lib=None)",
  (
    qualname: string,
    types: string | readonly string[],
    func: PythonFunction | null,
    given: Library | null,
  ): unknown => {
    const register = (fn: PythonFunction): void => {
      const [namespace] = utils.parse_namespace(qualname);
      const keys = new Set((typeof types === "string" ? [types] : types).map(_device_type_to_key));
      const lib = _library_for_registration(namespace, given);
      for (const key of keys) lib.impl(qualname, fn, key);
    };
    return func === null ? register : register(func);
  },
);

interface Impl {
  (qualname: string, types: string | readonly string[], func: PythonFunction, kwargs?: LibOption): void;
  (
    qualname: string,
    types: string | readonly string[],
    func?: null,
    kwargs?: LibOption,
  ): (func: PythonFunction) => void;
  (qualname: string, types: string | readonly string[], kwargs: LibOption): (func: PythonFunction) => void;
  (lib: Library, name: string, dispatch_key?: string): (func: PythonFunction) => PythonFunction;
  readonly __signature__: Signature;
}

/**
 * Registers a kernel of `qualname` for device types (`"cpu"`), `"default"`, or dispatch keys. Without `func`, a decorator.
 * The older form is `impl(lib, name, dispatch_key)(func)`.
 */
export const impl = dispatch_on_library(impl_name, impl_for) as unknown as Impl;

interface RegisterKernel {
  (op: OpIdentifier, device_types: DeviceTypes, func: PythonFunction, kwargs?: LibOption): void;
  (op: OpIdentifier, device_types: DeviceTypes, kwargs?: LibOption): (func: PythonFunction) => void;
  readonly __signature__: Signature;
}

/** Registers an implementation for device types (`"cpu"`), or with null for all device types. */
export const register_kernel = def(
  "register_kernel(op, device_types, func=None, /, *, lib=None)",
  (op: OpIdentifier, device_types: DeviceTypes, func: PythonFunction | null, lib: Library | null): unknown => {
    const target = _resolve_op_for_registration(op, "register_kernel");
    if (typeof target !== "string")
      return func === null ? target.register_kernel(device_types) : target.register_kernel(device_types, func);
    const types = device_types ?? "CompositeExplicitAutograd";
    return func === null ? impl(target, types, null, { lib }) : impl(target, types, func, { lib });
  },
) as unknown as RegisterKernel;

interface RegisterFake {
  (op: OpIdentifier, func: PythonFunction, kwargs?: LibOption & { allow_override?: boolean }): PythonFunction;
  (op: OpIdentifier, kwargs?: LibOption & { allow_override?: boolean }): (func: PythonFunction) => PythonFunction;
  readonly __signature__: Signature;
}

/** Registers an implementation for tensors without data: it computes sizes, strides and dtypes of the results. Meta tensors use it. */
export const register_fake = def(
  "register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=True)",
  register_fake_impl,
) as unknown as RegisterFake;

function register_fake_impl(
  op: OpIdentifier,
  func: PythonFunction | null,
  given: Library | null,
  _stacklevel: number,
  allow_override: boolean,
): unknown {
  const target = _resolve_op_for_registration(op, "register_fake");
  const source = callerOf(register_fake as (...args: never[]) => unknown);
  const register = (fn: PythonFunction): PythonFunction => {
    if (typeof target !== "string") return target.register_fake(fn);
    const [namespace, name] = utils.parse_namespace(target);
    _library_for_registration(namespace, given)._register_fake(name, fn, { source, allow_override });
    return fn;
  };
  return func === null ? register : register(func);
}

interface RegisterTorchDispatch {
  (op: OpIdentifier, torch_dispatch_class: object, func: PythonFunction, kwargs?: LibOption): PythonFunction;
  (op: OpIdentifier, torch_dispatch_class: object, kwargs?: LibOption): (func: PythonFunction) => PythonFunction;
  readonly __signature__: Signature;
}

/**
 * Registers a rule that a class of modes uses for an operator instead of its `__torch_dispatch__`. Subclasses do not inherit the rule.
 * @param torch_dispatch_class a class that extends `TorchDispatchMode`
 * @param func called with `(mode, func, types, args, kwargs)`
 */
export const register_torch_dispatch = def(
  "register_torch_dispatch(op, torch_dispatch_class, func=None, /, *, lib=None)",
  (op: OpIdentifier, torch_dispatch_class: object, func: PythonFunction | null, given: Library | null): unknown => {
    const target = _resolve_op_for_registration(op, "register_torch_dispatch");
    const register = (fn: PythonFunction): PythonFunction => {
      if (typeof target !== "string") return target.register_torch_dispatch(torch_dispatch_class, fn);
      const [namespace, name] = utils.parse_namespace(target);
      _library_for_registration(namespace, given)._register_torch_dispatch_rule(name, torch_dispatch_class, fn);
      return fn;
    };
    return func === null ? register : register(func);
  },
) as unknown as RegisterTorchDispatch;

/**
 * Registers a cast: if autocast is enabled for `device_type`, the floating inputs of the operator, except float64, are cast to
 * `cast_inputs`, and the operator runs with autocast disabled.
 */
export const register_autocast = def(
  "register_autocast(op, device_type, cast_inputs, /, *, lib=None)",
  (op: OpIdentifier, device_type: string, cast_inputs: dtype, given: Library | null): unknown => {
    const target = _resolve_op_for_registration(op, "register_autocast");
    check_autocast_available(device_type);
    if (typeof target !== "string") return target.register_autocast(device_type, cast_inputs);
    const overload = utils.lookup_op(target);
    const kernel = make_autocast_kernel(() => overload, device_type, cast_inputs, "plain");
    const [namespace, name] = utils.parse_namespace(target);
    const lib = _library_for_registration(namespace, given);
    lib.impl(name, kernel, autocast_key(device_type), { with_keyset: true });
    return null;
  },
);

/** Runs `fn` while batched tensors count as ordinary ones. */
function below_batched_tensors<R>(fn: () => R): R {
  const guard = new ExcludeDispatchKeyGuard(DispatchKey.FuncTorchBatched);
  try {
    return fn();
  } finally {
    guard.restore();
  }
}

/**
 * Registers what an operator does under `torch.vmap`: `func(info, in_dims, ...args)` gets the size of the batch and the batch dimension of each
 * argument, and returns `[outputs, out_dims]`.
 */
export const register_vmap = def(
  "register_vmap(op, func=None, /, *, lib=None)",
  (op: OpIdentifier, func: PythonFunction | null, given: Library | null): unknown => {
    const target = _resolve_op_for_registration(op, "register_vmap");
    const overload = typeof target === "string" ? utils.lookup_op(target) : target._opoverload;
    const [namespace, name] = utils.parse_namespace(typeof target === "string" ? target : target._qualname);
    const register = (vmap_function: PythonFunction): null => {
      const { custom_function_call_vmap_helper, retrieve_current_functorch_interpreter } =
        transforms("torch.library.register_vmap");
      const lib = _library_for_registration(namespace, given);
      const kernel = (_keyset: unknown, ...args: unknown[]): unknown =>
        custom_function_call_vmap_helper(
          retrieve_current_functorch_interpreter() as never,
          vmap_function,
          args,
          below_batched_tensors,
          overload as never,
        );
      lib.impl(name, kernel as never, "FuncTorchBatched", { with_keyset: true });
      return null;
    };
    return func === null ? register : register(func);
  },
);

/**
 * Registers the derivative of an operator: `backward(ctx, ...grads)` returns one gradient per input. `setup_context({ctx, inputs, output})`
 * runs after forward and saves on `ctx` what backward needs (`ctx.save_for_backward`).
 */
export const register_autograd = def(
  "register_autograd(op, backward, /, *, setup_context=None, lib=None)",
  register_autograd_impl,
);

function register_autograd_impl(
  op: OpIdentifier,
  backward: PythonFunction,
  setup_context: SetupContext | null,
  lib: Library | null,
): void {
  const target = _resolve_op_for_registration(op, "register_autograd");
  if (typeof target !== "string") {
    target.register_autograd(backward, { setup_context });
    return;
  }
  const overload = utils.lookup_op(target);
  const schema = overload._schema;
  if (overload.tags.includes(Tag.out)) {
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
  _library_for_registration(namespace, lib).impl(name, kernel, "Autograd", { with_keyset: true });
}

/** The kernel that a call of `op` under `dispatch_key` runs. `call_boxed(keyset, ...args)` calls it without the dispatcher. */
export const get_kernel = def("get_kernel(op, dispatch_key)", kernel_of);

function kernel_of(op: OpIdentifier, dispatch_key: DispatchKeyLike): SafeKernelFunction {
  if (typeof op !== "string" && !(op instanceof OpOverload) && !(op instanceof CustomOpDef)) {
    throw new ValueError(`get_kernel(${op}): got unexpected type for op: <class '${python_type(op)}'>`);
  }
  const key = typeof dispatch_key === "number" ? dispatch_key : DispatchKey[dispatch_key as keyof typeof DispatchKey];
  if (key === undefined) throw new ValueError(`Invalid dispatch key: ${dispatch_key}`);
  const name = typeof op === "string" ? op : op instanceof CustomOpDef ? op._qualname : op.__qualname__;
  return _dispatch_get_computed_kernel_for_dispatch_key(name, key);
}
