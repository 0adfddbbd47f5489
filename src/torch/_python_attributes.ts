/**
 * @file `__dict__` of modules and tensors: the names under which PyTorch keeps their state, which is elsewhere here.
 * @mirrors torch/nn/modules/module.py#Module.__init__
 */
import { fixed, float_if_kept, listeners, renamed } from "#python/bridge/float_attributes";
import { results } from "#python/bridge/foreign_functions";
import { foreign_type, not_in_python } from "#python/bridge/foreign_types";
import { from_library } from "#python/bridge/values";
import { construct_on } from "#python/Objects/allocated";
import { vectorcall } from "#python/Objects/call";
import type { PyDict } from "#python/Objects/dictobject";
import { float_value } from "#python/Objects/floatobject";
import { type Attributes, attributes_of_class, instance_dict } from "#python/Objects/instance_dict";
import { define_methods } from "#python/Objects/methodobject";
import { getattr } from "#python/Objects/object";
import { PySet } from "#python/Objects/setobject";
import { import_module } from "#python/vm/import";
import { written_as_ints } from "./_C.ts";
import { define_name } from "./_python_names.ts";
import { FIELDS } from "./_tensor/reduce.ts";
import { GradcheckError } from "./autograd/gradcheck.ts";
import torch from "./index.ts";
import type { Module } from "./nn/modules/module/index.ts";
import { type Hook, type HookMap, STATE, type State } from "./nn/modules/module/state.ts";

/** The dictionaries of hooks: where they are, and which property of a hook they hold. */
const HOOKS: Readonly<Record<string, readonly [map: keyof State, property?: "with_kwargs" | "always_call"]>> = {
  _backward_pre_hooks: ["backward_pre_hooks"],
  _backward_hooks: ["backward_hooks"],
  _forward_hooks: ["forward_hooks"],
  _forward_hooks_with_kwargs: ["forward_hooks", "with_kwargs"],
  _forward_hooks_always_called: ["forward_hooks", "always_call"],
  _forward_pre_hooks: ["forward_pre_hooks"],
  _forward_pre_hooks_with_kwargs: ["forward_pre_hooks", "with_kwargs"],
  _state_dict_hooks: ["state_dict_hooks"],
  _state_dict_pre_hooks: ["state_dict_pre_hooks"],
  _load_state_dict_pre_hooks: ["load_state_dict_pre_hooks"],
  _load_state_dict_post_hooks: ["load_state_dict_post_hooks"],
};

/** PyTorch's order. */
const NAMES = [
  ...["_parameters", "_buffers", "_non_persistent_buffers_set", "_backward_pre_hooks", "_backward_hooks"],
  ...["_is_full_backward_hook", "_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called"],
  ...["_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks", "_state_dict_pre_hooks"],
  ...["_load_state_dict_pre_hooks", "_load_state_dict_post_hooks", "_modules"],
];

const ordered_dict = (entries: Iterable<readonly [unknown, unknown]>): PyDict => {
  const dict = vectorcall(getattr(import_module("collections"), "OrderedDict"), [], null) as PyDict;
  for (const [key, value] of entries) dict.set(key, value);
  return dict;
};

/** A dictionary of hooks as PyTorch has it: from the id to the hook, or of those with a property to True. */
function hooks_of(state: State, name: string): PyDict {
  const [map, property] = HOOKS[name] as (typeof HOOKS)[string];
  const hooks = [...(state[map] as HookMap)];
  return property === undefined
    ? ordered_dict(hooks.map(([id, { hook }]) => [id, hook]))
    : ordered_dict(hooks.filter(([, entry]) => entry[property]).map(([id]) => [id, true]));
}

function set_hooks(state: State, name: string, given: ReadonlyMap<number, unknown>): void {
  const [map, property] = HOOKS[name] as (typeof HOOKS)[string];
  const hooks = state[map] as HookMap;
  if (property === undefined) {
    hooks.clear();
    for (const [id, hook] of given) hooks.set(id, { hook: hook as Hook, with_kwargs: false, always_call: false });
  } else for (const [id, entry] of hooks) hooks.set(id, { ...entry, [property]: given.has(id) });
}

const has_state = (self: Module): boolean => Object.hasOwn(self, STATE);

/** The state of a module. One that was only allocated gets an empty one: a program sets `__dict__` without `Module.__init__`. */
function state_of(self: Module): State {
  if (!has_state(self)) {
    const { training = true } = self as { training?: boolean };
    construct_on(self, torch.nn.Module as never, []);
    self.training = training;
  }
  return (self as unknown as { [STATE]: State })[STATE];
}

const shown = (self: object, name: string, value: unknown): unknown =>
  typeof value === "number" ? float_if_kept(self, name, value) : value;

/** Objects whose attributes are properties, and some of them floats. */
const plain: Attributes = {
  settle: () => undefined,
  is_hidden: () => false,
  others: [],
  get: () => undefined,
  set: () => undefined,
  shown,
};

const of_modules: Attributes<Module> = {
  shown,
  settle: (self) => void (has_state(self) && self._parameters), // new parameters and modules get their accessors
  is_hidden: (self, name) => has_state(self) && state_of(self).accessors.has(name),
  others: NAMES,
  get(self, name) {
    if (!has_state(self)) return undefined;
    if (name === "_is_full_backward_hook") return state_of(self).is_full_backward_hook;
    if (name in HOOKS) return hooks_of(state_of(self), name);
    const value = self[name as "_parameters"] as unknown;
    return value instanceof Set ? new PySet(value) : from_library(value);
  },
  set(self, name, value) {
    const state = state_of(self);
    if (name === "_is_full_backward_hook") state.is_full_backward_hook = value as boolean | null;
    else if (name in HOOKS) set_hooks(state, name, value as Map<number, unknown>);
    else if (name === "_non_persistent_buffers_set") state.non_persistent = new Set(value as Iterable<string>);
    else {
      // The maps of a module are shared with its shallow copies.
      state[name.slice(1) as "parameters"] = value as Map<string, never>;
      void self._parameters; // gives the new names their accessors
    }
  },
};
const module_type = foreign_type(torch.nn.Module as never);
attributes_of_class.set(module_type, of_modules as unknown as Attributes);
define_methods(module_type, {
  "__setstate__(self, state, /)": (self: Module, state: ReadonlyMap<string, unknown>) => {
    state_of(self);
    const dict = instance_dict(self);
    for (const [name, value] of state) dict.set(name, value);
  },
});
// Python's `copy.deepcopy` copies a module by its `__dict__`.
not_in_python.set(torch.nn.Module, new Set(["__deepcopy__"]));

attributes_of_class.set(foreign_type(torch.Tensor as never), {
  ...plain,
  is_hidden: (_self, name) => FIELDS.has(name),
});
define_name("torch.optim.lr_scheduler", "_LRScheduler", torch.optim.lr_scheduler._LRScheduler, false);
for (const name of ["register_optimizer_step_pre_hook", "register_optimizer_step_post_hook"] as const)
  define_name("torch.optim.optimizer", name, torch.optim[name]);
define_name("torch.autograd.gradcheck", "GradcheckError", GradcheckError, false);
attributes_of_class.set(foreign_type(torch.optim.lr_scheduler.LRScheduler as never), plain);
results.set("state_dict", (value, self) => {
  if (self instanceof torch.optim.lr_scheduler.LRScheduler)
    for (const [name, it] of Object.entries(value as object))
      Object.assign(value as object, { [name]: shown(self, name, it) });
  return value;
});
// Parameters that become attributes of another name.
renamed.set("PairwiseDistance.p", "norm");
fixed.set("ReLU6", [
  ["min_val", 0],
  ["max_val", 6],
]);
for (const dims of [1, 2, 3]) fixed.set(`ZeroPad${dims}d`, [["value", 0]]);
const has_number = (value: unknown): boolean =>
  typeof value === "number" || (Array.isArray(value) && value.some((each) => typeof each === "number"));

// The options of an optimizer stand in its dicts. Floats are floats there, so what is a number then was written as an int.
listeners.push((made, floats, ints) => {
  if (made instanceof torch.nn.Module && ints.size > 0) written_as_ints.set(made, ints);
  if (!(made instanceof torch.optim.Optimizer)) return;
  for (const options of [made.defaults, ...made.param_groups] as Record<string, unknown>[]) {
    for (const [name, value] of floats) if (options[name] === value) options[name] = float_value(value);
    written_as_ints.set(options, new Map(Object.entries(options).filter(([, value]) => has_number(value))));
  }
});

// The objects of these classes are made once, in C, and have no attributes of a program.
for (const cls of [torch.dtype, torch.layout, torch.memory_format, torch.device, torch.Generator])
  foreign_type(cls as never).has_dict = false;
