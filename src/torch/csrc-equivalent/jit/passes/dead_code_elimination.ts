/**
 * @file Removes nodes whose results nobody reads: what is needed is marked backwards from the outputs, the rest is swept.
 * @mirrors torch/csrc/jit/passes/dead_code_elimination.cpp
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { AliasDb } from "../ir/alias_analysis.ts";
import type { Block, Graph, Node, Value } from "../ir/ir.ts";

export type DCESideEffectPolicy = "DONT_DELETE_NODES_WITH_SIDE_EFFECTS" | "ALLOW_DELETING_NODES_WITH_SIDE_EFFECTS";

class DeadCodeEliminator {
  private readonly policy: DCESideEffectPolicy;
  private readonly graph: Graph | null;
  private alias_db: AliasDb | null = null;
  private readonly memo = new Map<Node, boolean>();
  private readonly marked = new Set<Node>();
  readonly liveValues = new Set<Value>();

  /** @param graph null: no alias information is used */
  constructor(policy: DCESideEffectPolicy, graph: Graph | null) {
    this.policy = policy;
    this.graph = graph;
  }

  run(block: Block, recurse: boolean): void {
    eliminateDeadForkInputs(block, recurse);
    this.mark(block.return_node());
    this.markBlock(block);
    this.sweep(block, recurse);
  }

  private writes(): AliasDb | null {
    if (this.graph === null) return null;
    this.alias_db ??= new AliasDb(this.graph);
    return this.alias_db;
  }

  /** Marks the block's results that are read outside. Returns whether that was new. */
  private markReturnNode(node: Node): boolean {
    if (this.marked.has(node)) return false;
    const outer = node.owningBlock().owningNode();
    if (outer === null || outer.kind() === "prim::Reverse") return this.mark(node);
    const live = this.liveValues;
    if (outer.kind() === "prim::Loop") {
      const [body] = outer.blocks();
      outer.outputs().forEach((output, i) => {
        // What the next round reads is needed too.
        if (live.has(output) || body.inputs()[i + 1].hasUses()) live.add(body.outputs()[i + 1]);
      });
      live.add(body.outputs()[0]); // whether there is a next round
    } else {
      TORCH_INTERNAL_ASSERT(outer.outputs().length === node.inputs().length);
      outer.outputs().forEach((output, i) => {
        if (live.has(output)) live.add(node.input(i));
      });
    }
    this.marked.add(node);
    return true;
  }

  /** A loop is marked until nothing new is found: a late node may change what an earlier one reads in the next round. */
  private markLoop(node: Node): boolean {
    let any = false;
    while (this.markBlock(node.blocks()[0])) any = true;
    return any;
  }

  private markBlock(block: Block): boolean {
    let any = false;
    const nodes = block.nodes();
    for (const node of nodes) {
      if (this.policy === "DONT_DELETE_NODES_WITH_SIDE_EFFECTS" && this.hasSideEffects(node)) {
        any = this.mark(node) || any;
      }
    }
    any = this.markReturnNode(block.return_node()) || any;
    for (const node of nodes.reverse()) {
      if (node.kind() === "prim::Loop") any = this.markLoop(node) || any;
      else for (const inner of node.blocks()) any = this.markBlock(inner) || any;
      any = this.markIfLive(node) || any;
    }
    return any;
  }

  private markIfLive(node: Node): boolean {
    if (node.outputs().some((output) => this.liveValues.has(output))) return this.mark(node);
    return this.writes()?.writesToAlias(node, this.liveValues) === true && this.mark(node);
  }

  /** Marks a node, the nodes around it, and its inputs as live. */
  private mark(node: Node): boolean {
    if (this.marked.has(node)) return false;
    this.marked.add(node);
    // The node of a backward that is still being made is in no list.
    const outer = node.inBlockList() ? node.owningBlock().owningNode() : null;
    if (outer !== null) this.mark(outer);
    for (const input of node.inputs()) this.liveValues.add(input);
    return true;
  }

  private hasSideEffects(node: Node): boolean {
    let found = this.memo.get(node);
    if (found === undefined) {
      found =
        node.hasSideEffects() ||
        node.blocks().some((block) => block.nodes().some((inner) => this.hasSideEffects(inner))) ||
        (this.writes()?.writesToWildcard(node) ?? isMutation(node));
      this.memo.set(node, found);
    }
    return found;
  }

  private sweep(block: Block, recurse: boolean): void {
    for (const node of block.nodes().reverse()) {
      removeDeadBlockOutputs(node);
      removeDeadLoopOutputs(node);
      if (recurse) for (const inner of node.blocks()) this.sweep(inner, true);
      if (!this.marked.has(node) && !node.hasUses()) node.destroy();
    }
  }
}

/** Whether a node writes to something; who reads it is not known. */
function isMutation(node: Node): boolean {
  return node.kind() === "prim::SetAttr" || node.maybeSchema()?.is_mutable() === true;
}

function eliminateDeadForkInputs(block: Block, recurse: boolean): void {
  for (const node of block.nodes()) {
    if (recurse) for (const inner of node.blocks()) eliminateDeadForkInputs(inner, recurse);
    if (node.kind() !== "prim::fork") continue;
    const subgraph = node.g("Subgraph");
    for (let i = 0; i < subgraph.inputs().length; i++) {
      if (subgraph.inputs()[i].hasUses()) continue;
      subgraph.eraseInput(i);
      node.removeInput(i);
    }
  }
}

function removeDeadBlockOutputs(node: Node): void {
  if (node.kind() !== "prim::If" && node.kind() !== "prim::GradOf") return;
  for (let i = node.outputs().length - 1; i >= 0; i--) {
    if (node.outputs()[i].hasUses()) continue;
    node.eraseOutput(i);
    for (const block of node.blocks()) block.eraseOutput(i);
  }
}

function removeDeadLoopOutputs(node: Node): void {
  if (node.kind() !== "prim::Loop") return;
  const [body] = node.blocks();
  for (let i = node.outputs().length - 1; i >= 0; i--) {
    if (node.outputs()[i].hasUses() || body.inputs()[i + 1].hasUses()) continue;
    node.eraseOutput(i);
    node.removeInput(i + 2);
    body.eraseInput(i + 1);
    body.eraseOutput(i + 1);
  }
}

/** Removes dead code of a whole graph. */
export function EliminateDeadCode(
  graph: Graph,
  policy: DCESideEffectPolicy = "DONT_DELETE_NODES_WITH_SIDE_EFFECTS",
): void {
  new DeadCodeEliminator(policy, graph).run(graph.block(), true);
}

/** Removes dead code of a block, which is perhaps no whole graph: nodes that write are kept. Returns the live values. */
export function EliminateDeadCodeOfBlock(
  block: Block,
  recurse = true,
  policy: DCESideEffectPolicy = "DONT_DELETE_NODES_WITH_SIDE_EFFECTS",
): ReadonlySet<Value> {
  const eliminator = new DeadCodeEliminator(policy, null);
  eliminator.run(block, recurse);
  return eliminator.liveValues;
}
