/**
 * @file Numbers the warnings of a graph, so that each is shown once.
 * @mirrors torch/csrc/jit/passes/annotate_warns.cpp
 */
import type { Graph } from "../ir/ir.ts";
import { allNodes } from "../runtime/graph_iterator.ts";

let idx = 0;

export function AnnotateWarns(graph: Graph): void {
  for (const node of allNodes(graph)) {
    if (node.kind() === "aten::warn") node.i_("warn_id", idx++);
  }
}
