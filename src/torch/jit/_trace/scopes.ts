/**
 * @file The scopes of a traced module: each call of a submodule is recorded as a block under the path of the submodule.
 * @mirrors torch/nn/modules/module.py#_slow_forward
 */
import { getattr } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import type { Module } from "../../nn/modules/module/index.ts";
import { getTracingState, module_scopes } from "../_C.ts";
import { ScriptModule } from "../_script/script_module.ts";
import { forward_argument_names } from "./inputs.ts";
import { enter_library_frame, leave_library_frame } from "./library_frames.ts";

/** Paths of the submodules of the module that is traced; null while a function is traced. */
let _trace_module_map: ReadonlyMap<object, string> | null = null;

function register_submods(map: Map<object, string>, mod: Module, prefix: string): void {
  for (const [name, child] of mod.named_children()) {
    const path = `${prefix}.${name}`;
    map.set(child, path);
    register_submods(map, child, path);
  }
}

/** Runs the traces of a module. */
export function with_scopes_of<T>(mod: Module, run: () => T): T {
  const before = _trace_module_map;
  const map = new Map<object, string>();
  _trace_module_map = map;
  try {
    register_submods(map, mod, "__module");
    return run();
  } finally {
    _trace_module_map = before;
  }
}

/** The module of PyTorch that has the class of a module: `torch.nn.modules.linear`. */
function module_of(module: Module): string {
  return String(getattr(type_of(module).cls, "__module__"));
}

module_scopes.slow_forward = (given, forward, args) => {
  const module = given as Module;
  const state = getTracingState();
  if (state === null || module instanceof ScriptModule) return forward(...args);
  const scope = _trace_module_map?.get(module) ?? null;
  // A class of a program has frames of its own.
  const of_library = !type_of(module).heap;
  if (scope !== null) state.graph.push_scope(scope);
  if (of_library) enter_library_frame(`${module_of(module)}.forward`, forward_argument_names(module), args);
  try {
    return forward(...args);
  } finally {
    if (of_library) leave_library_frame();
    if (scope !== null) state.graph.pop_scope();
  }
};
