/**
 * @file AOTAutograd between Dynamo and the compilers of a backend.
 * @mirrors torch/_dynamo/backends/common.py
 */
import { type AotOptions, aot_module_simplified } from "#torch/_functorch/aot_autograd";
import { GuardOnDataDependentSymNode } from "#torch/fx/experimental/symbolic_shapes/index";
import { bindings_of } from "#torch/fx/experimental/symbolic_shapes/unbacked_bindings";
import type { GraphModule } from "#torch/fx/graph_module";
import { counters } from "../utils.ts";
import { for_each_float } from "./floats.ts";

/**
 * Compiles a graph of Dynamo. A graph with numbers that depend on data runs as it is where the trace asks for one of them.
 * @differs PyTorch's formulas of gradients compute with symbols and never ask.
 */
export function compile_graph(
  gm: GraphModule,
  inputs: readonly unknown[],
  compile: (of: GraphModule) => unknown,
): unknown {
  const depends_on_data = [...gm.graph.nodes].some((node) => bindings_of(node).size > 0);
  if (!depends_on_data) return for_each_float(gm, inputs, compile);
  try {
    return for_each_float(gm, inputs, compile);
  } catch (error) {
    if (!(error instanceof GuardOnDataDependentSymNode)) throw error;
    counters.increment("aot_autograd", "runs_as_it_is");
    return gm.forward.bind(gm);
  }
}

/** Compiles a graph of Dynamo with these compilers. @param inputs fake tensors and symbols */
export const aot_autograd = (gm: GraphModule, inputs: readonly unknown[], options: AotOptions): unknown =>
  compile_graph(gm, inputs, (of) => aot_module_simplified(of, inputs, options));
