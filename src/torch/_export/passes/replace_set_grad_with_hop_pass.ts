/**
 * @file Parts of a graph in which gradients are switched on or off become graphs of their own, called by `wrap_with_set_grad_enabled`.
 * @mirrors torch/_export/passes/replace_set_grad_with_hop_pass.py
 */
import { _C } from "#torch/_C";
import { wrap_with_set_grad_enabled } from "#torch/_higher_order_ops/wrap";
import { torch } from "#torch/_torch";
import type { ExportGraphSignature } from "#torch/export/graph_signature";
import type { GraphModule } from "#torch/fx/graph_module";
import type { Node } from "#torch/fx/node";
import { node_inline, sequential_split } from "../utils.ts";
import {
  called_graph,
  first_operation,
  replace_parts,
  replace_with_hop,
  run_on_all_graphs,
} from "./replace_with_hop_pass_util.ts";

const is_set_grad_enabled = (node: Node): boolean =>
  node.op === "call_function" && node.target === _C._set_grad_enabled;

function replace_or_inline(call: Node): void {
  const sub_gm = called_graph(call);
  const marker = first_operation(sub_gm);
  if (marker !== undefined && is_set_grad_enabled(marker) && marker.args[0] !== torch.is_grad_enabled()) {
    replace_with_hop(call, marker, wrap_with_set_grad_enabled);
    sub_gm.graph.erase_node(marker);
    sub_gm.recompile();
    return;
  }
  for (const node of [...sub_gm.graph.nodes]) if (is_set_grad_enabled(node)) sub_gm.graph.erase_node(node);
  node_inline(call);
}

const replace_in_one = (gm: GraphModule, signature: ExportGraphSignature | null): GraphModule =>
  [...gm.graph.nodes].some(is_set_grad_enabled)
    ? replace_parts(sequential_split(gm, is_set_grad_enabled), signature, replace_or_inline)
    : gm;

/** The graph without calls of `_set_grad_enabled`; the signature follows the names of the outputs. */
export const replace_set_grad_with_hop_pass = (gm: GraphModule, signature: ExportGraphSignature | null): GraphModule =>
  run_on_all_graphs(gm, signature, replace_in_one);
