/**
 * @file Graphs with floats that vary, for backends that trace: in each trace the floats are constants.
 * @mirrors torch/fx/passes/_tensorify_python_scalars.py
 * @differs PyTorch's pass keeps the floats as tensors, and the graph is compiled once. Here it is compiled for the first few values, and runs as it
 * is for all others.
 */
import { PyDict } from "#python/Objects/dictobject";
import { is_symbol } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
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
    (node) =>
      node.op === "call_method" &&
      node.target === "item" &&
      (node.args[0] as Node).op === "placeholder" &&
      !is_symbol(node.meta.get("example_value")),
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

/** How many guards the symbols of the inputs have. */
function count_guards(inputs: readonly unknown[]): number {
  const env = inputs.find(is_symbol)?.node.shape_env ?? null;
  return env?.guards.length ?? 0;
}

/** Compiles `gm`; if floats that vary are among its inputs, once for each of their first values. */
export function for_each_float(
  gm: GraphModule,
  inputs: readonly unknown[],
  compile: (gm: GraphModule) => unknown,
): unknown {
  const items = items_of(gm.graph);
  if (items.length === 0) return compile(gm);
  const placeholders = [...gm.graph.nodes].filter((node) => node.op === "placeholder");
  const places = items.map((item) => placeholders.indexOf(item.args[0] as Node));
  const compiled = new Map<string, unknown>();
  const key_of = (values: readonly unknown[]): string => values.map(String).join(" ");
  const now = items.map((item) => item.meta.get("example_value"));
  compiled.set(key_of(now), compile(with_constants(gm, now)));
  let limit = COMPILED_VALUES;
  const compiled_for = (values: readonly unknown[]): unknown => {
    const key = key_of(values);
    const known = compiled.get(key);
    if (known !== undefined || compiled.size >= limit) return known ?? gm;
    const guards = count_guards(inputs);
    let made: unknown = compile(with_constants(gm, values));
    // What this trace assumed of sizes is not known to hold in this call.
    if (count_guards(inputs) > guards) {
      made = gm;
      limit = 0;
    }
    compiled.set(key, made);
    return made;
  };
  return (...args: unknown[]): unknown =>
    call_function(compiled_for(places.map((i) => (args[i] as Tensor).item())), args);
}
