/**
 * @file Computes equal expressions once.
 * @mirrors torch/csrc/jit/passes/common_subexpression_elimination.cpp
 */
import { AliasDb } from "../ir/alias_analysis.ts";
import type { Block, Graph, Node } from "../ir/ir.ts";
import { EqualNode } from "../ir/node_hashing.ts";

/** Finds an equal node that was computed before, here or in a block around; null if there is none. */
type Lookup = (node: Node) => Node | null;

class CommonSubexpressionEliminator {
  private readonly graph: Graph;
  private alias_db: AliasDb | null = null;

  constructor(graph: Graph) {
    this.graph = graph;
  }

  run(block: Block, lookUpInParents: Lookup): boolean {
    const computed = new Map<string, Node[]>();
    const lookUp = (node: Node): Node | null => computed.get(node.kind())?.find((n) => EqualNode(n, node)) ?? null;
    let changed = false;
    for (const node of block.nodes()) {
      if (node.kind() === "prim::profile" || node.hasSideEffects() || node.isNondeterministic()) continue;
      this.alias_db ??= new AliasDb(this.graph);
      // What is written to in between is not the same the second time.
      if (this.alias_db.hasWriters(node)) continue;
      if (node.blocks().length > 0) {
        for (const inner of node.blocks()) changed = this.run(inner, (n) => lookUp(n) ?? lookUpInParents(n)) || changed;
        continue;
      }
      const existing = lookUpInParents(node) ?? lookUp(node);
      if (existing === null) {
        const same_kind = computed.get(node.kind());
        if (same_kind === undefined) computed.set(node.kind(), [node]);
        else same_kind.push(node);
        continue;
      }
      if (!this.alias_db.safeToChangeAliasingRelationship(node.outputs(), existing.outputs())) continue;
      changed = true;
      node.replaceAllUsesWith(existing);
      node.destroy();
    }
    return changed;
  }
}

/** Returns whether the graph changed. */
export function EliminateCommonSubexpression(graph: Graph): boolean {
  return new CommonSubexpressionEliminator(graph).run(graph.block(), () => null);
}
