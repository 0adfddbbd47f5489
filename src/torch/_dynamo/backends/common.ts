/**
 * @file AOTAutograd between Dynamo and the compilers of a backend.
 * @mirrors torch/_dynamo/backends/common.py
 */
import { type AotOptions, compile_dynamo_graph } from "#torch/_functorch/aot_autograd";
import { split_keywords } from "#torch/_signature";
import { GuardOnDataDependentSymNode } from "#torch/fx/experimental/symbolic_shapes/index";
import { binds_unbacked } from "#torch/fx/experimental/symbolic_shapes/unbacked_bindings";
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
  if (!binds_unbacked(gm)) return for_each_float(gm, inputs, compile);
  try {
    return for_each_float(gm, inputs, compile);
  } catch (error) {
    if (!(error instanceof GuardOnDataDependentSymNode)) throw error;
    counters.increment("aot_autograd", "runs_as_it_is");
    return gm.forward.bind(gm);
  }
}

/** Compiles a graph of Dynamo with these compilers. @param inputs fake tensors and symbols */
export function compile_with(options: AotOptions, gm: GraphModule, inputs: readonly unknown[]): unknown {
  return compile_graph(gm, inputs, (of) => compile_dynamo_graph(of, inputs, options));
}

/** A backend with these compilers: `aot_autograd(fw_compiler=f, bw_compiler=g)`. */
export function aot_autograd(...given: unknown[]): (gm: GraphModule, inputs: readonly unknown[]) => unknown {
  const [, keywords] = split_keywords(given);
  return (gm, inputs) => compile_with(keywords as unknown as AotOptions, gm, inputs);
}
