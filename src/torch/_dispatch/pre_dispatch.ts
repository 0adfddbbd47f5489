/**
 * @file The library's own modes above autograd: they see a `linear` as `linear`, where the modes of `__torch_dispatch__` see `t` and `addmm`.
 * @mirrors torch/_ops.py#_ModeStackStateForPreDispatch
 * @differs Ours has the place of ProxyTorchDispatchMode; PyTorch has two more, for FunctionalTensorMode and SchemaCheckMode.
 *
 *     torch.nn.functional.linear(x, w)
 *       key PreDispatch     the mode is taken away, notes `aten.linear.default`, and calls the operator again
 *         key Autograd...   the composite kernel: `t`, `addmm`, which no mode notes
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Stack } from "#aten/core/stack";
import { DispatchKey } from "#c10/core/DispatchKey";
import { tls_is_dispatch_key_excluded, tls_set_dispatch_key_included } from "#c10/core/impl/LocalDispatchKeySet";
import { AssertionError } from "#c10/util/Exception";
import { handle_dispatch_mode } from "#torch/_functorch/_C";

let proxy_mode: object | null = null;

/** The active mode; null if there is none. */
export function _get_dispatch_mode_pre_dispatch(): object | null {
  return proxy_mode;
}

/** Switches a mode on. @throws {AssertionError} if one is on */
export function _set_mode_pre_dispatch(mode: object): void {
  if (proxy_mode !== null) throw new AssertionError(`ProxyTorchDispatchMode slot already occupied by ${proxy_mode}`);
  proxy_mode = mode;
  tls_set_dispatch_key_included(DispatchKey.PreDispatch, true);
}

/** Switches the mode off and returns it. */
export function unset_mode_pre_dispatch(): object | null {
  const mode = proxy_mode;
  proxy_mode = null;
  tls_set_dispatch_key_included(DispatchKey.PreDispatch, false);
  return mode;
}

/** Gives a call to the mode, which is off meanwhile. Returns whether there is one. */
export function dispatch_to_pre_dispatch_mode(op: OperatorHandle, stack: Stack): boolean {
  if (proxy_mode === null || tls_is_dispatch_key_excluded(DispatchKey.Python)) return false;
  const mode = unset_mode_pre_dispatch() as object;
  try {
    handle_dispatch_mode(mode, op, stack);
  } finally {
    _set_mode_pre_dispatch(mode);
  }
  return true;
}
