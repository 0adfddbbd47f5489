/**
 * @file Saving a module's state to a dictionary and loading it back, with the messages about what does not fit.
 * @mirrors torch/nn/modules/module.py#Module.state_dict
 */
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { isDict } from "#torch/_C";
import { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils";
import { Parameter } from "#torch/nn/parameter";
import type { Module } from "./module.ts";

/** Dotted name -> tensor, in order; `_metadata` holds each module's version. */
export class StateDict extends Map<string, unknown> {
  _metadata: Record<string, { version: number }> = {};
}

/** What `load_state_dict` found missing or superfluous. */
export interface IncompatibleKeys {
  readonly missing_keys: string[];
  readonly unexpected_keys: string[];
}

class IncompatibleKeysResult implements IncompatibleKeys {
  readonly missing_keys: string[];
  readonly unexpected_keys: string[];

  constructor(missing_keys: string[], unexpected_keys: string[]) {
    this.missing_keys = missing_keys;
    this.unexpected_keys = unexpected_keys;
  }

  __repr__(): string {
    if (this.missing_keys.length === 0 && this.unexpected_keys.length === 0) return "<All keys matched successfully>";
    const list = (keys: string[]) => `[${keys.map((key) => `'${key}'`).join(", ")}]`;
    return `_IncompatibleKeys(missing_keys=${list(this.missing_keys)}, unexpected_keys=${list(this.unexpected_keys)})`;
  }

  toString(): string {
    return this.__repr__();
  }
}

/** A subclass may save and load more than tensors. */
interface ExtraState {
  get_extra_state?(): unknown;
  set_extra_state?(state: unknown): void;
}

const EXTRA_STATE = "_extra_state";

function version_of(module: Module): number {
  return (module.constructor as { _version?: number })._version ?? 1;
}

interface SaveOptions {
  destination?: StateDict;
  prefix?: string;
  keep_vars?: boolean;
}

export function state_dict(
  self: Module,
  { destination = new StateDict(), prefix = "", keep_vars = false }: SaveOptions,
): StateDict {
  destination._metadata[prefix.slice(0, -1)] = { version: version_of(self) };
  for (const hook of self._state_dict_hooks("state_dict_pre")) hook(self, prefix, keep_vars);
  for (const [name, param] of self._parameters)
    if (param !== null) destination.set(prefix + name, keep_vars ? param : param.detach());
  for (const [name, buf] of self._buffers) {
    if (buf !== null && !self._non_persistent_buffers_set.has(name))
      destination.set(prefix + name, keep_vars ? buf : buf.detach());
  }
  const extra = (self as ExtraState).get_extra_state;
  if (extra !== undefined) destination.set(prefix + EXTRA_STATE, extra.call(self));
  for (const [name, module] of self._modules)
    if (module !== null) module.state_dict({ destination, prefix: `${prefix}${name}.`, keep_vars });
  for (const hook of self._state_dict_hooks("state_dict")) hook(self, destination, prefix, destination._metadata);
  return destination;
}

/** A Map, or a plain object read as one. */
function entries_of(source: unknown): Map<string, unknown> {
  if (source instanceof Map) return new Map(source as Map<string, unknown>);
  if (isDict(source)) return new Map(Object.entries(source));
  throw new TypeError_(`Expected state_dict to be dict-like, got ${type_repr(source, "class")}.`);
}

export function load_state_dict(
  self: Module,
  source: unknown,
  { strict = true, assign = false }: { strict?: boolean; assign?: boolean },
): IncompatibleKeys {
  const state = entries_of(source);
  const load = new Loading(state, strict, assign);
  load.load(self, "");
  if (strict) load.add_key_messages();
  if (load.error_msgs.length > 0) {
    throw new RuntimeError(
      `Error(s) in loading state_dict for ${self._get_name()}:\n\t${load.error_msgs.join("\n\t")}`,
    );
  }
  return new IncompatibleKeysResult(load.missing_keys, load.unexpected_keys);
}

class Loading {
  readonly missing_keys: string[] = [];
  readonly unexpected_keys: string[] = [];
  readonly error_msgs: string[] = [];
  private readonly state: Map<string, unknown>;
  private readonly strict: boolean;
  private readonly assign: boolean;

  constructor(state: Map<string, unknown>, strict: boolean, assign: boolean) {
    this.state = state;
    this.strict = strict;
    this.assign = assign;
  }

  load(module: Module, prefix: string): void {
    for (const hook of module._state_dict_hooks("load_state_dict_pre")) {
      hook(module, this.state, prefix, {}, this.strict, this.missing_keys, this.unexpected_keys, this.error_msgs);
    }
    this.load_own(module, prefix);
    for (const [name, child] of module._modules) if (child !== null) this.load(child, `${prefix}${name}.`);
    const incompatible = new IncompatibleKeysResult(this.missing_keys, this.unexpected_keys);
    for (const hook of module._state_dict_hooks("load_state_dict_post")) hook(module, incompatible);
  }

  /** `_load_from_state_dict`. */
  private load_own(module: Module, prefix: string): void {
    const local_state: [string, Tensor][] = [];
    for (const [name, param] of module._parameters) if (param !== null) local_state.push([name, param]);
    for (const [name, buf] of module._buffers)
      if (buf !== null && !module._non_persistent_buffers_set.has(name)) local_state.push([name, buf]);
    for (const [name, param] of local_state) {
      const key = prefix + name;
      if (!this.state.has(key)) {
        if (this.strict) this.missing_keys.push(key);
        continue;
      }
      this.load_one(module, name, key, param, this.state.get(key));
    }
    const extra = module as ExtraState;
    const extra_key = prefix + EXTRA_STATE;
    if (extra.set_extra_state !== undefined) {
      if (this.state.has(extra_key)) extra.set_extra_state(this.state.get(extra_key));
      else if (this.strict) this.missing_keys.push(extra_key);
    } else if (this.strict && this.state.has(extra_key)) {
      this.unexpected_keys.push(extra_key);
    }
    if (this.strict) this.find_unexpected(module, prefix, new Set(local_state.map(([name]) => name)), extra_key);
  }

  private load_one(module: Module, name: string, key: string, param: Tensor, input: unknown): void {
    if (!(input instanceof Tensor)) {
      this.error_msgs.push(
        `While copying the parameter named "${key}", expected torch.Tensor or Tensor-like object from checkpoint but received ${type_repr(input, "class")}`,
      );
      return;
    }
    // Checkpoints of PyTorch before 0.4 hold a one-element tensor where a 0-dim one is now.
    const input_param = param.dim() === 0 && input.dim() === 1 ? input.__getitem__(0) : input;
    if (String(input_param.shape) !== String(param.shape)) {
      this.error_msgs.push(
        `size mismatch for ${key}: copying a param with shape torch.Size([${input_param.shape.join(", ")}]) from checkpoint, the shape in current model is torch.Size([${param.shape.join(", ")}]).`,
      );
      return;
    }
    try {
      torch.no_grad(() => {
        if (!this.assign) {
          param.copy_(input_param);
        } else if (param instanceof Parameter) {
          const assigned =
            input_param instanceof Parameter ? input_param : new Parameter(input_param, param.requires_grad);
          module._parameters.set(name, assigned.requires_grad_(param.requires_grad));
        } else {
          module._buffers.set(name, input_param);
        }
      });
    } catch (error) {
      this.error_msgs.push(
        `While ${this.assign ? "assigning" : "copying"} the parameter named "${key}", whose dimensions in the model are torch.Size([${param.shape.join(", ")}]) and whose dimensions in the checkpoint are torch.Size([${input_param.shape.join(", ")}]), an exception occurred : ${(error as Error).message}.`,
      );
    }
  }

  private find_unexpected(module: Module, prefix: string, local: ReadonlySet<string>, extra_key: string): void {
    for (const key of this.state.keys()) {
      if (!key.startsWith(prefix) || key === extra_key) continue;
      const [input_name = "", ...rest] = key.slice(prefix.length).split(".");
      if (rest.length > 0 ? !module._modules.has(input_name) : !local.has(input_name)) this.unexpected_keys.push(key);
    }
  }

  /** Missing first: they are put before the others, and in front of the mismatches. */
  add_key_messages(): void {
    const quoted = (keys: readonly string[]) => keys.map((key) => `"${key}"`).join(", ");
    if (this.unexpected_keys.length > 0)
      this.error_msgs.unshift(`Unexpected key(s) in state_dict: ${quoted(this.unexpected_keys)}. `);
    if (this.missing_keys.length > 0)
      this.error_msgs.unshift(`Missing key(s) in state_dict: ${quoted(this.missing_keys)}. `);
  }
}
