/**
 * @file All nodes of a graph in the order in which they stand, with those of inner blocks.
 * @mirrors torch/csrc/jit/runtime/graph_iterator.h
 */
import type { Block, Graph, Node } from "../ir/ir.ts";

function collect(block: Block, nodes: Node[]): Node[] {
  for (const node of block.nodes()) {
    nodes.push(node);
    for (const inner of node.blocks()) collect(inner, nodes);
  }
  return nodes;
}

/** A list of its own: the graph may be changed while it is walked. */
export function allNodes(graph: Graph): Node[] {
  return collect(graph.block(), []);
}
