/**
 * @file Refuses graphs in which an operator writes into a leaf or a value that gradients need; PyTorch checks Python operators only.
 * @mirrors torch/csrc/jit/passes/inplace_check.cpp
 */
import { RuntimeError } from "#c10/util/Exception";
import type { Block, Graph } from "../ir/ir.ts";

function checkInplace(block: Block): void {
  for (const node of block.nodes()) {
    if (node.kind() === "prim::PythonOp" && node.hasAttribute("inplace") && node.i("inplace") !== 0)
      throw new RuntimeError(`inplace ${node.s("name")} not supported in the JIT`);
    for (const inner of node.blocks()) checkInplace(inner);
  }
}

export function CheckInplace(graph: Graph): void {
  checkInplace(graph.block());
}
