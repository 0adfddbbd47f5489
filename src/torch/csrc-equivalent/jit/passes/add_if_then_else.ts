/**
 * @file Replaces a branch that only chooses between two values by one node.
 * @mirrors torch/csrc/jit/passes/add_if_then_else.cpp
 */
import { findAllNodes, type Graph } from "../ir/ir.ts";

/** Returns whether the graph changed. */
export function AddIfThenElseOp(graph: Graph): boolean {
  const choices = findAllNodes(graph, "prim::If", true).filter(
    (node) => node.outputs().length === 1 && node.blocks().every((block) => block.nodes().length === 0),
  );
  for (const node of choices) {
    const [yes, no] = node.blocks();
    const choice = graph.create("prim::IfThenElse", [node.input(), yes.outputs()[0], no.outputs()[0]]);
    choice.insertBefore(node).output().copyMetadata(node.output());
    node.output().replaceAllUsesWith(choice.output());
    node.destroy();
  }
  return choices.length > 0;
}
