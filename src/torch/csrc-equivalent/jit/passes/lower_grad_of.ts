/**
 * @file Replaces `prim::GradOf`: the gradients of an operator are computed if one of the incoming gradients is not zero.
 * @mirrors torch/csrc/jit/passes/lower_grad_of.cpp
 *
 *     %g : Tensor = prim::GradOf[name="aten::relu"](%dy)       %any : int = prim::AutogradAnyNonZero(%dy)
 *       block0():                                              %g : Tensor = prim::If(%any)
 *         ...                                              ->    block0():  ...  -> (%dx)
 *         -> (%dx)                                               block1():
 *                                                                  %zero : Tensor = prim::AutogradZero()
 *                                                                  -> (%zero)
 */
import { IntType } from "#aten/core/jit_type";
import type { Graph } from "../ir/ir.ts";

export function LowerGradOf(graph: Graph): void {
  for (const node of graph.nodes()) {
    if (node.kind() !== "prim::GradOf") continue;
    const condition = graph.create("prim::AutogradAnyNonZero", node.inputs()).insertBefore(node).output();
    const branch = graph.create("prim::If", [condition.setType(IntType)], node.outputs().length).insertBefore(node);
    branch.addBlock().cloneFrom(node.blocks()[0], (value) => value);
    const zeros = branch.addBlock();
    const zero = graph.createAutogradZero().insertBefore(zeros.return_node()).output();
    for (const [i, output] of node.outputs().entries()) {
      zeros.registerOutput(zero);
      branch.output(i).copyMetadata(output);
    }
    node.replaceAllUsesWith(branch);
    node.destroy();
  }
}
