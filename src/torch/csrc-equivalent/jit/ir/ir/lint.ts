/**
 * @file Checks that the links of a graph agree: uses with inputs, order with definitions, numbers with values.
 * @mirrors torch/csrc/jit/ir/ir.cpp#Graph::lint
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { Block } from "./block.ts";
import type { Graph } from "./graph.ts";
import type { Node } from "./node.ts";
import type { Value } from "./value.ts";

/** Values that can be seen from a block: its own values, and those of the blocks around it. */
class LintScope {
  private readonly parent: LintScope | null;
  private readonly seen = new Set<Node | Value>();

  constructor(parent: LintScope | null) {
    this.parent = parent;
  }
  contains(what: Node | Value): boolean {
    return this.seen.has(what) || this.parent?.contains(what) === true;
  }
  insert(what: Node | Value): void {
    TORCH_INTERNAL_ASSERT(!this.contains(what));
    this.seen.add(what);
  }
}

class LintImpl {
  private readonly graph: Graph;
  private readonly seen_uniques = new Set<number>();
  /** Uses met so far of nodes that were not met yet. */
  private readonly anticipated_uses = new Map<Node, number>();
  private readonly seen_nodes = new Set<Node>();

  constructor(graph: Graph) {
    this.graph = graph;
  }

  check_graph(): void {
    this.check_block(this.graph.block(), new LintScope(null));
    TORCH_INTERNAL_ASSERT(this.anticipated_uses.size === 0, "a value is used by a node that is not in the graph");
    for (const node of this.graph.all_nodes())
      TORCH_INTERNAL_ASSERT(this.seen_nodes.has(node), `a node of the graph is in no block: ${node}`);
  }

  private check_value(value: Value, scope: LintScope): void {
    scope.insert(value);
    TORCH_INTERNAL_ASSERT(!this.seen_uniques.has(value.unique()), `two values have the number ${value.unique()}`);
    this.seen_uniques.add(value.unique());
    for (const { user, offset } of value.uses()) {
      TORCH_INTERNAL_ASSERT(!scope.contains(user), "a value is used before it is defined");
      TORCH_INTERNAL_ASSERT(this.graph.all_nodes().has(user), "a use belongs to a node that was destroyed");
      TORCH_INTERNAL_ASSERT(user.inputs()[offset] === value, "a use and its input disagree");
      this.anticipated_uses.set(user, (this.anticipated_uses.get(user) ?? 0) + 1);
    }
  }

  private check_node(node: Node, scope: LintScope): void {
    for (const input of node.inputs()) TORCH_INTERNAL_ASSERT(scope.contains(input), `${input.unique()} not in scope`);
    TORCH_INTERNAL_ASSERT((this.anticipated_uses.get(node) ?? 0) === node.inputs().length);
    this.anticipated_uses.delete(node);
    scope.insert(node);
    this.seen_nodes.add(node);
    for (const block of node.blocks()) this.check_block(block, new LintScope(scope));
    for (const [i, output] of node.outputs().entries()) {
      TORCH_INTERNAL_ASSERT(output.node() === node && output.offset() === i);
      this.check_value(output, scope);
    }
    if (node.kind() === "prim::Constant" || node.kind() === "prim::Param")
      TORCH_INTERNAL_ASSERT(node.inputs().length === 0);
    if (node.kind() === "prim::Return") TORCH_INTERNAL_ASSERT(node.outputs().length === 0);
  }

  private check_block(block: Block, scope: LintScope): void {
    const order = [block.param_node(), ...block.nodes(), block.return_node()];
    for (let i = 1; i < order.length; i++) TORCH_INTERNAL_ASSERT(order[i - 1].isBefore(order[i]));
    this.seen_nodes.add(block.param_node());
    for (const input of block.inputs()) {
      TORCH_INTERNAL_ASSERT(input.node().kind() === "prim::Param");
      this.check_value(input, scope);
    }
    for (const node of block.nodes()) {
      TORCH_INTERNAL_ASSERT(node.kind() !== "prim::Param" && node.kind() !== "prim::Return");
      this.check_node(node, scope);
    }
    this.check_node(block.return_node(), scope);
  }
}

export function lintGraph(graph: Graph): void {
  new LintImpl(graph).check_graph();
}
