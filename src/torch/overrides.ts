/**
 * @file Overriding of functions from Python: the check in front-end functions, the call of the handler, and modes.
 * @mirrors torch/overrides.py
 */
import {
  PythonTorchFunctionTLS,
  TorchFunctionDisabledState,
  torch_function_enabled,
  torch_function_mode_enabled,
} from "#aten/PythonTorchFunctionTLS";
import { TypeError_ } from "#c10/util/Exception";
import { tuple, tuple_map } from "#python/Objects/tupleobject";
import {
  _RestorePythonTLSSnapshot,
  AbstractContextManager,
  append_overloaded_arg,
  check_has_torch_function,
  DisableTorchFunction,
  DisableTorchFunctionSubclass,
  NotImplemented,
  PySequence_Tuple,
  property_function,
  refuse_other_copies,
  refuse_sparse,
  TensorBase,
  THPVariable_CheckExact,
  type TorchFunction,
  torch_function_attr,
  type_of_overloaded_arg,
} from "./_C.ts";
import { def, def_methods, Init, type InitArgs, types, wraps } from "./_signature.ts";
import { torch } from "./_torch.ts";
import { def_context } from "./utils/_contextlib.ts";

export { DisableTorchFunction, DisableTorchFunctionSubclass, NotImplemented };

/** `has_torch_function` for one argument. */
export function has_torch_function_unary(obj: unknown): boolean {
  if (THPVariable_CheckExact(obj)) return torch_function_mode_enabled();
  refuse_other_copies(obj);
  return check_has_torch_function(obj);
}

/** `has_torch_function` for several arguments. */
export function has_torch_function_variadic(...objects: unknown[]): boolean {
  return has_torch_function(objects);
}

/** Whether a mode, or the class of an argument, handles the call. */
export function has_torch_function(relevant_args: readonly unknown[]): boolean {
  if (!Array.isArray(relevant_args)) throw new TypeError_("expected a sequence");
  if (torch_function_mode_enabled()) return true;
  refuse_sparse(relevant_args);
  for (const arg of relevant_args) {
    if (THPVariable_CheckExact(arg)) continue;
    refuse_other_copies(arg);
    if (check_has_torch_function(arg, true)) return true;
  }
  return false;
}

/** One argument of each class that has a `__torch_function__`, plain tensors included; subclasses come before their parents. */
export function _get_overloaded_args(relevant_args: readonly unknown[]): unknown[] {
  const overloaded_args: unknown[] = [];
  if (!torch_function_enabled()) return overloaded_args;
  for (const arg of PySequence_Tuple(relevant_args))
    if (torch_function_attr(arg) !== undefined) append_overloaded_arg(overloaded_args, arg);
  return overloaded_args;
}

/** Passes the call of a front-end function to the mode and to the classes of the arguments. */
export const handle_torch_function = def(
  "handle_torch_function(public_api, relevant_args, *args, **kwargs)",
  hand_over,
);

function hand_over(
  public_api: unknown,
  relevant_args: readonly unknown[],
  given: unknown[],
  kwargs: Record<string, unknown>,
): unknown {
  const overloaded_args = _get_overloaded_args(relevant_args);
  const types = tuple_map(overloaded_args, type_of_overloaded_arg);
  const args = tuple(given);
  if (torch_function_mode_enabled()) {
    const mode = PythonTorchFunctionTLS.pop_stack() as TorchFunctionMode;
    try {
      const result = mode.__torch_function__(public_api, types, args, kwargs);
      if (result !== NotImplemented) return result;
    } finally {
      PythonTorchFunctionTLS.push_onto_stack(mode);
    }
  }
  for (const arg of overloaded_args) {
    const result = (torch_function_attr(arg) as TorchFunction).call(
      type_of_overloaded_arg(arg),
      public_api,
      types,
      args,
      kwargs,
    );
    if (result !== NotImplemented) return result;
  }
  const names = types.map((type) => `<class '${type.name}'>`).join(", ");
  const mode = torch_function_mode_enabled() ? PythonTorchFunctionTLS.get_stack_at(-1) : undefined;
  const in_mode = mode === undefined ? "" : ` nor in mode <${mode.constructor.name} object>`;
  throw new TypeError_(
    `no implementation found for '${module_and_name(public_api)}' on types that implement __torch_function__: [${names}]${in_mode}`,
  );
}

/** `f"{fn.__module__}.{fn.__name__}"`; a function that is not from PyTorch has no module here. */
function module_and_name(fn: unknown): string {
  const { name, __module__ } = fn as { name?: string; __module__?: string };
  if (__module__ !== undefined) return `${__module__}.${name}`;
  return resolve_name(fn)?.replace("torch.Tensor.", "torch._tensor.") ?? name ?? String(fn);
}

let names_of_functions: Map<unknown, string> | null = null;

/** The names of all functions, collected at first use, when all exist. A function with several names has the last one. */
function index_of_names(): ReadonlyMap<unknown, string> {
  if (names_of_functions !== null) return names_of_functions;
  const index = new Map<unknown, string>();
  const { functional, nn } = torch;
  const namespaces = {
    torch,
    "torch.functional": functional,
    "torch.nn.functional": nn.functional,
    "torch.nn.init": nn.init,
  };
  for (const [namespace, functions] of Object.entries(namespaces))
    for (const [name, fn] of Object.entries(functions)) index.set(fn, `${namespace}.${name}`);
  const of_tensors = {
    ...Object.getOwnPropertyDescriptors(TensorBase.prototype),
    ...Object.getOwnPropertyDescriptors(torch.Tensor.prototype),
  };
  for (const name of Object.keys(of_tensors).sort()) {
    const { get, value } = of_tensors[name as keyof typeof of_tensors] as PropertyDescriptor;
    if (typeof value === "function") index.set(value, `torch.Tensor.${name}`);
    if (get === undefined) continue;
    for (const which of ["__get__", "__set__"] as const)
      index.set(property_function(name, which), `torch.Tensor.${name}.${which}`);
  }
  names_of_functions = index;
  return index;
}

/** A readable name for a function passed to `__torch_function__`, for example `torch.Tensor.add`; null if it has none. */
export const resolve_name = def(
  "resolve_name(f: object)",
  (f: unknown): string | null => index_of_names().get(f) ?? null,
);

/** Functions whose results are not converted to the subclass. */
export function get_default_nowrap_functions(): ReadonlySet<unknown> {
  return nowrap_functions;
}

const nowrap_functions: ReadonlySet<unknown> = new Set(
  ["_base", "grad", "_grad"].map((name) => property_function(name, "__get__")),
);

const TorchFunctionMode_init = new Init("TorchFunctionMode.__init__(self)", types<[]>);

/**
 * A mode that receives every call of a function of `torch` while it is on the stack: `mode.with(() => ...)`, or `using _ = mode` in user
 * code.
 */
export abstract class TorchFunctionMode extends AbstractContextManager {
  static {
    def_methods(TorchFunctionMode, { __init__: TorchFunctionMode_init });
  }

  constructor(...args: InitArgs<typeof TorchFunctionMode_init>) {
    super();
    TorchFunctionMode_init.bind(args);
  }

  abstract __torch_function__(func: unknown, types: readonly unknown[], args: unknown[], kwargs?: object): unknown;

  override __enter__(): this {
    PythonTorchFunctionTLS.push_onto_stack(this);
    return this;
  }

  override __exit__(): void {
    PythonTorchFunctionTLS.pop_stack();
  }

  with<R>(fn: () => R): R {
    this.__enter__();
    try {
      return fn();
    } finally {
      this.__exit__();
    }
  }
}

/** A mode that passes every call on; a base class for modes that only observe. */
export class BaseTorchFunctionMode extends TorchFunctionMode {
  __torch_function__(func: unknown, _types: readonly unknown[], args: unknown[], kwargs: object = {}): unknown {
    return (func as (...args: unknown[]) => unknown)(...args, kwargs);
  }
}

/** The innermost mode; null if there is none. */
export const _get_current_function_mode = def(
  "_get_current_function_mode()",
  (): TorchFunctionMode | null => (PythonTorchFunctionTLS.get_stack_at(-1) as TorchFunctionMode | undefined) ?? null,
);

/** All modes, outermost first. */
export const _get_current_function_mode_stack = def("_get_current_function_mode_stack()", (): TorchFunctionMode[] =>
  Array.from({ length: PythonTorchFunctionTLS.stack_len() }, (_, i) => PythonTorchFunctionTLS.get_stack_at(i)).map(
    (mode) => mode as TorchFunctionMode,
  ),
);

/** Disables the innermost mode inside the context. */
export const _pop_mode_temporarily = def_context(
  "_pop_mode_temporarily()",
  class _pop_mode_temporarily extends AbstractContextManager {
    private old: object | undefined;

    override __enter__(): object | undefined {
      this.old = PythonTorchFunctionTLS.pop_stack();
      return this.old;
    }

    override __exit__(): void {
      if (this.old !== undefined) PythonTorchFunctionTLS.push_onto_stack(this.old);
    }
  },
);

/** Enables overriding inside the context, even within `DisableTorchFunction`. */
export const _enable_torch_function = def_context(
  "_enable_torch_function()",
  class _enable_torch_function extends AbstractContextManager {
    private old_state = PythonTorchFunctionTLS.get_disabled_state();

    override __enter__(): void {
      this.old_state = PythonTorchFunctionTLS.get_disabled_state();
      PythonTorchFunctionTLS.set_disabled_state(TorchFunctionDisabledState.ENABLED);
    }

    override __exit__(): void {
      PythonTorchFunctionTLS.set_disabled_state(this.old_state);
    }
  },
);

/** Lets calls inside a `__torch_dispatch__` start again at the top of the dispatcher, through autograd, like the original call. */
export const enable_reentrant_dispatch = def_context(
  "enable_reentrant_dispatch()",
  class enable_reentrant_dispatch extends AbstractContextManager {
    private guard: _RestorePythonTLSSnapshot | null = null;

    override __enter__(): void {
      this.guard = new _RestorePythonTLSSnapshot();
    }

    override __exit__(): void {
      this.guard?.restore();
    }
  },
);

/**
 * Wraps a function so that it can be overridden.
 * @param dispatcher receives the arguments of the call and returns those that may override it
 */
export const wrap_torch_function = def(
  "wrap_torch_function(dispatcher)",
  (dispatcher: (...args: unknown[]) => readonly unknown[]) =>
    <F extends (...args: never[]) => unknown>(func: F): F => {
      const wrapped = (...args: never[]): unknown => {
        const relevant_args = dispatcher(...args);
        return has_torch_function(relevant_args)
          ? handle_torch_function(wrapped, relevant_args, ...args)
          : func(...args);
      };
      return wraps(wrapped as F, func);
    },
);

/** Whether a function passed to `__torch_function__` is a method, or the `__get__` of a property, of `torch.Tensor`. */
export const is_tensor_method_or_property = def(
  "is_tensor_method_or_property(func)",
  (func: unknown): boolean =>
    index_of_names().get(func)?.startsWith("torch.Tensor.") === true || (func as { name?: string }).name === "__get__",
);

/** Whether `inp` is a tensor, or has a `__torch_function__`. */
export const is_tensor_like = def(
  "is_tensor_like(inp: object)",
  (inp: unknown): boolean => torch_function_attr(inp) !== undefined,
);
