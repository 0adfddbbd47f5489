/**
 * @file Groups nodes with known gradients into `prim::DifferentiableGraph`, as large as the order of nodes allows.
 * @mirrors torch/csrc/jit/passes/create_autodiff_subgraphs.cpp
 *
 * The mechanism in miniature: nodes are visited backwards. A differentiable node becomes a group, and the nodes that make its inputs join
 * it if they are differentiable and can be moved next to it. Then the group is visited again, because it has other inputs now. At the end
 * outputs that are the same memory leave their group, and small groups are dissolved.
 */
import { tensor_facts, with_facts } from "#aten/core/tensor_type";
import { AliasDb } from "../ir/alias_analysis.ts";
import type { Block, Graph, Node, Value } from "../ir/ir.ts";
import { isDifferentiable } from "../runtime/autodiff.ts";
import { EliminateCommonSubexpression } from "./common_subexpression_elimination.ts";
import {
  createSingletonSubgraphAndUpdateAliasing,
  getSubgraph,
  mergeNodeIntoSubgraphAndUpdateAliasing,
  unmergeAliasedOutputs,
  unmergeOutputsAlisingInputs,
  unmergeSubgraph,
} from "./utils/subgraph_utils.ts";

const GROUP = "prim::DifferentiableGraph";

/** A view that leaves a group would be differentiated wrongly, so these stay outside. */
const view_ops = new Set(
  ["view", "view_as", "reshape", "reshape_as", "transpose", "expand", "expand_as"].map((name) => `aten::${name}`),
);

function shouldConsiderForMerge(node: Node): boolean {
  if (node.kind() === GROUP) return true;
  return node.kind() !== "prim::Constant" && !view_ops.has(node.kind()) && isDifferentiable(node);
}

class SubgraphSlicer {
  private readonly block: Block;
  private readonly minSubgraphSize: number;
  private readonly alias_db: AliasDb;

  constructor(block: Block, minSubgraphSize: number, alias_db: AliasDb) {
    this.block = block;
    this.minSubgraphSize = minSubgraphSize;
    this.alias_db = alias_db;
  }

  private of(block: Block): SubgraphSlicer {
    return new SubgraphSlicer(block, this.minSubgraphSize, this.alias_db);
  }

  /** Groups nodes here and in the blocks inside. */
  buildupSubgraphs(): void {
    for (const { begin, end } of this.buildWorkBlocks()) {
      for (let changed = true; changed; ) {
        changed = false;
        for (let node = end; node !== begin; ) {
          const group = this.scanNode(node);
          if (group.merged) changed = true;
          node = group.merged ? group.node : group.node.prev();
        }
      }
    }
    for (const node of this.block.nodes()) for (const inner of node.blocks()) this.of(inner).buildupSubgraphs();
  }

  /** Stretches between nodes that nothing can be moved across, from the last to the first, if they have enough nodes for a group. */
  private buildWorkBlocks(): { begin: Node; end: Node }[] {
    const work: { begin: Node; end: Node }[] = [];
    let end = this.block.return_node();
    let differentiable = 0;
    let node = end.prev();
    for (; node !== this.block.param_node(); node = node.prev()) {
      if (shouldConsiderForMerge(node)) differentiable++;
      if (!node.hasSideEffects()) continue;
      if (differentiable >= this.minSubgraphSize) work.push({ begin: node, end });
      differentiable = 0;
      end = node;
    }
    if (differentiable >= this.minSubgraphSize) work.push({ begin: node, end });
    return work;
  }

  private scanNode(node: Node): { node: Node; merged: boolean } {
    if (!shouldConsiderForMerge(node)) return { node, merged: false };
    const group = node.kind() === GROUP ? node : createSingletonSubgraphAndUpdateAliasing(node, GROUP, this.alias_db);
    for (const input of this.sortReverseTopological(group.inputs())) {
      const producer = input.node();
      if (!shouldConsiderForMerge(producer) || !this.alias_db.moveBeforeTopologicallyValid(producer, group)) continue;
      mergeNodeIntoSubgraphAndUpdateAliasing(producer, group, this.alias_db);
      return { node: group, merged: true };
    }
    return { node: group, merged: false };
  }

  private sortReverseTopological(inputs: readonly Value[]): Value[] {
    const here = inputs.filter((input) => input.node().owningBlock() === this.block);
    return here.sort((a, b) => (a.node().isAfter(b.node()) ? -1 : b.node().isAfter(a.node()) ? 1 : 0));
  }

  /** Dissolves small groups, and returns the others. */
  cleanupSubgraphs(): Node[] {
    const kept: Node[] = [];
    for (const node of this.block.nodes().reverse()) {
      if (node.kind() !== GROUP) continue;
      EliminateCommonSubexpression(getSubgraph(node));
      const size = getSubgraph(node)
        .nodes()
        .filter((inner) => !inner.notExecutedOp()).length;
      if (size < this.minSubgraphSize) unmergeSubgraph(node);
      else kept.push(node);
    }
    for (const node of this.block.nodes())
      for (const inner of node.blocks()) kept.push(...this.of(inner).cleanupSubgraphs());
    return kept;
  }
}

/** Outputs that may be the same memory as another output or an input are computed outside. */
function unfuseAliasedOutputs(block: Block): void {
  for (let changed = true; changed; ) {
    changed = false;
    for (const node of block.nodes().reverse()) {
      if (node.kind() !== GROUP) continue;
      changed = unmergeAliasedOutputs(node) || changed;
      changed = unmergeOutputsAlisingInputs(node) || changed;
    }
  }
  for (const node of block.nodes()) for (const inner of node.blocks()) unfuseAliasedOutputs(inner);
}

/** The context manager around each node: in `no_grad` a profile says nothing about the world outside. */
type ContextMapping = Map<Node, Node | null>;

function contextsOf(graph: Graph): ContextMapping {
  const contexts: ContextMapping = new Map();
  const stack: (Node | null)[] = [null];
  const visit = (block: Block): void => {
    for (const node of block.nodes()) {
      contexts.set(node, stack[stack.length - 1]);
      if (node.kind() === "prim::Enter") stack.push(node);
      else if (node.kind() === "prim::Exit") stack.pop();
      for (const inner of node.blocks()) visit(inner);
      if (node.kind() === GROUP) visit(getSubgraph(node).block());
    }
  };
  visit(graph.block());
  return contexts;
}

/** Whether a use of a group's output was seen to require gradients; null if no use says. */
function findRequiresGradForOutput(group: Node, output: Value, contexts: ContextMapping): boolean | null {
  const same_context = (node: Node): boolean => !contexts.has(node) || contexts.get(node) === contexts.get(group);
  const profiled = (users: readonly Node[]): boolean | null => {
    for (const user of users) {
      if (!same_context(user) || user.kind() !== "prim::profile") continue;
      const { requiresGrad } = tensor_facts(user.ty("profiled_type"));
      if (requiresGrad !== null) return requiresGrad;
    }
    return null;
  };
  for (const { user, offset } of output.uses()) {
    const seen = profiled([user]);
    if (seen !== null) return seen;
    if (!same_context(user) || user.kind() !== GROUP) continue;
    const inside = profiled(
      getSubgraph(user)
        .inputs()
        [offset].uses()
        .map((use) => use.user),
    );
    if (inside !== null) return inside;
  }
  return null;
}

/** Autodiff asks each output whether it requires gradients. An output that is no profile node asks its uses. */
function AddRequiresGradOnOutputNodes(block: Block, contexts: ContextMapping): void {
  for (const node of block.nodes()) {
    if (node.kind() === GROUP) {
      for (const [i, output] of getSubgraph(node).outputs().entries()) {
        if (output.node().kind() === "prim::profile" || output.type().kind() !== "TensorType") continue;
        if (tensor_facts(output.type()).requiresGrad !== null) continue;
        const requiresGrad = findRequiresGradForOutput(node, node.output(i), contexts);
        output.setType(with_facts(output.type(), { requiresGrad }));
      }
    }
    for (const inner of node.blocks()) AddRequiresGradOnOutputNodes(inner, contexts);
  }
}

/**
 * Returns the groups, the last of a block first.
 * @param threshold The fewest nodes in a group; constants and profile nodes do not count.
 */
export function CreateAutodiffSubgraphs(graph: Graph, threshold: number): Node[] {
  const slicer = new SubgraphSlicer(graph.block(), threshold, new AliasDb(graph));
  slicer.buildupSubgraphs();
  unfuseAliasedOutputs(graph.block());
  const groups = slicer.cleanupSubgraphs();
  EliminateCommonSubexpression(graph);
  AddRequiresGradOnOutputNodes(graph.block(), contextsOf(graph));
  return groups;
}
