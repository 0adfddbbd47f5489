/**
 * @file Forgets which tensors were undefined. The graph of a second backward takes its types from the first, whose zeros need not be zero.
 * @mirrors torch/csrc/jit/passes/clear_undefinedness.cpp
 */
import { ListType, TensorType } from "#aten/core/jit_type";
import type { Block, Graph, Value } from "../ir/ir.ts";

function clear(value: Value): void {
  const type = value.type();
  if (type.kind() === "TensorType") value.setType(TensorType);
  else if (type.kind() === "ListType" && type.containedType().kind() === "TensorType")
    value.setType(ListType.create(TensorType));
}

function clearBlock(block: Block): void {
  for (const node of block.nodes()) {
    for (const output of node.outputs()) clear(output);
    for (const inner of node.blocks()) clearBlock(inner);
  }
}

export function ClearUndefinedness(graph: Graph): void {
  for (const input of graph.inputs()) clear(input);
  clearBlock(graph.block());
}
