/**
 * @file Saving a module's state to a dictionary and loading it back, with the messages about mismatches.
 * @mirrors torch/nn/modules/module.py#Module.state_dict
 */
import { AssertionError, RuntimeError, TypeError_, warn } from "#c10/util/Exception";
import { get_swap_module_params_on_conversion } from "#torch/__future__";
import { isDict, python_type, repr } from "#torch/_C";
import { OrderedDict } from "#torch/_collections";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import { Parameter } from "#torch/nn/parameter/index";
import { is_lazy } from "#torch/nn/parameter/lazy";
import { swap_tensors } from "#torch/utils/swap_tensors";
import type { Module } from "./index.ts";
import type { Hook } from "./state.ts";

/** Dotted name -> tensor, in order; `_metadata` holds each module's version. */
// biome-ignore lint/suspicious/noExplicitAny: a tensor, unless a module has a state of another kind
export class StateDict extends OrderedDict<string, any> {
  // biome-ignore lint/suspicious/noExplicitAny: an item by its name
  [name: string]: any;
  _metadata: Map<string, LocalMetadata> = new OrderedDict();
}

/** Keys that `load_state_dict` found missing or unexpected. */
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

/** A hook after `state_dict`; if it was registered with the public method, it must return nothing. */
export type StateDictHook = Hook & { _from_public_api?: boolean };

export const EXTRA_STATE = "_extra_state";

/** Metadata of one module: the version of its class, and how it is being loaded. */
interface LocalMetadata {
  version?: number;
  assign_to_params_buffers?: boolean;
}

/** The arguments of `_load_from_state_dict`. */
export type LoadArgs = [
  state_dict: Map<string, unknown>,
  prefix: string,
  local_metadata: LocalMetadata,
  strict: boolean,
  missing_keys: string[],
  unexpected_keys: string[],
  error_msgs: string[],
];

function version_of(module: Module): number {
  return (module.constructor as { _version?: number })._version ?? 1;
}

function size_string(t: Tensor): string {
  return `torch.Size([${t.shape.join(", ")}])`;
}

/** The parameters and persistent buffers of one module. */
function local_members(module: Module): Map<string, Tensor> {
  const members = new Map<string, Tensor>();
  for (const [name, param] of module._parameters) if (param !== null) members.set(name, param);
  const left_out = module._non_persistent_buffers_set;
  for (const [name, buf] of module._buffers) if (buf !== null && !left_out.has(name)) members.set(name, buf);
  return members;
}

export function _save_to_state_dict(self: Module, destination: StateDict, prefix: string, keep_vars: boolean): void {
  for (const [name, member] of local_members(self))
    destination.set(prefix + name, keep_vars ? member : member.detach());
}

export function state_dict(
  self: Module,
  args: readonly unknown[],
  given_destination: StateDict | null,
  given_prefix: string,
  given_keep_vars: boolean,
): StateDict {
  if (args.length > 0)
    warn(
      "FutureWarning",
      "Positional args are being deprecated, use kwargs instead. Refer to https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details.",
    );
  let destination = given_destination ?? (args[0] as StateDict | undefined) ?? new StateDict();
  const prefix = given_prefix === "" && args.length > 1 ? (args[1] as string) : given_prefix;
  const keep_vars = !given_keep_vars && args.length > 2 ? (args[2] as boolean) : given_keep_vars;
  const local_metadata = { version: version_of(self) };
  if (!(destination instanceof Map))
    throw new TypeError_(`'${python_type(destination)}' object does not support item assignment`);
  const has_metadata = "_metadata" in destination; // a dictionary given by the user has no metadata
  if (typeof prefix !== "string")
    throw new TypeError_(
      has_metadata
        ? `'${python_type(prefix)}' object is not subscriptable`
        : `unsupported operand type(s) for +: '${python_type(prefix)}' and 'str'`,
    );
  if (has_metadata) destination._metadata.set(prefix.slice(0, -1), local_metadata);
  for (const hook of self._state_dict_hooks("state_dict_pre")) hook(self, prefix, keep_vars);
  self._save_to_state_dict(destination, prefix, keep_vars);
  for (const [name, module] of self._modules)
    if (module !== null) module.state_dict({ destination, prefix: `${prefix}${name}.`, keep_vars });
  for (const hook of self._state_dict_hooks("state_dict")) {
    const hook_result: unknown = hook(self, destination, prefix, local_metadata);
    if (!has_value(hook_result)) continue;
    if ((hook as StateDictHook)._from_public_api === true)
      throw new RuntimeError("state_dict post-hook must return None");
    destination = hook_result as StateDict;
  }
  return destination;
}

/** Whether a hook returned a value. */
function has_value(result: unknown): boolean {
  return result !== undefined && result !== null;
}

/** A copy of a Map, or a Map with the entries of a plain object. */
function copy_of(source: unknown): Map<string, unknown> {
  if (source instanceof Map) return new Map(source as Map<string, unknown>);
  if (isDict(source)) return new Map(Object.entries(source));
  throw new TypeError_(`Expected state_dict to be dict-like, got ${type_repr(source, "class")}.`);
}

export function load_state_dict(self: Module, source: unknown, strict: boolean, assign: boolean): IncompatibleKeys {
  const state_dict = copy_of(source);
  const { _metadata: metadata } = source as Partial<StateDict>;
  const missing_keys: string[] = [];
  const unexpected_keys: string[] = [];
  const error_msgs: string[] = [];

  const load = (module: Module, local_state_dict: Map<string, unknown>, prefix: string): void => {
    const local_metadata: LocalMetadata = metadata?.get(prefix.slice(0, -1)) ?? {};
    if (assign) local_metadata.assign_to_params_buffers = assign;
    module._load_from_state_dict(
      local_state_dict,
      prefix,
      local_metadata,
      true,
      missing_keys,
      unexpected_keys,
      error_msgs,
    );
    for (const [name, child] of module._modules) {
      if (child === null) continue;
      const child_prefix = `${prefix}${name}.`;
      load(child, new Map([...local_state_dict].filter(([key]) => key.startsWith(child_prefix))), child_prefix);
    }
    const incompatible_keys = new IncompatibleKeysResult(missing_keys, unexpected_keys);
    for (const hook of module._state_dict_hooks("load_state_dict_post")) {
      if (has_value(hook(module, incompatible_keys)))
        throw new AssertionError(
          "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if incompatible_keys need to be modified, it should be done inplace.",
        );
    }
  };
  load(self, state_dict, "");

  if (strict) {
    const quoted = (keys: readonly string[]) => keys.map((key) => `"${key}"`).join(", ");
    if (unexpected_keys.length > 0) error_msgs.unshift(`Unexpected key(s) in state_dict: ${quoted(unexpected_keys)}. `);
    if (missing_keys.length > 0) error_msgs.unshift(`Missing key(s) in state_dict: ${quoted(missing_keys)}. `);
  }
  if (error_msgs.length > 0)
    throw new RuntimeError(`Error(s) in loading state_dict for ${self._get_name()}:\n\t${error_msgs.join("\n\t")}`);
  return new IncompatibleKeysResult(missing_keys, unexpected_keys);
}

export function _load_from_state_dict(self: Module, with_extra_state: boolean, ...args: LoadArgs): void {
  const [state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs] = args;
  for (const hook of self._state_dict_hooks("load_state_dict_pre")) hook(self, ...args);
  const local_state = local_members(self);
  const assign = local_metadata.assign_to_params_buffers ?? false;
  for (const [name, param] of local_state) {
    const key = prefix + name;
    if (state_dict.has(key)) load_member(self, name, key, param, state_dict.get(key), assign, error_msgs);
    else if (strict) missing_keys.push(key);
  }
  const extra_key = prefix + EXTRA_STATE;
  if (with_extra_state) {
    if (state_dict.has(extra_key)) self.set_extra_state(state_dict.get(extra_key));
    else if (strict) missing_keys.push(extra_key);
  } else if (strict && state_dict.has(extra_key)) {
    unexpected_keys.push(extra_key);
  }
  if (!strict) return;
  for (const key of state_dict.keys()) {
    if (!key.startsWith(prefix) || key === extra_key) continue;
    const [input_name, ...rest] = key.slice(prefix.length).split(".");
    if (rest.length > 0 ? !self._modules.has(input_name) : !local_state.has(input_name)) unexpected_keys.push(key);
  }
}

/** Copies one tensor of the checkpoint into `param`, or puts it in the place of `param`. */
function load_member(
  self: Module,
  name: string,
  key: string,
  param: Tensor,
  input: unknown,
  assign: boolean,
  error_msgs: string[],
): void {
  if (!(input instanceof Tensor)) {
    error_msgs.push(
      `While copying the parameter named "${key}", expected torch.Tensor or Tensor-like object from checkpoint but received ${type_repr(input, "class")}`,
    );
    return;
  }
  // Checkpoints written before PyTorch 0.4 contain a one-element tensor where a 0-dim tensor is used now.
  const lazy = is_lazy(param);
  const input_param =
    !lazy && param.dim() === 0 && input.dim() === 1 && input.size(0) === 1 ? input.__getitem__(0) : input;
  if (!lazy && String(input_param.shape) !== String(param.shape)) {
    error_msgs.push(
      `size mismatch for ${key}: copying a param with shape ${size_string(input_param)} from checkpoint, the shape in current model is ${size_string(param)}.`,
    );
    return;
  }
  if (param.is_meta && !input_param.is_meta && !assign) {
    warn(
      "UserWarning",
      `for ${key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, which is a no-op. (Did you mean to pass \`assign=True\` to assign items in the state dictionary to their corresponding key in the module instead of copying them in place?)`,
    );
  }
  const use_swap_tensors = get_swap_module_params_on_conversion();
  try {
    torch.no_grad(() => {
      if (use_swap_tensors) swap_with(param, input_param, assign);
      else if (!assign) param.copy_(input_param);
      else self.__setattr__(name, param instanceof Parameter ? as_parameter(input_param, param) : input_param);
    });
  } catch (error) {
    error_msgs.push(
      `While ${use_swap_tensors ? "swapping" : "copying"} the parameter named "${key}", whose dimensions in the model are ${size_string(param)} and whose dimensions in the checkpoint are ${size_string(input_param)}, an exception occurred : (${repr((error as Error).message)},).`,
    );
  }
}

/** `param` becomes what its `module_load` makes of the tensor in the checkpoint. */
function swap_with(param: Tensor, input_param: Tensor, assign: boolean): void {
  const made = param.module_load(input_param, assign);
  if (made === input_param || made === param)
    throw new RuntimeError(
      "module_load returned one of self or other, please .detach() the result if returning one of the inputs in module_load",
    );
  swap_tensors(param, param instanceof Parameter ? as_parameter(made, param) : made);
}

function as_parameter(input_param: Tensor, param: Parameter): Parameter {
  if (!(input_param instanceof Parameter)) return new Parameter(input_param, param.requires_grad);
  return input_param.requires_grad_(param.requires_grad);
}
