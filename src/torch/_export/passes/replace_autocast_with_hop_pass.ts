/**
 * @file Regions of autocast become graphs of their own, called by `wrap_with_autocast`.
 * @mirrors torch/_export/passes/replace_autocast_with_hop_pass.py
 *
 *     a, enter, b, enter, c, exit, exit, d     ->     parts [a] [enter b enter c exit exit] [d]: outermost regions only;
 *                                                     the inner one becomes a graph when the pass comes to the graph of the second part
 */
import { AssertionError } from "#c10/util/Exception";
import { wrap_with_autocast } from "#torch/_higher_order_ops/wrap";
import { _enter_autocast, _exit_autocast } from "#torch/amp/autocast_mode";
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

const calls = (node: Node, fn: unknown): boolean => node.op === "call_function" && node.target === fn;
const is_enter = (node: Node): boolean => calls(node, _enter_autocast);
const is_exit = (node: Node): boolean => calls(node, _exit_autocast);

/** Cuts before and after each outermost region. */
function split_autocast(gm: GraphModule): GraphModule {
  const open: Node[] = [];
  let after_region = false;
  return sequential_split(gm, (node) => {
    const is_delimiter = after_region || (open.length === 0 && is_enter(node));
    if (is_delimiter) after_region = false;
    if (is_enter(node)) open.push(node);
    else if (is_exit(node)) {
      if (open.pop() !== node.args[0]) throw new AssertionError("exit node args[0] must match last enter node");
      after_region = open.length === 0;
    }
    return is_delimiter;
  });
}

function replace_or_inline(call: Node): void {
  const sub_gm = called_graph(call);
  const enter = first_operation(sub_gm);
  if (enter === undefined || !is_enter(enter)) {
    node_inline(call);
    return;
  }
  const exit = [...sub_gm.graph.nodes].findLast(is_exit) as Node;
  replace_with_hop(call, enter, wrap_with_autocast);
  sub_gm.graph.erase_node(exit);
  sub_gm.graph.erase_node(enter);
  sub_gm.recompile();
}

const replace_in_one = (gm: GraphModule, signature: ExportGraphSignature | null): GraphModule =>
  [...gm.graph.nodes].some((node) => is_enter(node) || is_exit(node))
    ? replace_parts(split_autocast(gm), signature, replace_or_inline)
    : gm;

/** The graph without calls of `_enter_autocast`; the signature follows the names of the outputs. */
export const replace_autocast_with_hop_pass = (gm: GraphModule, signature: ExportGraphSignature | null): GraphModule =>
  run_on_all_graphs(gm, signature, replace_in_one);
