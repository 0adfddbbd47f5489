/**
 * @file Hooks that see what every module registers: its buffers, its modules, its parameters.
 * @mirrors torch/nn/modules/module.py#register_module_parameter_registration_hook
 */
import { def } from "#torch/_signature";
import type { RemovableHandle } from "#torch/utils/hooks";
import { add_hook } from "./call.ts";
import type { Module } from "./index.ts";
import type { Hook, HookMap } from "./state.ts";

export const _global_buffer_registration_hooks: HookMap = new Map();
export const _global_module_registration_hooks: HookMap = new Map();
export const _global_parameter_registration_hooks: HookMap = new Map();

/** `hook(module, name, buffer)`; what it returns (unless nothing) is registered instead. */
export const register_module_buffer_registration_hook = def(
  "register_module_buffer_registration_hook(hook)",
  (hook: Hook): RemovableHandle => add_hook(_global_buffer_registration_hooks, hook),
);

/** `hook(module, name, submodule)`; what it returns (unless nothing) is registered instead. */
export const register_module_module_registration_hook = def(
  "register_module_module_registration_hook(hook)",
  (hook: Hook): RemovableHandle => add_hook(_global_module_registration_hooks, hook),
);

/** `hook(module, name, param)`; what it returns (unless nothing) is registered instead. */
export const register_module_parameter_registration_hook = def(
  "register_module_parameter_registration_hook(hook)",
  (hook: Hook): RemovableHandle => add_hook(_global_parameter_registration_hooks, hook),
);

/** What is registered in the end. */
export function through_hooks<T>(hooks: HookMap, module: Module, name: string, value: T): T {
  let registered = value;
  for (const { hook } of hooks.values()) registered = (hook(module, name, registered) as T | undefined) ?? registered;
  return registered;
}
