/**
 * @file The stack of `__torch_dispatch__` modes: they see every operator call.
 * @mirrors c10/core/impl/TorchDispatchModeTLS.h
 * @differs Infrastructure modes (fake tensors, proxies, functionalization) are not built; one JavaScript thread has one
 * stack. PyTorch keeps such modes in places of their own below the stack.
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { tls_set_dispatch_key_included } from "./LocalDispatchKeySet.ts";

let stack_: object[] = [];

/** While there is a mode, every call's key set contains Python, and PythonTLSSnapshot, the key that saves the thread's sets. */
function set_python_keys(included: boolean): void {
  tls_set_dispatch_key_included(DispatchKey.Python, included);
  tls_set_dispatch_key_included(DispatchKey.PythonTLSSnapshot, included);
}

export const TorchDispatchModeTLS = {
  push_non_infra_mode_onto_stack(mode: object): void {
    if (stack_.push(mode) === 1) set_python_keys(true);
  },

  /** Pops and returns the innermost mode, which is inactive from now on. */
  pop_stack(): object {
    const mode = stack_.pop();
    TORCH_CHECK(mode !== undefined, "trying to pop from empty mode stack");
    if (stack_.length === 0) set_python_keys(false);
    return mode;
  },

  /** @param idx counted from the outermost mode */
  get_stack_at(idx: number): object {
    TORCH_CHECK(idx >= 0 && idx < stack_.length, "Tried to get stack at idx that's too big");
    const mode = stack_[idx];
    TORCH_INTERNAL_ASSERT(mode !== undefined);
    return mode;
  },

  stack_len(): number {
    return stack_.length;
  },

  any_modes_set(): boolean {
    return stack_.length > 0;
  },

  /** Puts another stack in the place of this one, which is given back. */
  set_state(stack: object[]): object[] {
    const before = stack_;
    stack_ = stack;
    if (before.length > 0 !== stack.length > 0) set_python_keys(stack.length > 0);
    return before;
  },
};
