/**
 * @file The size of what a node computes, and replacing a target everywhere.
 * @mirrors torch/fx/passes/graph_manipulation.py
 */
import type { GraphModule } from "../graph_module.ts";
import type { Node, Target } from "../node.ts";
import { has_name } from "../qualified_names.ts";

/** Changes the target of all nodes with this operation and target. */
export const replace_target_nodes_with = has_name(
  "torch.fx.passes.graph_manipulation.replace_target_nodes_with",
  (fx_module: GraphModule, old_op: string, old_target: Target, new_op: string, new_target: Target): void => {
    const { graph } = fx_module;
    for (const node of [...graph.nodes]) {
      if (node.op !== old_op || node.target !== old_target) continue;
      const point = (graph.inserting_before as (n: Node) => { __exit__(): void }).call(graph, node);
      const created = graph.create_node(new_op, new_target, node.args, node.kwargs, node.name, node.type);
      point.__exit__();
      (node.replace_all_uses_with as (by: Node) => unknown).call(node, created);
      graph.erase_node(node);
    }
    fx_module.recompile();
  },
);
