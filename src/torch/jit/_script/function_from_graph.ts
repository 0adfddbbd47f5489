/**
 * @file `torch._C._create_function_from_graph`: a graph as a function that can be called.
 * @mirrors torch/csrc/jit/python/script_init.cpp#initJitScriptBindings
 */
import { type Graph, GraphFunction, pybind_def } from "../_C.ts";
import { ScriptFunction } from "./index.ts";

const signatures = {
  _create_function_from_graph: "(arg0: str, arg1: torch::jit::Graph) -> torch::jit::StrongFunctionPtr",
} as const;

/** Adds the function to `torch._C`. */
export function initFunctionFromGraph(m: Record<string, unknown>): void {
  pybind_def(m, signatures, {
    _create_function_from_graph: (name: string, graph: Graph) => new ScriptFunction(new GraphFunction(name, graph)),
  });
}
