/**
 * @file Keeps one of several equal constants, and moves the constants to the beginning of the graph.
 * @mirrors torch/csrc/jit/passes/constant_pooling.cpp
 */
import { AliasDb } from "../ir/alias_analysis.ts";
import { toIValue } from "../ir/constants.ts";
import type { Block, Graph, Node } from "../ir/ir.ts";
import { EqualNode } from "../ir/node_hashing.ts";

class Pool {
  private readonly graph: Graph;
  /** Constants by kind of type, so that few are compared. */
  private readonly constants = new Map<string, Node[]>();
  private alias_db: AliasDb | null = null;

  constructor(graph: Graph) {
    this.graph = graph;
  }

  pool(block: Block): void {
    for (const node of block.nodes()) {
      for (const inner of node.blocks()) this.pool(inner);
      if (node.kind() === "prim::Constant") this.poolConstant(node);
    }
  }

  private poolConstant(node: Node): void {
    const key = node.output().type().key();
    const list = this.constants.get(key) ?? [];
    const existing = list.find((other) => EqualNode(other, node));
    if (existing === undefined) {
      list.push(node);
      this.constants.set(key, list);
      const first = this.graph.block().param_node().next();
      if (node !== first) node.moveBefore(first);
      return;
    }
    if (!this.mayBecomeOne(node, existing)) return;
    node.replaceAllUsesWith(existing);
    node.destroy();
  }

  private mayBecomeOne(node: Node, existing: Node): boolean {
    if (!AliasDb.isMutableType(node.output())) return true;
    const a = toIValue(node.output());
    const b = toIValue(existing.output());
    if (a !== null && b !== null && a.payload === b.payload) return true; // one object already
    this.alias_db ??= new AliasDb(this.graph);
    return this.alias_db.safeToChangeAliasingRelationship(node.outputs(), existing.outputs());
  }
}

export function ConstantPooling(graph: Graph): void {
  new Pool(graph).pool(graph.block());
}
