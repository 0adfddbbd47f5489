/**
 * @file Overriding functions from Python: the tests that front-end functions make, the hand-over, and modes.
 * @mirrors torch/overrides.py
 */
import { PythonTorchFunctionTLS, torch_function_mode_enabled } from "#aten/PythonTorchFunctionTLS";
import { TypeError_ } from "#c10/util/Exception";
import {
  AbstractContextManager,
  append_overloaded_arg,
  check_has_torch_function,
  DisableTorchFunction,
  DisableTorchFunctionSubclass,
  NotImplemented,
  property_function,
  THPVariable_CheckExact,
  type TorchFunction,
  torch_function_of,
  type_of_overloaded_arg,
} from "./_C.ts";
import { def, def_methods, Init, type InitArgs, types } from "./_signature.ts";

export { DisableTorchFunction, DisableTorchFunctionSubclass, NotImplemented };

export function has_torch_function_unary(obj: unknown): boolean {
  return !THPVariable_CheckExact(obj) ? check_has_torch_function(obj) : torch_function_mode_enabled();
}

export function has_torch_function_variadic(...objects: unknown[]): boolean {
  return has_torch_function(objects);
}

export function has_torch_function(relevant_args: readonly unknown[]): boolean {
  if (torch_function_mode_enabled()) return true;
  for (const arg of relevant_args) if (!THPVariable_CheckExact(arg) && check_has_torch_function(arg, true)) return true;
  return false;
}

/** The arguments that override, subclasses before their parents. */
export function _get_overloaded_args(relevant_args: readonly unknown[]): unknown[] {
  const overloaded_args: unknown[] = [];
  for (const arg of relevant_args)
    if (torch_function_of(arg) !== undefined) append_overloaded_arg(overloaded_args, arg);
  return overloaded_args;
}

/** Hands a front-end function's call to the mode and to the arguments' classes. */
export const handle_torch_function = def(
  "handle_torch_function(public_api, relevant_args, *args, **kwargs)",
  hand_over,
);

function hand_over(
  public_api: unknown,
  relevant_args: readonly unknown[],
  args: unknown[],
  given_kwargs: Record<string, unknown>,
): unknown {
  const kwargs = Object.keys(given_kwargs).length === 0 ? undefined : given_kwargs;
  const overloaded_args = _get_overloaded_args(relevant_args);
  const types = overloaded_args.map(type_of_overloaded_arg);
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
    const result = (torch_function_of(arg) as TorchFunction).call(
      type_of_overloaded_arg(arg),
      public_api,
      types,
      args,
      kwargs,
    );
    if (result !== NotImplemented) return result;
  }
  const names = types.map((type) => `<class '${type.name}'>`);
  throw new TypeError_(
    `no implementation found for '${resolve_name(public_api) ?? String(public_api)}' on types that implement __torch_function__: [${names.join(", ")}]`,
  );
}

function resolve_name(fn: unknown): string | null {
  return typeof fn === "function" && fn.name !== "" ? `torch.${fn.name}` : null;
}

/** Functions whose results a subclass gets back as they are. */
export function get_default_nowrap_functions(): ReadonlySet<unknown> {
  return nowrap_functions;
}

const nowrap_functions: ReadonlySet<unknown> = new Set(
  ["_base", "grad", "_grad"].map((name) => property_function(name, "__get__")),
);

const TorchFunctionMode_init = new Init("TorchFunctionMode.__init__(self)", types<[]>);

/**
 * Sees every call of a function of `torch` while it is on the stack: `mode.with(() => ...)`, or
 * `using _ = mode` in user code.
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

/** Lets every call pass: a base for modes that watch. */
export class BaseTorchFunctionMode extends TorchFunctionMode {
  __torch_function__(func: unknown, _types: readonly unknown[], args: unknown[], kwargs?: object): unknown {
    const call = func as (...args: unknown[]) => unknown;
    return kwargs === undefined ? call(...args) : call(...args, kwargs);
  }
}

/** Whether `inp` is a tensor, or passes for one. */
export const is_tensor_like = def(
  "is_tensor_like(inp: object)",
  (inp: unknown): boolean => THPVariable_CheckExact(inp) || torch_function_of(inp) !== undefined,
);
