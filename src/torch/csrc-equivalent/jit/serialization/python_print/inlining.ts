/**
 * @file Decides which nodes are written inside the expression that uses them, instead of as an assignment of their own.
 * @mirrors torch/csrc/jit/serialization/python_print.cpp#scanNode
 *
 * Note [Expressions from nodes]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 *     %3 = aten::sin(%x)
 *     %4 = aten::cos(%y)
 *     %5 = aten::add(%3, %4, %one)         torch.add(torch.sin(x), torch.cos(y))
 *
 * The parser emits the arguments of a call from left to right, and the call behind them. So the nodes before a call, read backwards, are
 * its arguments from right to left, each with its own arguments in the same way. As long as the two walks meet the same nodes, the nodes
 * are parts of one expression, and reading the text again gives them in the order that they have here. The walks part at a node that
 * another one uses too, or that has a name: it gets an assignment. Constants have no effects and no order, so they are always inside.
 */
import type { Block, Node, Value } from "../../ir/ir.ts";

/** Users that may read a value more than once, or in another function. */
const tasks: ReadonlySet<string> = new Set([
  "prim::fork",
  "prim::awaitable",
  "prim::rpc_async",
  "prim::rpc_sync",
  "prim::rpc_remote",
]);

function canInline(value: Value): boolean {
  const node = value.node();
  if (node.outputs().length !== 1 || value.uses().length !== 1) return false;
  const [{ user, offset }] = value.uses();
  // A name in the program is kept, unless the value is only returned.
  if (value.hasDebugName() && user.kind() !== "prim::Return") return false;
  if (node.blocks().length > 0) return false;
  // The initial value of a variable of a loop is assigned before the loop.
  if (user.kind() === "prim::Loop" && offset >= 2) return false;
  if (tasks.has(user.kind())) return false;
  // An `isinstance` in a condition would refine types when it is read again, but the casts are in the graph already.
  return node.kind() !== "prim::isinstance";
}

function previousNonConstant(node: Node): Node {
  let previous = node.prev();
  while (previous.kind() === "prim::Constant") previous = previous.prev();
  return previous;
}

export class InlinePlan {
  private readonly output_inline_ = new Set<Node>();

  /** Whether the node is a part of the expression that uses it. */
  has(node: Node): boolean {
    return this.output_inline_.has(node);
  }

  scanBlock(block: Block): void {
    this.scanNode(block.return_node());
    for (const node of block.nodes().reverse()) this.scanNode(node);
  }

  /** Returns the node before the expression of `node`. */
  private scanNode(node: Node): Node {
    if (this.output_inline_.has(node)) return node;
    for (const block of node.blocks()) this.scanBlock(block);
    let block_point = previousNonConstant(node);
    for (const input of [...node.inputs()].reverse()) block_point = this.scanValue(block_point, input);
    return block_point;
  }

  /** @param block_point the last node before the expression that has been read */
  private scanValue(block_point: Node, value: Value): Node {
    const node = value.node();
    let before = block_point;
    if (node === block_point && canInline(value)) {
      before = this.scanNode(block_point);
      this.output_inline_.add(node);
    } else if (node.kind() === "prim::Constant") {
      this.output_inline_.add(node);
    }
    return before;
  }
}
