/**
 * @file The stack of `__torch_dispatch__` modes: they see every operator call.
 * @mirrors c10/core/impl/TorchDispatchModeTLS.h
 * @differs One JavaScript thread has one stack; PyTorch keeps one for each thread.
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { tls_set_dispatch_key_included } from "./LocalDispatchKeySet.ts";

/** The places of the library's own modes, lowest first. */
export const TorchDispatchModeKey = { FAKE: 0, PROXY: 1, FUNCTIONAL: 2, NUM_MODE_KEYS: 3 } as const;
export type TorchDispatchModeKey = 0 | 1 | 2;

const names = ["FakeTensorMode", "ProxyTorchDispatchMode", "FunctionalTensorMode"];

export const to_string = (mode_key: TorchDispatchModeKey): string => names[mode_key] as string;

/** All modes of the thread. */
export interface TorchDispatchModes {
  /** Users' modes, outermost first. */
  readonly stack_: object[];
  /** The library's own modes, at most one for each key. They lie below all users' modes. */
  readonly infra_modes_: (object | null)[];
}

export const no_modes = (): TorchDispatchModes => ({ stack_: [], infra_modes_: [null, null, null] });

let state = no_modes();
/** Number of the library's own modes that are on. */
let infra_count = 0;

/** While there is a mode, every call's key set contains Python, and PythonTLSSnapshot, the key that saves the thread's sets. */
function set_python_keys(included: boolean): void {
  tls_set_dispatch_key_included(DispatchKey.Python, included);
  tls_set_dispatch_key_included(DispatchKey.PythonTLSSnapshot, included);
}

const is_set = (mode: object | null): mode is object => mode !== null;

export const TorchDispatchModeTLS = {
  push_non_infra_mode_onto_stack(mode: object): void {
    if (!TorchDispatchModeTLS.any_modes_set()) set_python_keys(true);
    state.stack_.push(mode);
  },

  /** Pops and returns the innermost mode, which is inactive from now on: a user's if there is one. */
  pop_stack(): object {
    const mode = state.stack_.pop();
    if (mode === undefined) return TorchDispatchModeTLS.pop_highest_infra_mode()[0];
    if (!TorchDispatchModeTLS.any_modes_set()) set_python_keys(false);
    return mode;
  },

  /** Pops the highest of the library's own modes. */
  pop_highest_infra_mode(): [mode: object, mode_key: TorchDispatchModeKey] {
    const mode_key = state.infra_modes_.findLastIndex(is_set) as TorchDispatchModeKey | -1;
    TORCH_CHECK(mode_key !== -1, "trying to pop from empty mode stack");
    return [
      TorchDispatchModeTLS.unset_mode(mode_key as TorchDispatchModeKey) as object,
      mode_key as TorchDispatchModeKey,
    ];
  },

  /** @param idx counted from the outermost mode; the library's own modes come first */
  get_stack_at(idx: number): object {
    TORCH_CHECK(idx >= 0 && idx < TorchDispatchModeTLS.stack_len(), "Tried to get stack at idx that's too big");
    const mode = idx < infra_count ? state.infra_modes_.filter(is_set)[idx] : state.stack_[idx - infra_count];
    TORCH_INTERNAL_ASSERT(mode !== undefined);
    return mode;
  },

  stack_len(): number {
    return state.stack_.length + infra_count;
  },

  get_mode(mode_key: TorchDispatchModeKey): object | null {
    return state.infra_modes_[mode_key] as object | null;
  },

  set_mode(mode: object, mode_key: TorchDispatchModeKey): void {
    const free = state.infra_modes_[mode_key] === null;
    TORCH_CHECK(free, "trying to set the current ", to_string(mode_key), ", but one already exists");
    if (!TorchDispatchModeTLS.any_modes_set()) set_python_keys(true);
    state.infra_modes_[mode_key] = mode;
    infra_count++;
  },

  /** Switches the mode of this key off; returns it, or null if there was none. */
  unset_mode(mode_key: TorchDispatchModeKey): object | null {
    const mode = state.infra_modes_[mode_key] as object | null;
    if (mode === null) return null;
    state.infra_modes_[mode_key] = null;
    infra_count--;
    if (!TorchDispatchModeTLS.any_modes_set()) set_python_keys(false);
    return mode;
  },

  any_modes_set(skip_infra_modes = false): boolean {
    return state.stack_.length > 0 || (!skip_infra_modes && infra_count > 0);
  },

  /** Puts other modes in the place of these, which are given back. */
  set_state(modes: TorchDispatchModes): TorchDispatchModes {
    const before = state;
    const had_any = TorchDispatchModeTLS.any_modes_set();
    state = modes;
    infra_count = modes.infra_modes_.filter(is_set).length;
    const has_any = TorchDispatchModeTLS.any_modes_set();
    if (had_any !== has_any) set_python_keys(has_any);
    return before;
  },
};

/** Runs `fn` without any mode. (`StashTorchDispatchStackGuard`) */
export function without_dispatch_modes<R>(fn: () => R): R {
  const modes = TorchDispatchModeTLS.set_state(no_modes());
  try {
    return fn();
  } finally {
    TorchDispatchModeTLS.set_state(modes);
  }
}
