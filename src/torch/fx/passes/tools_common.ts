/**
 * @file Sorting the nodes of a graph, and questions to nodes that several passes ask.
 * @mirrors torch/fx/passes/tools_common.py
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { getattr, repr } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { Graph } from "../graph/index.ts";
import type { GraphModule } from "../graph_module.ts";
import type { Node } from "../node.ts";
import { _get_qualified_name, has_name, operator_name } from "../qualified_names.ts";

export const CALLABLE_NODE_OPS = new Set(["call_module", "call_function", "call_method"]);

const PRIORITIZED = new Set(["add", "mul", "sub", "floordiv", "truediv", "mod", "le", "lt", "ge", "gt", "eq", "ne"]);

/** The name of what a node calls: a class of modules, a function, a method. */
export const get_node_target = has_name(
  "torch.fx.passes.tools_common.get_node_target",
  (submodules: ReadonlyMap<unknown, unknown>, node: Node): string => {
    if (!CALLABLE_NODE_OPS.has(node.op))
      throw new AssertionError(`Expect op types of ${[...CALLABLE_NODE_OPS].join(", ")}, but found ${node.op}`);
    if (node.op === "call_module") {
      const type = type_of(submodules.get(node.target));
      return `${String(getattr(type.cls, "__module__"))}.${type.name}`;
    }
    return node.op === "call_function" ? _get_qualified_name(node.target) : (node.target as string);
  },
);

/** Copies the nodes into a new graph, each after its inputs; `take` chooses among those that are ready. */
function sort_into(gm: GraphModule, take: (ready: Node[]) => Node, add: (ready: Node[], node: Node) => void): Graph {
  const missing = new Map<Node, number>();
  for (const node of gm.graph.nodes) missing.set(node, node._input_nodes.size);
  const ready = [...gm.graph.nodes].filter((node) => missing.get(node) === 0);
  const new_graph = new Graph();
  const env = new Map<Node, Node>();
  while (ready.length > 0) {
    const node = take(ready);
    env.set(
      node,
      copy_node(new_graph, node, (x) => env.get(x)),
    );
    for (const user of node.users.keys() as Iterable<Node>) {
      const left = (missing.get(user) as number) - 1;
      missing.set(user, left);
      if (left === 0) add(ready, user);
    }
  }
  if (new_graph._len < gm.graph._len) {
    const rest = [...missing].filter(([, left]) => left !== 0).map(([node]) => node);
    throw new RuntimeError(`Input graph has cycles, unable to add ${repr(rest)}`);
  }
  new_graph._codegen = gm.graph._codegen;
  return new_graph;
}

/** `graph.node_copy(node, fn)` for a function of TypeScript. */
export const copy_node = (graph: Graph, node: Node, fn: (x: Node) => unknown): Node =>
  (graph.node_copy as (node: Node, fn: unknown) => Node).call(graph, node, fn);

/** Sorts the nodes so that each stands behind its inputs; operators on sizes come as early as they can. */
export const legalize_graph = has_name(
  "torch.fx.passes.tools_common.legalize_graph",
  (gm: GraphModule): GraphModule => {
    gm.graph = sort_into(
      gm,
      (ready) => ready.shift() as Node,
      (ready, node) => {
        const name = node.op === "call_function" ? operator_name(node.target) : null;
        if (name !== null && PRIORITIZED.has(name)) ready.unshift(node);
        else ready.push(node);
      },
    );
    return gm;
  },
);

/** Sorts the nodes so that each stands behind its inputs, and otherwise keeps their order. */
export const stable_topological_sort = has_name(
  "torch.fx.passes.tools_common.stable_topological_sort",
  (gm: GraphModule): GraphModule => {
    const place = new Map([...gm.graph.nodes].map((node, i) => [node, i]));
    const at = (node: Node): number => place.get(node) as number;
    gm.graph = sort_into(
      gm,
      (ready) => {
        const first = ready.reduce((best, node) => (at(node) < at(best) ? node : best));
        ready.splice(ready.indexOf(first), 1);
        return first;
      },
      (ready, node) => ready.push(node),
    );
    return gm;
  },
);

/** Whether the value of a node, as `ShapeProp` noted it, is a tensor. */
export const is_node_output_tensor = has_name(
  "torch.fx.passes.tools_common.is_node_output_tensor",
  (node: Node): boolean => {
    const type = node.meta.get("type");
    return type !== undefined && type !== null && /Tensor|Parameter/.test(String(getattr(type, "__name__")));
  },
);
