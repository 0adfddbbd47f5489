/**
 * @file `torch.autograd.graph.saved_tensors_hooks`: users' pack and unpack functions, and the stack of default ones.
 * @mirrors torch/csrc/autograd/python_saved_variable_hooks.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { RuntimeError, TORCH_CHECK_TYPE } from "#c10/util/Exception";
import { python_type as THPUtils_typename } from "#torch/csrc-equivalent/utils/python_numbers";
import { THPVariable_Check, THPVariable_Unpack } from "./python_variable/type.ts";
import { THPVariable_Wrap } from "./python_variable/wrap.ts";
import { type SavedVariableHooks, set_default_saved_variable_hooks } from "./saved_variable_hooks.ts";

// biome-ignore lint/suspicious/noExplicitAny: a pack hook may make anything, as long as its unpack hook understands it
export type PackHook = (tensor: any) => unknown;
// biome-ignore lint/suspicious/noExplicitAny: see PackHook
export type UnpackHook = (packed: any) => unknown;

/** Throws pybind11's error unless two callables are given. The text omits the arguments. */
export function check_hooks(name: string, self: string, args: readonly unknown[]): void {
  TORCH_CHECK_TYPE(
    args.length === 2 && args.every((arg) => typeof arg === "function"),
    `${name}(): incompatible function arguments. The following argument types are supported:\n    1. (${self}arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None`,
  );
}

export class PySavedVariableHooks implements SavedVariableHooks {
  private readonly pack_hook_: PackHook;
  private readonly unpack_hook_: UnpackHook;
  private data_: unknown = undefined;

  constructor(pack_hook: PackHook, unpack_hook: UnpackHook) {
    this.pack_hook_ = pack_hook;
    this.unpack_hook_ = unpack_hook;
  }

  call_pack_hook(tensor: Tensor): void {
    this.data_ = this.pack_hook_(THPVariable_Wrap(tensor));
  }

  call_unpack_hook(): Tensor {
    const res = this.unpack_hook_(this.data_);
    TORCH_CHECK_TYPE(
      THPVariable_Check(res),
      `Output of saved tensor unpack_hook expected to be a Tensor but got result of type ${THPUtils_typename(res)}`,
    );
    return THPVariable_Unpack(res);
  }
}

const stack: { readonly pack_hook: PackHook; readonly unpack_hook: UnpackHook }[] = [];
/** The reason why no hooks may be active now; null if they may. */
let disabled_error_message: string | null = null;

/** `SavedTensorDefaultHooks`: the innermost pair is active. */
export const PyDefaultSavedVariableHooks = {
  push_hooks(pack_hook: PackHook, unpack_hook: UnpackHook): void {
    check_hooks("_push_saved_tensors_default_hooks", "", [pack_hook, unpack_hook]);
    if (disabled_error_message !== null) throw new RuntimeError(disabled_error_message);
    stack.push({ pack_hook, unpack_hook });
    refresh();
  },

  pop_hooks(): void {
    stack.pop();
    refresh();
  },

  get_hooks(): SavedVariableHooks | null {
    const hooks = stack[stack.length - 1];
    return hooks === undefined ? null : new PySavedVariableHooks(hooks.pack_hook, hooks.unpack_hook);
  },

  disable(error_message: string): void {
    disabled_error_message = error_message;
    if (stack.length > 0) throw new RuntimeError(error_message);
  },

  enable(): void {
    disabled_error_message = null;
  },

  get_disabled_error_message(): string | null {
    return disabled_error_message;
  },

  is_enabled(): boolean {
    return disabled_error_message === null;
  },
};

function refresh(): void {
  set_default_saved_variable_hooks(stack.length === 0 ? null : PyDefaultSavedVariableHooks.get_hooks);
}
