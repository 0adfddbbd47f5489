/**
 * @file Forgets what earlier runs taught about tensors: every tensor type becomes one without facts.
 * @mirrors torch/csrc/jit/passes/clear_profiling.cpp
 */
import { TensorType } from "#aten/core/jit_type";
import { unshapedType } from "#aten/core/type";
import type { Block, Graph, Value } from "../ir/ir.ts";

function unprofile(value: Value): void {
  if (value.type().isSubtypeOf(TensorType)) value.setType(unshapedType(value.type()));
}

export function unprofileGraphInputs(graph: Graph): void {
  for (const input of graph.inputs()) unprofile(input);
}

export function unprofileBlock(block: Block): void {
  for (const node of block.nodes()) {
    for (const output of node.outputs()) unprofile(output);
    for (const inner of node.blocks()) unprofileBlock(inner);
  }
}

export function ClearProfilingInformation(graph: Graph): void {
  unprofileGraphInputs(graph);
  unprofileBlock(graph.block());
}
