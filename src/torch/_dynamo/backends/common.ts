/**
 * @file Parts that the backends with AOTAutograd share.
 * @mirrors torch/_dynamo/backends/common.py
 */
import { getattr } from "#python/Objects/object";
import { Tensor } from "#torch/_tensor/index";
import { call_function } from "#torch/fx/callables";
import { SymBool, SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import type { GraphModule } from "#torch/fx/graph_module";

/** The function of a graph, bound to its module. */
export const forward_of = (gm: GraphModule): unknown => getattr(gm, "forward");

/** Whether a size or a number of the inputs is a symbol. */
const has_symbols = (gm: GraphModule): boolean =>
  [...gm.graph.nodes].some((node) => {
    const example = node.op === "placeholder" ? node.meta.get("example_value") : null;
    return example instanceof SymInt || example instanceof SymFloat || example instanceof SymBool;
  });

/** Numbers and sizes of a call. */
const key_of = (args: readonly unknown[]): string =>
  args.map((arg) => (arg instanceof Tensor ? `${arg.cdata.sizes()};${arg.cdata.strides()}` : String(arg))).join("|");

/**
 * Compiles a graph whose sizes are symbols once for each kind of sizes that it meets.
 * @differs PyTorch compiles it once: AOTAutograd there traces with symbols.
 */
export function for_each_size(gm: GraphModule, compile: () => unknown): unknown {
  if (!has_symbols(gm)) return compile();
  const compiled = new Map<string, unknown>();
  return (...args: unknown[]): unknown => {
    const key = key_of(args);
    let found = compiled.get(key);
    if (found === undefined) {
      found = compile();
      compiled.set(key, found);
    }
    return call_function(found, args);
  };
}
