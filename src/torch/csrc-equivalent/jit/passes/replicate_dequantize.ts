/**
 * @file Gives each user of a dequantized tensor a dequantization of its own, so that patterns around one user can be matched.
 * @mirrors torch/csrc/jit/passes/quantization/insert_quant_dequant.cpp#ReplicateDeQuant
 */
import { findAllNodes, type Graph } from "../ir/ir.ts";

export function ReplicateDeQuant(graph: Graph): void {
  for (const node of findAllNodes(graph, "aten::dequantize", true)) {
    if (node.inputs().length !== 1 || node.output().uses().length < 2) continue;
    for (const { user, offset } of [...node.output().uses()]) {
      const copy = graph.create("aten::dequantize", [node.input()]).insertBefore(user);
      copy.output().setType(node.output().type());
      user.replaceInput(offset, copy.output());
    }
    node.destroy();
  }
}
