/**
 * @file Runs forked functions where they are forked: the body takes the place of `prim::fork`, and `aten::wait` vanishes.
 * @mirrors torch/csrc/jit/passes/inline_fork_wait.cpp
 */
import { type Block, type Graph, insertGraph, type Value, withInsertPoint } from "../ir/ir.ts";

function inlineForkWait(block: Block, future_map: Map<Value, Value>): void {
  const graph = block.owningGraph();
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) inlineForkWait(inner, new Map(future_map));
    if (node.kind() === "prim::fork") {
      withInsertPoint(node, () => {
        const [output] = insertGraph(graph, node.g("Subgraph"), node.inputs());
        future_map.set(node.output(), output);
      });
    } else if (node.kind() === "aten::wait") {
      const result = future_map.get(node.input());
      // A future that comes from elsewhere is waited for.
      if (result === undefined) continue;
      node.output().replaceAllUsesWith(result);
      node.destroy();
    }
  }
  for (const node of block.nodes())
    if (node.kind() === "prim::fork" && future_map.has(node.output()) && !node.hasUses()) node.destroy();
}

export function InlineForkWait(graph: Graph): void {
  inlineForkWait(graph.block(), new Map());
}
