/**
 * @file The hooks of a SavedVariable: they pack the tensor when it is saved and unpack it when backward needs it.
 * @mirrors torch/csrc/autograd/saved_variable_hooks.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";

export interface SavedVariableHooks {
  call_pack_hook(tensor: Tensor): void;
  call_unpack_hook(): Tensor;
}

/**
 * `Engine::get_default_saved_variable_hooks`: null if no default hooks are active, which is nearly always so; saving a
 * tensor then costs one test.
 */
export let get_default_saved_variable_hooks: (() => SavedVariableHooks | null) | null = null;

export function set_default_saved_variable_hooks(get: (() => SavedVariableHooks | null) | null): void {
  get_default_saved_variable_hooks = get;
}
