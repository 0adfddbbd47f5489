/**
 * @file Who overrides functions: the test for `__torch_function__` and the guards that switch overriding off.
 * @mirrors torch/csrc/utils/disable_torch_function.h
 */
import {
  PythonTorchFunctionTLS,
  TorchFunctionDisabledState,
  torch_function_enabled,
  torch_function_mode_enabled,
} from "#aten/PythonTorchFunctionTLS";
import { THPVariable_CheckExact } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { AbstractContextManager } from "./context_manager.ts";
import { is_of_another_copy } from "./copies.ts";

/** What a class answers to a call it does not handle; Python's `NotImplemented`. */
export const NotImplemented: unique symbol = Symbol("NotImplemented");

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

/** `obj.__torch_function__`: its own, or its class's; undefined if there is none. A class that opted out has the disabled one. */
export function torch_function_attr(obj: unknown): TorchFunction | undefined {
  if ((typeof obj !== "object" && typeof obj !== "function") || obj === null) return undefined;
  const own = (obj as { __torch_function__?: TorchFunction }).__torch_function__;
  const found =
    own ?? (obj as { constructor?: { __torch_function__?: TorchFunction } }).constructor?.__torch_function__;
  if (typeof found !== "function" || is_of_another_copy(obj)) return undefined; // Note [Two copies of the library]
  return found;
}

/** `__torch_function__` of a value that may override with it: one that is there, and does not opt out. */
function has_torch_function_attr(obj: unknown): boolean {
  const found = torch_function_attr(obj);
  return found !== undefined && found !== disabled_torch_function;
}

export type TorchFunction = (func: unknown, types: unknown[], args: unknown[], kwargs?: object) => unknown;

export function check_has_torch_function(obj: unknown, ignore_mode = false): boolean {
  if (!ignore_mode && torch_function_mode_enabled()) return true;
  if (THPVariable_CheckExact(obj)) return false;
  return torch_function_enabled() && has_torch_function_attr(obj);
}

/** A tensor method's test; the usual answer is found without a call. */
export const has_torch_function = check_has_torch_function;

/** Switches overrides off on entering, as far as `disabled` says; in PyTorch two classes of C, each with both methods. */
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
