/**
 * @file Replaces `prim::GradOf` by an If: a gradient is computed only if one of the incoming gradients is defined.
 * @mirrors torch/csrc/jit/passes/lower_grad_of.cpp
 */
import { BoolType, OptionalType } from "#aten/core/jit_type";
import { type Block, type Graph, withInsertPoint } from "../ir/ir.ts";

export function LowerGradOf(graph: Graph): void {
  lowerGradOf(graph.block());
}

function lowerGradOf(block: Block): void {
  const graph = block.owningGraph();
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) lowerGradOf(inner);
    if (node.kind() !== "prim::GradOf") continue;
    withInsertPoint(node, () => {
      const defined = graph
        .insertNode(graph.create("prim::AutogradAnyNonZero", node.inputs()))
        .output()
        .setType(BoolType);
      const branch = graph.insertNode(graph.create("prim::If", [defined], node.outputs().length));
      branch.addBlock().cloneFrom(node.blocks()[0], (value) => value);
      const zeros = branch.addBlock();
      withInsertPoint(zeros, () => {
        const zero = graph.insertNode(graph.createAutogradZero()).output();
        for (const output of branch.outputs()) {
          zeros.registerOutput(zero);
          output.setType(OptionalType.ofTensor());
        }
      });
      for (const [i, output] of node.outputs().entries()) {
        branch.output(i).setType(output.type());
        output.replaceAllUsesWith(branch.output(i));
      }
    });
    node.destroy();
  }
}
