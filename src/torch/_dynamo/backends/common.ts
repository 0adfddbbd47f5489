/**
 * @file AOTAutograd between Dynamo and the compilers of a backend.
 * @mirrors torch/_dynamo/backends/common.py
 */
import { type AotOptions, aot_module_simplified } from "#torch/_functorch/aot_autograd";
import type { GraphModule } from "#torch/fx/graph_module";
import { for_each_float } from "./floats.ts";

/** Compiles a graph of Dynamo with these compilers. @param inputs fake tensors and symbols */
export function aot_autograd(gm: GraphModule, inputs: readonly unknown[], options: AotOptions): unknown {
  return for_each_float(gm, inputs, (of) => aot_module_simplified(of, inputs, options));
}
