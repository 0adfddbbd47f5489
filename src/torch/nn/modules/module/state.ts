/**
 * @file What a module keeps beside its own properties, and under which key.
 * @mirrors torch/nn/modules/module.py
 */
import type { Tensor } from "#torch/_tensor/index";
import type { Parameter } from "#torch/nn/parameter/index";
import type { Module } from "./index.ts";

// biome-ignore lint/suspicious/noExplicitAny: a hook's arguments are the module's, which only its class knows
export type Hook = (...args: any[]) => any;

export interface HookEntry {
  readonly hook: Hook;
  readonly with_kwargs: boolean;
  readonly always_call: boolean;
}

export type HookMap = Map<number, HookEntry>;

/** What a module keeps; one object, not enumerable, so that its own properties are the user's. */
export interface State {
  parameters: Map<string, Parameter | null>;
  buffers: Map<string, Tensor | null>;
  non_persistent: Set<string>;
  modules: Map<string, Module | null>;
  /** Names of the above that have an accessor on the module. */
  accessors: Set<string>;
  adopting: boolean;
  backward_pre_hooks: HookMap;
  backward_hooks: HookMap;
  /** Which kind the backward hooks are; null before the first. */
  is_full_backward_hook: boolean | null;
  forward_hooks: HookMap;
  forward_pre_hooks: HookMap;
  state_dict_hooks: HookMap;
  state_dict_pre_hooks: HookMap;
  load_state_dict_pre_hooks: HookMap;
  load_state_dict_post_hooks: HookMap;
}

export const STATE: unique symbol = Symbol("Module.state");
