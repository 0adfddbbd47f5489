/**
 * @file Modes that receive every operator call in the dispatcher below autograd, as an overload, from any caller.
 * @mirrors torch/utils/_python_dispatch.py
 * @differs Ours has no modes for the pre-dispatch key; PyTorch has them.
 * @see src/torch/overrides.ts (modes that see functions of `torch` instead)
 */
import type { TorchDispatchModeKey } from "#c10/core/impl/TorchDispatchModeTLS";
import { AssertionError, NotImplementedError } from "#c10/util/Exception";
import {
  _get_dispatch_stack_at,
  _len_torch_dispatch_stack,
  _pop_torch_dispatch_stack,
  _push_on_torch_dispatch_stack,
  AbstractContextManager,
} from "#torch/_C";
import type { OpOverload } from "#torch/_ops";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { def_context } from "./_contextlib.ts";

// Note [What a mode sees]
// ~~~~~~~~~~~~~~~~~~~~~~~
// The Python key lies below autograd and above the kernels. Therefore a mode sees a `linear` as the `t` and `addmm` of which it consists,
// and in backward the operators that the formulas call. Autograd has already recorded; calls made by the handler are not recorded again.
// While a handler runs, its mode is disabled: `func(...args, kwargs)` reaches the next outer mode, and after the outermost one the kernel.

const TorchDispatchMode_init = new Init(
  "TorchDispatchMode.__init__(self, _dispatch_key=None)",
  types<[_dispatch_key: null]>,
);

/** A mode that receives every operator call while it is on the stack: `mode.with(() => ...)`, or `using _ = mode` in user code. */
export class TorchDispatchMode extends AbstractContextManager {
  static {
    def_methods(TorchDispatchMode, { __init__: TorchDispatchMode_init });
  }

  constructor(...args: InitArgs<typeof TorchDispatchMode_init>) {
    super();
    const [dispatch_key] = TorchDispatchMode_init.bind(args);
    if (dispatch_key === null) return;
    if (typeof dispatch_key !== "number") throw new AssertionError("_dispatch_key must be a torch._C.DispatchKey");
    throw new NotImplementedError("TorchDispatchMode(): modes for other keys than Python are not implemented");
  }

  /**
   * The handler, which replaces the call. `func(...args, kwargs)` continues it.
   * @param func the overload, for example `torch.ops.aten.add.Tensor`
   * @param types classes of arguments that have their own handler; always empty here
   */
  __torch_dispatch__(_func: OpOverload, _types: readonly unknown[], _args: unknown[], _kwargs: object): unknown {
    throw new NotImplementedError("");
  }

  override __enter__(): this {
    _push_mode(this);
    return this;
  }

  override __exit__(): void {
    _pop_mode(mode_key_of(this));
  }

  with<R>(fn: () => R): R {
    this.__enter__();
    try {
      return fn();
    } finally {
      this.__exit__();
    }
  }

  /** Whether the mode belongs to the library's internals. */
  static is_infra_mode(): boolean {
    return false;
  }
}

/** A mode that passes every call on; a base class for modes that only observe. */
export class BaseTorchDispatchMode extends TorchDispatchMode {
  override __torch_dispatch__(func: OpOverload, _types: readonly unknown[], args: unknown[], kwargs: object): unknown {
    return func(...args, kwargs);
  }
}

export function _push_mode(mode: TorchDispatchMode): void {
  _push_on_torch_dispatch_stack(mode);
}

/** The innermost mode, or the library's own mode of a key. */
export function _pop_mode(mode_key: TorchDispatchModeKey | null = null): TorchDispatchMode {
  return _pop_torch_dispatch_stack(mode_key) as TorchDispatchMode;
}

/** The place of one of the library's own modes; null for a user's mode. */
function mode_key_of(mode: TorchDispatchMode): TorchDispatchModeKey | null {
  return (mode as { readonly _mode_key?: TorchDispatchModeKey })._mode_key ?? null;
}

/** The innermost mode; null if there is none. */
export const _get_current_dispatch_mode = def("_get_current_dispatch_mode()", (): TorchDispatchMode | null => {
  const length = _len_torch_dispatch_stack();
  return length === 0 ? null : (_get_dispatch_stack_at(length - 1) as TorchDispatchMode);
});

/** All modes, outermost first. */
export const _get_current_dispatch_mode_stack = def("_get_current_dispatch_mode_stack()", (): TorchDispatchMode[] =>
  Array.from({ length: _len_torch_dispatch_stack() }, (_, i) => _get_dispatch_stack_at(i) as TorchDispatchMode),
);

export const is_in_torch_dispatch_mode = def(
  "is_in_torch_dispatch_mode(include_infra_modes=True)",
  (include_infra_modes: boolean): boolean =>
    include_infra_modes
      ? _len_torch_dispatch_stack() > 0
      : _get_current_dispatch_mode_stack().some((mode) => mode_key_of(mode) === null),
);

/** Disables all modes inside the context. */
export const _disable_current_modes = def_context(
  "_disable_current_modes()",
  class _disable_current_modes extends AbstractContextManager {
    private old_modes: TorchDispatchMode[] = [];

    override __enter__(): TorchDispatchMode[] {
      this.old_modes = [];
      while (_len_torch_dispatch_stack() > 0) this.old_modes.push(_pop_mode());
      return this.old_modes;
    }

    override __exit__(): void {
      for (const mode of this.old_modes.toReversed()) _push_mode(mode);
    }
  },
);
