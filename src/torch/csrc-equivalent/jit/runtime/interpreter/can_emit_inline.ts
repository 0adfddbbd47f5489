/**
 * @file Finds nodes whose value can stay on the stack: they are emitted where their value is used, without a register.
 * @mirrors torch/csrc/jit/runtime/interpreter/can_emit_inline.h
 */
import type { Block, Graph, Node, Value } from "../../ir/ir.ts";

// Note [Trees on the stack]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// `a * x + b * y` needs no register: load a, load x, mul, load b, load y, mul, add. A node may be emitted so if its one output has one use,
// and if no other node moves in front of it by that. Therefore the nodes are visited backwards, together with the inputs of a node in
// backward depth-first order: as long as both lists name the same node, the tree has the order of the list. Constants do not count.

const never_inline: ReadonlySet<string> = new Set([
  "prim::Param",
  "prim::TensorExprGroup",
  "prim::TensorExprDynamicGroup",
  "prim::StaticSubgraph",
  "prim::CudaFusionGroup",
  "prim::FusionGroup",
  "prim::BailOut",
]);

function canInline(value: Value): boolean {
  const node = value.node();
  return !never_inline.has(node.kind()) && value.uses().length === 1 && node.outputs().length === 1;
}

function previousNonConstant(node: Node): Node {
  let previous = node.prev();
  while (previous.kind() === "prim::Constant") previous = previous.prev();
  return previous;
}

/** The nodes of a graph that are emitted where their value is used. */
export function canEmitInline(graph: Graph): ReadonlySet<Node> {
  const inlined = new Set<Node>();

  const scanValue = (block_point: Node | null, value: Value): Node | null => {
    if (value.node() !== block_point || !canInline(value)) return block_point;
    const next = scanNode(value.node());
    inlined.add(value.node());
    return next;
  };
  /** The node that must produce the value left of this node's tree, for the tree to grow. */
  const scanNode = (node: Node): Node | null => {
    if (inlined.has(node)) return null;
    for (const block of node.blocks()) scanBlock(block);
    let block_point: Node | null = previousNonConstant(node);
    for (const input of [...node.inputs()].reverse()) block_point = scanValue(block_point, input);
    return block_point;
  };
  const scanBlock = (block: Block): void => {
    scanNode(block.return_node());
    for (const node of block.nodes().reverse()) scanNode(node);
  };

  scanBlock(graph.block());
  return inlined;
}
