/**
 * @file Replaces operators that write by those that do not, whether or not somebody else sees the memory: only ONNX export may do so.
 * @mirrors torch/csrc/jit/passes/remove_inplace_ops.cpp
 */
import type { Block, Graph } from "../ir/ir.ts";

const inPlaceToOutOfPlace: ReadonlyMap<string, string> = new Map([
  ["aten::add_", "aten::add"],
  ["aten::sub_", "aten::sub"],
  ["aten::div_", "aten::div"],
  ["aten::mul_", "aten::mul"],
  ["aten::zero_", "aten::zeros_like"],
  ["aten::fill_", "aten::full_like"],
]);

/** Number of inputs that the replacement has; those that are missing are None. */
const expectedInputCount: ReadonlyMap<string, number> = new Map([
  ["aten::zero_", 6],
  ["aten::fill_", 7],
]);

function removeInplaceOps(block: Block): void {
  const graph = block.owningGraph();
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) removeInplaceOps(inner);
    const kind = inPlaceToOutOfPlace.get(node.kind());
    if (kind === undefined) continue;
    const replacement = graph.create(kind).insertBefore(node);
    replacement.copyMetadata(node);
    for (const input of node.inputs()) replacement.addInput(input);
    const missing = (expectedInputCount.get(node.kind()) ?? 0) - replacement.inputs().length;
    for (let i = 0; i < missing; i++) replacement.addInput(graph.createNone().insertBefore(replacement).output());
    replacement.output().copyMetadata(node.output());
    node.replaceAllUsesWith(replacement);
    node.input(0).replaceAllUsesAfterNodeWith(replacement, replacement.output());
    node.destroy();
  }
}

export function RemoveInplaceOps(graph: Graph): void {
  removeInplaceOps(graph.block());
}
