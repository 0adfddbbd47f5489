/**
 * @file AOTAutograd between Dynamo and the compilers of a backend.
 * @mirrors torch/_dynamo/backends/common.py
 */

import { type AotOptions, compile_dynamo_graph } from "#torch/_functorch/aot_autograd";
import { split_keywords } from "#torch/_signature";
import type { GraphModule } from "#torch/fx/graph_module";
import { for_each_float } from "./floats.ts";

/** Compiles a graph of Dynamo with these compilers. @param inputs fake tensors and symbols */
export function compile_with(options: AotOptions, gm: GraphModule, inputs: readonly unknown[]): unknown {
  return for_each_float(gm, inputs, (of) => compile_dynamo_graph(of, inputs, options));
}

/** A backend with these compilers: `aot_autograd(fw_compiler=f, bw_compiler=g)`. */
export function aot_autograd(...given: unknown[]): (gm: GraphModule, inputs: readonly unknown[]) => unknown {
  const [, keywords] = split_keywords(given);
  return (gm, inputs) => compile_with(keywords as unknown as AotOptions, gm, inputs);
}
