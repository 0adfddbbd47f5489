/**
 * @file Forgets which tensors a profiled run saw undefined.
 * @mirrors torch/csrc/jit/passes/clear_undefinedness.h
 */
import { ListType, TensorType } from "#aten/core/jit_type";
import { with_facts } from "#aten/core/tensor_type";
import type { Block, Graph, Value } from "../ir/ir.ts";

function clear(value: Value): void {
  const type = value.type();
  if (type.kind() === "TensorType") value.setType(with_facts(type, { undefined: null }));
  else if (type.kind() === "ListType" && type.containedType().kind() === "TensorType")
    value.setType(ListType.create(TensorType));
}

function clearUndefinedness(block: Block): void {
  for (const node of block.nodes()) {
    for (const output of node.outputs()) clear(output);
    for (const inner of node.blocks()) clearUndefinedness(inner);
  }
}

export function ClearUndefinedness(graph: Graph): void {
  for (const input of graph.inputs()) clear(input);
  clearUndefinedness(graph.block());
}
