/**
 * @file Overriding of functions: the test for `__torch_function__`, and the guards that switch overriding off.
 * @mirrors torch/csrc/utils/disable_torch_function.h
 */
import {
  PythonTorchFunctionTLS,
  TorchFunctionDisabledState,
  torch_function_enabled,
  torch_function_mode_enabled,
} from "#aten/PythonTorchFunctionTLS";
import { python_ks } from "#c10/core/DispatchKeySet";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { NotImplemented } from "#python/Objects/not_implemented";
import {
  THPVariable_CheckExact,
  THPVariable_CheckTypeExact,
  THPVariableClass,
} from "#torch/csrc-equivalent/autograd/python_variable/type";
import { AbstractContextManager } from "./context_manager.ts";
import { is_of_another_copy } from "./copies.ts";

export { NotImplemented };

/** `static __torch_function__ = torch._C._disabled_torch_function_impl` exempts a subclass from overriding. */
export function THPModule_disable_torch_function(
  func: (...args: unknown[]) => unknown,
  _types: unknown,
  args: unknown[] = [],
  kwargs?: object,
): unknown {
  const guard = new DisableTorchFunctionSubclass();
  guard.__enter__();
  try {
    return kwargs === undefined || kwargs === null ? func(...args) : func(...args, kwargs);
  } finally {
    guard.__exit__();
  }
}

export const disabled_torch_function = THPModule_disable_torch_function;

/**
 * `obj.__torch_function__`: its own, or its class's; undefined if there is none. A class that opted out has the
 * disabled function.
 */
export function torch_function_attr(obj: unknown): TorchFunction | undefined {
  if ((typeof obj !== "object" && typeof obj !== "function") || obj === null) return undefined;
  const own = (obj as { __torch_function__?: TorchFunction }).__torch_function__;
  const found =
    own ?? (obj as { constructor?: { __torch_function__?: TorchFunction } }).constructor?.__torch_function__;
  if (typeof found !== "function" || is_of_another_copy(obj)) return undefined; // Note [Two copies of the library]
  return found === default_torch_function() && has_own_dispatch(obj)
    ? (disabled_torch_function as TorchFunction)
    : found;
}

const default_torch_function = (): unknown =>
  (THPVariableClass as { __torch_function__?: TorchFunction } | undefined)?.__torch_function__;

/**
 * Whether a tensor's class handles operators itself. Such a class has no overriding of functions unless it writes one: a result is what its
 * handler returns, and is not made an instance of the class.
 */
function has_own_dispatch(obj: object): boolean {
  const cls = typeof obj === "function" ? obj : obj.constructor;
  const handler = (cls as { __torch_dispatch__?: unknown }).__torch_dispatch__;
  return typeof handler === "function" && handler !== disabled_torch_dispatch;
}

/** Whether the value can override functions: it has a `__torch_function__`, and does not opt out. */
function has_torch_function_attr(obj: unknown): boolean {
  const found = torch_function_attr(obj);
  return found !== undefined && found !== disabled_torch_function;
}

/** Handler of operators below autograd: `__torch_dispatch__` of a class of tensors. */
export type TorchDispatch = (func: unknown, types: unknown, args: unknown[], kwargs: object) => unknown;

/** `__torch_dispatch__ = torch._C._disabled_torch_dispatch_impl`: operators on the class's tensors run as on plain tensors. */
export function THPModule_disable_torch_dispatch(
  func: (...args: unknown[]) => unknown,
  _types: unknown,
  args: unknown[],
  kwargs?: object | null,
): unknown {
  const guard = new ExcludeDispatchKeyGuard(python_ks);
  try {
    return kwargs === undefined || kwargs === null ? func(...args) : func(...args, kwargs);
  } finally {
    guard.restore();
  }
}

export const disabled_torch_dispatch = THPModule_disable_torch_dispatch;

/** `cls.__torch_dispatch__`; undefined if there is none, or the disabled one. */
export function torch_dispatch_attr(cls: unknown): TorchDispatch | undefined {
  const found = (cls as { __torch_dispatch__?: TorchDispatch }).__torch_dispatch__;
  return typeof found === "function" && found !== disabled_torch_dispatch ? found : undefined;
}

/** Whether a class of tensors handles operators itself. */
export function check_has_torch_dispatch(cls: unknown): boolean {
  return !THPVariable_CheckTypeExact(cls) && torch_dispatch_attr(cls) !== undefined;
}

/** Switches `__torch_dispatch__` of classes and modes off. */
export class DisableTorchDispatch extends AbstractContextManager {
  private guard: ExcludeDispatchKeyGuard | null = null;

  override __enter__(): void {
    this.guard = new ExcludeDispatchKeyGuard(python_ks);
  }

  override __exit__(): void {
    this.guard?.restore();
  }
}

export type TorchFunction = (func: unknown, types: unknown[], args: unknown[], kwargs?: object) => unknown;

export function check_has_torch_function(obj: unknown, ignore_mode = false): boolean {
  if (!ignore_mode && torch_function_mode_enabled()) return true;
  if (THPVariable_CheckExact(obj)) return false;
  return torch_function_enabled() && has_torch_function_attr(obj);
}

/**
 * `has_torch_function_variadic` of some of up to eight values: those whose bit in `which` is set. Every call of an overridable function
 * comes here. The values are parameters of their own and not a list, so that a call makes no object.
 */
export function has_torch_function_among(
  which: number,
  a: unknown,
  b?: unknown,
  c?: unknown,
  d?: unknown,
  e?: unknown,
  f?: unknown,
  g?: unknown,
  h?: unknown,
): boolean {
  if (torch_function_mode_enabled()) return true;
  if ((which & 1) !== 0 && overrides(a)) return true;
  if (which < 2) return false;
  if ((which & 2) !== 0 && overrides(b)) return true;
  if (which < 4) return false;
  return (
    ((which & 4) !== 0 && overrides(c)) ||
    ((which & 8) !== 0 && overrides(d)) ||
    ((which & 16) !== 0 && overrides(e)) ||
    ((which & 32) !== 0 && overrides(f)) ||
    ((which & 64) !== 0 && overrides(g)) ||
    ((which & 128) !== 0 && overrides(h))
  );
}

function overrides(obj: unknown): boolean {
  return obj !== null && !THPVariable_CheckExact(obj) && check_has_torch_function(obj, true);
}

/** The test in a tensor method; the usual answer needs no further call. */
export const has_torch_function = check_has_torch_function;

/** Switches overrides off on entering, as far as `disabled` says. In PyTorch these are two C classes, each with both methods. */
abstract class TorchFunctionGuard extends AbstractContextManager {
  protected old_state: TorchFunctionDisabledState = TorchFunctionDisabledState.ENABLED;

  protected abstract disabled(old_state: TorchFunctionDisabledState): TorchFunctionDisabledState;

  override __enter__(): void {
    this.old_state = PythonTorchFunctionTLS.get_disabled_state();
    PythonTorchFunctionTLS.set_disabled_state(this.disabled(this.old_state));
  }

  override __exit__(): void {
    PythonTorchFunctionTLS.set_disabled_state(this.old_state);
  }
}

/** Switches subclass overrides off; modes stay. */
export class DisableTorchFunctionSubclass extends TorchFunctionGuard {
  protected override disabled(old_state: TorchFunctionDisabledState): TorchFunctionDisabledState {
    return old_state === TorchFunctionDisabledState.ENABLED
      ? TorchFunctionDisabledState.SUBCLASSES_DISABLED
      : old_state;
  }
}

/** Switches overrides and modes off. */
export class DisableTorchFunction extends TorchFunctionGuard {
  protected override disabled(): TorchFunctionDisabledState {
    return TorchFunctionDisabledState.ALL_DISABLED;
  }
}
