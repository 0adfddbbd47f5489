/**
 * @file Numbers a graph anew in the order of its text, so that equal graphs have equal texts; and the order in which uses are visited.
 * @mirrors torch/csrc/jit/passes/canonicalize.cpp
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { Graph, type Node, type Use, type Value } from "../ir/ir.ts";

/**
 * A copy of the graph with numbers in order; subgraphs too.
 * @param keep_unique_names Whether values keep their names.
 */
export function Canonicalize(graph: Graph, keep_unique_names = true): Graph {
  const result = new Graph(graph.current_scope());
  const rename = new Map<Value, Value>();
  const env = (value: Value): Value => {
    const copy = rename.get(value);
    TORCH_INTERNAL_ASSERT(copy !== undefined, `Value not found in canonicalized graph: ${value}`);
    return copy;
  };
  const take = (copy: Value, original: Value): void => {
    copy.copyMetadata(original);
    if (!keep_unique_names) copy.setDebugName("");
    rename.set(original, copy);
  };
  for (const input of graph.inputs()) take(result.addInput(), input);
  for (const node of graph.nodes()) {
    const copy = result.appendNode(result.createClone(node, env));
    if (!keep_unique_names) for (const output of copy.outputs()) output.setDebugName("");
    for (const [i, output] of node.outputs().entries()) take(copy.output(i), output);
    if (copy.hasAttribute("Subgraph")) copy.g_("Subgraph", Canonicalize(copy.g("Subgraph"), keep_unique_names));
  }
  for (const output of graph.outputs()) result.registerOutput(env(output));
  return result;
}

/** Which of the blocks of `ancestor` contains a node, counted from 0. */
function blockIndex(block: unknown, parent: Node): number {
  for (const [i, inner] of parent.blocks().entries()) if (inner === block) return i;
  TORCH_INTERNAL_ASSERT(false);
}

/** Whether one node comes before another, if the blocks of a node run one after the other. */
export function isBefore(n1: Node, n2: Node): boolean {
  TORCH_INTERNAL_ASSERT(n1 !== n2);
  let a = n1;
  let b = n2;
  let depth_a = a.blocksFromGraphBlock();
  let depth_b = b.blocksFromGraphBlock();
  for (; depth_a > depth_b; depth_a--) {
    a = a.owningBlock().owningNode() as Node;
    if (a === b) return false; // n2 contains n1
  }
  for (; depth_b > depth_a; depth_b--) {
    b = b.owningBlock().owningNode() as Node;
    if (a === b) return true; // n1 contains n2
  }
  for (;;) {
    if (a.owningBlock() === b.owningBlock()) return a.isBefore(b);
    const parent_a = a.owningBlock().owningNode() as Node;
    const parent_b = b.owningBlock().owningNode() as Node;
    if (parent_a === parent_b) return blockIndex(a.owningBlock(), parent_a) < blockIndex(b.owningBlock(), parent_b);
    a = parent_a;
    b = parent_b;
  }
}

/** Whether one use comes before another: by its node, then by its input. */
export function isBeforeUse(a: Use, b: Use): boolean {
  return a.user === b.user ? a.offset < b.offset : isBefore(a.user, b.user);
}

/** Whether a value is defined before another. */
export function isBeforeValue(a: Value, b: Value): boolean {
  return a.node() === b.node() ? a.offset() < b.offset() : isBefore(a.node(), b.node());
}

/** The first use of each output in the order of the text; null if it has none. */
function gatherFirstUses(values: readonly Value[]): (Use | null)[] {
  return values.map((value) => {
    let first: Use | null = null;
    for (const use of value.uses()) if (first === null || isBeforeUse(use, first)) first = use;
    return first;
  });
}

/** The order of outputs by their first uses; those without uses come last. */
function sort_indexes(uses: readonly (Use | null)[]): number[] {
  const indices = uses.map((_, i) => i);
  return indices.sort((i, j) => {
    const a = uses[i];
    const b = uses[j];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return isBeforeUse(a, b) ? -1 : 1;
  });
}

/** Puts outputs of If and Loop in the order of their first uses. */
export function CanonicalizeOutputs(graph: Graph): void {
  canonicalizeBlockOutputs(graph.block());
}

/** From the last node to the first, because the order of outputs depends on the uses behind the node. */
function canonicalizeBlockOutputs(block: ReturnType<Graph["block"]>): void {
  for (const node of block.nodes().reverse()) {
    if (node.kind() === "prim::Loop") {
      const order = sort_indexes(gatherFirstUses(node.outputs()));
      node.permuteOutputs(order);
      const behind = (skip: number): number[] => [...Array(skip).keys(), ...order.map((i) => i + skip)];
      node.permuteInputs(behind(2));
      node.blocks()[0].permuteInputs(behind(1));
      node.blocks()[0].permuteOutputs(behind(1));
    } else if (node.kind() === "prim::If") {
      const order = sort_indexes(gatherFirstUses(node.outputs()));
      node.permuteOutputs(order);
      for (const branch of node.blocks()) branch.permuteOutputs(order);
    }
    for (const inner of node.blocks()) canonicalizeBlockOutputs(inner);
  }
}
