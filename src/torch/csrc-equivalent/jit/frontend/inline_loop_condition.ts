/**
 * @file Moves the condition of each loop, which is emitted in a block of its own, before the loop and to the end of the body.
 * @mirrors torch/csrc/jit/frontend/inline_loop_condition.cpp
 */
import type { Block, Graph, Node } from "../ir/ir.ts";

/** Moves all nodes of `block` before a node. */
export function InlineBlockBeforeNode(before_node: Node, block: Block): void {
  for (const node of block.nodes()) node.moveBefore(before_node);
}

function inlineCondition(n: Node): void {
  const [body, pre_header] = n.blocks();
  const copy = n.addBlock();
  copy.cloneFrom(pre_header, (v) => v);
  InlineBlockBeforeNode(n, copy);
  n.insertInput(1, copy.outputs()[0]); // behind the trip count: the start condition
  n.eraseBlock(2);

  InlineBlockBeforeNode(body.return_node(), pre_header);
  body.return_node().insertInput(0, pre_header.outputs()[0]);
  n.eraseBlock(1);
}

function inlineBlock(block: Block): void {
  for (const n of block.nodes()) {
    for (const b of n.blocks()) inlineBlock(b);
    if (n.kind() === "prim::Loop") inlineCondition(n);
  }
}

export function InlineLoopCondition(graph: Graph): void {
  inlineBlock(graph.block());
}
