/**
 * @file Forgets what is known of tensors: each tensor type becomes plain `Tensor`.
 * @mirrors torch/csrc/jit/passes/shape_analysis.h#EraseShapeInformation
 */
import { unshapedType } from "#aten/core/type";
import type { Block, Graph } from "../ir/ir.ts";

function eraseShapes(block: Block): void {
  for (const input of block.inputs()) input.setType(unshapedType(input.type()));
  for (const node of block.nodes()) {
    for (const output of node.outputs()) output.setType(unshapedType(output.type()));
    if (node.hasAttribute("Subgraph")) EraseShapeInformation(node.g("Subgraph"));
    for (const inner of node.blocks()) eraseShapes(inner);
  }
}

export function EraseShapeInformation(graph: Graph): void {
  eraseShapes(graph.block());
}
