/**
 * @file The internal state of a module, kept apart from its own properties, and the key under which it is stored.
 * @mirrors torch/nn/modules/module.py
 */
import { AttributeError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import type { Parameter } from "#torch/nn/parameter/index";
import type { Module } from "./index.ts";

// biome-ignore lint/suspicious/noExplicitAny: the arguments of a hook are those of the module, known only to its class
export type Hook = (...args: any[]) => any;

export interface HookEntry {
  readonly hook: Hook;
  readonly with_kwargs: boolean;
  readonly always_call: boolean;
}

export type HookMap = Map<number, HookEntry>;

/** The ids of the hooks with this property. */
export const ids_of = (hooks: HookMap, property: "with_kwargs" | "always_call"): Map<number, boolean> =>
  new Map([...hooks].filter(([, entry]) => entry[property]).map(([id]) => [id, true]));

/** Internal state of a module: one object that is not enumerable, so that the module's own properties are the user's. */
export interface State {
  parameters: Map<string, Parameter | null>;
  buffers: Map<string, Tensor | null>;
  non_persistent: Set<string>;
  modules: Map<string, Module | null>;
  /** Names in the maps above that have an accessor on the module. */
  accessors: Set<string>;
  adopting: boolean;
  backward_pre_hooks: HookMap;
  backward_hooks: HookMap;
  /** The kind of the module's backward hooks; null before the first one. */
  is_full_backward_hook: boolean | null;
  forward_hooks: HookMap;
  forward_pre_hooks: HookMap;
  state_dict_hooks: HookMap;
  state_dict_pre_hooks: HookMap;
  load_state_dict_pre_hooks: HookMap;
  load_state_dict_post_hooks: HookMap;
}

export const STATE: unique symbol = Symbol("Module.state");

/**
 * The state of a module whose constructor has not run yet, which only Python can show: a subclass that uses its modules before
 * `super().__init__()`. It has nothing, and says so as PyTorch does.
 */
export function missing_state(this: Module): State {
  return new Proxy({} as State, {
    get: (_, name: string) => {
      if (name === "adopting") return true; // nothing to adopt
      const attribute = name === "non_persistent" ? "_non_persistent_buffers_set" : `_${name}`;
      throw new AttributeError(`'${this._get_name()}' object has no attribute '${attribute}'`);
    },
  });
}
