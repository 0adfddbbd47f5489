/**
 * @file Conversion of an optimizer's state to the form that is saved, in which parameters are numbers, and back.
 * @mirrors torch/optim/optimizer.py#Optimizer.state_dict
 */
import { AttributeError, KeyError, ValueError } from "#c10/util/Exception";
import { PyTuple, tuple_like } from "#python/Objects/tupleobject";
import { isDict, PySequence_Tuple, python_type } from "#torch/_C";
import { is_index } from "#torch/_pickle/index";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { States } from "./states.ts";
import type { OptimizerStateDict, Options, ParamGroup, State, StateByNumber } from "./types.ts";

export function pack(all: ReadonlyMap<Tensor, State>, groups: readonly ParamGroup[]): OptimizerStateDict {
  const index = new Map<unknown, number>();
  let start_index = 0;
  const param_groups = groups.map(({ params, ...rest }) => {
    // If a parameter occurs twice in a group, its last position counts.
    const places = params.map((p, i): [Tensor, number] => [p, start_index + i]).filter(([p]) => !index.has(p));
    for (const [p, i] of places) index.set(p, i);
    const numbers = params.map((p) => index.get(p) as number);
    start_index += numbers.length;
    return { ...rest, params: numbers };
  });
  return { state: by_number([...all].map(([p, value]) => [index.get(p) ?? p, value])), param_groups };
}

/** A dict whose keys are ints, as in PyTorch. Its entries are also properties, as those of a plain object would be. */
function by_number(entries: readonly (readonly [unknown, State])[]): StateByNumber {
  const state = new Map(entries) as Map<unknown, unknown> as StateByNumber;
  for (const [key] of entries) {
    if (typeof key !== "number") continue;
    const get = () => state.get(key);
    const set = (value: State) => void state.set(key, value);
    Object.defineProperty(state, key, { get, set, enumerable: true, configurable: true });
  }
  return state;
}

/** The states of a saved dict. A file that is read has a plain object, whose keys are texts. */
function states_of(saved: unknown): [key: unknown, state: State][] {
  if (saved instanceof Map) return [...saved] as [unknown, State][];
  return Object.entries(saved as Record<string, State>).map(([key, state]) => [
    is_index(key) ? Number(key) : key,
    state,
  ]);
}

/** A dict; files may contain it as a Map. */
function as_dict(value: unknown): Options {
  return value instanceof Map ? Object.fromEntries(value) : (value as Options);
}

export function shallow_copy(state_dict: unknown): OptimizerStateDict {
  if (!isDict(state_dict) && !(state_dict instanceof Map))
    throw new AttributeError(`'${python_type(state_dict)}' object has no attribute 'copy'`);
  return { ...as_dict(state_dict) } as OptimizerStateDict;
}

function deepcopy<T>(value: T): T {
  if (value instanceof Tensor) return value.__deepcopy__(new Map());
  if (value instanceof PyTuple) return tuple_like(value, value.map(deepcopy));
  if (Array.isArray(value)) return value.map(deepcopy) as T;
  if (!isDict(value) && !(value instanceof Map)) return value;
  return Object.fromEntries(Object.entries(as_dict(value)).map(([key, v]) => [key, deepcopy(v)])) as T;
}

/** The state in memory, for the parameters of `groups`, from the saved form. */
export function unpack(
  state_dict: OptimizerStateDict,
  groups: readonly ParamGroup[],
): { state: Map<Tensor, State>; param_groups: ParamGroup[] } {
  for (const key of ["param_groups", "state"]) if (!(key in state_dict)) throw new KeyError(key);
  const saved_groups = PySequence_Tuple(state_dict.param_groups).map(deepcopy) as Options[];
  if (groups.length !== saved_groups.length)
    throw new ValueError("loaded state dict has a different number of parameter groups");
  for (const saved of saved_groups) if (!("params" in saved)) throw new KeyError("params");
  if (groups.some((group, i) => group.params.length !== saved_groups[i]["params"].length))
    throw new ValueError(
      "loaded state dict contains a parameter group that doesn't match the size of optimizer's group",
    );

  const id_map = new Map<unknown, { param: Tensor; saved: Options }>();
  groups.forEach((group, i) => {
    const saved = saved_groups[i];
    for (const [j, param] of group.params.entries()) id_map.set(saved["params"][j], { param, saved });
  });
  const state = new States();
  for (const [id, value] of states_of(state_dict.state)) {
    const known = id_map.get(id);
    // State that belongs to no parameter is kept unchanged.
    if (known === undefined) state.set(id as Tensor, value);
    else state.set(known.param, _cast(known.param, value, known.saved, null) as State);
  }
  const param_groups = groups.map((group, i) => {
    const saved = saved_groups[i];
    saved["params"] = group.params;
    if ("param_names" in group && !("param_names" in saved)) saved["param_names"] = group["param_names"];
    return saved as ParamGroup;
  });
  return { state, param_groups };
}

/** A copy of `value` in which every tensor has the dtype and device of its parameter. */
function _cast(param: Tensor, value: unknown, saved: Options, key: string | null): unknown {
  if (value instanceof Tensor) return _process_value_according_to_param_policy(param, value, saved, key);
  if (Array.isArray(value)) {
    const items = value.map((v) => _cast(param, v, saved, null));
    return value instanceof PyTuple ? tuple_like(value, items) : items;
  }
  if (!isDict(value) && !(value instanceof Map)) return value;
  return Object.fromEntries(Object.entries(as_dict(value)).map(([k, v]) => [k, _cast(param, v, saved, k)]));
}

/** State takes the dtype and device of its parameter; a step count keeps its own, unless steps are computed on the device. */
function _process_value_according_to_param_policy(
  param: Tensor,
  value: Tensor,
  saved: Options,
  key: string | null,
): Tensor {
  if (key === "step") return saved["capturable"] || saved["fused"] ? value.to(param.device, torch.float32) : value;
  return param.is_floating_point() ? value.to(param.device, param.dtype) : value.to(param.device);
}
