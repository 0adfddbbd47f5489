/**
 * @file Compilers for `aot_function` that change nothing.
 * @mirrors torch/_functorch/compilers.py
 */
import type { GraphModule } from "#torch/fx/graph_module";
import { make_boxed_func } from "./_aot_autograd/runtime_wrappers.ts";

/** Runs the graph as it is. */
export function nop(fx_g: GraphModule, _inputs: unknown): unknown {
  return make_boxed_func((...args: unknown[]) => fx_g.forward(...args));
}
