/**
 * @file Puts differentiable graphs that are too small back into the graph around them.
 * @mirrors torch/csrc/jit/passes/inline_autodiff_subgraphs.cpp
 */
import type { Block, Graph, Node } from "../ir/ir.ts";
import { EliminateDeadCode } from "./dead_code_elimination.ts";
import { UpdateDifferentiableGraphRequiresGrad } from "./update_differentiable_graph_requires_grad.ts";
import { unmergeSubgraph } from "./utils/subgraph_utils.ts";

/** Whether autograd records what the node does: it does for all operators, not for fused kernels. */
export function canRunWithAutograd(node: Node): boolean {
  const kind = node.kind();
  if (["prim::FusionGroup", "prim::CudaFusionGroup", "prim::TypeCheck", "prim::TensorExprGroup"].includes(kind))
    return false;
  return /^(aten|prim)::/.test(kind) && node.blocks().every((block) => block.nodes().every(canRunWithAutograd));
}

function blockSize(block: Block): number {
  let size = 0;
  for (const node of block.nodes()) size += 1 + node.blocks().reduce((sum, inner) => sum + blockSize(inner), 0);
  return size;
}

function inlineAutodiffSubgraphs(block: Block, threshold: number): void {
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) inlineAutodiffSubgraphs(inner, threshold);
    if (node.kind() !== "prim::DifferentiableGraph") continue;
    const subgraph = node.g("Subgraph");
    if (blockSize(subgraph.block()) >= threshold || !subgraph.nodes().every(canRunWithAutograd)) continue;
    // Inputs are no longer detached, so nobody knows what requires gradients.
    UpdateDifferentiableGraphRequiresGrad(subgraph, null);
    unmergeSubgraph(node);
  }
}

/** @param threshold A graph with fewer nodes is put back. */
export function InlineAutodiffSubgraphs(graph: Graph, threshold: number): void {
  inlineAutodiffSubgraphs(graph.block(), threshold);
  EliminateDeadCode(graph);
}
