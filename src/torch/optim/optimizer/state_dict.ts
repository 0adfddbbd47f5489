/**
 * @file Conversion of an optimizer's state to the form that is saved, in which parameters are numbers, and back.
 * @mirrors torch/optim/optimizer.py#Optimizer.state_dict
 */
import { AttributeError, KeyError, ValueError } from "#c10/util/Exception";
import { isDict, PySequence_Tuple, python_type } from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { OptimizerStateDict, Options, ParamGroup, State } from "./types.ts";

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
  const state: Record<number | string, State> = {};
  for (const [p, value] of all) state[index.get(p) ?? String(p)] = value;
  return { state, param_groups };
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

  const id_map = new Map<string, { param: Tensor; saved: Options }>();
  groups.forEach((group, i) => {
    const saved = saved_groups[i];
    for (const [j, param] of group.params.entries()) id_map.set(String(saved["params"][j]), { param, saved });
  });
  const state = new Map<Tensor, State>();
  for (const [id, value] of Object.entries(as_dict(state_dict.state))) {
    const known = id_map.get(id);
    // State that belongs to no parameter is kept unchanged.
    if (known === undefined) state.set(id as unknown as Tensor, value);
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
  if (Array.isArray(value)) return value.map((v) => _cast(param, v, saved, null));
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
