/**
 * @file Removes the `expand` that an operator inserts for broadcasting: the operator broadcasts itself.
 * @mirrors torch/csrc/jit/passes/remove_expands.cpp
 */
import { toIValue } from "../ir/constants.ts";
import type { Block, Graph } from "../ir/ir.ts";

function removeExpands(block: Block): void {
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) removeExpands(inner);
    if (node.kind() !== "aten::expand" || node.inputs().length < 3) continue;
    if (toIValue(node.input(2))?.toBool() === true) node.output().replaceAllUsesWith(node.input(0));
  }
}

export function RemoveExpands(graph: Graph): void {
  removeExpands(graph.block());
}
