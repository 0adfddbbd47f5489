/**
 * @file Calls of a module with other tensors in place of its parameters and buffers.
 * @mirrors torch/nn/utils/stateless.py
 * @differs In ours the arguments of the module are an array, or a single value; PyTorch takes a tuple. An object after them with no other
 * keys than `kwargs`, `tie_weights` or `strict` holds these options; any other object holds the keyword arguments of the module.
 */
import { RuntimeError, ValueError, warn } from "#c10/util/Exception";
import { repr } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import type { Module } from "#torch/nn/modules/module/index";
import { _MISSING, NamedMemberAccessor } from "./_named_member_accessor.ts";

/** Tensors by their dotted names. */
export type TensorDict = Map<string, Tensor> | Record<string, Tensor>;
type Kwargs = Readonly<Record<string, unknown>>;

export function entries_of(tensors: TensorDict): [string, Tensor][] {
  return tensors instanceof Map ? [...tensors] : Object.entries(tensors);
}

/** The given tensors, repeated under all names of each tied parameter. */
function _untie_named_tensors_map(module: Module, given: ReadonlyMap<string, Tensor>): Map<string, Tensor> {
  const names_of = new Map<Tensor, string[]>();
  for (const [name, tensor] of new NamedMemberAccessor(module).named_tensors(false))
    names_of.set(tensor, [...(names_of.get(tensor) ?? []), name]);
  const untied = new Map(given);
  for (const tied_names of names_of.values()) {
    const given_names = tied_names.filter((name) => given.has(name));
    if (tied_names.length === 1 || given_names.length === 0) continue;
    const values = given_names.map((name) => given.get(name) as Tensor);
    if (new Set(values).size > 1) {
      const keys = tied_names.toSorted().map(repr).join(", ");
      throw new ValueError(
        `functional_call got multiple values for keys [${keys}], which are tied. Consider using tie_weights=False`,
      );
    }
    for (const name of tied_names) untied.set(name, values[0]);
  }
  return untied;
}

function check_keys(accessor: NamedMemberAccessor, keys: Iterable<string>): void {
  const [missing_keys, unexpected_keys] = accessor.check_keys(keys);
  const error_msgs: string[] = [];
  if (unexpected_keys.length > 0) error_msgs.push(`Unexpected key(s): ${unexpected_keys.map(repr).join(", ")}.`);
  if (missing_keys.length > 0) error_msgs.push(`Missing key(s): ${missing_keys.map(repr).join(", ")}.`);
  if (error_msgs.length > 0)
    throw new RuntimeError(
      `Error(s) in reparametrizing for ${accessor.module._get_name()}:\n\t${error_msgs.join("\n\t")}`,
    );
}

/**
 * Runs `body` while the module has `tensors`; tensors that replaced a buffer meanwhile are in `tensors` afterwards.
 * @param stack_weights whether the last tensor is put back first, as it must be if a module has several names
 */
export function _reparametrize_module<R>(
  module: Module,
  tensors: TensorDict,
  tie_weights: boolean,
  strict: boolean,
  body: () => R,
  stack_weights = false,
): R {
  const given = new Map(entries_of(tensors));
  const untied = tie_weights ? _untie_named_tensors_map(module, given) : given;
  const accessor = new NamedMemberAccessor(module);
  if (strict) check_keys(accessor, untied.keys());
  const [originals] = accessor.swap_tensors_dict(untied, true);
  try {
    return body();
  } finally {
    const in_order = stack_weights ? new Map([...originals].reverse()) : originals;
    const [changed] = accessor.swap_tensors_dict(in_order, true);
    for (const name of given.keys()) {
      const value = changed.get(name);
      if (value === undefined || value === _MISSING || value === null) continue;
      if (tensors instanceof Map) tensors.set(name, value);
      else tensors[name] = value;
    }
  }
}

/** The arguments of `functional_call` after `args`. */
export type Options = [kwargs: Kwargs | null, tie_weights: boolean, strict: boolean];

/** Reads `{strict: true}` in the position of the module's keyword arguments as options of this function. */
function settle([kwargs, tie_weights, strict]: Options): Options {
  const keys = Object.keys(kwargs ?? {});
  if (keys.length === 0 || !keys.every((key) => ["kwargs", "tie_weights", "strict"].includes(key)))
    return [kwargs, tie_weights, strict];
  const given = kwargs as { kwargs?: Kwargs; tie_weights?: boolean; strict?: boolean };
  return [given.kwargs ?? null, given.tie_weights ?? tie_weights, given.strict ?? strict];
}

export function _functional_call(module: Module, tensors: TensorDict, args: unknown, ...given: Options): unknown {
  const [kwargs, tie_weights, strict] = settle(given);
  const positional = args === null ? [] : Array.isArray(args) ? args : [args];
  const named = kwargs !== null && Object.keys(kwargs).length > 0 ? [kwargs] : [];
  return _reparametrize_module(module, tensors, tie_weights, strict, () => module(...positional, ...named));
}

/** Deprecated name of `torch.func.functional_call`. */
export const functional_call = def(
  "functional_call(module, parameters_and_buffers: dict, args=None, kwargs: dict=None, *, tie_weights=True, strict=False)",
  (module: Module, parameters_and_buffers: TensorDict, args: unknown, ...options: Options): unknown => {
    warn(
      "FutureWarning",
      "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future version of PyTorch. Please use `torch.func.functional_call` instead which is a drop-in replacement.",
    );
    return _functional_call(module, parameters_and_buffers, args, ...options);
  },
);
