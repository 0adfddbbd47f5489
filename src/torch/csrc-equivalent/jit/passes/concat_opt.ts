/**
 * @file Joins concatenations of concatenations: `torch.cat([torch.cat([a, b], 1), c], 1)` becomes `torch.cat([a, b, c], 1)`.
 * @mirrors torch/csrc/jit/passes/concat_opt.cpp
 */
import { AliasDb } from "../ir/alias_analysis.ts";
import { type Block, findAllNodes, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";

/** The list of a `cat`, if it is made for this call alone. */
function listOf(cat: Node): Node | null {
  const list = cat.input(0);
  return list.node().kind() === "prim::ListConstruct" && list.uses().length === 1 ? list.node() : null;
}

class ConcatCombiner {
  private readonly graph: Graph;
  private readonly alias_db: AliasDb;

  constructor(graph: Graph) {
    this.graph = graph;
    this.alias_db = new AliasDb(graph);
  }

  run(block: Block): boolean {
    let changed = false;
    for (const node of block.nodes()) {
      for (const inner of node.blocks()) changed = this.run(inner) || changed;
      if (node.kind() === "aten::cat") changed = this.combine(node) || changed;
    }
    return changed;
  }

  private combine(cat: Node): boolean {
    const list = listOf(cat);
    if (list === null || this.alias_db.hasWriters(list.output())) return false;
    const parts = list.inputs().map((input) => this.partsOf(input, cat.input(1)));
    if (parts.every((part) => part === null)) return false;
    withInsertPoint(list, () => {
      const elements = parts.flatMap((part, i) => part ?? [list.input(i)]);
      const joined = this.graph.insertNode(this.graph.create("prim::ListConstruct", elements)).output();
      joined.setType(list.output().type());
      list.output().replaceAllUsesWith(joined);
    });
    return true;
  }

  /** The tensors that a part was concatenated from along the same dimension, if it is used only here and nobody writes to it. */
  private partsOf(part: Value, dim: Value): readonly Value[] | null {
    const cat = part.node();
    if (cat.kind() !== "aten::cat" || cat.input(1) !== dim || part.uses().length !== 1) return null;
    const list = listOf(cat);
    if (list === null || this.alias_db.hasWriters(cat) || this.alias_db.hasWriters(list.inputs())) return null;
    return list.inputs();
  }
}

/** Returns whether the graph changed. */
export function CombineConcats(graph: Graph): boolean {
  return findAllNodes(graph, "aten::cat", true).length > 1 && new ConcatCombiner(graph).run(graph.block());
}
