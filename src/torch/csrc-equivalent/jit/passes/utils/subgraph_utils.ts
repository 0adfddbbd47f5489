/**
 * @file Moves nodes into the subgraph of a node, and out of it again.
 * @mirrors torch/csrc/jit/passes/utils/subgraph_utils.cpp
 *
 * The mechanism in miniature: `y = f(x)` goes into a group that takes `y`. Afterwards the group takes `x`, and computes `y` itself; if
 * something behind the group reads `y`, it becomes an output of the group. Constants are copied, because they cost nothing.
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { AliasDb } from "../../ir/alias_analysis.ts";
import { toIValue } from "../../ir/constants.ts";
import { type Graph, insertGraph, type Node, type Use, type Value, withInsertPoint } from "../../ir/ir.ts";
import { isBeforeUse, isBeforeValue } from "../canonicalize.ts";

export function getSubgraph(node: Node): Graph {
  return node.g("Subgraph");
}

/** Puts the nodes of the subgraph in the place of the node. */
export function unmergeSubgraph(node: Node): void {
  withInsertPoint(node, () => {
    const outputs = insertGraph(node.owningGraph(), getSubgraph(node), node.inputs());
    for (const [i, output] of node.outputs().entries()) output.replaceAllUsesWith(outputs[i]);
  });
  node.destroy();
}

/** The nodes of another group go into this one, from the last to the first. */
function mergeSubgraph(mergeTo: Node, mergeFrom: Node): void {
  const before = mergeFrom.prev();
  const after = mergeFrom.next();
  unmergeSubgraph(mergeFrom);
  for (let node = after.prev(); node !== before; ) {
    const previous = node.prev();
    mergeNodeIntoSubgraph(node, mergeTo);
    node = previous;
  }
}

/** Values from outside that a node or its blocks use, those of the node first. */
function closedOverValues(node: Node): Set<Value> {
  const found = new Set<Value>(node.inputs());
  const inside = new Set<Value>();
  const visit = (inner: Node): void => {
    for (const input of inner.inputs()) if (!inside.has(input)) found.add(input);
    for (const block of inner.blocks()) {
      for (const input of block.inputs()) inside.add(input);
      for (const nested of block.nodes()) visit(nested);
      for (const output of block.outputs()) if (!inside.has(output)) found.add(output);
    }
    for (const output of inner.outputs()) inside.add(output);
  };
  visit(node);
  return found;
}

/** Precondition: `group` has a subgraph, and nothing between `node` and it reads what `node` makes. */
export function mergeNodeIntoSubgraph(node: Node, group: Node): void {
  if (node.hasAttribute("Subgraph")) {
    mergeSubgraph(group, node);
    return;
  }
  const subgraph = getSubgraph(group);
  const inputs = new Map<Value, Value>();
  for (const [i, input] of group.inputs().entries()) inputs.set(input, subgraph.inputs()[i]);
  for (const [i, output] of group.outputs().entries()) inputs.set(output, subgraph.outputs()[i]);

  const merged = withInsertPoint(subgraph.block().param_node().next(), () => {
    for (const input of closedOverValues(node)) {
      if (inputs.has(input)) continue;
      const constant = toIValue(input);
      if (constant !== null) {
        inputs.set(input, subgraph.insertConstant(constant).copyMetadata(input));
      } else {
        group.addInput(input);
        inputs.set(input, subgraph.addInput().copyMetadata(input));
      }
    }
    return subgraph.insertNode(subgraph.createClone(node, (value) => inputs.get(value) as Value));
  });

  for (const [i, output] of node.outputs().entries()) {
    const position = group.inputs().indexOf(output);
    if (position < 0) continue;
    group.removeInput(position);
    subgraph.inputs()[position].replaceAllUsesWith(merged.outputs()[i]);
    subgraph.eraseInput(position);
  }
  for (const [i, output] of node.outputs().entries()) {
    subgraph.registerOutput(merged.outputs()[i]);
    output.replaceAllUsesWith(group.addOutput().copyMetadata(output));
  }
  node.destroy();
  // An output that only the node read is one no longer.
  for (let i = group.outputs().length - 1; i >= 0; i--) {
    if (
      group
        .outputs()
        [i].uses()
        .some(({ user }) => user.isAfter(group))
    )
      continue;
    group.eraseOutput(i);
    subgraph.eraseOutput(i);
  }
}

function createSingletonSubgraph(node: Node, kind: string): Node {
  const group = node.owningGraph().createWithSubgraph(kind).insertBefore(node);
  mergeNodeIntoSubgraph(node, group);
  return group;
}

function lastUse(value: Value): Use | null {
  let last: Use | null = null;
  for (const use of value.uses()) if (last === null || isBeforeUse(last, use)) last = use;
  return last;
}

/**
 * Merges, and gives the new outputs of the group the memory of the outputs that vanished. An output is recognized by its last use, because
 * values are replaced several times on the way.
 */
function mergeAndUpdateAliasing(node: Node, existing: Node | null, alias_db: AliasDb, merge: () => Node): Node {
  const last_uses = node.outputs().map(lastUse);
  const existing_last_uses = existing?.outputs().map(lastUse) ?? [];
  const placeholder = node.owningGraph().create("prim::Uninitialized", 0).insertBefore(node);
  for (const output of node.outputs())
    alias_db.replaceWithNewValue(output, placeholder.addOutput().copyMetadata(output));
  const group = merge();
  for (const output of group.outputs()) {
    const use = lastUse(output);
    const is_last = (other: Use | null): boolean => other?.user === use?.user && other?.offset === use?.offset;
    if (existing_last_uses.some(is_last)) continue;
    const i = last_uses.findIndex(is_last);
    TORCH_INTERNAL_ASSERT(i >= 0);
    alias_db.replaceWithNewValue(placeholder.output(i), output);
  }
  placeholder.destroy();
  return group;
}

export function mergeNodeIntoSubgraphAndUpdateAliasing(node: Node, group: Node, alias_db: AliasDb): void {
  mergeAndUpdateAliasing(node, group, alias_db, () => {
    mergeNodeIntoSubgraph(node, group);
    return group;
  });
}

/** A group of one node, in the place of the node. */
export function createSingletonSubgraphAndUpdateAliasing(node: Node, kind: string, alias_db: AliasDb): Node {
  return mergeAndUpdateAliasing(node, null, alias_db, () => createSingletonSubgraph(node, kind));
}

// Taking nodes out again

/** The node and everything behind it that reads what it makes. */
function collectNodesToUnfuse(node: Node, found: Set<Node>): void {
  if (node.kind() === "prim::Return" || node.kind() === "prim::Param" || found.has(node)) return;
  found.add(node);
  for (const output of node.outputs()) for (const { user } of output.uses()) collectNodesToUnfuse(user, found);
}

function unmergeFromLastToFirst(nodes: ReadonlySet<Node>, group: Node): boolean {
  for (const node of [...nodes].sort((a, b) => (a.isBefore(b) ? 1 : -1))) unmergeNode(node, group);
  return nodes.size > 0;
}

/** Takes out what makes outputs that may be the memory of an input. Returns whether the group changed. */
export function unmergeOutputsAlisingInputs(group: Node): boolean {
  const subgraph = getSubgraph(group);
  const alias_db = new AliasDb(subgraph);
  const nodes = new Set<Node>();
  for (const output of subgraph.outputs())
    if (alias_db.mayContainAlias(output, subgraph.inputs())) collectNodesToUnfuse(output.node(), nodes);
  return unmergeFromLastToFirst(nodes, group);
}

/** If several outputs may be the same memory, only the first stays in the group. Returns whether the group changed. */
export function unmergeAliasedOutputs(group: Node): boolean {
  if (group.outputs().length < 2) return false;
  const subgraph = getSubgraph(group);
  const alias_db = new AliasDb(subgraph);
  const sets: Value[][] = [];
  for (const output of subgraph.outputs()) {
    const known = sets.filter((set) => alias_db.mayContainAlias(set[0], output));
    for (const set of known) if (!set.includes(output)) set.push(output);
    if (known.length === 0) sets.push([output]);
    for (const set of known) set.sort((a, b) => (isBeforeValue(a, b) ? -1 : 1));
  }
  const nodes = new Set<Node>();
  for (const set of sets) for (const value of set.slice(1)) collectNodesToUnfuse(value.node(), nodes);
  return unmergeFromLastToFirst(nodes, group);
}

/** Moves a node behind the group. What it reads becomes outputs of the group; constants are copied. */
function unmergeNode(node: Node, group: Node): void {
  const subgraph = node.owningGraph();
  const graph = group.owningGraph();
  const outside = new Map<Value, Value>();
  const remaining = new Set<Value>(node.inputs());
  const own_outputs: number[] = [];
  for (const [i, output] of subgraph.outputs().entries()) {
    if (node.outputs().includes(output)) own_outputs.push(i);
    if (remaining.delete(output)) outside.set(output, group.output(i));
  }
  const before = group.next();
  for (const input of remaining) {
    if (input.node().kind() === "prim::Constant") {
      const copy = graph.createClone(input.node(), (value) => value).insertBefore(before);
      outside.set(input, copy.output());
    } else {
      subgraph.registerOutput(input);
      outside.set(input, group.addOutput().setType(input.type()));
    }
  }
  const copy = graph.createClone(node, (value) => outside.get(value) as Value).insertBefore(before);
  for (const [i, output] of node.outputs().entries()) outside.set(output, copy.output(i).copyMetadata(output));
  for (const i of own_outputs.reverse()) {
    group.output(i).replaceAllUsesWith(outside.get(subgraph.outputs()[i]) as Value);
    group.eraseOutput(i);
    subgraph.eraseOutput(i);
  }
  node.destroy();
}
