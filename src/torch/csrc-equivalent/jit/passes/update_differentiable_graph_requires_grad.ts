/**
 * @file Sets whether the tensors of a differentiable graph require gradients: inside it they do not, because its inputs are detached.
 * @mirrors torch/csrc/jit/passes/update_differentiable_graph_requires_grad.cpp
 */
import { with_facts } from "#aten/core/tensor_type";
import type { Block, Graph } from "../ir/ir.ts";

function update(block: Block, requiresGrad: boolean | null): void {
  for (const node of block.nodes()) {
    for (const input of node.inputs())
      if (input.type().kind() === "TensorType") input.setType(with_facts(input.type(), { requiresGrad }));
    if (node.kind() === "prim::profile")
      node.ty_("profiled_type", with_facts(node.ty("profiled_type"), { requiresGrad }));
    for (const inner of node.blocks()) update(inner, requiresGrad);
  }
}

/** @param requires_grad null: not known */
export function UpdateDifferentiableGraphRequiresGrad(graph: Graph, requires_grad: boolean | null): void {
  update(graph.block(), requires_grad);
}
