/**
 * @file Graphs with floats that vary, for backends that trace: in each trace the floats are constants.
 * @mirrors torch/fx/passes/_tensorify_python_scalars.py
 * @differs PyTorch's pass keeps the floats as tensors, and the graph is compiled once. Here it is compiled for the first few values, and runs as it
 * is for all others.
 */
import { PyDict } from "#python/Objects/dictobject";
import type { Tensor } from "#torch/_tensor/index";
import { call_function } from "#torch/fx/callables";
import { Graph } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import { map_arg_, type Node } from "#torch/fx/node";

/** How many values a graph is compiled for. */
const COMPILED_VALUES = 4;

/** The nodes that take the numbers out of the inputs that are floats. */
const items_of = (graph: Graph): Node[] =>
  [...graph.nodes].filter(
    (node) => node.op === "call_method" && node.target === "item" && (node.args[0] as Node).op === "placeholder",
  );

/** The graph with the numbers in the places of the nodes that take them. */
function with_constants(gm: GraphModule, values: readonly unknown[]): GraphModule {
  const graph = new (Graph as unknown as new () => Graph)();
  const copies = new PyDict();
  const output = graph.graph_copy(gm.graph, copies as never, false);
  graph.output(output as never, null);
  for (const [i, item] of items_of(graph).entries()) {
    for (const user of [...item.users.keys()] as Node[]) {
      const replaced = (of: unknown): unknown => map_arg_(of, (node) => (node === item ? values[i] : node));
      user.args = replaced(user.args) as never;
      user.kwargs = replaced(user.kwargs) as never;
    }
    graph.erase_node(item);
  }
  return new (GraphModule as unknown as new (root: unknown, graph: Graph) => GraphModule)(gm, graph);
}

/** Compiles `gm`; if floats that vary are among its inputs, once for each of their first values. */
export function for_each_float(gm: GraphModule, compile: (gm: GraphModule) => unknown): unknown {
  const items = items_of(gm.graph);
  if (items.length === 0) return compile(gm);
  const placeholders = [...gm.graph.nodes].filter((node) => node.op === "placeholder");
  const places = items.map((item) => placeholders.indexOf(item.args[0] as Node));
  const compiled = new Map<string, unknown>();
  return (...args: unknown[]): unknown => {
    const values = places.map((i) => (args[i] as Tensor).item());
    const key = values.map(String).join(" ");
    let found = compiled.get(key);
    if (found === undefined && compiled.size < COMPILED_VALUES) {
      found = compile(with_constants(gm, values));
      compiled.set(key, found);
    }
    return call_function(found ?? gm, args);
  };
}
