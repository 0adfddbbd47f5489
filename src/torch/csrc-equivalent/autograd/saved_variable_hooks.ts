/**
 * @file What a SavedVariable calls instead of keeping its tensor: pack it when saved, unpack it when backward needs it.
 * @mirrors torch/csrc/autograd/saved_variable_hooks.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";

export interface SavedVariableHooks {
  call_pack_hook(tensor: Tensor): void;
  call_unpack_hook(): Tensor;
}

/**
 * `Engine::get_default_saved_variable_hooks`: null while no default hooks are active, which is nearly always, so saving a
 * tensor costs one test.
 */
export let get_default_saved_variable_hooks: (() => SavedVariableHooks | null) | null = null;

export function set_default_saved_variable_hooks(get: (() => SavedVariableHooks | null) | null): void {
  get_default_saved_variable_hooks = get;
}
