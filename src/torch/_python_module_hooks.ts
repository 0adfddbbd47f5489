/**
 * @file The dictionaries with hooks of all modules, as variables of `torch.nn.modules.module`: a program may assign empty ones.
 * @mirrors torch/nn/modules/module.py
 */
import { type Variable, variables } from "#python/bridge/mappings";
import { dict_of } from "#python/Objects/dictobject";
import { global_hooks, global_is_full_backward_hook } from "./nn/modules/module/call.ts";
import {
  _global_buffer_registration_hooks,
  _global_module_registration_hooks,
  _global_parameter_registration_hooks,
} from "./nn/modules/module/registration.ts";
import { type Hook, type HookMap, ids_of } from "./nn/modules/module/state.ts";

const MODULE = "torch.nn.modules.module";

/** The handles keep the dictionary, so it stays and gets other entries. */
const hooks_variable = (hooks: HookMap): Variable => ({
  get: () => hooks,
  set: (value) => {
    const entries = [...(value as Map<number, Hook>)];
    hooks.clear();
    for (const [id, hook] of entries) hooks.set(id, { hook, with_kwargs: false, always_call: false });
  },
});

/** Ids of the hooks with a property; without its id a hook loses it. */
const ids_variable = (hooks: HookMap, property: "with_kwargs" | "always_call"): Variable => ({
  get: () => dict_of([...ids_of(hooks, property)]),
  set: (value) => {
    const ids = value as Map<number, boolean>;
    for (const [id, entry] of hooks) hooks.set(id, { ...entry, [property]: ids.has(id) });
  },
});

const registration = {
  _global_buffer_registration_hooks,
  _global_module_registration_hooks,
  _global_parameter_registration_hooks,
};
for (const [name, hooks] of Object.entries({ ...global_hooks, ...registration }))
  variables.set(`${MODULE}.${name}`, hooks_variable(hooks));
const { _global_forward_hooks } = global_hooks;
variables.set(`${MODULE}._global_forward_hooks_always_called`, ids_variable(_global_forward_hooks, "always_call"));
variables.set(`${MODULE}._global_forward_hooks_with_kwargs`, ids_variable(_global_forward_hooks, "with_kwargs"));
variables.set(`${MODULE}._global_is_full_backward_hook`, {
  get: global_is_full_backward_hook.get,
  set: (value) => global_is_full_backward_hook.set(value as boolean | null),
});
