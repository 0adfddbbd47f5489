/**
 * @file Hooks that run when any module registers a buffer, a module or a parameter.
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

/** Registers `hook(module, name, buffer)`; a returned value is registered instead of the buffer. */
export const register_module_buffer_registration_hook = def(
  "register_module_buffer_registration_hook(hook)",
  (hook: Hook): RemovableHandle => add_hook(_global_buffer_registration_hooks, hook),
);

/** Registers `hook(module, name, submodule)`; a returned value is registered instead of the submodule. */
export const register_module_module_registration_hook = def(
  "register_module_module_registration_hook(hook)",
  (hook: Hook): RemovableHandle => add_hook(_global_module_registration_hooks, hook),
);

/** Registers `hook(module, name, param)`; a returned value is registered instead of the parameter. */
export const register_module_parameter_registration_hook = def(
  "register_module_parameter_registration_hook(hook)",
  (hook: Hook): RemovableHandle => add_hook(_global_parameter_registration_hooks, hook),
);

/** The value to register, after all hooks have seen it. */
export function through_hooks<T>(hooks: HookMap, module: Module, name: string, value: T): T {
  let registered = value;
  for (const { hook } of hooks.values()) registered = (hook(module, name, registered) as T | undefined) ?? registered;
  return registered;
}
