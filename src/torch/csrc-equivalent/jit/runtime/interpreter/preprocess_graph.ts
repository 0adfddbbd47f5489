/**
 * @file Prepares a copy of a graph for the emission of instructions: every value gets a last use in the block that defines it.
 * @mirrors torch/csrc/jit/runtime/interpreter/preprocess_graph.cpp
 */
import type { ClassType } from "#aten/core/class_type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { Block, Graph, Node, Value } from "../../ir/ir.ts";
import { canEmitInline } from "./can_emit_inline.ts";

/** Puts a call of `__enter__` behind each prim::Enter, which itself only remembers the object. */
function insertEnterMethodCalls(graph: Graph): void {
  const enter_nodes: Node[] = [];
  const visit = (block: Block): void => {
    for (const node of block.nodes()) {
      if (node.kind() === "prim::Enter") enter_nodes.push(node);
      else for (const inner of node.blocks()) visit(inner);
    }
  };
  visit(graph.block());
  for (const enter of enter_nodes) {
    const method = (enter.input(0).type() as ClassType).getMethod("__enter__");
    const call = graph.create("prim::CallMethod", [enter.input(0)]).s_("name", "__enter__");
    call.output().setType(method.getSchema().returns()[0].type());
    call.insertAfter(enter);
    enter.replaceAllUsesWith(call);
  }
}

const is_unused = (value: Value): boolean => !value.hasUses() && value.node().kind() !== "prim::Constant";

/** Adds a prim::Drop for values that nothing uses, so that they do not stay on the stack. */
function dropUnused(block: Block): void {
  const graph = block.owningGraph();
  const unused_inputs = block.inputs().filter(is_unused);
  if (unused_inputs.length > 0) block.prependNode(graph.create("prim::Drop", unused_inputs, 0));
  for (const node of block.nodes()) {
    const unused = node.outputs().filter(is_unused);
    if (unused.length > 0) graph.create("prim::Drop", unused, 0).insertAfter(node);
    for (const inner of node.blocks()) dropUnused(inner);
  }
}

/** The node of `block` that is `node` or has it inside. */
function findOwnerInBlock(node: Node, block: Block): Node | null {
  let owner: Node | null = node;
  while (owner !== null && owner.owningBlock() !== block) owner = owner.owningBlock().owningNode();
  return owner;
}

/**
 * A value whose last use is inside an If or a Loop is dropped behind it: the use inside may run several times or not at all, so it cannot
 * clear the register.
 */
function insertLastUses(graph: Graph): void {
  const seen = new Set<Value>();
  const drop_for_node = new Map<Node, Node>();

  const drop_behind = (node: Node, value: Value): void => {
    let drop = drop_for_node.get(node);
    if (drop === undefined) {
      drop = graph.create("prim::Drop", 0).insertAfter(node);
      drop_for_node.set(node, drop);
    }
    if (value.node().kind() !== "prim::Constant" && !drop.inputs().includes(value)) drop.addInput(value);
  };
  const scanUse = (node: Node, i: number): void => {
    const value = node.inputs()[i];
    if (seen.has(value)) return;
    seen.add(value);
    const same_depth_node = findOwnerInBlock(node, value.node().owningBlock());
    TORCH_INTERNAL_ASSERT(same_depth_node !== null, "the value is not in scope; lint the graph");
    if (same_depth_node !== node) drop_behind(same_depth_node, value);
  };
  const scanNode = (node: Node): void => {
    for (const block of node.blocks()) scanBlock(block);
    // Backwards: of two uses in one node, the second one is the last.
    for (let i = node.inputs().length - 1; i >= 0; i--) scanUse(node, i);
  };
  const scanBlock = (block: Block): void => {
    scanNode(block.return_node());
    for (const node of block.nodes().reverse()) scanNode(node);
  };
  scanBlock(graph.block());
}

export class PreprocessGraph {
  /** The prepared copy. */
  readonly graph: Graph;
  readonly can_emit_inline: ReadonlySet<Node>;

  constructor(graph: Graph) {
    this.graph = graph.copy();
    insertEnterMethodCalls(this.graph);
    dropUnused(this.graph.block());
    insertLastUses(this.graph);
    this.can_emit_inline = canEmitInline(this.graph);
  }
}
