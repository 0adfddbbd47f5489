/**
 * @file Takes out what a profiled run left in a graph: profile nodes, and types that were seen.
 * @mirrors torch/csrc/jit/passes/clear_profiling.h
 */
import { unshapedType } from "#aten/core/type";
import type { Block, Graph } from "../ir/ir.ts";

/** Gives tensor types without facts to all inputs and outputs of nodes. */
export function unprofileGraphInputs(graph: Graph): void {
  for (const input of graph.inputs())
    if (input.type().kind() === "TensorType") input.setType(unshapedType(input.type()));
}

export function unprofileBlock(block: Block): void {
  for (const node of block.nodes()) {
    if (node.kind() === "prim::profile" || node.kind() === "prim::profile_ivalue") {
      if (node.outputs().length > 0) node.output().replaceAllUsesWith(node.input());
      node.destroy();
      continue;
    }
    for (const output of node.outputs())
      if (output.type().kind() === "TensorType") output.setType(unshapedType(output.type()));
    for (const inner of node.blocks()) unprofileBlock(inner);
  }
}

export function ClearProfilingInformation(graph: Graph): void {
  unprofileGraphInputs(graph);
  unprofileBlock(graph.block());
}
